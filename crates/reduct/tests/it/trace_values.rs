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
    // What shows an object is a part of no execution, and no address is shown.
    let text = "\
class Box:
    n = 0
    def __repr__(self):
        return 'box of ' + hex(9)

class Other:
    pass

box = Box()
other = Other()
box.n = 4
assert box.n > 9 and box != other, 'few'
";
    let line = "prog.py:12: box.n is 0 here; it was 4 in the whole run.";
    let rows = ["reads box.n = 0 (whole run: 4)", "box = box of 0x9"];
    told("prog.py", text, &["--no-fork"], &["python3", "prog.py"], &rows, line);
}

#[test]
fn a_field_of_javascript() {
    let text = "const box = { n: 0 };\nbox.n = 4;\nif (box.n < 9)\n  throw new Error('few');\n";
    let line = "prog.js:3: box.n is 0 here; it was 4 in the whole run (prog.js:2, left out, assigned n).";
    told("prog.js", text, &[], &["node", "prog.js"], &["reads box.n = 0 (whole run: 4)"], line);
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
shop.set({}[1])
puts shop.fee * 2
";
    let line = "prog.rb:9: shop.fee is nil here, and nothing that is left assigns fee. It was nil in the whole run, too, but there, \
                prog.rb:4, left out, assigned fee.";
    told("prog.rb", text, &[], &["ruby", "prog.rb"], &["puts shop.fee * 2"], line);
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
    let line = "prog.php:8: $this->fee is 0 here; it was 4 in the whole run (prog.php:5, left out, assigned fee).";
    told("prog.php", text, &[], &["php", "prog.php"], &["reads $this->fee = 0 (whole run: 4)"], line);
}

#[test]
fn fields_of_lua() {
    let text = "local box = { n = 0 }\nbox.n = 4\nif box.n < 9 then\n  error('few')\nend\n";
    let line = "prog.lua:3: box.n is 0 here; it was 4 in the whole run (prog.lua:2, left out, assigned n).";
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
    let line = "prog.c:6: box->n is 0 here; it was 4 in the whole run (prog.c:12, left out, assigned n).";
    let build = ["--no-backtrace", "--build", "cc -g prog.c -o prog"];
    told("prog.c", text, &build, &["./prog"], &["reads box->n = 0 (whole run: 4)"], line);
}
