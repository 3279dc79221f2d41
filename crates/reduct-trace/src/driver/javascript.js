// Runs a JavaScript program under a plan: only the statement executions that the plan names are executed.
//
// Loaded before the program by `node --require`. Each file of the program that is loaded is given guards by `reduct step --guards`:
// see guards.rs of reduct-grammars. The guard names an execution by the one that it belongs to, the statement, and how often
// that came before within it: the execution index of Xin, Sumner and Zhang (PLDI 2008).
'use strict';
const fs = require('fs');
const path = require('path');
const childProcess = require('child_process');
const Module = require('module');

const UNRESOLVED = 125;
const PART = -1;
// Of a value, so many characters are kept.
const LONGEST_VALUE = 200;
// `inspect` shows so many elements.
const MOST_PARTS = 100;
// So many executions are written at once.
const AT_ONCE = 4096;

const own = path.dirname(__filename);
const told = JSON.parse(fs.readFileSync(path.join(own, 'instructions.json'), 'utf8'));
const guarded = new Map();
for (const [file, at] of Object.entries(JSON.parse(fs.readFileSync(path.join(own, 'guarded.json'), 'utf8') || '{}'))) {
    guarded.set(file, fs.readFileSync(at, 'utf8'));
    fs.rmSync(at);
}
const plan = told.known ? JSON.parse(fs.readFileSync(told.known, 'utf8')) : null;
const { writeSync, readFileSync, realpathSync, openSync } = fs;
const { execFileSync } = childProcess;
const { inspect } = require('util');
const { isMap, isNativeError, isProxy, isSet } = require('util/types');
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const functionText = Function.prototype.toString;
const here = process.cwd();

function giveUp(why) {
    writeSync(2, `reduct step: ${why}\n`);
    process.reallyExit(UNRESOLVED);
}

// The statements, by `file:line:nth:is iteration`; executions by what they belong to, the statement and the count.
const statements = new Map();
const counts = new Map();
const known = new Map();
const kept = new Set(plan ? plan.kept : []);
const depths = [0];
let now = 0;
// If a kept run is recorded again: what belongs to an execution at this depth, or a deeper one, has the numbers after those taken.
const below = told.deeper ? told.deeper.below : Infinity;
const taken = told.deeper ? told.deeper.taken : 0;
let executed = taken;
let seen = 0;
const deepest = told.deepest || Infinity;
const limit = told.limit || Infinity;
const record = told.record ? { file: openSync(told.record, 'w'), most: told.most, buffer: Buffer.alloc(8 * AT_ONCE), used: 0, written: 0, perDepth: [] } : null;
// The executions before which variables are looked at, and the names of these.
const looked = new Map(told.reads || []);
const values = told.values ? openSync(told.values, 'w') : null;
const described = told.record || told.values ? openSync((told.record || told.values) + '.statements', 'w') : null;

function numberOf(file, line, nth, isIteration) {
    const key = `${file}:${line}:${nth}:${isIteration}`;
    let number = statements.get(key);
    if (!number) statements.set(key, number = statements.size + 1);
    return number;
}

function name(parent, statement, count) {
    return `${parent} ${statement} ${count}`;
}

if (plan) {
    const places = plan.places.map(([file, line, nth, isIteration]) => numberOf(file, line, nth, isIteration));
    for (const [parent, place, count, number] of plan.known) {
        known.set(name(parent, places[place], count), number);
        depths[number] = depths[parent] + 1;
    }
}

// What is executed is written where it stays if the program dies: how many, how many there were, and for each what it belongs to
// and its statement.
function flush() {
    const fits = Math.max(0, Math.min(record.used, record.most - record.written));
    writeSync(record.file, record.buffer, 0, 8 * fits, 16 + 8 * record.written);
    record.written += fits;
    record.used = 0;
    const head = Buffer.alloc(16);
    head.writeBigUInt64LE(BigInt(record.written), 0);
    head.writeBigUInt64LE(BigInt(executed - taken), 8);
    writeSync(record.file, head, 0, 16, 0);
}

function add(depth, parent, statement) {
    record.perDepth[depth] = (record.perDepth[depth] || 0) + 1;
    record.buffer.writeInt32LE(parent, 8 * record.used);
    record.buffer.writeInt32LE(statement, 8 * record.used + 4);
    record.used += 1;
    if (record.used === AT_ONCE) flush();
}

if (record) {
    writeSync(record.file, Buffer.alloc(16), 0, 16, 0);
    process.on('exit', () => {
        flush();
        fs.writeFileSync(told.record + '.depths', JSON.stringify([...record.perDepth].map((count) => count || 0)) + '\n');
    });
}

