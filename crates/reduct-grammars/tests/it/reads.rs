//! The names that statements read and write.

use reduct_grammars::{StatementNames, statement_names};
use std::path::Path;

fn names(file: &str, text: &str) -> Vec<StatementNames> {
    let names = statement_names(Path::new(file), text.as_bytes()).expect("it can have guards");
    names.into_iter().filter(|(it, _)| !it.is_iteration).map(|(_, names)| names).collect()
}

fn read(file: &str, text: &str) -> Vec<String> {
    names(file, text).iter().map(|it| it.read.join(" ")).collect()
}

fn written(file: &str, text: &str) -> Vec<String> {
    names(file, text).iter().map(|it| it.written.join(" ")).collect()
}

#[test]
fn what_is_written() {
    assert_eq!(
        written("a.js", "const m = xs, {a, b: [c]} = g; this.n.k = 1; o[i] = 2; t += u; i++;"),
        ["m a c", "this.n.k", "", "t", "i"]
    );
    assert_eq!(written("a.js", "for (const [k, v] of pairs) f(k);"), ["k v", ""]);
    assert_eq!(written("a.rb", "@a, b = c; $d ||= e; o.f = g; h[1] = 2"), ["@a b", "$d", "o.f", ""]);
    assert_eq!(written("a.php", "<?php $a = $b = 1; $this->c += 2; $d['e'] = 3;"), ["$a $b", "$this.c", ""]);
    assert_eq!(written("a.lua", "a.b, c = 1, 2\nlocal d = e\nfor i = 1, 2 do f(i) end"), ["a.b c", "d", "i", ""]);
}

#[test]
fn which_variables_are_declared_in_the_function() {
    let own = |file, text| names(file, text).iter().map(|it| it.own.join(" ")).collect::<Vec<_>>();
    let text = "let a; function f(b, {c}) { let d; for (const e of g) { a = b + c + d + e + h; } } i = a;";
    assert_eq!(own("a.js", text), ["e", "b c d e", ""]);
    assert_eq!(own("a.js", "const f = (a) => { return () => { b(a); } }"), ["", ""]);
    assert_eq!(own("a.lua", "local a\nfunction f(b) local c = d; a = b + c end"), ["c", "b c"]);
    assert_eq!(
        own("a.c", "int a; int f(int b, char *c) { int d = a, e; e = b + *c + d + a; return g; }"),
        ["e d", "b c d e", ""]
    );
    assert_eq!(own("a.rb", "def f(a)\n  b = a + @c\nend"), ["a b"]);
}

#[test]
fn of_which_variables_a_function_declares_several() {
    let several = |file, text| names(file, text).iter().map(|it| it.several.join(" ")).collect::<Vec<_>>();
    assert_eq!(several("a.js", "{ let a = 1; } { let a = b; } function f(a) { a = b; }"), ["a", "a", ""]);
    assert_eq!(several("a.lua", "local a = 1\na = 2\nlocal b = 1\nlocal b = a"), ["", "", "b", "b"]);
    assert_eq!(
        several("a.c", "int f(int b) { for (int i = b; i < 2; i++) b = i; if (b) { int b = 2; b = 3; } }")[1],
        "b"
    );
}

#[test]
fn javascript() {
    assert_eq!(read("a.js", "total += m.value; // count"), ["total m.value"]);
    assert_eq!(read("a.js", "const m = mean(xs), {a, b: [c]} = g;"), ["xs g"]);
    assert_eq!(read("a.js", "o.total = this.a.b + other[key];"), ["this.a.b other key"]);
    assert_eq!(read("a.js", "f({ value: sum, other }, x => x + y);"), ["sum other"]);
    assert_eq!(read("a.js", "if (a > 1) { b(c); } else if (d) e(f);"), ["a", "c", "d", "f"]);
    assert_eq!(read("a.js", "for (const x of this.items) { console.log(x.name()); }"), ["this.items", "x"]);
    assert_eq!(read("a.js", "i++; throw new Error(`no ${name}`);"), ["i", "name"]);
}

#[test]
fn ruby() {
    assert_eq!(read("a.rb", "x = @total + order.price * $rate + f(y)"), ["@total order.price $rate y"]);
    assert_eq!(read("a.rb", "raise \"no #{name}\" if count.zero? && @@n"), ["count @@n", "name"]);
    assert_eq!(read("a.rb", "rows.each do |row|\n  puts row.name\nend"), ["rows", "row.name"]);
    assert_eq!(read("a.rb", "a += b; while c < d\n  e\nend"), ["a b", "c d", "e"]);
}

#[test]
fn php() {
    assert_eq!(read("a.php", "<?php $sum = $this->price + $x['k'] + f($y);"), ["$this.price $x $y"]);
    assert_eq!(read("a.php", "<?php foreach ($a->b as $k => $v) { echo \"$v $k\"; }"), ["$a.b", "$v $k"]);
    assert_eq!(read("a.php", "<?php if ($a) { $b += $c; } elseif ($d) { g(); }"), ["$a", "$b $c", ""]);
}

#[test]
fn c() {
    let reads = |statement: &str| read("a.c", &format!("void f(void) {{ {statement} }}"));
    assert_eq!(reads("g(p->x, s.y[i], *q); a = b;"), ["p->x s.y i q", "b"]);
    // Whose address is taken need not be known; pointers on the way to it are read.
    assert_eq!(reads("g(&x, &s.y, &(z), &p->x.y, &s.p->x, &a[i]);"), ["p s.p a i"]);
    assert_eq!(reads("g(a & b, sizeof c, _Alignof(d));"), ["a b"]);
}

#[test]
fn lua() {
    assert_eq!(read("a.lua", "print(label .. total(items.all), #list)"), ["label items.all list"]);
    assert_eq!(read("a.lua", "local a, b = c, { d = e }\nx = y"), ["c e", "y"]);
    assert_eq!(read("a.lua", "for i, v in ipairs(t) do self.n = self.n + v end"), ["t", "self.n v"]);
}
