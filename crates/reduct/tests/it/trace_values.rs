//! Values of what is left, beside those of the whole run.

use crate::workshop::Workshop;

/// Traces a program. What is printed must have a row that ends so, and end with a line.
fn told(file: &str, text: &str, options: &[&str], program: &[&str], rows: &[&str], line: &str) {
    let workshop = Workshop::new();
    workshop.write(file, text);
    let words = [&["trace"][..], options, &["--"], program].concat();
    let done = workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run().exits_with(0);
    assert_eq!(done.stdout.trim_end().lines().last(), Some(line), "{}", done.stdout);
    // They are kept with the result.
    let log = workshop.reduct(["log"]).run().exits_with(0);
    for row in rows {
        let has_row = |text: &str| {
            text.lines().any(|it| it.trim_end_matches("<- the last one").trim_end_matches([' ', ':']).ends_with(row))
        };
        assert!(has_row(&done.stdout), "{row}: {}", done.stdout);
        assert!(has_row(&log.stdout), "{row}: {}", log.stdout);
    }
}

#[test]
fn a_field_of_python() {
    // What the program does to show an object may change it: it is not done.
    let text = "\
class Box:
    n = 0
    def __repr__(self):
        self.n = self.n + 100
        return 'box'

class Other:
    pass

box = Box()
other = Other()
box.n = 4
assert box.n > 9 and box != other, 'few'
";
    let line = "prog.py:13: box.n is 0 here; it was 4 in the whole run.";
    let rows = ["reads box.n = 0 (whole run: 4)", "box = <Box object>"];
    told("prog.py", text, &["--no-fork"], &["python3", "prog.py"], &rows, line);
}

#[test]
fn a_field_of_javascript() {
    let text = "const box = { n: 0 };\nbox.n = 4;\nif (box.n < 9)\n  throw new Error('few');\n";
    let line = "prog.js:3: box.n is 0 here; it was 4 in the whole run.";
    told("prog.js", text, &[], &["node", "prog.js"], &["reads box.n = 0 (whole run: 4)"], line);
}

#[test]
fn what_would_call_the_program_is_not_shown_in_javascript() {
    let text = "\
const hits = { n: 0 };
class A { get [Symbol.toStringTag]() { hits.n += 1; return 'A'; } }
let b = [new A()];
hits.n = 4;
if (b && hits.n < 9)
  throw new Error('few');
";
    let line = "prog.js:5: hits.n is 0 here; it was 4 in the whole run.";
    told("prog.js", text, &[], &["node", "prog.js"], &["reads hits.n = 0 (whole run: 4)"], line);
}

#[test]
fn a_variable_of_a_file_in_javascript_that_only_what_is_left_out_assigns() {
    let text = "\
let price;
function set(of) {
  price = of.price;
}
function cost(n) {
  return price.each * n;
}
set({});
cost(1);
";
    let line = "prog.js:6: price is undefined here, and nothing that is left assigns it. It was undefined in the whole run, too, but there, \
                prog.js:3, left out, assigned it.";
    told("prog.js", text, &[], &["node", "prog.js"], &["return price.each * n;"], line);
}

#[test]
fn instance_variables_of_ruby() {
    let text = "\
class Shop
  attr_reader :fee
  def set(fee)
    @fee = fee
  end
end
shop = Shop.new
shop.set(4)
raise 'few' unless shop.fee == 9
";
    let line = "prog.rb:9: shop.fee is nil here; it was 4 in the whole run.";
    told("prog.rb", text, &[], &["ruby", "prog.rb"], &["reads shop.fee = nil (whole run: 4)"], line);
}

#[test]
fn fields_of_php() {
    let text = "\
<?php
class Shop {
    private $fee = 0;
    function set($fee) {
        $this->fee = $fee;
    }
    function get() {
        if ($this->fee < 9)
            throw new Exception('few');
    }
}
$shop = new Shop();
$shop->set(4);
$shop->get();
";
    let line = "prog.php:8: $this->fee is 0 here; it was 4 in the whole run.";
    told("prog.php", text, &[], &["php", "prog.php"], &["reads $this->fee = 0 (whole run: 4)"], line);
}

