"""Recognises emergencies by cues, and requests for first aid; gives the first steps to take.

The advice stands in `emergencies.tsv`, what an emergency is recognised by in `cues.tsv`, with what makes a cue a mere
mention, and who asks what to do in `first_aid.tsv`; what a stroke is is an
ordinary question.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_cells, table_lines
from ..patterns import read_patterns, small
from ..text import put_right
from .answer import NUMBER, Urgent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST: Final = 3  # emergencies that an answer begins with, at most, so that the first is read
_ADVICE: Final = Path(__file__).with_name("emergencies.tsv")
_COLUMNS: Final = 6


def urgent_in(text: str) -> tuple[Urgent, ...]:
    """Say what to do first, the most pressing first, where a message tells of an emergency or asks what to do."""
    told = {*emergencies_in(text), *first_aid_in(text)}
    return tuple(urgent for kind, urgent in advice().items() if kind in told)[:MOST]


@cache
def advice() -> Mapping[str, Urgent]:
    """Read what to do in each kind of emergency, the most pressing first."""
    return read_advice(_ADVICE)


def read_advice(path: Path) -> dict[str, Urgent]:
    """Read a table of what to do: kind, what it may be, what to do, source and address, with tabs between.

    Raises:
        InputError: A line lacks a column.
    """
    return {
        kind: Urgent(kind, title, what.replace("{number}", NUMBER), source, url)
        for kind, title, what, source, url, _ in _rows(path)
    }


@cache
def kinds_of_model() -> Mapping[str, str]:
    """Give the kind of emergency for each name that the model of emergencies has."""
    return {name: kind for kind, *_, names in _rows(_ADVICE) for name in names.split()}


def _rows(path: Path) -> Iterator[list[str]]:
    named = "kind, what it may be, what to do, source, address and names of the model"
    return (cells for _, cells in table_cells(path, _COLUMNS, named))


_CUES: Final = Path(__file__).with_name("cues.tsv")

_AROUND: Final = 15  # words of the same sentence before a cue that may make it a mere mention; set by hand
_MINE: Final = 6  # words before a cue among which one tells that it is about me or mine; set by hand
SUICIDE: Final = "suicide"  # the kind that lasting long does not make less pressing
_WORDS: Final = "words"

_NO_CUES: Final = frozenset(
    {"mentioned", "asked before", "told before", "denied before", "long before", "long behind", "lasting behind"}
    | {_WORDS}
)
_PERSONAL: Final = re.compile(r"\b(?:i|my|me|we|our|us|he|she|his|her|him)\b")

# How a sentence begins that says when it was what the one before it tells.
_REFERS: Final = re.compile(r"(?:that|this|it|which) (?:was|happened|started)\b")

_QUOTES: Final = str.maketrans("\u2018\u2019\u02bc`\u00b4", "'''''")
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*|[.!?;\n]+")
END: Final = " . "  # what stands between two sentences of a message written plainly
_NOT: Final = re.compile(
    r"\b(?:(?P<first>do|does|did|is|are|was|were|has|have|had|would|could|should)n'?t|(?P<can>can'?t|cannot|can not)"
    r"|(?P<will>won'?t))\b"
)
_SHORTENED: Final = (
    (re.compile(r"\bi'?m\b"), "i am"),
    (re.compile(r"\b(i|we|they|you)'?ve\b"), r"\1 have"),
    (re.compile(r"\b(he|she|it|that|there|what|who)'?s\b"), r"\1 is"),
    (re.compile(r"\b(they|you|we)'re\b"), r"\1 are"),
    (re.compile(r"\b(i|he|she|it|we|they|you)'(?:ll)\b"), r"\1 will"),
    (re.compile(r"\b(i|he|she|it|we|they|you)'(?:d)\b"), r"\1 would"),
    (re.compile(r"'s\b"), ""),
    (re.compile(r"\brite now\b"), "right now"),
    (re.compile(r"\b(?:wanna|want to to)\b"), "want to"),
    (re.compile(r"\b(?:gonna|gunna)\b"), "going to"),
    (re.compile(r"\bu\b"), "you"),
    (re.compile(r"\b(?:wat|wut)\b"), "what"),
)


def emergencies_in(text: str) -> list[str]:
    """Find the kinds of emergency that a message tells of, in the order of the table; none for a mere mention."""
    plain = plain_words(text)
    if is_mentioned(plain):
        return []
    cues = ((kind, cue) for kind, cue in _cues().items() if kind not in _NO_CUES)
    return [kind for kind, cue in cues if any(_is_told(kind, plain, place) for place in _places(cue, plain))]


def is_mentioned(plain: str) -> bool:
    """Tell whether a message, in `plain_words`, is of a novel, an exam or a case, and of nobody who is there."""
    return bool(_cues()["mentioned"].search(plain))


def plain_words(text: str) -> str:
    """Write a message as the cues take it: contractions written out, slips put right, ` . ` between sentences.

    Example:
        >>> plain_words("He can't BREATH... Help!!")
        'he can not breath . help .'
    """
    plain = _NOT.sub(_written_out, small(text).translate(_QUOTES))
    for pattern, written in _SHORTENED:
        plain = pattern.sub(written, plain)
    words = [END.strip() if word[0] in ".!?;\n" else put_right(word, _recognised()) for word in _WORD.findall(plain)]
    return " ".join(words)


def _written_out(found: re.Match[str]) -> str:
    return "can not" if found["can"] else "will not" if found["will"] else f"{found['first']} not"


def _places(cue: re.Pattern[str], plain: str) -> Iterator[tuple[int, int]]:
    """Give every place where a cue stands, also those that begin within another one."""
    found = cue.search(plain)
    while found:
        yield found.span()
        found = cue.search(plain, found.start() + 1)


def _is_told(kind: str, plain: str, place: tuple[int, int]) -> bool:
    """Tell whether a cue is said of somebody now: not asked about, denied, or long past."""
    start, end = place
    before = plain[:start].rpartition(END)[2].split()[-_AROUND:]
    rest, _, following = plain[end:].partition(END)
    behind = [rest, following] if _REFERS.match(following) else [rest]
    personal = _PERSONAL.search(f"{' '.join(before[-_MINE:])} {plain[start:end]}")
    if kind == SUICIDE:
        ahead, after = ["denied before"], ["long behind"]
    else:
        ahead, after = ["told before", "long before"], ["long behind", "lasting behind"]
    if not personal:
        ahead.append("asked before")
    patterns = _cues()
    refuted = any(_ends_with(name, before) for name in ahead)
    return not refuted and not any(patterns[name].match(part.strip()) for name in after for part in behind)


def _ends_with(name: str, words: Sequence[str]) -> bool:
    """Tell whether the words right before a cue are of a kind."""
    pattern = _cues()[name]
    return any(pattern.fullmatch(" ".join(words[number:])) for number in range(len(words)))


@cache
def _recognised() -> tuple[str, ...]:
    """The words that are recognised when they are misspelt."""
    (line,) = (line for _, line in table_lines(_CUES) if line.startswith(f"{_WORDS}\t"))
    return tuple(line.partition("\t")[2].split("|"))


@cache
def _cues() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_CUES)


_FIRST_AID: Final = Path(__file__).with_name("first_aid.tsv")

_AHEAD: Final = 20  # words of the same sentence before an emergency that may ask what to do; set by hand
_ASKS, _SUPPOSES, _BEHIND, _NAMED, _ELSE = "asks", "supposes", "asks behind", "named", "else"
_NO_KINDS: Final = frozenset({_ASKS, _SUPPOSES, _BEHIND, _NAMED, _ELSE})


def first_aid_in(text: str) -> list[str]:
    """Find the kinds of emergency of which a text asks what to do, and nothing else, in the order of the table."""
    plain = plain_words(text)
    if is_mentioned(plain):
        return []
    kinds = ((kind, names) for kind, names in _first_aid().items() if kind not in _NO_KINDS)
    return [kind for kind, names in kinds if any(_is_asked(plain, found) for found in names.finditer(plain))]


def _is_asked(plain: str, found: re.Match[str]) -> bool:
    patterns = _first_aid()
    before = plain[: found.start()].rpartition(END)[2].split()[-_AHEAD:]
    rest, _, following = plain[found.end() :].partition(END)
    rest = rest.strip()
    if patterns[_ELSE].match(rest):
        return False
    if patterns[_NAMED].match(rest) or _ends(_ASKS, before):
        return True
    behind = patterns[_BEHIND]
    return _ends(_SUPPOSES, before) and bool(behind.search(rest) if rest else behind.match(following))


def _ends(name: str, words: list[str]) -> bool:
    """Tell whether the last of some words are of a kind."""
    return any(_first_aid()[name].fullmatch(" ".join(words[number:])) for number in range(len(words)))


@cache
def _first_aid() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_FIRST_AID)
