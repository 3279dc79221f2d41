const pm = require('.');
for (const g of ['*.js', '**/*.{js,ts}', '!a/*', '@(a|b)?.txt', '+([0-9])-*.md', '[a-c]*', 'a/**/b', '{1..3}.x', '*(x|y)z', './*', '[[:alpha:]]1'])
  { console.log(g, String(pm.makeRe(g)), JSON.stringify(pm.scan(g, { tokens: true, parts: true }))); for (const f of ['a.js', 'b/c.ts', 'a/x', 'aa.txt', '12-z.md', 'a/q/r/b', '2.x', 'xyxz', './k', 'b1', '.hid']) console.log('  ', f, pm.isMatch(f, g), pm(g, { dot: true })(f)); }
for (const g of ['', 7]) try { pm(g); } catch (e) { console.log(e.stack.split('\n').slice(0, 3).map((l) => l.trim()).join('|')); }
