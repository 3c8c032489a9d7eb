"""Decides whether words that a source has as a name are that name where they stand, or everyday English.

What tells is how usual a word is in English, what kind of name a source has it as, its part of speech, its capitals and
its possessive ending, and the words and neighbours around it. What stays doubtful counts only where its text or page is
about what it would name.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from enum import IntEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns
from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from ..text import is_adjective, is_english, is_word, textblob_words
from .curated import ANYTHING, StopNames
from .lexicon import ACRONYM, LOOSE, NAME, ORDERED, SYNONYM, Lexicon, Match
from .words import GENERIC, LITTLE, Word, normalise, singular, word_list, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .holdings import Holdings
    from .linked import Linked

_OTHERS: Final = word_list("open")
_UNTELLING: Final = GENERIC | LITTLE | _OTHERS  # what tells no name from others
_LITTLE: Final = 2  # little words that may stand among those of a name in another order, at most
_TELLING: Final = 2  # words that tell a disease by themselves, if there are more than these
_FEW: Final = 2  # words that tell a name from others, of which a name with `and` has more if it stands in another order
_RULES: Final = read_patterns(Path(__file__).with_name("judging.tsv"))


def is_plausible(match: Match, found: Sequence[Word], surface: str) -> bool:
    """Tell whether a run of words may be the name that it was recognised as.

    Not words that most names have, or where nothing but the words themselves speaks for a name.
    """
    run = found[match.first : match.last]
    normals = {word.normal for word in run}
    if normals <= _UNTELLING or (len(run) == 1 and len(run[0].normal) < 2):
        return False
    if match.how == LOOSE and (run[0].normal in GENERIC or not is_distinctive(run)):
        return False
    if match.how != ORDERED and not _close(run):
        return False
    return surface.count("(") == surface.count(")") and (match.how == ORDERED or not _RULES["joining"].search(surface))


def is_distinctive(run: Sequence[Word]) -> bool:
    """Tell whether words that were taken loosely still tell one name: two do, or one before a generic one."""
    telling = [word for word in run if word.normal not in GENERIC and word.normal not in LITTLE]
    return len(telling) > 1 or (len(telling) == 1 and run[-1].normal in GENERIC and len(telling[0].normal) > 3)


def has_distinctive_word(text: str) -> bool:
    """Tell whether there is a word that tells one name from another, neither little nor what most names have."""
    return any(word.normal not in GENERIC and word.normal not in LITTLE for word in words(text))


def stands_alone(run: Sequence[Word]) -> bool:
    """Tell whether words that were taken loosely tell a disease by themselves, being many or with a generic one."""
    many = sum(word.normal not in LITTLE for word in run) > _TELLING
    return many or any(word.normal in GENERIC for word in run)


def is_unusual(run: Sequence[Word], text: str, end: int) -> bool:
    """Tell whether words, one of which English lacks, are nothing else than a name: `prader willi`."""
    of_another = _RULES["headed"].match(text, end)
    return not of_another and not all(is_english(text[word.start : word.end].lower()) for word in run)


def _close(run: Sequence[Word]) -> bool:
    """Tell whether words stand near enough to one another to be one name in another order."""
    little = [word.normal for word in run if word.normal in LITTLE]
    return len(little) <= _LITTLE and (len(run) - len(little) > _FEW or "and" not in little)


# Characters between words that may be everyday ones and another name of what they would name, at most.
_NEAR: Final = 80


class NameJudge:
    """Decides on what was recognised; `never` are words that curators settled to be no names."""

    def __init__(self, lexicon: Lexicon, holdings: Holdings, never: StopNames) -> None:
        self._lexicon = lexicon
        self._holdings = holdings
        self._never = never

    def kept(
        self, text: str, match: Match, run: Sequence[Word], candidates: Iterable[Linked], *, strict: bool
    ) -> Iterator[Linked]:
        """Leave out names that words of everyday English are not, and mark those that need something beside them.

        A text is `strict`; in a question short forms and eponyms come in small letters.
        """
        never = self._never.settled(run)
        for linked in candidates:
            if never and not never.isdisjoint((ANYTHING, *self._ids(linked))):
                continue
            surface, label = text[linked.start : linked.end], self._holdings.label(linked.entity)
            called = len(run) == 1 and self._calls(surface, match.names, linked)
            kind = int(self._lexicon.kinds[linked.name])
            verdict = judge(surface, linked.matched, kind, match.how, label, called=called, asked=not strict)
            if verdict == Verdict.DOUBTFUL:
                gene = label == "Gene" and speaks_of_genes(text, linked.start, linked.end)
                short = not strict and bool(ACRONYM.fullmatch(linked.matched))
                yield linked if gene or short else replace(linked, doubtful=True)
            elif verdict == Verdict.NAME:
                yield linked

    def may_be(self, name: str, run: Sequence[Word], linked: Linked, how: int) -> bool:
        """Tell whether who looks a name up may mean what it was recognised as; a name of its own leaves no doubt."""
        if not self._never.settled(run).isdisjoint(self._ids(linked)):
            return False
        label = self._holdings.label(linked.entity)
        return judge(name, linked.matched, SYNONYM, how, label, called=False, asked=True) != Verdict.NEVER

    def drop_doubtful(self, spans: Sequence[Linked], about: Iterable[str]) -> list[Linked]:
        """Leave out what is doubtful, unless the text is about it or calls it by another name; runs may overlap."""
        sure = [span for span in spans if not span.doubtful]
        if len(sure) == len(spans):
            return sure
        subjects, places = frozenset(about), defaultdict(list)
        for span in sure:
            places[self._holdings.concept(span.entity)].append(span.start)
        return [
            span
            for span in spans
            if not span.doubtful
            or self._holdings.concept_id(span.entity) in subjects
            or _is_near(span, places.get(self._holdings.concept(span.entity), ()))
        ]

    def drop_doubtful_in_question(self, places: Sequence[list[Linked]]) -> list[list[Linked]]:
        """Leave out conditions and substances that are doubtful, in a question that names something else."""
        sure = [place for place in places if not place[0].doubtful or self._holdings.is_topic(place[0].entity)]
        return list(places) if all(place[0].doubtful for place in places) else sure

    def _ids(self, linked: Linked) -> tuple[str, str]:
        return self._holdings.concept_id(linked.entity), self._holdings.id(linked.entity)

    def _calls(self, surface: str, names: Iterable[int], linked: Linked) -> bool:
        """Tell whether a concept has a word as a name or a vocabulary's short form, or two have it."""
        entities, concept = set(), self._holdings.concept(linked.entity)
        for number in names:
            entity = int(self._lexicon.entities[number])
            if self._holdings.concept(entity) == concept:
                if int(self._lexicon.kinds[number]) == NAME or (
                    ACRONYM.fullmatch(linked.matched) and not is_list(self._holdings.id(entity).partition(":")[0])
                ):
                    return True
                entities.add(entity)
        return len(entities) > 1 or self._holdings.concept_name(linked.entity).lower().split()[:1] == [surface.lower()]


