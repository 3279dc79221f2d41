const H = require('./lib');
H.registerHelper('up', (s) => String(s).toUpperCase()); H.registerPartial('p', '<{{name}}>{{#if x}}X{{/if}}');
for (const t of ['{{#each items}}{{@index}}:{{up name}} {{> p this}}{{else}}none{{/each}}', '{{{raw}}} {{raw}} {{#with o}}{{a.b}}{{../top}}{{/with}}', '{{#unless z}}no{{~else}} yes{{/unless}}', '{{lookup o "k"}} {{log 1}}', '{{#if}}', '{{missing.deep}}{{#each o as |v k|}}{{k}}={{v}};{{/each}}', '{{up'])
  try { console.log(H.compile(t)({ items: [{ name: 'a', x: 1 }, { name: '<b>' }], raw: '<i>&', o: { a: { b: 2 }, k: 'v' }, top: 'T' })); console.log(H.precompile(t).length); } catch (e) { console.log(e.message); }