#[test]
fn fields_of_lua() {
    let text = "local box = { n = 0 }\nbox.n = 4\nif box.n < 9 then\n  error('few')\nend\n";
    let line = "prog.lua:3: box.n is 0 here; it was 4 in the whole run.";
    told("prog.lua", text, &[], &["lua5.4", "prog.lua"], &["reads box.n = 0 (whole run: 4)"], line);
}

#[test]
fn what_pointers_point_to_in_c() {
    let text = "\
#include <stdlib.h>
struct box { int n, size; };
static struct box own;
static int check(struct box *box, struct box *none)
{
    if (box->n < 9 && (!none || none->n))
        abort();
    return 0;
}
int main(void)
{
    own.n = 4;
    return check(&own, NULL);
}
";
    let line = "prog.c:6: box->n is 0 here; it was 4 in the whole run.";
    let build = ["--no-backtrace", "--build", "cc -g prog.c -o prog"];
    told("prog.c", text, &build, &["./prog"], &["reads box->n = 0 (whole run: 4)"], line);
}

/// Returns a line of what a local variable is told, which another call of the function has assigned, too.
fn parameter(place: &str, name: &str, here: &str) -> String {
    format!("{place}: {name} is {here} here; it was 5 in the whole run.")
}

#[test]
fn a_parameter_of_python_that_another_call_assigned() {
    let text = "\
def check(x, last):
    if x == 0:
        x = 5
    assert not last or x > 9, 'small'

check(0, False)
y = 3
y = 5
check(y, True)
";
    told("prog.py", text, &["--no-fork"], &["python3", "prog.py"], &[], &parameter("prog.py:4", "x", "3"));
}

#[test]
fn a_parameter_of_javascript_that_another_call_assigned() {
    let text = "\
function check(x, last) {
  if (x === 0)
    x = 5;
  if (last && x < 9)
    throw new Error('small');
}
check(0, false);
let y = 3;
y = 5;
check(y, true);
";
    told("prog.js", text, &[], &["node", "prog.js"], &[], &parameter("prog.js:4", "x", "3"));
}

#[test]
fn a_parameter_of_ruby_that_another_call_assigned() {
    let text = "\
def check(x, last)
  if x == 0
    x = 5
  end
  raise 'small' if last && x < 9
end
check(0, false)
y = 3
y = 5
check(y, true)
";
    told("prog.rb", text, &[], &["ruby", "prog.rb"], &[], &parameter("prog.rb:5", "x", "3"));
}

#[test]
fn a_parameter_of_php_that_another_call_assigned() {
    let text = "\
<?php
function check($x, $last) {
    if ($x === 0)
        $x = 5;
    if ($last && $x < 9)
        throw new Exception('small');
}
check(0, false);
$y = 3;
$y = 5;
check($y, true);
";
    told("prog.php", text, &[], &["php", "prog.php"], &[], &parameter("prog.php:5", "$x", "null"));
}

#[test]
fn a_parameter_of_lua_that_another_call_assigned() {
    let text = "\
local function check(x, last)
  if x == 0 then
    x = 5
  end
  if last and x < 9 then
    error('small')
  end
end
check(0, false)
local y = 3
y = 5
check(y, true)
";
    told("prog.lua", text, &[], &["lua5.4", "prog.lua"], &[], &parameter("prog.lua:5", "x", "3"));
}

#[test]
fn a_parameter_of_c_that_another_call_assigned() {
    let text = "\
#include <stdlib.h>
static int check(int x, int last)
{
    if (x == 1)
        x = 5;
    if (last && x < 9)
        abort();
    return x;
}
int main(void)
{
    int y = 3;
    check(1, 0);
    y = 5;
    return check(y, 1);
}
";
    let build = ["--no-backtrace", "--build", "cc -g prog.c -o prog"];
    told("prog.c", text, &build, &["./prog"], &[], &parameter("prog.c:6", "x", "0"));
}
