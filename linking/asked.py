"""Tells names from other words in questions, which are often misspelt and in lower case."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns
from ..text import is_word
from .judging import USUAL, usual
from .linked import Linked, apart
from .spelling import SHORTEST, Vocabulary
from .words import GENERIC, LITTLE, MEASURES, Word, normalise, word_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from .holdings import Holdings

_EVERYDAY: Final = word_list("everyday")
_SPELT_RIGHT: Final = word_list("spelt right")
# Words of English that in questions on health are mostly another one, misspelt.
_NEVER_MEANT: Final = frozenset(("prostrate",))
# Words of English that in small letters are short forms of conditions, too.
_SHORT_ALL_THE_SAME: Final = frozenset(("aids", "pad", "pots"))
_ELSEWHERE: Final = word_list("elsewhere")
# What questions ask of something, and some source has as a name, such as Hers disease.
_ASPECTS: Final = frozenset(
    "side effect,side effects,adverse effect,adverse effects,test,tests,gene,genes,her disease,her syndrome".split(",")
)
_SURE: Final = 3  # letters of a short form in small letters that may mean something else than a condition
_RULES: Final = read_patterns(Path(__file__).with_name("asked.tsv"))
# Characters before a part of the body in which words of harm are looked for, so that long texts stay quick.
_HARM_BEFORE: Final = 60
_LONG: Final = 7  # letters of a word that is looked for beside those around it, at least
_AROUND: Final = 2  # words of a name on either side of a misspelt one, at most
_MEASURE: Final = re.compile(f"{MEASURES}|mcg")
_NUMBERED: Final = frozenset(("type", "factor", "class"))


def is_typed_name(linked: Linked, text: str, holdings: Holdings) -> bool:
    """Tell whether a name that was recognised in whatever letters is one where a user typed it.

    Everyday words that are somebody's short form are none, nor symbols of genes in small letters.
    """
    surface = text[linked.start : linked.end]
    if surface.lower() in _ASPECTS | _ELSEWHERE:
        return False
    if surface.lower() in _EVERYDAY:
        return surface == linked.matched and surface.isupper() and not _shouted(text)
    if surface == linked.matched:
        return True
    if linked.matched.isupper() and not surface.isupper() and is_word(surface.lower()):
        return surface.lower() in _SHORT_ALL_THE_SAME
    if holdings.is_gene(linked.entity):
        return surface.upper() == linked.matched and any(c.isdigit() for c in surface)
    return len(surface) >= _SURE or holdings.is_condition(linked.entity)


def is_everyday(word: str) -> bool:
    """Tell whether a word is one of everyday English (`all`, `cold`), whatever else is called so."""
    return word != "aids" and (word in _EVERYDAY or usual(word) >= USUAL)


def is_short_form(surface: str) -> bool:
    """Tell whether two capitals that a question does not explain are a short form: MI, and not IS."""
    return surface.lower() not in _EVERYDAY | _ELSEWHERE


def is_harmed(text: str, start: int) -> bool:
    """Tell whether a question asks about harm to what stands somewhere: `can it harm my kidneys`."""
    return bool(_RULES["harm"].search(text, max(0, start - _HARM_BEFORE), start))


def is_of_gene(text: str, start: int, end: int) -> bool:
    """Tell whether a question says that what stands somewhere is a gene, and not what people have: the VHL gene."""
    before = text[max(0, start - _HARM_BEFORE) : start].lower()
    return bool(_RULES["gene"].match(text[end:].lower()) or _RULES["gene before"].search(before))


def corrected(text: str, found: Sequence[Word], vocabulary: Vocabulary) -> dict[int, tuple[str, int]]:
    """Find the words of a question that are misspelt: where each begins → the form that is meant, and the slips."""
    slips = {}
    for word in found:
        surface = text[word.start : word.end].lower()
        if _is_known(surface, vocabulary):
            continue
        if meant := vocabulary.meant(surface):
            slips[word.start] = normalise(meant[0]), meant[1]
    return slips


def _is_known(surface: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a word is spelt right: it, or what it is made of, is an everyday word or one of names."""
    stem = _RULES["ending"].sub("", surface)
    known = [surface]
    if stem != surface:  # migrain lacks its e
        known += [stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem]
    if surface in _SPELT_RIGHT or any(word in _EVERYDAY or word in vocabulary for word in known):
        return True
    return surface not in _NEVER_MEANT and any(map(is_word, known))


def _shouted(text: str) -> bool:
    """Tell whether a text is in capital letters, so that these tell no short form."""
    letters = [c for c in text if c.isalpha()]
    return sum(map(str.isupper, letters)) > len(letters) / 2


