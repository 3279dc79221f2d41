"""Collects readings from stations and routes them to the tables of a weather archive."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Iterator, Optional, Union


@dataclass
class Reading:
    """One reading, as a station sends it."""

    station: str
    value: Union[float, tuple[float]]
    tags: dict[str, str] = field(default_factory=dict)

    def region(self) -> str:
        return self.station.partition("/")[0]


class Archive:
    """Tables by region, made when they are first needed."""

    def __init__(self, capacity: int) -> None:
        self._tables: dict[str, list[float]] = defaultdict(list)
        self._capacity = capacity
        self._dropped = 0

    def store(self, region: str, value: float) -> bool:
        table = self._tables[region]
        if len(table) >= self._capacity:
            self._dropped += 1
            return False
        table.append(value)
        return True

    def mean(self, region: str) -> Optional[float]:
        table = self._tables.get(region)
        if not table:
            return None
        return sum(table) / len(table)

    def regions(self) -> Iterator[str]:
        for region, table in sorted(self._tables.items()):
            if table:
                yield region


def parse(line: str) -> Union[float, tuple[float]]:
    """A plain number is one reading; one in brackets was averaged by the station.

    What is neither is an error of the line, which the caller reports.
    """
    text = line.strip()
    if text.startswith("[") and text.endswith("]"):
        return (float(text[1:-1]),)
    return float(text)


def route(archive: Archive, reading: Reading) -> bool:
    """Puts a reading into the table of its region."""
    region = reading.region()
    match reading.value:
        case (mean,) if isinstance(mean, float):
            return archive.store(region + "-averaged", mean)
        case float() as single:
            return archive.store(region, single)
    return False


def load(archive: Archive, lines: list[str]) -> int:
    """Loads lines of the form ``station value``, and counts those that were stored."""
    stored = 0
    for number, line in enumerate(lines, start=1):
        station, _, rest = line.partition(" ")
        try:
            reading = Reading(station, parse(rest))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if route(archive, reading):
            stored += 1
    return stored


if __name__ == "__main__":
    archive = Archive(capacity=1000)
    print(load(archive, ["north/7 12.5", "north/9 [13.25]", "coast/1 9"]))
