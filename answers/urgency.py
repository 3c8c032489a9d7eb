"""Recognises emergencies by a trained model and by cues; gives the notice that heads the answer.

The model reads the message, and a long one in parts, too. Where it is nearly sure that there is no emergency, cues are
held for a mere mention. What to do stands in `emergencies.tsv`, and for texts in other languages in
`emergency_boxes.tsv`; whom to call in `emergency_numbers.tsv`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..files import table_cells
from ..patterns import read_patterns, small
from ..schema.languages import ENGLISH, foreign_language, words_of
from ..text import is_english, sentences
from .answer import NOTICE, NUMBER, Call, Urgent
from .emergencies import MOST, SUICIDE, advice, emergencies_in, first_aid_in, kinds_of_model

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Mapping, Sequence

    from ..embeddings.encoders.encoder import TextClassifier

NONE: Final = "none"
"""What the model calls a message that tells of no emergency."""

TOLD: Final = 0.7
"""How likely a message must tell of an emergency, from 0 to 1; chosen on three writers that the model had not seen."""

DOUBTED: Final = 0.02
"""How likely it must be where cues say so, but for thoughts of suicide, or else a sentence of it `TOLD`; chosen on
seven writers, of whose messages it then loses none."""

ALSO: Final = 0.25
"""How likely a kind of emergency must be beside the likeliest one, to be shown too; set by hand."""

LONG: Final = 150
"""Words of a message from which on it is read in parts, too; set by hand."""

PART: Final = 0.95
"""How likely a part of a long message must tell of an emergency: out of its story much sounds like one. Chosen on
messages of MeQSum, half dev."""

ANY: Final = "any"
MENTIONED: Final = "mentioned"

_BOXES: Final = Path(__file__).with_name("emergency_boxes.tsv")
_FOREIGN: Final = Path(__file__).with_name("foreign_cues.tsv")
_NUMBERS: Final = Path(__file__).with_name("emergency_numbers.tsv")
_BEFORE: Final = ("unconscious", "choking", "allergy")
"""Kinds that stand first whatever else is told, as their first steps hold for the others too."""


class Emergencies:
    """Recognises emergencies, and says what to do.

    Args:
        load: Loads the model once; it gives None where cues alone tell.
        number: The number to call, where one holds for all who ask; None says several with their places.
    """

    def __init__(self, load: Callable[[], TextClassifier | None] = lambda: None, number: str | None = None) -> None:
        self.load, self._number = load, number

    @cached_property
    def _model(self) -> TextClassifier | None:
        return self.load()

    @property
    def notice(self) -> str:
        """That an answer is no medical advice, with the number to call."""
        return NOTICE.replace(NUMBER, self._number) if self._number else NOTICE

    def urgent_in(self, text: str, previous: Sequence[str] = ()) -> tuple[Urgent, ...]:
        """Say what to do first, where a message tells of an emergency, or asks for first aid.

        Args:
            previous: Earlier turns of the dialogue; the last one may make an emergency of this one.
        """
        found = self._kinds_in(text) or (self._kinds_in("\n".join((*previous[-1:], text))) if previous else ())
        language, foreign = _foreign(text)
        found = _ordered([*foreign, *found])
        language = language or (foreign_language(text)[0] if found else "")
        if language in _languages():
            return (self._said(_boxes()[language].get(found[0]) or _boxes()[language][ANY], language),)
        return tuple(self._said(advice()[kind], ENGLISH) for kind in found[:MOST])

    def _kinds_in(self, text: str) -> tuple[str, ...]:
        cues, asked = emergencies_in(text), first_aid_in(text)
        if not (model := self._model):
            return _ordered([*asked, *cues])
        told, *windows = model.kinds([text, *_windows(text)])
        surest = min(windows, key=_none, default=told)
        if 1 - surest[NONE] >= PART:
            told = surest
        if cues and 1 - told[NONE] < DOUBTED:
            # A short cry among much else is read by itself.
            alone = min(model.kinds([text[start:end] for start, end in sentences(text)] or [text]), key=_none)
            cues = [kind for kind in cues if kind == SUICIDE or 1 - alone[NONE] >= TOLD]
        if 1 - told[NONE] < TOLD:
            return _ordered([*asked, *cues])
        by_box = _by_box(told)
        best = max(by_box, key=by_box.__getitem__)
        return _ordered([best, *(kind for kind, share in by_box.items() if share >= ALSO), *asked, *cues])

    def _said(self, box: Urgent, language: str) -> Urgent:
        """Fill a box with whom to call."""
        named = [call for call in _numbers() if call[0] == language]
        own = [Call(number, where) for _, kind, number, where in named if kind == box.kind != ANY]
        general = [Call(number, where) for _, kind, number, where in named if kind == ANY]
        if self._number:
            general = [Call(self._number, "")]
        words = self._number or NUMBER
        if language != ENGLISH:
            words = self._number or ", ".join(f"{call.number} ({call.where})" for call in general)
        calls = (*general, *own)
        return replace(box, text=box.text.replace("{number}", words).replace(NUMBER, words), calls=calls)


BY_CUES: Final = Emergencies()
"""Recognises emergencies by cues alone."""


def _by_box(told: Mapping[str, float]) -> dict[str, float]:
    """Add up what the model says of all that has the same first steps."""
    found: dict[str, float] = {}
    for name, share in told.items():
        if name != NONE:
            kind = kinds_of_model()[name]
            found[kind] = found.get(kind, 0.0) + share
    return found


def _ordered(kinds: Collection[str]) -> tuple[str, ...]:
    """Put kinds in order, each once: what the model says first, but for those whose first steps come before all."""
    several = list(dict.fromkeys(kinds))
    return tuple(sorted(several, key=lambda kind: _BEFORE.index(kind) if kind in _BEFORE else len(_BEFORE)))


def _foreign(text: str) -> tuple[str, list[str]]:
    """Find what a text in another language tells in plain words: the language, and kinds of emergency."""
    language, words = foreign_language(text)[0], words_of(text)
    if not language and 2 * sum(map(is_english, words)) > len(words):
        return "", []
    letters = unicodedata.normalize("NFD", small(text).replace("\u2019", "'").replace("\u00df", "ss"))
    plain = "".join(one for one in letters if not unicodedata.combining(one))
    found: dict[str, list[str]] = {}
    for name, pattern in _foreign_cues().items():
        of, _, kind = name.partition(" ")
        if kind != MENTIONED and language in {"", of} and pattern.search(plain):
            found.setdefault(of, []).append(kind)
    language = max(found, key=lambda name: len(found[name]), default="")
    if not language or _foreign_cues()[f"{language} {MENTIONED}"].search(plain):
        return "", []
    return language, found[language]


@cache
def _foreign_cues() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_FOREIGN)


def _none(told: Mapping[str, float]) -> float:
    return told[NONE]


def _windows(text: str) -> list[str]:
    """Cut a long message into parts of whole sentences; a short one is read whole."""
    windows: list[str] = []
    for start, end in sentences(text) if len(text.split()) > LONG else ():
        sentence = text[start:end]
        if windows and len(windows[-1].split()) + len(sentence.split()) <= LONG // 2:
            windows[-1] = f"{windows[-1]} {sentence}"
        else:
            windows.append(sentence)
    return windows


@cache
def _boxes() -> Mapping[str, Mapping[str, Urgent]]:
    boxes: dict[str, dict[str, Any]] = {}
    named = "language, kind, what it may be, what to do, source and address"
    for _, (language, kind, title, what, source, url) in table_cells(_BOXES, 6, named):
        boxes.setdefault(language, {})[kind] = Urgent(kind, title, what, source, url)
    return boxes


def _languages() -> Collection[str]:
    return _boxes().keys()


@cache
def _numbers() -> list[list[str]]:
    return [cells for _, cells in table_cells(_NUMBERS, 4, "language, kind, number and where")]
