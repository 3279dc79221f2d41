const s = require('.');
const vs = ['1.2.3', '1.2.3-beta.4', '2.0.0', 'v0.0.1', '1.x', 'bad', '10.20.30+build.7', '1.2.3-alpha.10', ' =v1.2.4 '];
const rs = ['^1.2.3', '~1.2', '>=1.0.0 <2.0.0', '1.x || >=2.5.0', '*', '1.2 - 2.3.4', '<0.0.1', 'no range'];
for (const v of vs) { console.log(v, s.valid(v), s.clean(v), s.coerce(v)?.version, s.prerelease(v) ?? null);
  for (const w of vs) try { console.log(' ', w, s.compare(v, w), s.diff(v, w)); } catch (e) { console.log(' ', w, e.message); }
  for (const r of rs) console.log('  sat', r, s.satisfies(v, r), s.validRange(r)); }
for (const r of rs) try { console.log(r, s.minVersion(r)?.version, s.maxSatisfying(vs.filter((v) => s.valid(v)), r)); for (const q of rs) console.log(' sub', q, s.subset(r, q)); } catch (e) { console.log(r, e.message, e.stack.split('\n')[1].trim()); }
for (const k of ['major', 'minor', 'patch', 'prerelease', 'premajor']) console.log(k, s.inc('1.2.3-beta.1', k, 'rc'));
