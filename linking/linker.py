"""Texts and single names to the entities that they name, and the concepts that these stand for."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product
from typing import TYPE_CHECKING, Final

from ..patterns import threshold
from ..schema.prefixes import is_list
from .asked import (
    corrected,
    gathered,
    is_harmed,
    is_of_gene,
    is_short_form,
    is_typed_name,
    joined_words,
    slipped_runs,
)
from .curated import StopNames, is_lay
from .judging import (
    USUAL,
    NameJudge,
    has_distinctive_word,
    is_distinctive,
    is_plausible,
    is_unusual,
    stands_alone,
    usual,
)
from .lexicon import ACRONYM, ANY_ORDER, BRAND, LISTED, LOOSE, NAME, ORDERED, OTHER, SYNONYM, Lexicon
from .linked import AS_IT_STANDS, OTHERWISE, SPELLING, SYNONYM_SCORE, WORDING, Linked, apart
from .rewording import APPROXIMATE, FIRST, MANY, complaints, predicates, rewordings, spellings, worded
from .spelling import SHORTEST, Similar, Vocabulary
from .words import Abbreviation, Word, expanded, find_abbreviations, is_explained, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from .context import Pipeline
    from .holdings import Holdings

_HOW: Final = {ORDERED: 1.0, ANY_ORDER: threshold("linking.linker.any_order"), LOOSE: threshold("linking.linker.loose")}
_LISTED, _OTHER = threshold("linking.linker.listed"), threshold("linking.linker.other")
_KIND: Final = {NAME: 1.0, SYNONYM: SYNONYM_SCORE, LISTED: _LISTED, BRAND: SYNONYM_SCORE, OTHER: _OTHER}
_METHODS: Final = dict(zip((ORDERED, ANY_ORDER, LOOSE), (AS_IT_STANDS, *OTHERWISE), strict=True))
_UNLIKELY: Final = threshold("linking.linker.unlikely")
_ABOUT: Final = threshold("linking.linker.about")
_TOO_SHORT: Final = 2  # letters of a short form that stands for too many things to be understood without an explanation
_LETTER: Final = re.compile(r"[ -]a(?=\s{0,9}(?:[?!.,;:)]|\Z))")
_HEAD: Final = r"(?:[ -](?:disease|syndrome|disorder)s?\b)?"


class Linker:
    """Finds what texts and names stand for, misspelt ones too, by packed names and what they belong to."""

    def __init__(
        self, lexicon: Lexicon, holdings: Holdings, never: StopNames, similar: Similar, vocabulary: Vocabulary
    ) -> None:
        self.lexicon, self.holdings = lexicon, holdings
        self._judge = NameJudge(lexicon, holdings, never)
        self._similar, self._vocabulary = similar, vocabulary
        # Sections of a page have one title.
        self._called = lru_cache(1024)(lambda name: self._whole(name) or self._part(name))

    def text(self, text: str, about: Iterable[str] = (), pipeline: Pipeline | None = None) -> list[Linked]:
        """Find what a text names, in order; no two overlap.

        It may be about concepts whose everyday names count in it; a pipeline finds short forms and places of names.
        """
        found = words(text)
        short = {a.short: a for a in (pipeline.abbreviations if pipeline else find_abbreviations)(text)}
        if pipeline and pipeline.mentions:
            marked = [(start, end) for start, end in pipeline.mentions(text) if text[start:end] not in short]
            spans = [replace(one, start=s, end=e) for s, e in marked for one in self.name(text[s:e])]
        else:
            spans = list(self._spans(text, found, short.keys()))
            inside = [word for word in found if not is_explained(word, short.values(), text)]
            if len(inside) < len(found):
                spans += self._spans(text, inside, short.keys())
            spans += self._written_out(text, found, short)
        spans += self._explained(text, short)
        return sorted(apart(self._judge.drop_doubtful(spans, about)), key=lambda linked: linked.start)

    def question(self, text: str) -> list[list[Linked]]:
        """Find what a question names: as in a text, but misspelt too, and short forms in small letters.

        Each place that names something may mean several things, one a concept, the likeliest first. The places are in
        order, and do not overlap, but that a topic may hold others.
        """
        found = words(text)
        short = {a.short: a for a in find_abbreviations(text)}
        meant, spelt = self._meant_words(text, found)
        said = list(self._predicates(text, meant))
        places = {(linked.start, linked.end) for linked in said}
        as_it_stands = self._places(text, found, short.keys(), strict=False)
        recognised = [
            # Who says that the eyes burn tells of no eye burns.
            *(linked for place in as_it_stands for linked in place if (linked.start, linked.end) not in places),
            *(self._respelt(text, meant, spelt) if spelt else ()),
            *said,
            *self._misspelt_at(text, joined_words(text, found, self._vocabulary)),
            *self._misspelt_at(text, slipped_runs(text, found, spelt, self._vocabulary)),
        ]
        # No broader or narrower word for something is asked about, for one.
        asked = [
            linked
            for linked in recognised
            if self.lexicon.kinds[linked.name] != OTHER and is_typed_name(linked, text, self.holdings)
        ]
        spans = [*self._explained(text, short), *asked]
        named = [self._one_a_concept(place) for place in gathered(spans, text, found, self.holdings)]
        return [[*self._harmed(text, place[0]), *place] for place in self._judge.drop_doubtful_in_question(named)]

    def _harmed(self, text: str, part: Linked) -> Iterator[Linked]:
        """Find the disease of a part of the body that a question asks about harm to."""
        if self.holdings.label(part.entity) == "Anatomy" and is_harmed(text, part.start):
            disease = self._exactly(f"{text[part.start : part.end]} disease", (ORDERED, ANY_ORDER, LOOSE))
            known = [linked for linked in disease if self.holdings.is_condition(linked.entity)]
            for best in sorted(known, key=self._rank)[:1]:
                score = round(best.score * APPROXIMATE, 3)
                yield replace(best, start=part.start, end=part.end, method="harm", score=score)

    def _respelt(self, text: str, meant: Sequence[Word], spelt: Mapping[int, int]) -> Iterator[Linked]:
        for linked in chain.from_iterable(self._places(text, meant, frozenset(), strict=False)):
            length = linked.end - linked.start
            slips = sum(count for at, count in spelt.items() if linked.start <= at < linked.end)
            if slips and length >= SHORTEST and not self.lexicon.acronyms[linked.name]:
                yield replace(linked, method=SPELLING, score=round(linked.score * (1 - slips / length), 3))

    def _meant_words(self, text: str, found: Sequence[Word]) -> tuple[Sequence[Word], dict[int, int]]:
        """Put the words that are meant in the places of misspelt ones; and tell where these begin, with their slips."""
        spelt = corrected(text, found, self._vocabulary)
        meant = [replace(word, normal=spelt[word.start][0]) if word.start in spelt else word for word in found]
        return meant, {start: slips for start, (_, slips) in spelt.items()}

    def _misspelt_at(self, text: str, places: Iterable[tuple[int, int]]) -> Iterator[Linked]:
        """Find names of several words that are run together, or of which one is spelt too badly by itself."""
        for start, end in places:
            for linked in self._misspelt(text[start:end]):
                yield replace(linked, start=start, end=end)

    def _predicates(self, text: str, meant: Sequence[Word]) -> Iterator[Linked]:
        """Find conditions that a question puts into a sentence: `my sugar is high`, `my fingers tingle`."""
        phrases: list[tuple[int, int, Iterable[Sequence[Word]], int]] = [
            *((first, last, worded(said), ANY_ORDER) for first, last, said in predicates(text, meant)),
            *((first, last, names, ORDERED) for first, last, names in complaints(text, meant)),
        ]
        for first, last, wordings, how in phrases:
            start, end = meant[first].start, meant[last - 1].end
            for wording in wordings:
                numbers = self.lexicon.whole(wording, ORDERED)
                named = (self._candidate("", start, end, number, how, strict=False) for number in numbers)
                known = [linked for linked in named if linked and self.holdings.is_condition(linked.entity)]
                if place := [linked for linked in known if not self.lexicon.acronyms[linked.name]]:
                    yield from (replace(linked, method=WORDING) for linked in place)
                    break

    def _one_a_concept(self, place: Sequence[Linked]) -> list[Linked]:
        """Give what a place of a question may mean: as it is called there, not as a vocabulary has it."""
        candidates: dict[int, Linked] = {}
        for linked in sorted(place, key=self._rank):
            candidates.setdefault(self.holdings.concept(linked.entity), linked)
        return list(candidates.values())

    def _explained(self, text: str, short: Mapping[str, Abbreviation]) -> Iterator[Linked]:
        """Find the short forms that a text explains, wherever they stand in it."""
        for name, abbreviation in short.items():
            meant = self._meant(text, abbreviation)
            if meant is None:
                continue
            head = _HEAD if self.holdings.is_condition(meant.entity) else ""
            for match in re.finditer(rf"(?<![\w-]){re.escape(name)}s?(?!\w){head}", text):
                yield replace(meant, start=match.start(), end=match.end(), method="abbreviation")

    def _written_out(self, text: str, found: Sequence[Word], short: Mapping[str, Abbreviation]) -> Iterator[Linked]:
        """Find vocabularies' names of which a short form is a part: primary HPT, where HPT is explained."""
        places = [match.span() for name in short for match in re.finditer(re.escape(name), text)]
        for linked in self._spans(text, expanded(text, found, short), short.keys(), written=False) if places else ():
            beside = [
                f"{text[linked.start : s]} {text[e : linked.end]}"
                for s, e in places
                if linked.start <= s and e <= linked.end
            ]
            known = self.holdings.is_condition(linked.entity) and not is_list(
                self.holdings.id(linked.entity).partition(":")[0]
            )
            if known and any(map(has_distinctive_word, beside)):
                yield replace(linked, method="abbreviation")

    def name(self, name: str, top_k: int = 1) -> list[Linked]:
        """Find the entities that a name stands for, one a concept, the surest first."""
        return self._called(name)[:top_k]

    def _whole(self, name: str) -> list[Linked]:
        """Find what a name stands for as a whole, misspelt perhaps: one a concept, the surest first."""
        candidates: dict[int, Linked] = {}
        # Breast and ovarian cancer is two things before it is a syndrome of a name with the same sense.
        for ways, (spelling, worth) in product(((ORDERED, ANY_ORDER), (LOOSE,)), list(spellings(name))):
            for linked in self._exactly(spelling, ways):
                self._keep(candidates, replace(linked, end=len(name), score=round(linked.score * worth, 3)))
            if candidates:
                break
        for find in (self._reworded, self._misspelt):
            for linked in () if candidates else find(name):
                self._keep(candidates, linked)
        return sorted(candidates.values(), key=self._rank)

    def _keep(self, candidates: dict[int, Linked], linked: Linked) -> None:
        linked = self._settled(linked)
        concept = self.holdings.concept(linked.entity)
        best = candidates.get(concept)
        if best is None or self._rank(linked) < self._rank(best):
            candidates[concept] = linked

    def _settled(self, linked: Linked) -> Linked:
        """Take what a vocabulary holds for what only lists do, where a source states the same concept for both."""
        near = self.holdings.near(linked.entity)
        return linked if near is None else replace(linked, entity=near, score=round(linked.score * APPROXIMATE, 3))

    def _exactly(self, name: str, ways: Iterable[int]) -> Iterator[Linked]:
        found = words(name)
        for how in ways:
            if how == LOOSE and not is_distinctive(found):
                continue
            for number in self.lexicon.whole(found, how):
                linked = self._candidate(name, 0, len(name), number, how, strict=False)
                if linked and self._judge.may_be(name, found, linked, how):
                    yield linked

    def _reworded(self, name: str) -> Iterator[Linked]:
        """Find conditions that are called nearly so: by the first of its other wordings that is a name."""
        if usual(name.lower()) >= USUAL:
            return  # down is no Down syndrome
        for wording, ways in product(rewordings(name), ((ORDERED, ANY_ORDER), (LOOSE,))):
            # Everyday names count as they stand alone: sugar is no sugar disease.
            called = (linked for linked in self._exactly(wording, ways) if not is_lay(linked.matched.lower()))
            found = [linked for linked in called if self.holdings.is_condition(linked.entity)]
            if found and not (wording.endswith(f" {FIRST}") and self._is_series(wording.removesuffix(FIRST))):
                for linked in found:
                    yield replace(linked, end=len(name), method=WORDING, score=round(linked.score * APPROXIMATE, 3))
                return

    def _is_series(self, name: str) -> bool:
        """Tell whether there are many that are called so, with a number behind it."""
        found = words(f"{name}{MANY}"), words(f"{name}type {MANY}")
        return any(self.lexicon.whole(numbered, how) for numbered in found for how in (ORDERED, ANY_ORDER, LOOSE))

    def _misspelt(self, name: str) -> Iterator[Linked]:
        """Find names that are spelt nearly so: those of the words that are meant, else those that are alike."""
        found = words(name)
        meant, spelt = self._meant_words(name, found)
        unknown = {word.normal for word in found if name[word.start : word.end].lower() not in self._vocabulary}
        likeness = 1 - sum(spelt.values()) / len(name) if spelt else 0.0
        alike = dict.fromkeys(self.lexicon.whole(meant, ORDERED), likeness) if spelt else {}
        for number, likeness in alike.items() or self._similar.find(name, unknown):
            if linked := self._candidate(name, 0, len(name), number, ORDERED, strict=False):
                yield replace(linked, method=SPELLING, score=round(linked.score * likeness, 3))

    def near(self, name: str) -> list[Linked]:
        """Find all that has a name spelt as a name is, or nearly so, one a concept, the likest first."""
        near: dict[int, Linked] = {}
        for number, likeness in self._similar.find(name):
            if linked := self._candidate(name, 0, len(name), number, ORDERED, strict=False):
                self._keep(near, replace(linked, method=SPELLING, score=round(linked.score * likeness, 3)))
        return sorted(near.values(), key=self._rank)

    def _part(self, name: str) -> list[Linked]:
        """Find the longest part of a name that ends as it does, where it has words that no name has."""
        parts = [span for span in self.text(name) if self._is_named_condition(span)]
        if not parts:
            return []
        last = max(parts, key=lambda span: (span.end == len(name), span.end - span.start))
        share = (last.end - last.start) / len(name)
        score = round(last.score * share * APPROXIMATE, 3)
        return [self._settled(replace(last, start=0, end=len(name), method="part", score=score))]

    def _is_named_condition(self, span: Linked) -> bool:
        """Tell whether a part of a name is a condition that is called so: rupture alone is no inguinal hernia."""
        single = len(words(span.matched)) == 1 and int(self.lexicon.kinds[span.name]) != NAME
        return self.holdings.is_condition(span.entity) and (not single or span.method == "abbreviation")

    def _meant(self, text: str, short: Abbreviation) -> Linked | None:
        """Find what a long form stands for: no brand, and no disease for an adjective (gastrointestinal (GI) tract)."""
        long = text[short.start : short.end]
        known = (linked for linked in self._whole(long) if self.lexicon.kinds[linked.name] != BRAND)
        meant = next(known, None)
        return None if meant and meant.method == WORDING and " " not in long else meant

    def _spans(self, text: str, found: Sequence[Word], short: Set[str], *, written: bool = True) -> Iterator[Linked]:
        """Find runs that are names, each as what it most likely means; their words may not be those of the text."""
        for place in self._places(text, found, short, strict=True, written=written):
            yield self._settled(min(place, key=self._rank))

    def _places(
        self, text: str, found: Sequence[Word], short: Set[str], *, strict: bool, written: bool = True
    ) -> Iterator[list[Linked]]:
        """Find runs that are names; what a short form is, the text itself tells, or nobody."""
        for match in self.lexicon.runs(found):
            start, end = found[match.first].start, found[match.last - 1].end
            if not strict and text[end : end + 1] == ")" and text[start:end].count("(") > text[start:end].count(")"):
                end += 1  # of a name that ends with a short form in brackets
            surface = text[start:end]
            if surface in short or not is_plausible(match, found, surface):
                continue
            if found[match.last - 1].normal == "a" and not _LETTER.match(text, end - 2):
                continue  # hepatitis a year ago
            run = found[match.first : match.last]
            headed = surface[:1].isupper() or stands_alone(run) or (not strict and is_unusual(run, text, end))
            kept = [
                candidate
                for number in match.names
                # Both speak of a disease, or neither does: cardiac muscle is no heart muscle disease.
                if (match.how != LOOSE or headed or not self.lexicon.generic[number])
                and (candidate := self._candidate(surface, start, end, number, match.how, strict=strict))
            ]
            if written:
                kept = list(self._judge.kept(text, match, run, kept, strict=strict))
            if ACRONYM.fullmatch(surface):
                gene = strict or is_of_gene(text, start, end)
                kept = self._unexplained(surface, kept, strict=strict, gene=gene)
            if kept:
                yield kept

    def _unexplained(self, surface: str, candidates: Sequence[Linked], *, strict: bool, gene: bool) -> list[Linked]:
        """Leave out what a short form that the text does not explain may be, but is not likely to be."""
        conditions = [linked for linked in candidates if self.holdings.is_condition(linked.entity)]
        if not strict and len(surface) <= _TOO_SHORT and is_short_form(surface):
            return conditions
        genes = [linked for linked in candidates if self.holdings.is_gene(linked.entity)]
        if not gene and conditions and len(surface) > _TOO_SHORT:
            return [linked for linked in candidates if linked not in genes]
        if genes:
            return genes
        return [] if len(surface) <= _TOO_SHORT else list(candidates)

    def _candidate(
        self, surface: str, start: int, end: int, number: int, how: int, *, strict: bool = True
    ) -> Linked | None:
        entity = int(self.lexicon.entities[number])
        score = _HOW[how] * _KIND[int(self.lexicon.kinds[number])]
        name = self.lexicon.text(number)
        if self.lexicon.acronyms[number]:
            same = surface.removesuffix("s") == name.removesuffix("s")
            if how == LOOSE or (strict and not same):
                return None
            score *= 1 if same else _UNLIKELY
        if strict and self.lexicon.kinds[number] == BRAND and not surface[:1].isupper():
            return None
        if self.holdings.is_gene(entity):
            if strict and surface != name:
                return None
            score *= _UNLIKELY
        if self.holdings.is_topic(entity):
            score *= _ABOUT
        return Linked(start, end, entity, number, name, _METHODS[how], round(score, 3))

    def _rank(self, linked: Linked) -> tuple[bool, float, int]:
        return linked.doubtful, -linked.score, self.holdings.order(linked.entity)
