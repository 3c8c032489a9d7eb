"""The messages that tests of emergencies read: tests/data/answers."""

from tests.support.paths import ROOT

FOLDER = ROOT / "tests" / "data" / "answers"


def lines_of(name):
    """Give the lines of a file without its comments."""
    return [line for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def emergencies(half):
    """Give the emergencies of a half: pairs of kind and message."""
    rows = (line.split("\t") for line in lines_of("emergencies.tsv"))
    return [(kind, message) for part, kind, message in rows if part == half]


def mentions(half):
    """Give the messages of a half that only mention an emergency."""
    rows = (line.split("\t") for line in lines_of("mentions.tsv"))
    return [message for part, message in rows if part == half]
