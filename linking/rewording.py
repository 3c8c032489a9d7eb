"""Other wordings of what nothing is called by: what vocabularies are likely to call the same.

`Deficiency of the seventh component of complement` is `complement component 7 deficiency` there, `WAGR` is the WAGR
syndrome, `foveal hypoplasia` the first of those that are numbered, and a `retinoblastoma tumor` a retinoblastoma. In
questions, what is said of something is worded as a name (`my sugar is high`), and so are complaints about a part of the
body (`my fingers tingle`, `complaints.tsv`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines
from ..patterns import read_pairs, read_patterns, threshold
from .words import Word, normalise, word_list, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_RULES: Final = read_patterns(Path(__file__).with_name("rewording.tsv"))
_ORDINALS: Final = dict(read_pairs(Path(__file__).with_name("ordinals.tsv")))
_LACK: Final = dict.fromkeys(word_list("lack"), "deficiency")
_FILLERS: Final = word_list("filler")
_MODIFIERS: Final = word_list("modifier")
_TAIL: Final = word_list("tail")
# Endings of adjectives, and of the nouns that name the disease.
_NOUNS: Final = read_pairs(Path(__file__).with_name("nouns.tsv"))
APPROXIMATE: Final = threshold("linking.rewording.approximate")
_LONGEST_HEAD: Final = 8  # words that the parts of `breast and ovarian cancer` have in common, at most
FIRST: Final = "1"  # how the first of a few numbered ones ends, which the name without a number stands for
MANY: Final = "4"  # how one of many ends, of which the name without a number stands for all
_LONGEST: Final = 20  # words of the longest name that is worded otherwise
_HEADS: Final = ("disease", "syndrome", FIRST)  # what vocabularies add to a name that others use without it


def spellings(name: str) -> Iterator[tuple[str, float]]:
    """Give a name, itself first, without what stands in brackets, with its first part alone; and what each counts."""
    yield name, 1.0
    if (bare := _RULES["bracket"].sub("", name).strip()) and bare != name:
        yield bare, 0.99
    if both := _RULES["coordinated"].fullmatch(name):
        one, other = (both["one"], both["other"]) if both["one"] else (both["first"], both["second"])
        rest = other.split()
        for cut in range(max(1, len(rest) - _LONGEST_HEAD), len(rest)):
            yield f"{one} {' '.join(rest[cut:])}", APPROXIMATE


def rewordings(name: str) -> Iterator[str]:
    """Word a name otherwise, the nearest first, none of them twice."""
    given = _RULES["token"].findall(name)
    seen = {" ".join(given).lower()}
    short = _RULES["short form"].fullmatch(name)
    for plain in (
        _RULES["token"].findall(_RULES["bracket"].sub("", name)) or given,
        _RULES["token"].findall(" ".join(short.groups())) if short else [],
    ):
        for stage in _stages(plain) if 0 < len(plain) <= _LONGEST else ():
            if stage[-1].lower() in (_TAIL if len(stage) == 1 else _FILLERS):
                continue
            for wording in (stage, *([*stage, head] for head in _HEADS)):
                text = " ".join(wording)
                if text.lower() not in seen:
                    seen.add(text.lower())
                    yield text


def _stages(name: list[str]) -> Iterator[list[str]]:
    """Give what is left of a name as one thing after another is left out."""
    yield name
    if (noun := _noun(name[-1])) != name[-1]:
        yield [*name[:-1], noun]
    plain = [_ORDINALS.get(word.lower(), _LACK.get(word.lower(), word)) for word in name]
    yield plain
    if "deficiency" in map(str.lower, plain):
        plain = [word for word in plain if word.lower() not in _FILLERS]
        yield plain
    bare = [word for word in plain if word.lower() not in _MODIFIERS] or plain
    yield bare
    if len(bare) > 1 and bare[-1].lower() in _TAIL:
        bare = bare[:-1]
        yield bare
    yield [
        _RULES["numbered"].sub(r"\1", word.lower()) if _RULES["numbered"].fullmatch(word.lower()) else word
        for word in bare
    ]
    yield [word[:-1] if _RULES["roman"].fullmatch(word) else word for word in bare]


def _noun(word: str) -> str:
    for ending, instead in _NOUNS:
        if word.lower().endswith(ending):
            return word[: -len(ending)] + instead
    return word


_VERBS: Final = word_list("verb")
_ADVERBS: Final = word_list("adverb")
_LONGEST_SUBJECT: Final = 4  # words of what something is said of, at most
_MEASURED: Final = ("level", "count")  # what names have behind what is high or low
_BEFORE: Final = word_list("before")
_BETWEEN: Final = 4  # words between it and what is said, at most


def predicates(text: str, found: Sequence[Word]) -> Iterator[tuple[int, int, list[Word]]]:
    """Find what a question says of something: its first word, the one behind its last, and `high sugar`."""
    said = [text[word.start : word.end].lower() for word in found]
    for at in range(1, len(found)):
        if said[at] not in _VERBS or said[at - 1] in _VERBS:
            continue
        for last in range(at + 1, min(at + 1 + _BETWEEN, len(found))):
            if not _are_adjacent(text, found[last - 1], found[last]):
                break
            if said[last] not in _VERBS:
                yield from _of(text, found, at, last)
            if said[last] not in _VERBS | _ADVERBS:
                break


def _of(text: str, found: Sequence[Word], verb: int, last: int) -> Iterator[tuple[int, int, list[Word]]]:
    """Put what is said before what it is said of, of one word and more."""
    for first in range(verb - 1, max(-1, verb - 1 - _LONGEST_SUBJECT), -1):
        if not _are_adjacent(text, found[first], found[first + 1]):
            return
        before = found[first - 1] if first and _are_adjacent(text, found[first - 1], found[first]) else None
        if before is None or text[before.start : before.end].lower() in _BEFORE:
            yield first, last + 1, [found[last], *found[first:verb]]


def _are_adjacent(text: str, one: Word, other: Word) -> bool:
    return text[one.end : other.start] == " "


def worded(said: list[Word]) -> Iterator[list[Word]]:
    """Word what is said as names may have it: `low potassium`, and `low potassium level`."""
    yield said
    for measured in _MEASURED:
        yield [*said, replace(said[-1], normal=measured)]


_TABLE: Final = Path(__file__).with_name("complaints.tsv")
_PARTS: Final = "@parts"
_ANY: Final = "*"
_NONE: Final = "-"
_APART: Final = 40  # characters between a part and what is said of it, and before the part, that are looked at


@dataclass(frozen=True, slots=True)
class _Complaint:
    parts: frozenset[str]
    names: tuple[str, ...]
    does: bool


@cache
def _complaints() -> Mapping[str, Sequence[_Complaint]]:
    """Read the table: each word that is said of a part → what it may be."""
    lines = [line.split("\t") for _, line in table_lines(_TABLE)]
    every = _normal(next(cells[1] for cells in lines if cells[0] == _PARTS))
    found: dict[str, list[_Complaint]] = defaultdict(list)
    for does, is_so, parts, names in (cells for cells in lines if cells[0] != _PARTS):
        its = every if parts == _ANY else _normal(parts)
        for said, verb in ((does, True), (is_so, False)):
            for word in said.split() if said != _NONE else ():
                found[word].append(_Complaint(its, tuple(names.split("; ")), verb))
    return found


def _normal(parts: str) -> frozenset[str]:
    return frozenset(map(normalise, parts.split()))


def complaints(text: str, found: Sequence[Word]) -> Iterator[tuple[int, int, list[list[Word]]]]:
    """Find complaints of the body: first word, the one behind the last, and the symptom's names, likeliest first."""
    known = _complaints()
    for at, word in enumerate(found):
        for one in known.get(text[word.start : word.end].lower(), ()):
            part = _part(text, found, at, one)
            if part is not None:
                name = text[found[part].start : found[part].end].lower()
                names = [words(each.format(name)) for each in one.names]
                yield min(at, part), max(at, part) + 1, names
                break


def _part(text: str, found: Sequence[Word], at: int, one: _Complaint) -> int | None:
    """Find the part of the body of which something is said."""
    start, end = found[at].start, found[at].end
    for part in range(at - 1, -1, -1):
        between = text[found[part].end : start]
        if len(between) > _APART:
            break
        if found[part].normal in one.parts and _RULES["link"].fullmatch(between):
            before = text[max(0, found[part].start - _APART) : found[part].start]
            return part if not one.does or _RULES["own"].search(before) else None
    for part in range(at + 1, len(found) if not one.does else 0):
        between = text[end : found[part].start]
        if len(between) > _APART:
            break
        if found[part].normal in one.parts and _RULES["of"].fullmatch(between):
            return part
    return None
