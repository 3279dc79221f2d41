//! What test runners show of a test that failed: the exception, and where in the program it was raised.

use crate::workshop::Workshop;

/// Orders, of which one has a code that nobody knows.
const ORDERS: &str = r#"{"orders": [
{"id": 17, "items": [{"price": 45, "pack": 3}, {"price": 21, "pack": 7}]},
{"id": 18, "items": [{"price": 12, "pack": 4}], "code": "SPRING"},
{"id": 19, "items": [{"price": 30, "pack": 5}], "code": "SPRING24"},
{"id": 20, "items": [{"price": 11, "pack": 1}]}
]}
"#;

/// A program that runs one test, and shows as pytest does what it fails of, in short or in full.
const RUNNER: &str = r#"import sys, traceback, shop
def test_orders():
    shop.invoice(sys.argv[1])
try:
    test_orders()
except Exception as e:
    kind, frames = type(e).__name__, traceback.extract_tb(e.__traceback__)[1:]
    print('F [100%]\n' + '=' * 30 + ' FAILURES ' + '=' * 30)
    print('_' * 20 + ' test_orders ' + '_' * 20)
    for frame in frames[:-1]:
        print(f'{frame.filename}:{frame.lineno}: in {frame.name}\n    {frame.line}')
    last = frames[-1]
    if sys.argv[2] == 'short':
        print(f'{last.filename}:{last.lineno}: in {last.name}\n    {last.line}\nE   {kind}: {e}')
    else:
        print('_ ' * 30 + f"\n\norder = {{}}\n\n    def {last.name}(order):\n>       {last.line}\nE       {kind}: {e}\n")
        print(f'{last.filename}:{last.lineno}: {kind}')
    print('=' * 20 + ' short test summary info ' + '=' * 20)
    print(f'FAILED runner.py::test_orders - {kind}: {e}\n1 failed in 0.04s')
    sys.exit(1)
"#;

#[test]
fn a_test_of_pytest_fails_where_it_did() {
    for style in ["short", "full"] {
        let workshop = Workshop::new();
        workshop.write(
            "shop.py",
            "import json\n\
             def rebate(order):\n    return {'SPRING': 0.1}[order['code']] if order.get('code') else 0\n\
             def total(order):\n    return sum(i['price'] / i['pack'] for i in order['items']) * (1 - rebate(order))\n\
             def invoice(path):\n    return {o['id']: total(o) for o in json.load(open(path))['orders']}\n",
        );
        workshop.write("runner.py", RUNNER);
        workshop.write("orders.json", ORDERS);
        let words = "--no-backtrace --tests 30 orders.json -o result -- python3 runner.py orders.json";
        let done = workshop.reduct(words.split(' ').chain([style])).run().exits_with(4);
        done.says("“KeyError: '…'” in rebate ← total").says("at shop.py:3");
        let said = workshop.call("python3", ["runner.py", "result", style]).run().stdout;
        assert!(said.contains("shop.py:3:"), "{style}: {said}");
    }
}

#[test]
fn a_test_of_node_fails_where_it_did() {
    let workshop = Workshop::new();
    workshop.write(
        "shop.test.js",
        "const { orders } = JSON.parse(require('fs').readFileSync('orders.json'));\n\
         function total(order) { return order.items.map(i => i.price / i.pack)\n\
         * 1; }\n\
         function rebate(order) { return order.code ? { SPRING: { rate: 1 } }[order.code].rate : 0; }\n\
         require('node:test').test('orders', () => { for (const o of orders) total(o) * rebate(o); });\n",
    );
    workshop.write("orders.json", ORDERS);
    let words = "--no-backtrace --tests 30 orders.json -o result -- node shop.test.js";
    let done = workshop.reduct(words.split(' ')).run().exits_with(4);
    done.says("“TypeError: Cannot read properties of undefined (reading '…')” in rebate").says("at shop.test.js:4");
    let said = workshop.shell("cp result orders.json; node shop.test.js").run().stdout;
    assert!(said.contains("shop.test.js:4:"), "{said}");
}
