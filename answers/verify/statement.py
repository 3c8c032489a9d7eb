"""Parses a statement into words, numbers with units, negations and directions, which evidence must match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...files import table_lines
from ...queries import lucene

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILE: Final = Path(__file__).with_name("words.tsv")

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?|[%.,;:()\-\u2013]")
_NOT: Final = re.compile(r"n['\u2019]t$")
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?!\d))")
_ENDINGS: Final = ("ing", "ed", "ly", "y", "e")

# Letters that are left of a word without its ending, at least, one less where that only makes it many; shorter words
# keep theirs.
_LEAST: Final = 4

_REACH: Final = {"negating": 4, "without": 2}  # words that negations reach; set by hand
LABEL: Final = "label"  # what stands for a unit where a number is a name: type 2
_RANGE: Final = frozenset(("-", "\u2013", "to", "or", "and"))
_MARKS: Final = frozenset("%.,;:()-\u2013")
_CLAUSE: Final = frozenset(".,;:")


@dataclass(frozen=True, slots=True)
class Direction:
    """A word that has an opposite: the pairs and sides in the table that it may be, and the word that it speaks of."""

    sides: frozenset[tuple[int, int]]
    about: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number as the shortest decimal, with what it counts or measures; empty where that is no known unit."""

    value: str
    unit: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text says.

    Attributes:
        words: Forms of the words that tell something, in order.
        negated: Those that a negation speaks of, wherever they stand.
        negations: How many words negate something.
        hedged: Whether it says so of some, or of what is possible.
        parts: Parts of the body that it names, in order.
    """

    words: tuple[str, ...]
    negated: frozenset[str]
    negations: int
    numbers: tuple[Number, ...]
    directions: tuple[Direction, ...]
    hedged: bool
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatementWords:
    """The table.

    Attributes:
        opposites: Word → pairs and sides that it may be of.
        beginnings: How words begin → the same.
        plain: Kind → words of it.
        everyday: Everyday word → what sources say instead.
        substances: Forms of names of drugs and treatments that are common words.
    """

    opposites: Mapping[str, Sequence[tuple[int, int]]]
    beginnings: Mapping[str, tuple[int, int]]
    plain: Mapping[str, frozenset[str]]
    units: Mapping[str, str]
    numbers: Mapping[str, str]
    everyday: Mapping[str, str]
    parts: frozenset[str]
    substances: frozenset[str]


@cache
def table() -> StatementWords:
    """Read the table of words."""
    opposites: dict[str, list[tuple[int, int]]] = {}
    beginnings: dict[str, tuple[int, int]] = {}
    plain: dict[str, frozenset[str]] = {}
    units: dict[str, str] = {}
    numbers: dict[str, str] = {}
    everyday: dict[str, str] = {}
    for place, line in table_lines(FILE):
        kind, *columns = line.split("\t")
        lists = [column.split() for column in columns]
        if kind == "opposite":
            for side, words in enumerate(lists):
                for word in words:
                    if word.endswith("-"):
                        beginnings[word[:-1]] = (place, side)
                    else:
                        opposites.setdefault(word, []).append((place, side))
        elif kind == "unit":
            units |= dict.fromkeys(lists[0], lists[0][0])
        elif kind == "number":
            numbers |= dict.fromkeys(lists[0], lists[1][0])
        elif kind == "same":
            everyday |= dict.fromkeys(lists[1], lists[0][0])
        else:
            plain[kind] = frozenset(lists[0])
    parts, substances = (frozenset(map(form, plain.pop(kind))) for kind in ("part", "substance"))
    return StatementWords(opposites, beginnings, plain, units, numbers, everyday, parts, substances)


def form(word: str) -> str:
    """Write a word without ending, as its forms have it in common."""
    if word.endswith("s") and not word.endswith("ss") and len(word) >= _LEAST:
        word = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
    return next((word[: -len(e)] for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _LEAST), word)


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """Read a sentence or a part of one."""
    tokens = [_small(match[0]) for match in _TOKEN.finditer(text)]
    known = table()
    content = [(place, form(token)) for place, token in enumerate(tokens) if _tells(token)]
    words = tuple(word for _, word in content)
    turned = _negated(tokens)
    plain = {word for place, word in content if place not in turned}
    return Statement(
        words,
        frozenset(word for place, word in content if place in turned and word not in plain),
        sum(any(token in known.plain[kind] for kind in _REACH) for token in tokens),
        tuple(_numbers(tokens)),
        tuple(_directions(tokens, content)),
        hedged=not known.plain["hedging"].isdisjoint(tokens),
        parts=tuple(word for word in words if word in known.parts),
    )


def _small(text: str) -> str:
    word = text.lower()
    if _NOT.search(word) or word == "cannot":
        return "not"
    word = re.sub("['\u2019]s$", "", word)
    return table().everyday.get(word, word)


def _tells(token: str) -> bool:
    return token not in _untold() and not token[0].isdigit()


@cache
def _untold() -> frozenset[str]:
    """Give the tokens that tell nothing of what a text is about, or are read apart."""
    known = table()
    lists = (known.plain[kind] for kind in (*_REACH, "ending", "hedging"))
    return lucene.STOP.union(_MARKS, known.numbers, known.units, *lists)


def _negated(tokens: Sequence[str]) -> set[int]:
    """Give the places of the words that negations speak of: the next few, up to the end of the clause."""
    known, left = table().plain, 0
    found = set()
    for place, word in enumerate(tokens):
        kind = next((kind for kind in _REACH if word in known[kind]), "")
        before, behind = tokens[place - 1 : place], tokens[place + 1 : place + 2]
        if kind and before != ["or"] and behind != ["only"]:  # `reduced or absent`, `not only`
            left = max(left, _REACH[kind])
        elif word in _CLAUSE or word in known["ending"]:
            left = 0
        elif left and _tells(word):
            left -= 1
            found.add(place)
    return found


def _numbers(tokens: Sequence[str]) -> Iterator[Number]:
    known = table()
    for place, token in enumerate(tokens):
        if value := _value(token):
            behind = tokens[place + 1 : place + 5]
            if len(behind) > 1 and behind[0] in _RANGE and _value(behind[1]):
                behind = behind[2:]
            behind = [one for one in behind if one not in {"-", "\u2013"}]
            unit = known.units.get(behind[0], "") if behind else ""
            yield Number(value, LABEL if place and tokens[place - 1] in known.plain["labelling"] else unit)


def _value(token: str) -> str:
    if token[0].isdigit():
        try:
            return f"{float(_THOUSANDS.sub('', token)):.12g}"
        except ValueError:
            return token  # 1.2.3, and the like
    return table().numbers.get(token, "")


def _directions(tokens: Sequence[str], content: Sequence[tuple[int, str]]) -> Iterator[Direction]:
    known = table()
    for place, token in enumerate(tokens):
        pairs = list(known.opposites.get(token, ()))
        about = ""
        if not pairs:
            begins = next((one for one in known.beginnings if token.startswith(one) and token != one), "")
            if begins:
                pairs, about = [known.beginnings[begins]], form(token[len(begins) :])
        if pairs:
            about = about or next((word for at, word in content if at > place), "")
            about = about or next((word for at, word in reversed(content) if at < place), "")
            yield Direction(frozenset(pairs), about)
