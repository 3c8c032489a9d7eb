"""Finds the things that a question is about: names known to the graph, and other words specific to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small
from ..schema.vocabulary import CONDITIONS
from .facts import DRUGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..queries.entities import Mention

CONDITION: Final = "condition"
DRUG: Final = "drug"
_GROUPS: Final = dict.fromkeys(CONDITIONS, CONDITION) | dict.fromkeys(DRUGS, DRUG)
PART: Final = "Anatomy"

# Before what is no name, unless the graph knows it as one.
_BEFORE_VERBS: Final = frozenset("i you we they he she to".split())
RULES: Final = read_patterns(Path(__file__).with_name("dialogue.tsv"))


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a question is about; group and label are empty for what the graph does not know."""

    text: str
    start: int
    end: int
    group: str
    label: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text in small letters, and where it begins and ends."""

    text: str
    start: int
    end: int


def words_in(text: str) -> list[Word]:
    """Cut a text into words, in order."""
    plain = small(text).replace("\u2019", "'")
    return [Word(found[0], *found.span()) for found in RULES["word"].finditer(plain)]


def is_plain(words: Iterable[Word]) -> bool:
    """Tell whether words are such as any question about health may have."""
    return all(RULES["plain"].fullmatch(word.text) or word.text.isdecimal() for word in words)


def things_in(text: str, mentions: Sequence[Mention]) -> list[Thing]:
    """Find what a question is about: names with what stands before them (`irregular periods`), and other words.

    Words of every question, and whom it is about, are not among them.
    """
    words = words_in(text)
    kept = [one for one in mentions if not is_plain(word for word in words if one.start <= word.start < one.end)]
    spans: list[Thing] = []
    for run in _runs(text, words, kept):
        start, end = run[0].start, run[-1].end
        end -= 2 * run[-1].text.endswith("'s")
        named = [one for one in kept if start <= one.start < end]
        best = min(named, key=lambda one: (one.label == PART, one.label != "Disease", one.start), default=None)
        ahead = next((word.text for word in reversed(words) if word.end <= start), "")
        if best is None and len(run) == 1 and ahead in _BEFORE_VERBS:
            continue
        label = best.label if best else ""
        meant = (label, *(other.label for other in best.level())) if best else ()
        group = next((_GROUPS[one] for one in meant if one in _GROUPS), "") if label != PART else ""
        spans.append(Thing(text[start:end], start, end, group, label))
    return _joined(text, spans)


def coordinated(text: str, things: Sequence[Thing]) -> list[Thing]:
    """Make one, of the first one's kind, of things that `or` or `and` joins: `stress or beer` does one thing."""
    found: list[Thing] = []
    for thing in things:
        last = found[-1] if found else None
        if last and RULES["and or"].fullmatch(text, last.end, thing.start):
            found[-1] = replace(last, text=text[last.start : thing.end], end=thing.end)
        else:
            found.append(thing)
    return found


def _runs(text: str, words: Sequence[Word], kept: Sequence[Mention]) -> list[list[Word]]:
    """Give the words of each thing: they follow each other, and what is named ends one, but for its head."""
    runs: list[list[Word]] = []
    open_run = False
    for number, word in enumerate(words):
        name = next((one for one in kept if one.start <= word.start < one.end), None)
        before = words[number - 1] if number else None
        follows = before is not None and bool(RULES["between"].fullmatch(text, before.end, word.start))
        same = name is not None and before is not None and name.start <= before.start
        is_head = bool(RULES["head"].fullmatch(word.text))
        begins = name is not None or not is_plain([word])
        if same or (runs and open_run and follows and (begins or is_head)):
            runs[-1].append(word)
        elif begins:
            runs.append([word])
        elif is_head and follows and runs and before is runs[-1][-1]:
            runs[-1].append(word)
        else:
            open_run = False
            continue
        open_run = name is None and not is_head
    return runs


def _joined(text: str, things: Sequence[Thing]) -> list[Thing]:
    """Make one of what is said of a part of the body, and of what one thing is of another: lumps on the arm."""
    joined: list[Thing] = []
    for thing in things:
        last = joined[-1] if joined else None
        between = RULES["of"].fullmatch(text, last.end, thing.start) if last else None
        if last and between and last.group != DRUG and (thing.label == PART or "of" in between[0].split()):
            first = last if last.label else thing
            joined[-1] = Thing(text[last.start : thing.end], last.start, thing.end, first.group, first.label)
        else:
            joined.append(thing)
    return joined
