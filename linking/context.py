"""Detects whether a sentence negates a mention, calls it only possible or ascribes it to somebody else.

How cues work follows NegEx (Chapman et al., Journal of Biomedical Informatics 34, 2001) and ConText (Harkema et al.,
Journal of Biomedical Informatics 42, 2009): a cue reaches from its end to the next words that end it, or, where it
stands behind what it speaks of, back to it. The cues and what ends them stand in `cues.tsv`. Pipelines of the extra
`scispacy` do this by negspaCy, with scispaCy's detector of short forms and the mentions of its models.
"""

from __future__ import annotations

import sys
import warnings
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, install_line
from ..patterns import read_patterns, small
from .words import Abbreviation, find_abbreviations

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from spacy.tokens import Doc

# How far cues reach: the second words of the kinds in the table.
_AHEAD: Final = ("phrase", "outside", "part", "clause", "list")
_BACK: Final = ("behind", "next")
_REACH: Final = 250  # characters that a cue reaches forward, at most: a long list of symptoms
_GAP: Final = 60  # characters that may stand between a mention and a cue behind it
# Characters that a cue of the whole sentence reaches: questions of patients come as one long sentence.
_AROUND: Final = 400
_RULES: Final = read_patterns(Path(__file__).with_name("cues.tsv"))


@dataclass(frozen=True, slots=True)
class Context:
    """What a sentence says of a mention: it is absent, is possible, feared or asked about, or is somebody else's."""

    negated: bool = False
    uncertain: bool = False
    family: bool = False


_NOTHING: Final = Context()


def context_of(sentence: str, start: int, end: int) -> Context:
    """Tell what a sentence says of a mention in it."""
    cues = _cues(sentence)
    if not cues.found:
        return _NOTHING
    negated, uncertain, family = (cues.hold(flag, start, end) for flag in Context.__slots__)
    return Context(negated, uncertain and not negated, family or cues.hold_around(start, end))


def contexts(
    text: str, sentences: Sequence[tuple[int, int]], places: Iterable[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], Context]]:
    """Tell what a text's sentences say of its mentions, in order: where each sentence stands, and what it says."""
    at = 0
    for begin, stop in places:
        while at < len(sentences) - 1 and sentences[at][1] <= begin:
            at += 1
        start, end = sentences[at]
        yield (start, end), context_of(text[start:end], begin - start, min(stop, end) - start)


@dataclass(frozen=True, slots=True)
class _Spans:
    """Places in a sentence, in order; none overlaps another."""

    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, patterns: Iterable[re.Pattern[str]], text: str) -> _Spans:
        found = sorted([match.span() for pattern in patterns for match in pattern.finditer(text)])
        if not found:
            return _NONE
        return cls([start for start, _ in found], sorted(end for _, end in found))

    def last(self, place: int) -> tuple[int, int]:
        """Give the last one that ends there or before; (-1, -1) when there is none."""
        at = bisect_right(self.ends, place) - 1
        return (self.starts[at], self.ends[at]) if at >= 0 else (-1, -1)

    def next(self, place: int) -> int:
        """Tell where the first one begins that does so there or behind; far away when there is none."""
        at = bisect_left(self.starts, place)
        return self.starts[at] if at < len(self.starts) else sys.maxsize


_NONE: Final = _Spans([], [])


@dataclass(frozen=True, slots=True)
class _Cues:
    """The cues of a sentence, by their kind in the table."""

    sentence: str
    found: Mapping[str, _Spans]

    def hold(self, flag: str, start: int, end: int) -> bool:
        """Tell whether one that speaks of the words behind it, or before it, speaks of a mention."""
        return any(
            f"{flag} {scope}" in self.found and self._reaches(flag, scope, start, end) for scope in _AHEAD
        ) or any(f"{flag} {scope}" in self.found and self._looks_back(flag, scope, end) for scope in _BACK)

    def _reaches(self, flag: str, scope: str, start: int, end: int) -> bool:
        cue = self._of(f"{flag} {scope}").last(start)[1]
        if cue <= self._of(f"end {scope}").last(start)[0] or start - cue > _REACH:
            return False
        if self._of("head").next(end) - end <= 1:
            return False
        between = self.sentence[cue:start]
        if scope == "outside" and between.count("(") > between.count(")"):
            return False
        # A cue in brackets ends with them.
        return ")" not in between.partition("(")[0] and not (scope != "list" and self._begins_clause(between, end))

    def _begins_clause(self, before: str, end: int) -> bool:
        """Tell whether a mention behind a comma is what a verb speaks of: `without a trigger, fainting may be …`."""
        _, comma, words = before.rpartition(",")
        return bool(comma) and not _RULES["or"].match(words) and bool(_RULES["verb"].match(self.sentence, end))

    def _looks_back(self, flag: str, scope: str, end: int) -> bool:
        cue = self._of(f"{flag} {scope}").next(end)
        if cue - end > _GAP or self._of("end clause").next(end) < cue:
            return False
        gaps = [_RULES["next"]] if scope == "next" else [_RULES["words"], _RULES["listed"]]
        return any(gap.fullmatch(self.sentence, end, cue) for gap in gaps)

    def _of(self, kind: str) -> _Spans:
        return self.found.get(kind, _NONE)

    def hold_around(self, start: int, end: int) -> bool:
        """Tell whether the sentence speaks of somebody else, and no more, or not yet, of who writes it."""
        around, person = self._of("family around"), self._of("end person")
        before, after = around.last(start)[1], around.next(end)
        if before > person.last(start)[0] and start - before <= _AROUND:
            return True
        return after - end <= _AROUND and person.next(end) > after


