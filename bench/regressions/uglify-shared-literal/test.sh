#!/bin/sh
# In a folder holding one version of uglify-js: does the compressed program still run and print the same?
# 0 = works, 1 = uglify-js issue 3054 (a variable leaks into another function), 125 = cannot tell.
exec timeout 20 node - <<'JS'
"use strict";
// The only dependency of the library, and nothing here asks for a source map.
const Module = require("module");
const load = Module._load;
Module._load = function (name) { return name === "source-map" ? {} : load.apply(this, arguments); };

function cannotTell(why) { console.log("cannot tell:", why); process.exit(125); }
let uglify;
try { uglify = require(process.cwd() + "/tools/node.js"); } catch (e) { cannotTell(e.message); }

// test/compress/functions.js, issue_3054 in uglify-js itself
const program = `"use strict";
function f() {
    return { a: true };
}
console.log(function(b) {
    b = false;
    return f();
}().a, f.call().a);`;
function run(code) {
    const lines = [];
    try { new Function("console", code)({ log: (...a) => lines.push(a.join(" ")) }); } catch (e) { return e.name + ": " + e.message; }
    return lines.join("\n");
}
let result;
try {
    result = uglify.minify(program, {
        toplevel: true,
        mangle: false,
        compress: { booleans: true, collapse_vars: true, inline: 1, reduce_vars: true, unused: false },
    });
} catch (e) { cannotTell(e.message); }
if (result.error) cannotTell(result.error.message);
const saw = run(result.code);
console.log("code:  " + result.code + "\nprints: " + saw);
process.exit(saw === "true true" ? 0 : saw === "ReferenceError: b is not defined" ? 1 : 125);
JS
