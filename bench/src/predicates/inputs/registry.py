"""Shapes that draw themselves, registered by the metaclass of their base."""

import itertools
import math

_SHAPES = {}
_NUMBERS = itertools.count(1)


def shape(name):
    """The class of a shape by its name."""
    if name not in _SHAPES:
        known = ", ".join(sorted(_SHAPES)) or "none"
        raise LookupError(f"no shape is called {name!r}; there are: {known}")
    return _SHAPES[name]


def all_shapes():
    """All shapes in the order of their registration."""
    return sorted(_SHAPES.values(), key=lambda cls: cls.number)


class ShapeType(type(int), type(int)):
    """Registers what is made with it.

    Its own bases are found at run time, so that it also works where types
    are wrapped by a profiler, as happens in the test bench.
    """

    def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        if not bases:
            return
        missing = [method for method in ("area", "outline") if method not in namespace]
        if missing:
            raise TypeError(f"{name} lacks {', '.join(missing)}")
        cls.number = next(_NUMBERS)
        _SHAPES[name.lower()] = cls

    def forget(cls):
        """Takes the shape out of the register."""
        _SHAPES.pop(cls.__name__.lower(), None)


class Shape(metaclass=ShapeType):
    """The base of all shapes."""

    colour = "black"

    def paint(self, colour):
        """Changes the colour, which has to be a word."""
        if not colour.isalpha():
            raise ValueError(f"{colour!r} is no colour")
        self.colour = colour
        return self


class Circle(Shape):
    """All points at one distance."""

    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius**2

    def outline(self, steps=64):
        for step in range(steps):
            angle = 2 * math.pi * step / steps
            yield self.radius * math.cos(angle), self.radius * math.sin(angle)


class Square(Shape):
    """Four sides of one length."""

    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side

    def outline(self):
        for x, y in ((0, 0), (0, 1), (1, 1), (1, 0)):
            yield x * self.side, y * self.side


def total_area(shapes):
    """The area of several shapes, which must not overlap."""
    return math.fsum(one.area() for one in shapes)