@lru_cache(maxsize=32)
def _cues(sentence: str) -> _Cues:
    """Find all cues of a sentence; those of the last ones are kept, as a sentence mentions several things."""
    sentence = small(sentence)
    found = {kind: spans for flag in Context.__slots__ for kind, spans in _of_flag(flag, sentence)}
    if not found:
        return _Cues(sentence, found)
    clause = [_RULES["end clause"], _RULES["sentence"], _RULES["break"]]
    phrase = [*clause, _RULES["end phrase"]]
    ends = {
        "end list": [_RULES["end list"], _RULES["sentence"]],
        "end clause": clause,
        "end phrase": phrase,
        "end outside": phrase,
        "end part": [*phrase, _RULES["bracket"], _RULES["comma"]],
        "end person": [_RULES["end person"]],
        "head": [_RULES["head"]],
    }
    return _Cues(sentence, found | {kind: _Spans.of(patterns, sentence) for kind, patterns in ends.items()})


def _of_flag(flag: str, sentence: str) -> Iterator[tuple[str, _Spans]]:
    """Find the cues of a flag, without what looks like one and is none."""
    no_cue, cues = _patterns_of(flag)
    text = no_cue.sub(lambda match: "_" * len(match[0]), sentence) if no_cue else sentence
    for kind, pattern in cues:
        if (spans := _Spans.of([pattern], text)).starts:
            yield kind, spans


@cache
def _patterns_of(flag: str) -> tuple[re.Pattern[str] | None, list[tuple[str, re.Pattern[str]]]]:
    """Give what looks like a cue of a flag and is none, and the flag's cues by kind."""
    return _RULES.get(f"no {flag}"), [(kind, one) for kind, one in _RULES.items() if kind.startswith(f"{flag} ")]


Place = tuple[int, int]  # where something begins and ends in a text


@dataclass(frozen=True, slots=True)
class Pipeline:
    """How texts are read before names are looked up."""

    name: str = ""  # tells pipelines apart, so that texts linked by another one count as new; empty for medgraph's own
    abbreviations: Callable[[str], Sequence[Abbreviation]] = find_abbreviations
    contexts: Callable[[str, Sequence[Place], Iterable[Place]], Iterator[tuple[Place, Context]]] = contexts
    # Finds where a text names something; None where every run of words is looked up.
    mentions: Callable[[str], Sequence[Place]] | None = None


OWN = Pipeline()  # the pipeline without spaCy
SCISPACY: Final = "scispacy"


def open_pipeline(name: str) -> Pipeline:
    """Open `scispacy`, `scispacy:MODEL` (name or folder of a model), or the own pipeline; InputError if it fails."""
    library, _, model = name.partition(":")
    if not name:
        return OWN
    if library != SCISPACY:
        raise InputError(f"there is no pipeline {name!r}; write {SCISPACY}, or {SCISPACY}:MODEL")
    try:
        import spacy
        from scispacy.abbreviation import AbbreviationDetector  # noqa: F401 # makes the pipe known to spaCy
    except ImportError as error:
        raise InputError(f"scispaCy cannot be used ({error}); {install_line('scispacy')}") from error
    try:
        language = spacy.load(model) if model else spacy.blank("en")
    except OSError as error:
        raise InputError(
            f"there is no spaCy model {model!r}: install its package, or give the folder that it is in"
        ) from error
    language.add_pipe("abbreviation_detector")

    @lru_cache(maxsize=1)
    def analyse(text: str) -> Doc:
        """Read a text once for its short forms and its mentions."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"\[W036\]", UserWarning)  # the detector's, of a text without short forms
            return language(text)

    def abbreviations(text: str) -> list[Abbreviation]:
        long_forms = {short.text: short._.long_form for short in analyse(text)._.abbreviations}
        return [Abbreviation(short, long.start_char, long.end_char) for short, long in long_forms.items()]

    def mentions(text: str) -> list[Place]:
        return [(entity.start_char, entity.end_char) for entity in analyse(text).ents]

    return Pipeline(name, abbreviations, _negspacy_contexts(), mentions if model else None)


def _negspacy_contexts() -> Callable[[str, Sequence[Place], Iterable[Place]], Iterator[tuple[Place, Context]]]:
    """Make what tells contexts, by negspaCy whether a sentence says that a mention in it is absent."""
    import spacy
    from negspacy.negation import Negex
    from negspacy.termsets import termset

    language = spacy.blank("en")
    negex: Any = Negex(language, "negex", termset("en_clinical").get_patterns())

    def by_negspacy(text: str, sentences: Sequence[Place], places: Iterable[Place]) -> Iterator[tuple[Place, Context]]:
        places = list(places)
        for (begin, stop), ((start, end), own) in zip(places, contexts(text, sentences, places), strict=True):
            doc = language.make_doc(text[start:end])
            for token in doc:
                token.is_sent_start = token.i == 0
            doc.set_ents(
                [doc.char_span(begin - start, min(stop, end) - start, label="MENTION", alignment_mode="expand")]
            )
            absent = bool(negex(doc).ents[0]._.negex)
            yield (start, end), replace(own, negated=absent, uncertain=own.uncertain and not absent)

    return by_negspacy
