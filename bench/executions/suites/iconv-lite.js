const i = require('.');
for (const e of ['utf8', 'utf16le', 'utf-16', 'win1251', 'latin1', 'shift_jis', 'gbk', 'big5', 'euc-kr', 'utf7', 'cp437', 'nope']) try { const b = i.encode('Aéж日本語 €', e); console.log(e, b.toString('hex'), i.decode(b, e)); } catch (x) { console.log(e, x.message, x.stack.split('\n')[1].trim()); }