function guard(frame, statement, depth, look) {
    // Modules execute all that is in no function when they are loaded, as imports do.
    if (frame.isModule) return true;
    const underWay = frame.underWay;
    const parent = depth ? underWay[Math.min(depth, underWay.length) - 1] ?? frame.base : frame.base;
    seen += 1;
    if (seen > limit) giveUp('more was executed than could be: the plan makes a loop longer');
    let execution = PART;
    if (parent >= 0 && depths[parent] < deepest) {
        const counted = parent * 0x200000 + statement;
        const count = counts.get(counted) || 0;
        counts.set(counted, count + 1);
        if (!plan || depths[parent] >= below) {
            executed += 1;
            execution = executed;
            depths[execution] = depths[parent] + 1;
            if (record) add(depths[execution], parent, statement);
        } else {
            execution = known.get(name(parent, statement, count));
            if (execution === undefined) giveUp('something is executed that was not when it was recorded');
            if (!kept.has(execution)) return false;
        }
    }
    underWay.length = Math.min(underWay.length, depth);
    while (underWay.length < depth) underWay.push(parent);
    underWay.push(execution);
    now = execution >= 0 ? execution : parent;
    if (look && looked.has(execution)) noteRead(execution, look);
    return true;
}

// Returns whether `inspect` would call getters of the program for a value: it reads some names, whatever its options say.
function callsProgram(it, depth) {
    if (it === null || typeof it !== 'object' || isProxy(it)) return false;
    const isComputed = (of, name) => {
        for (; of && !isProxy(of); of = getPrototypeOf(of)) {
            const found = getOwnPropertyDescriptor(of, name);
            if (found) return Boolean(found.get) && !functionText.call(found.get).includes('[native code]');
        }
        return false;
    };
    const read = isNativeError(it) ? [Symbol.toStringTag, 'name', 'message', 'stack'] : [Symbol.toStringTag];
    if (read.some((name) => isComputed(it, name))) return true;
    for (let of = it; of && !isProxy(of); of = getPrototypeOf(of)) {
        const made = getOwnPropertyDescriptor(of, 'constructor');
        if (made && typeof made.value === 'function' && isComputed(made.value, 'name')) return true;
    }
    if (depth > 2) return false;
    if (ArrayBuffer.isView(it)) return false;
    const names = Array.isArray(it) ? Array.from({ length: Math.min(it.length, MOST_PARTS) }, (_, at) => at) : Object.keys(it);
    const parts = names.map((name) => (getOwnPropertyDescriptor(it, name) || {}).value);
    const entries = isMap(it) ? Map.prototype.entries.call(it) : isSet(it) ? Set.prototype.entries.call(it) : [];
    for (const pair of entries) {
        if (parts.length >= 2 * MOST_PARTS) break;
        parts.push(...pair);
    }
    return parts.some((of) => callsProgram(of, depth + 1));
}

function shownValue(it) {
    if (callsProgram(it, 0)) throw new TypeError('it is computed');
    return inspect(it, { depth: 2, breakLength: Infinity, getters: false, customInspect: false }).slice(0, LONGEST_VALUE);
}

// Returns a field without a call of the program.
function fieldOf(it, field) {
    for (let of = Object(it); of; of = getPrototypeOf(of)) {
        const found = getOwnPropertyDescriptor(of, field);
        if (found && !('value' in found)) throw new TypeError('it is computed');
        if (found) return found.value;
    }
    return undefined;
}

// Notes the values of what a statement reads, before it is executed. `look` evaluates a name where the statement stands.
function noteRead(execution, look) {
    const shown = {};
    for (const name of looked.get(execution)) {
        try {
            const [first, ...fields] = name.split('.');
            let [it, known] = [look(first), first];
            for (const field of fields) {
                // What has no fields is told by its own name.
                if (it === undefined || it === null || isProxy(it)) break;
                [it, known] = [fieldOf(it, field), `${known}.${field}`];
            }
            if (typeof it !== 'function') shown[known] = shownValue(it);
        } catch {}
    }
    writeSync(values, JSON.stringify([execution, {}, shown]) + '\n');
}

function note(frame, depth, names) {
    const execution = frame.underWay[depth];
    if (values === null || !(execution > 0)) return;
    const shown = {};
    for (const [of, it] of Object.entries(names)) {
        try {
            shown[of] = shownValue(it);
        } catch {}
    }
    writeSync(values, JSON.stringify([execution, shown]) + '\n');
}

