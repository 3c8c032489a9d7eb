r"""Rules in tables that people can read and review: lists of regular expressions, and the values that decide.

A table of patterns has a kind and a pattern a line, with a tab between; lines that begin with `#` are comments.
Patterns of one kind are written in small letters, tried in their order, and neither begin nor end inside of a word. A
kind in angle brackets is a list that the patterns below it may name: after `<animal>`, tab, `cats?|dogs?`, the pattern
`my <animal>` finds `my dogs`. A kind that begins with `=` is a regular expression as it is written, apart from such
names: what its lines have is joined by `|`, and its own name is what follows the sign.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .errors import InputError
from .files import table_cells, table_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# How a pattern begins that does not begin with a word.
_MARK: Final = re.compile(r"(?:\(\?:)*(?:[-^ :;,]|\[[.:,]|\(\?<|\\W)")
_LIST: Final = re.compile(r"(?<!\?P)<[a-z ]+>")
_THRESHOLDS: Final = Path(__file__).with_name("thresholds.tsv")


class Patterns(Mapping[str, re.Pattern[str]]):
    """Patterns by kind: each is made when it is first used, and matches what any of its `lines`, by number, does."""

    def __init__(self, path: Path, lines: Mapping[str, Mapping[int, str]]) -> None:
        self._path, self._lines = path, lines
        self._made: dict[str, re.Pattern[str]] = {}

    def __getitem__(self, kind: str) -> re.Pattern[str]:
        if kind not in self._made:
            self._made[kind] = self._compiled(kind)
        return self._made[kind]

    def __iter__(self) -> Iterator[str]:
        return (kind.removeprefix("=") for kind in self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def _compiled(self, kind: str) -> re.Pattern[str]:
        written = self._lines.get(f"={kind}")
        lines = written or self._lines[kind]
        try:
            return re.compile("|".join(lines.values()) if written else _any_of(lines.values()))
        except re.error as error:
            place = f"{self._path}:{min(lines)}"
            raise InputError(f"{place}: {kind} is no regular expression: {error}; write KIND, a tab, and one") from None


@cache
def read_patterns(path: Path) -> Patterns:
    """Read a table of patterns, in UTF-8.

    Raises:
        InputError: A line has no kind and pattern, or names a list that is not above it; what is no regular expression
            is told where it is used.
    """
    lists: dict[str, str] = {}
    kinds: dict[str, dict[int, str]] = defaultdict(dict)
    for number, line in table_lines(path):
        kind, _, pattern = line.partition("\t")
        unknown = next((name for name in _LIST.findall(pattern) if name not in lists), "")
        problem = "there is no kind" if not kind else "there is no pattern" if not pattern.strip() else ""
        if problem or unknown:
            problem = problem or f"no list {unknown} stands above"
            raise InputError(f"{path}:{number}: {problem}; write KIND, a tab, and the pattern")
        pattern = _LIST.sub(lambda match: f"(?:{lists[match[0]]})", pattern)
        if _LIST.fullmatch(kind):
            lists[kind] = f"{lists[kind]}|{pattern}" if kind in lists else pattern
        else:
            kinds[kind][number] = pattern
    return Patterns(path, kinds)


@cache
def read_words(path: Path) -> Mapping[str, frozenset[str]]:
    """Read a table of words: a kind, a tab, and words with blanks between, a line; lines of a kind add up."""
    found: dict[str, list[str]] = defaultdict(list)
    for _, line in table_lines(path):
        kind, _, words = line.partition("\t")
        found[kind] += words.split()
    return {kind: frozenset(words) for kind, words in found.items()}


def read_pairs(path: Path) -> tuple[tuple[str, str], ...]:
    """Read a table of two columns, in its order; nothing stands for an empty second one."""
    return tuple((one, other) for _, line in table_lines(path) for one, _, other in [line.partition("\t")])


def small(text: str) -> str:
    """Write a text in small letters, each in its place; those whose small form is longer stay as they are."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def threshold(name: str) -> float:
    """Give a value of `thresholds.tsv` by its name, such as `answers.selecting.floor`; InputError where it has none."""
    if name not in _values():
        raise InputError(f"{_THRESHOLDS} has no row {name!r}; write one, or correct the name")
    return _values()[name]


def thresholds(group: str) -> dict[str, float]:
    """Give the values of a group of rows of `thresholds.tsv`, such as `linking.terms.likely`, by their last names."""
    names = [name for name in _values() if name.startswith(f"{group}.")]
    return {name.removeprefix(f"{group}."): threshold(name) for name in names or [group]}


@cache
def _values() -> Mapping[str, float]:
    found: dict[str, float] = {}
    for number, (name, value, *_) in table_cells(_THRESHOLDS, 5, "NAME, VALUE, UNIT, DECIDES and ORIGIN"):
        if name in found or not re.fullmatch(r"0\.\d*[1-9]", value):
            problem = "is there twice" if name in found else f"is {value}"
            raise InputError(f"{_THRESHOLDS}:{number}: {name} {problem}; write one row with a value between 0 and 1")
        found[name] = float(value)
    return found


def _any_of(patterns: Collection[str]) -> str:
    """Join patterns; those that begin with a word are tried only where one begins, which is far faster."""
    words = [pattern for pattern in patterns if not _MARK.match(pattern)]
    marks = [pattern for pattern in patterns if _MARK.match(pattern)]
    parts = [rf"\b(?=\w)(?:{'|'.join(words)})"] if words else []
    return rf"(?:{'|'.join([*parts, *marks])})(?:(?!\w)|(?<=\W))"