def joined_words(text: str, found: Sequence[Word], vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Find where what may be a name with a blank too many or too few begins and ends."""
    for word in found:
        surface = text[word.start : word.end].lower()
        if len(surface) >= 2 * SHORTEST - 1 and surface.isalpha() and surface not in vocabulary:
            yield word.start, word.end
    for one, other in itertools.pairwise(found):
        whole = (text[one.start : one.end] + text[other.start : other.end]).lower()
        if text[one.end : other.start] == " " and len(whole) >= 2 * SHORTEST - 1 and whole in vocabulary:
            yield one.start, other.end


def slipped_runs(
    text: str, found: Sequence[Word], spelt: Collection[int], vocabulary: Vocabulary
) -> Iterator[tuple[int, int]]:
    """Find where names may stand of several words of which one is misspelt beyond what is forgiven a word by itself.

    Around each such word the longest run comes first; `spelt` is where words begin that are misspelt, and known.
    """
    surfaces = [text[word.start : word.end].lower() for word in found]
    for at, surface in enumerate(surfaces):
        if len(surface) < _LONG or _is_known(surface, vocabulary):
            continue
        ends = []
        for step in (-1, 1):
            last = at
            while abs(last - at) < _AROUND and _goes_on(text, found, last, step, spelt, vocabulary):
                last += step
            ends.append(last)
        runs = [found[first : last + 1] for first in range(ends[0], at + 1) for last in range(at, ends[1] + 1)]
        # The words around it say what is meant: `syndrome` alone does not.
        told = [run for run in runs if sum(word.normal not in GENERIC for word in run) > 1]
        yield from ((run[0].start, run[-1].end) for run in sorted(told, key=len, reverse=True))


def _goes_on(
    text: str, found: Sequence[Word], at: int, step: int, spelt: Collection[int], vocabulary: Vocabulary
) -> bool:
    """Tell whether the next word may be one of the same name, which tells it from others."""
    following = at + step
    if not 0 <= following < len(found) or not _are_adjacent(text, found[min(at, following)], found[max(at, following)]):
        return False
    word = found[following]
    surface = text[word.start : word.end].lower()
    known = word.start in spelt or _is_known(surface, vocabulary)
    return known and surface not in _EVERYDAY and word.normal not in LITTLE


def gathered(spans: Iterable[Linked], text: str, found: Sequence[Word], holdings: Holdings) -> list[list[Linked]]:
    """Choose what a question's longest runs may mean, in order, and topics over some; hepatitis is not hepatitis C."""
    by_run: dict[tuple[int, int], list[Linked]] = defaultdict(list)
    for linked in spans:
        by_run[linked.start, linked.end].append(linked)
    best = [max(place, key=lambda linked: linked.score) for place in by_run.values()]
    kept = apart(run for run in best if not holdings.is_topic(run.entity))
    # A page's title may hold the disease that it is about: "Prostate cancer - treatment" stands beside prostate cancer.
    topics = apart(run for run in best if holdings.is_topic(run.entity))
    kept += [topic for topic in topics if all(_holds_or_misses(topic, run) for run in kept)]
    kept.sort(key=lambda linked: (linked.start, linked.end))
    marked = _marked(text, found)
    # Behind a drug stands a dose.
    return [
        by_run[run.start, run.end]
        for run in kept
        if not ({run.start, run.end} & marked and holdings.is_condition(run.entity))
    ]


def _holds_or_misses(one: Linked, other: Linked) -> bool:
    return (one.start <= other.start and other.end <= one.end) or one.end <= other.start or other.end <= one.start


def _marked(text: str, found: Sequence[Word]) -> set[int]:
    """Find where names begin or end that a number or letter beside them makes others of."""
    surfaces = [text[word.start : word.end] for word in found]
    marked: set[int] = set()
    for at, surface in enumerate(surfaces):
        if not _RULES["mark"].fullmatch(surface):
            continue
        behind = surfaces[at + 1].lower() if at + 1 < len(found) else ""
        if _MEASURE.fullmatch(behind):
            continue
        before = surfaces[at - 1].lower() if at else ""
        if at and _are_adjacent(text, found[at - 1], found[at]):
            # Of "diabetes type 3" it is the word before the last that names something.
            marked.add(found[at - 1].end)
            if before in _NUMBERED and at > 1 and _are_adjacent(text, found[at - 2], found[at - 1]):
                marked.add(found[at - 2].end)
        if at + 1 < len(found) and before in _NUMBERED and _are_adjacent(text, found[at], found[at + 1]):
            marked.add(found[at + 1].start)
    return marked


def _are_adjacent(text: str, one: Word, other: Word) -> bool:
    return text[one.end : other.start] in (" ", "-")
