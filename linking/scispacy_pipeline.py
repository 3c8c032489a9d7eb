"""scispaCy's detector of short forms, negspaCy, and mentions of a scispaCy or spaCy model; the extra `scispacy`."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from .abbreviations import Abbreviation
from .context import OWN, Pipeline, contexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spacy.tokens import Doc

    from .context import Context, Place

SCISPACY: Final = "scispacy"


def open_pipeline(name: str) -> Pipeline:
    """Open a pipeline by its name.

    Args:
        name: `scispacy`, or `scispacy:MODEL` with the name or folder of a scispaCy or spaCy model; empty for the own.

    Raises:
        InputError: There is no such pipeline, or what it needs is not installed.
    """
    library, _, model = name.partition(":")
    if not name:
        return OWN
    if library != SCISPACY:
        raise InputError(f"there is no pipeline {name!r}; write {SCISPACY}, or {SCISPACY}:MODEL")
    return _pipeline(name, model)


def _pipeline(name: str, model: str) -> Pipeline:
    """Make a pipeline of scispaCy and negspaCy.

    Negation is negspaCy's. It does not tell uncertainty or relatives' conditions, for which medgraph's own code stays.
    """
    try:
        import spacy
        from scispacy.abbreviation import AbbreviationDetector  # noqa: F401 # makes the pipe known to spaCy
    except ImportError as error:
        raise InputError(f"scispaCy cannot be used ({error}): pip install 'medgraph[scispacy]'") from error
    try:
        language = spacy.load(model) if model else spacy.blank("en")
    except OSError as error:
        raise InputError(
            f"there is no spaCy model {model!r}: install its package, or give the folder that it is in"
        ) from error
    language.add_pipe("abbreviation_detector")

    @lru_cache(maxsize=1)
    def read(text: str) -> Doc:
        """Read a text once for its short forms and its mentions."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"\[W036\]", UserWarning)  # the detector's, of a text without short forms
            return language(text)

    def abbreviations(text: str) -> list[Abbreviation]:
        long_forms = {short.text: short._.long_form for short in read(text)._.abbreviations}
        return [Abbreviation(short, long.start_char, long.end_char) for short, long in long_forms.items()]

    def mentions(text: str) -> list[Place]:
        return [(entity.start_char, entity.end_char) for entity in read(text).ents]

    return Pipeline(name, abbreviations, _contexts(_negation()), mentions if model else None)


def _negation() -> Callable[[str, int, int], bool]:
    """Make what tells by negspaCy whether a sentence says that a mention in it is absent."""
    import spacy
    from negspacy.negation import Negex
    from negspacy.termsets import termset

    language = spacy.blank("en")
    negex: Any = Negex(language, "negex", termset("en_clinical").get_patterns())

    def negated(sentence: str, start: int, end: int) -> bool:
        doc = language.make_doc(sentence)
        for token in doc:
            token.is_sent_start = token.i == 0
        doc.set_ents([doc.char_span(start, end, label="MENTION", alignment_mode="expand")])
        return bool(negex(doc).ents[0]._.negex)

    return negated


def _contexts(
    negated: Callable[[str, int, int], bool],
) -> Callable[[str, Sequence[Place], Iterable[Place]], Iterator[tuple[Place, Context]]]:
    def told(text: str, sentences: Sequence[Place], places: Iterable[Place]) -> Iterator[tuple[Place, Context]]:
        places = list(places)
        for (begin, stop), ((start, end), own) in zip(places, contexts(text, sentences, places), strict=True):
            absent = negated(text[start:end], begin - start, min(stop, end) - start)
            yield (start, end), replace(own, negated=absent, uncertain=own.uncertain and not absent)

    return told