def _is_near(span: Linked, starts: Iterable[int]) -> bool:
    """Tell whether another name of the same stands near; that of a short form may stand anywhere."""
    anywhere = bool(ACRONYM.fullmatch(span.matched))
    return any(anywhere or abs(start - span.start) <= _NEAR for start in starts)


# How usual a word is that it is doubtful as what a list adds to a topic's title: chosen with the labelled pairs of
# `tests/data/linking/ordinary.tsv`.
USUAL: Final = 4.0
_SEEN: Final = 1.1e6  # words of the books that TextBlob's counts were made of
# How usual a word is that stands in texts of every kind, and names a substance only beside its other names: air.
EVERYWHERE: Final = 5.0
_WINDOW: Final = 80  # characters on either side of a symbol in which words of genes are looked for
_PAIR: Final = 2
_SHORT: Final = 3  # letters of a short form or a symbol that means many things, at most
_KINDS: Final = frozenset(("disease", "disorder", "syndrome", "condition", "illness"))
_FORMS: Final = GENERIC - _KINDS
_SUBSTANCES: Final = ("Drug", "Chemical", "DrugClass")


class Verdict(IntEnum):
    """What words are where they stand: a name, one only beside what it names, or none."""

    NAME = 0
    DOUBTFUL = 1
    NEVER = 2


@cache
def _counts() -> Mapping[str, int]:
    """The counts of words in English books that TextBlob corrects spelling by."""
    return {word: int(count) for word, count in textblob_words("en-spelling.txt").items() if count.isdigit()}


@lru_cache(maxsize=100_000)
def usual(word: str) -> float:
    """Tell how usual a word is in English, by the number of it that is more usual; 0 for what books have not.

    It is the decimal logarithm of how often it stands among a thousand million words.
    """
    forms = {word, singular(word), f"{word}s"}
    count = max(_counts().get(form, 0) for form in forms)
    return math.log10(count / _SEEN * 1e9) if count else 0.0


