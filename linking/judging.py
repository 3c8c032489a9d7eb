"""Decides from its words and neighbours whether a recognised run of words is a name there."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..schema.prefixes import is_list
from ..text import is_english
from .lexicon import ACRONYM, LOOSE, NAME, ORDERED, SYNONYM
from .never import ANYTHING
from .ordinary import Verdict, judge, speaks_of_genes
from .words import GENERIC, LITTLE, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .holdings import Holdings
    from .lexicon import Lexicon, Match
    from .linked import Linked
    from .never import StopNames
    from .words import Word

# Words before a kind of disease that leave open which one it is.
_OTHERS: Final = frozenset(
    "another any certain different each every other same several some such that these this those which".split()
)
_LITTLE: Final = 2  # little words that may stand among those of a name in another order, at most
_TELLING: Final = 2  # words that tell a disease by themselves, if there are more than these
_FEW: Final = 2  # words that tell a name from others, of which a name with `and` has more if it stands in another order
# What has words before it for itself: in `chronic granulomatous mastitis` no other granulomatous disease is named.
_HEADED: Final = re.compile(r"[ -]\w+(?:emia|itis|oma|osis|pathy)\b")
# What stands between two names, not in one.
_JOINING: Final = re.compile(r"\bor\b|\s[-\u2013\u2014]\s|[,;/?!\[\]]|\.\s|\n\s*\n")


def is_plausible(match: Match, found: Sequence[Word], surface: str) -> bool:
    """Tell whether a run of words may be the name that it was recognised as.

    Not words that most names have, or where nothing but the words themselves speaks for a name.
    """
    run = found[match.first : match.last]
    normals = {word.normal for word in run}
    if normals <= GENERIC | LITTLE | _OTHERS or (len(run) == 1 and len(run[0].normal) < 2):
        return False
    if match.how == LOOSE and (run[0].normal in GENERIC or not tells(run)):
        return False
    if match.how != ORDERED and not _close(run):
        return False
    return surface.count("(") == surface.count(")") and (match.how == ORDERED or not _JOINING.search(surface))


def tells(run: Sequence[Word]) -> bool:
    """Tell whether words that were taken loosely still tell one name: two do, or one before a generic one."""
    telling = [word for word in run if word.normal not in GENERIC and word.normal not in LITTLE]
    return len(telling) > 1 or (len(telling) == 1 and run[-1].normal in GENERIC and len(telling[0].normal) > 3)


def says(text: str) -> bool:
    """Tell whether there is a word that tells one name from another, neither little nor what most names have."""
    return any(word.normal not in GENERIC and word.normal not in LITTLE for word in words(text))


def stands_alone(run: Sequence[Word]) -> bool:
    """Tell whether words that were taken loosely tell a disease by themselves, being many or with a generic one."""
    many = sum(word.normal not in LITTLE for word in run) > _TELLING
    return many or any(word.normal in GENERIC for word in run)


def is_unusual(run: Sequence[Word], text: str, end: int) -> bool:
    """Tell whether words, one of which English lacks, are nothing else than a name: `prader willi`."""
    of_another = _HEADED.match(text, end)
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

        Args:
            match: How a run of its words was recognised.
            strict: Whether it is a text, and no question, in which short forms and eponyms come in small letters.
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
        """Tell whether somebody who looks a name up may mean what it was recognised as.

        What is doubtful in a text is what a name of its own says.
        """
        if not self._never.settled(run).isdisjoint(self._ids(linked)):
            return False
        label = self._holdings.label(linked.entity)
        return judge(name, linked.matched, SYNONYM, how, label, called=False, asked=True) != Verdict.NEVER

    def told(self, spans: Sequence[Linked], about: Iterable[str]) -> list[Linked]:
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
            or _is_beside(span, places.get(self._holdings.concept(span.entity), ()))
        ]

    def asked(self, places: Sequence[list[Linked]]) -> list[list[Linked]]:
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
                if int(self._lexicon.kinds[number]) == NAME or self._is_vocabularys(linked.matched, entity):
                    return True
                entities.add(entity)
        return len(entities) > 1 or self._holdings.concept_name(linked.entity).lower().split()[:1] == [surface.lower()]

    def _is_vocabularys(self, name: str, entity: int) -> bool:
        return bool(ACRONYM.fullmatch(name)) and not is_list(self._holdings.id(entity).partition(":")[0])


def _is_beside(span: Linked, starts: Iterable[int]) -> bool:
    """Tell whether another name of the same stands near; that of a short form may stand anywhere."""
    anywhere = bool(ACRONYM.fullmatch(span.matched))
    return any(anywhere or abs(start - span.start) <= _NEAR for start in starts)