// A path as the plan has it: below the current folder, it is relative.
function called(file) {
    return file.startsWith(here + '/') ? file.slice(here.length + 1) : file;
}

let main = null;

// What a file with guards begins with: the functions that its guards call.
globalThis[Symbol.for('reduct')] = (file, places) => {
    const name = called(file);
    const lines = described === null ? [] : readFileSync(file, 'utf8').split('\n');
    const numbers = places.map(([line, nth, isIteration, within]) => {
        const number = numberOf(name, line, nth, isIteration);
        if (described !== null) {
            writeSync(described, JSON.stringify([number, name, line, nth, isIteration, lines[line - 1] || '', within]) + '\n');
        }
        return number;
    });
    const isMain = main === null;
    main ??= file;
    return {
        enter: () => ({ base: now, underWay: [], isModule: false }),
        leave: (frame) => { now = frame.base; },
        top: () => ({ base: now, underWay: [], isModule: !isMain }),
        k: (frame, number, depth, look) => guard(frame, numbers[number], depth, look),
        v: note,
    };
};

const into = told.into.map((it) => {
    try {
        return realpathSync(it);
    } catch {
        return null;
    }
}).filter(Boolean);

// A folder that is named counts, even if it is one of packages.
function isLookedInto(file) {
    if (into.includes(file)) return true;
    const best = Math.max(0, ...into.filter((folder) => file.startsWith(folder.replace(/\/$/, '') + '/')).map((folder) => folder.length));
    return best > 0 && !file.slice(best).includes('/node_modules/');
}

// Returns the text of a file with guards; as it is, if it cannot have them.
function withGuards(file, text) {
    if (!isLookedInto(file)) return text;
    if (guarded.has(file)) return guarded.get(file);
    try {
        const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30, env: { ...process.env, REDUCT_CONFINE: 'off' } };
        return execFileSync(told.guards, ['step', file, '--guards', '--', 'node'], options);
    } catch {
        return text;
    }
}

// The files with guards: their texts without them, and with them; once a stack is shown, the lines of both, and the columns that were asked for.
const texts = new Map();

const { _compile } = Module.prototype;
Module.prototype._compile = function compile(text, file, ...rest) {
    const own = withGuards(file, text);
    if (own !== text) texts.set(file, { texts: [text, own], lines: null, columns: new Map() });
    const isUsual = hasUsualLimit();
    loading += 1;
    if (isUsual) Error.stackTraceLimit += 1;
    try {
        return _compile.call(this, own, file, ...rest);
    } finally {
        if (hasUsualLimit()) Error.stackTraceLimit -= 1;
        loading -= 1;
    }
};

// So many frames of a stack are kept, unless the program sets that. While files are being loaded, there is one of this driver for each.
const KEPT = Error.stackTraceLimit;
let loading = 0;

function hasUsualLimit() {
    return Error.stackTraceLimit === KEPT + loading;
}

