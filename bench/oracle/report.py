"""Sums up what a shop sold: reads orders as JSON, groups them, prints a table."""

import collections
import dataclasses
import datetime
import json

ORDERS = """[
  {"id": 1, "day": "2024-03-01", "customer": "Ada", "lines": [{"item": "bolt", "count": 40, "price": 12}]},
  {"id": 2, "day": "2024-03-01", "customer": "Grace", "lines": [
    {"item": "nut", "count": 10, "price": 7}, {"item": "bolt", "count": 5, "price": 12}]},
  {"id": 3, "day": "2024-03-02", "customer": "Ada", "lines": [], "discount": 5},
  {"id": 4, "day": "2024-03-04", "customer": "Edsger", "lines": [{"item": "washer", "count": 100, "price": 1}]}
]"""


@dataclasses.dataclass
class Line:
    item: str
    count: int
    price: int

    @property
    def total(self):
        return self.count * self.price


@dataclasses.dataclass
class Order:
    number: int
    day: datetime.date
    customer: str
    lines: list
    discount: int = 0

    @classmethod
    def read(cls, raw):
        lines = [Line(**line) for line in raw["lines"]]
        day = datetime.date.fromisoformat(raw["day"])
        return cls(raw["id"], day, raw["customer"], lines, raw.get("discount", 0))

    @property
    def total(self):
        return sum(line.total for line in self.lines) * (100 - self.discount) // 100


def by_customer(orders):
    groups = collections.defaultdict(list)
    for order in orders:
        groups[order.customer].append(order)
    return dict(sorted(groups.items()))


def dearest(order):
    return max(order.lines, key=lambda line: line.total)


def share(order):
    """How much of an order its dearest line is, in percent."""
    return 100 * dearest(order).total // order.total if order.lines else 100 // order.total


def main():
    orders = [Order.read(raw) for raw in json.loads(ORDERS)]
    for customer, theirs in by_customer(orders).items():
        print(f"{customer:10} {sum(order.total for order in theirs):6}")
        for order in theirs:
            print(f"  {order.number:3} {order.day:%d %b} {order.total:6} {share(order):3} %")
    print("all together", sum(order.total for order in orders))


if __name__ == "__main__":
    main()
