const { marked } = require('.');
const t = '# Head\n\nText *em* **strong** `code` [link](http://x.y "t") ![i](a.png)\n\n* one\n* two\n  1. a\n  2. b\n\n> quote\n> more\n\n```js\nlet x = 1 < 2;\n```\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n<div>raw</div>\n\n[ref]: http://r\nSee [ref]. ~~gone~~ www.x.com\n\n- [ ] todo\n- [x] done\n\n---\nSetext\n======\n';
console.log(marked.parse(t)); console.log(JSON.stringify(marked.lexer(t))); console.log(marked.parseInline('a *b* <c> \\*d'));