// What guards.rs puts between the signs of a line. Braces that it puts behind a statement are found as what the line does not have.
const PUT = [
    /const __reduct_r=.*?__reduct_r\.top\(\);/y,
    /const __reduct_f=__reduct_r\.enter\(\);try\{/y,
    /\}finally\{__reduct_r\.leave\(__reduct_f\);\}/y,
    /\{if\(__reduct_r\.k\(__reduct_f,\d+,\d+\)\)(\{__reduct_r\.v\(__reduct_f,\d+,\{.*?\}\);)?/y,
    /[^\s;(){}]+;if\(__reduct_r\.k\(__reduct_f,\d+,\d+\)\)\(/y,
    /[;,]__reduct_r\.v\(__reduct_f,\d+,\{.*?\}\)\)?/y,
];

// Returns a line of a file, as it is written and with guards.
function linesOf(file, line) {
    const known = texts.get(file);
    known.lines ??= known.texts.map((text) => text.split('\n'));
    return known.lines.map((lines) => lines[line - 1] ?? '');
}

// Returns which column of a line a column of the line with guards is; both from 0.
function asWritten(file, line, column) {
    const { columns } = texts.get(file);
    const place = `${line}:${column}`;
    if (!columns.has(place)) columns.set(place, columnAsWritten(...linesOf(file, line), column));
    return columns.get(place);
}

function columnAsWritten(written, guarded, column) {
    let [at, is] = [0, 0];
    while (at < column) {
        const put = PUT.find((it) => {
            it.lastIndex = at;
            return it.test(guarded);
        });
        if (put) at = put.lastIndex;
        else if (guarded.startsWith('let', at) && written.startsWith('const', is)) [at, is] = [at + 3, is + 5];
        else {
            if (guarded[at] === written[is]) is += 1;
            at += 1;
        }
    }
    return is;
}

// Returns a frame of a stack with the column that it has without guards.
function frameAsWritten(site) {
    const file = site.getFileName();
    if (!texts.has(file)) return site;
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
    const is = asWritten(file, line, column - 1) + 1;
    return new Proxy(site, {
        get(of, name) {
            if (name === 'getColumnNumber') return () => is;
            if (name === 'toString') return () => of.toString().replace(`:${line}:${column}`, `:${line}:${is}`);
            return typeof of[name] === 'function' ? of[name].bind(of) : of[name];
        },
    });
}

// Returns what node prints above the stack of an exception that nobody catches: the place, the line and what is marked in it.
function arrowAsWritten(arrow) {
    const parts = /^(.*):(\d+)\n(.*)\n(\s*)(\^+)\n/.exec(arrow);
    if (!parts || !texts.has(parts[1])) return arrow;
    const [whole, file, line, , before, marks] = parts;
    const [begin, end] = [before.length, before.length + marks.length].map((at) => asWritten(file, line, at));
    const [written] = linesOf(file, line);
    const blanks = written.slice(0, begin).replace(/[^\t]/g, ' ');
    return `${file}:${line}\n${written}\n${blanks}${'^'.repeat(Math.max(1, end - begin))}\n` + arrow.slice(whole.length);
}

// Has `require` find for the program what it finds without `--expose-internals`: `internal/util` may be a module of its own.
function refuseInternals(builtin) {
    const isPublic = (it) => !it.startsWith('internal/');
    const named = builtin.getSchemeOnlyModuleNames().filter((it) => builtin.canBeRequiredByUsers(it));
    builtin.setRealmAllowRequireByUsers([...builtin.getCanBeRequiredByUsersWithoutSchemeList().filter(isPublic), ...named]);
    Module.builtinModules = Object.freeze(Module.builtinModules.filter(isPublic));
}

// Stacks are shown as if there were no guards, by node's own modules. If another version has no such ones, stacks have guards in them.
const { emitWarning } = process;
try {
    // They warn of themselves, and are no modules of the program.
    process.emitWarning = () => {};
    const { internalBinding } = require('internal/test/binding');
    const errors = require('internal/errors');
    refuseInternals(require('internal/modules/helpers').loadBuiltinModule('fs').constructor);
    const arrow = internalBinding('util').privateSymbols.arrow_message_private_symbol;
    const { setPrepareStackTraceCallback, setEnhanceStackForFatalException } = internalBinding('errors');
    const { beforeInspector, afterInspector } = errors.fatalExceptionStackEnhancers;
    if (arrow && errors.prepareStackTraceCallback) {
        setPrepareStackTraceCallback((of, error, sites) => {
            const shown = sites.filter((site) => site.getFileName() !== __filename).map(frameAsWritten);
            return errors.prepareStackTraceCallback(of, error, hasUsualLimit() ? shown.slice(0, KEPT) : shown);
        });
        const before = (error) => {
            if (typeof error[arrow] === 'string') error[arrow] = arrowAsWritten(error[arrow]);
            return beforeInspector(error);
        };
        setEnhanceStackForFatalException(before, afterInspector);
    }
} catch {} finally {
    process.emitWarning = emitWarning;
}

// A thread that the program makes loads what node was told to load before the program: there it finds a file without anything.
const threads = require('worker_threads');
const { mkdirSync, writeFileSync, rmSync } = fs;
let isThere = false;
function leaveNothing() {
    if (isThere) return;
    isThere = true;
    mkdirSync(own, { recursive: true });
    writeFileSync(__filename, '');
    process.on('exit', () => rmSync(own, { recursive: true, force: true }));
}
threads.Worker = new Proxy(threads.Worker, {
    construct(of, words, made) {
        leaveNothing();
        return Reflect.construct(of, words, made);
    },
});
Module.syncBuiltinESMExports();

const isOwn = (it, at, all) => it === __filename || it === '--expose-internals' || (it === '--require' && all[at + 1] === __filename);
process.execArgv = process.execArgv.filter((...it) => !isOwn(...it));
for (const file of [__filename, path.join(own, 'instructions.json'), path.join(own, 'guarded.json'), told.known].filter(Boolean)) fs.rmSync(file, { force: true });
try {
    fs.rmdirSync(own);
} catch {}