@lru_cache(maxsize=300_000)
def judge(surface: str, name: str, kind: int, how: int, label: str, *, called: bool, asked: bool = False) -> Verdict:
    """Tell what words are, by themselves, that were recognised as a name of a kind and a label.

    They are `called` a concept's preferred name, or a name of two of its entities; `asked` in whatever letters.
    """
    if _is_other_case(surface, name) or _is_bare_eponym(surface, name, asked=asked):
        return Verdict.NEVER
    if (how == LOOSE and _is_other_sense(surface, name, label)) or (how == ORDERED and _is_torn(surface, name)):
        return Verdict.NEVER
    if len(words(surface)) > 1:
        return Verdict.NAME
    return _alone(surface, name, kind, label, called=called)


def _alone(surface: str, name: str, kind: int, label: str, *, called: bool) -> Verdict:
    word, how_usual = surface.lower(), usual(surface.lower())
    if ACRONYM.fullmatch(name):
        short = len(name) <= _SHORT and label != "Topic"
        doubted = label == "Gene" or not called
        return Verdict.DOUBTFUL if doubted and (short or how_usual) else Verdict.NAME
    if (
        is_adjective(word)
        and not is_word(f"{word}s")
        and not _RULES["noun"].search(word)
        and (label == "Topic" or (called and (_RULES["adjective"].search(word) or how_usual >= USUAL)))
    ):
        return Verdict.NEVER
    if not how_usual or _RULES["disease"].search(word):
        return Verdict.NAME
    if called or kind == NAME:
        return Verdict.DOUBTFUL if label in _SUBSTANCES and how_usual >= EVERYWHERE else Verdict.NAME
    if kind == SYNONYM and label not in _SUBSTANCES:
        return Verdict.NAME  # of a vocabulary, which gives names of the same
    doubted = label in (*CONDITIONS, *_SUBSTANCES) or how_usual >= USUAL
    return Verdict.DOUBTFUL if doubted else Verdict.NAME


def _is_plain(said: Iterable[str]) -> bool:
    """Tell whether all words are of everyday English, so that they name nothing by their sound."""
    return all(len(word) > 1 and (is_word(word) or is_word(singular(word))) for word in said)


def _is_other_case(surface: str, name: str) -> bool:
    """Tell whether a name has marks, or a word in capitals that is another one in small letters: ANOTHER syndrome."""
    if "+" in name and "+" not in surface:
        return True
    if name.isupper() or ACRONYM.fullmatch(name):
        return False
    kept = {
        word
        for word in _RULES["capitals"].findall(name)
        if is_english(word.lower()) and not _RULES["roman"].fullmatch(word)
    }
    return bool(kept) and not kept <= set(_RULES["capitals"].findall(surface))


def _is_bare_eponym(surface: str, name: str, *, asked: bool) -> bool:
    """Tell whether an eponym stands without its 's; who types one may leave it out where the rest is no word."""
    if not _RULES["eponym"].fullmatch(name) or _RULES["possessive"].search(surface):
        return False
    return not asked or is_word(surface.lower())


def _is_other_sense(surface: str, name: str, label: str) -> bool:
    """Tell whether words that were taken loosely are no disease, where the name is one, or the other way round."""
    said, named = ({word.normal for word in words(text)} for text in (surface, name))
    content = _telling(surface)
    if not content or not _is_plain(content):
        return False
    if (
        named & _FORMS - said
        or _joins(surface, name)
        or (named & _KINDS and not said & _KINDS and not _RULES["disease"].search(content[-1]))
    ):
        return True
    if said & GENERIC and not named & GENERIC:
        vague = len(content) == 1 and (is_adjective(content[0]) or usual(content[0]) >= USUAL)
        return vague or (label not in CONDITIONS and bool(said & _KINDS))
    return False


def _telling(text: str) -> list[str]:
    """Give the words that tell one name from another, in small letters, without their possessive endings."""
    said = [_RULES["possessive"].sub("", text[word.start : word.end].lower()) for word in words(text)]
    return [word for word in said if normalise(word) not in GENERIC | LITTLE]


def _joins(surface: str, name: str) -> bool:
    """Tell whether a text has words of relation that the name has not: breast and ovarian cancer is breast-ovarian."""
    return "-" not in name and not set(_RULES["linking"].findall(surface.lower())) <= set(
        _RULES["linking"].findall(name.lower())
    )


def _is_torn(surface: str, name: str) -> bool:
    """Tell whether words stand in two sentences, or are two items of a list."""
    marks = [mark[1] for mark in _RULES["break"].finditer(surface)]
    if any(mark[-1] not in name if mark.strip() != "-" else mark not in name for mark in marks):
        return True
    return "," in surface and "," not in name and len(words(name)) == _PAIR


def speaks_of_genes(text: str, start: int, end: int) -> bool:
    """Tell whether a text has a word of genes beside a short symbol, which may be one then."""
    return bool(_RULES["of gene"].search(text[max(0, start - _WINDOW) : end + _WINDOW].lower()))
