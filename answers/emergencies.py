"""Recognises emergencies by a trained model, and requests for first aid; gives the first steps to take.

The advice stands in `emergencies.tsv`, for texts in other languages in `emergency_boxes.tsv`, whom to call in
`emergency_numbers.tsv`; what tells of an emergency in other languages, beside the model, in `foreign_cues.tsv`, and who
asks what to do in `first_aid.tsv`. What a stroke is is an ordinary question. The model reads the message, and a long
one in parts, too.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..files import table_cells
from ..patterns import read_pairs, read_patterns, read_words, small, threshold
from ..schema.languages import ENGLISH, foreign_language, words_of
from ..text import is_english, put_right, sentences
from .answer import NOTICE, NUMBER, Call, Urgent
from .populations import ADULT, ages_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from ..embeddings.encoders.encoder import TextClassifier

MOST: Final = 3  # emergencies that an answer begins with, at most, so that the first is read
_ADVICE: Final = Path(__file__).with_name("emergencies.tsv")
_COLUMNS: Final = 6


@cache
def advice(path: Path = _ADVICE) -> Mapping[str, Urgent]:
    """Read what to do in each kind of emergency, the most pressing first; InputError where a line lacks a column."""
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


_RULES: Final = read_patterns(_ADVICE.with_name("plain_words.tsv"))
_QUOTES: Final = str.maketrans("\u2018\u2019\u02bc`\u00b4", "'''''")
END: Final = " . "  # what stands between two sentences of a message written plainly
_SPELT: Final = tuple(sorted(read_words(_ADVICE.with_name("word_lists.tsv"))["emergency"]))
_SHORTENED: Final = tuple((re.compile(one), other) for one, other in read_pairs(_ADVICE.with_name("contractions.tsv")))


def plain_words(text: str) -> str:
    """Write a message as `first_aid.tsv` takes it: contractions written out, slips put right, ` . ` between sentences.

    Example:
        >>> plain_words("He can't BREATH... Help!!")
        'he can not breath . help .'
    """
    plain = _RULES["not"].sub(_written_out, small(text).translate(_QUOTES))
    for pattern, written in _SHORTENED:
        plain = pattern.sub(written, plain)
    words = [END.strip() if word[0] in ".!?;\n" else put_right(word, _SPELT) for word in _RULES["word"].findall(plain)]
    return " ".join(words)


def _written_out(found: re.Match[str]) -> str:
    return "can not" if found["can"] else "will not" if found["will"] else f"{found['first']} not"


def _ends_with(pattern: re.Pattern[str], words: Sequence[str]) -> bool:
    return any(pattern.fullmatch(" ".join(words[number:])) for number in range(len(words)))


_FIRST_AID: Final = Path(__file__).with_name("first_aid.tsv")
_AHEAD: Final = 20  # words of the same sentence before an emergency that may ask what to do; set by hand
_ASKS, _SUPPOSES, _BEHIND, _NAMED, _ELSE = "asks", "supposes", "asks behind", "named", "else"
MENTIONED: Final = "mentioned"
_NO_KINDS: Final = frozenset({_ASKS, _SUPPOSES, _BEHIND, _NAMED, _ELSE, MENTIONED})


def first_aid_in(text: str) -> list[str]:
    """Find the kinds of emergency of which a text asks what to do, and nothing else, in the order of the table."""
    plain, patterns = plain_words(text), read_patterns(_FIRST_AID)
    if patterns[MENTIONED].search(plain):
        return []
    kinds = ((kind, names) for kind, names in patterns.items() if kind not in _NO_KINDS)
    return [
        kind for kind, names in kinds if any(_is_first_aid_request(plain, found) for found in names.finditer(plain))
    ]


def _is_first_aid_request(plain: str, found: re.Match[str]) -> bool:
    patterns = read_patterns(_FIRST_AID)
    before = plain[: found.start()].rpartition(END)[2].split()[-_AHEAD:]
    rest, _, following = plain[found.end() :].partition(END)
    rest = rest.strip()
    if patterns[_ELSE].match(rest):
        return False
    if patterns[_NAMED].match(rest) or _ends_with(patterns[_ASKS], before):
        return True
    behind = patterns[_BEHIND]
    return _ends_with(patterns[_SUPPOSES], before) and bool(behind.search(rest) if rest else behind.match(following))


NONE: Final = "none"  # what the model calls a message that tells of no emergency
LIKELY: Final = threshold("answers.emergencies.likely")
ALSO: Final = threshold("answers.emergencies.also")
LONG: Final = 150  # words of a message from which on it is read in parts, too; set by hand
SHORT: Final = 30  # words of a message of two sentences, at most, that are read apart, too; set by hand
_TWO: Final = 2
PART: Final = threshold("answers.emergencies.part")
ANY: Final = "any"
URGENT: Final = "urgent"  # the kind whose first steps hold whatever it is
_BOXES: Final = Path(__file__).with_name("emergency_boxes.tsv")
_FOREIGN: Final = Path(__file__).with_name("foreign_cues.tsv")
_NUMBERS: Final = Path(__file__).with_name("emergency_numbers.tsv")

# Kinds that stand first whatever else is told, as their first steps hold for the others too.
_BEFORE: Final = ("unconscious", "choking", "allergy")


@dataclass(frozen=True, eq=False)
class Emergencies:
    """Recognises emergencies, and says what to do."""

    # Gives the model, the same each time; where it gives None, only who asks for first aid is told.
    load: Callable[[], TextClassifier | None] = lambda: None
    number: str | None = None  # the number to call, where one holds for all who ask; None says several, with places

    @property
    def notice(self) -> str:
        """That an answer is no medical advice, with the number to call."""
        return NOTICE.replace(NUMBER, self.number) if self.number else NOTICE

    def urgent_in(self, text: str, previous: Sequence[str] = ()) -> tuple[Urgent, ...]:
        """Say what to do first where a message, with the last turn, tells of an emergency or asks for first aid."""
        found = self._kinds_in(text) or (self._kinds_in("\n".join((*previous[-1:], text))) if previous else ())
        language, foreign = _foreign(text)
        found = _ordered([*foreign, *found])
        language = language or (foreign_language(text)[0] if found else "")
        if language in _boxes():
            return (self._with_numbers(_boxes()[language].get(found[0]) or _boxes()[language][ANY], language),)
        return tuple(self._with_numbers(advice()[kind], ENGLISH) for kind in found[:MOST])

    def _kinds_in(self, text: str) -> tuple[str, ...]:
        asked = first_aid_in(text)
        if not (model := self.load()) or not re.search("[a-z]", small(text)):  # it knows no other script
            return _ordered(asked)
        spelt = _RULES["word"].sub(lambda word: put_right(word[0], _SPELT), text)
        told, *windows = (_of_age(one, text) for one in model.kinds([spelt, *_windows(spelt)]))
        surest = min(windows, key=lambda window: window[NONE], default=told)
        if 1 - surest[NONE] >= PART:
            told = surest
        if 1 - told[NONE] < LIKELY:
            return _ordered(asked)
        by_box = _by_box(told)
        likely = sorted((kind for kind, share in by_box.items() if share >= ALSO), key=by_box.__getitem__, reverse=True)
        return _ordered([*likely, *asked] or [URGENT])

    def _with_numbers(self, box: Urgent, language: str) -> Urgent:
        named = [call for call in _numbers() if call[0] == language]
        own = [Call(number, where) for _, kind, number, where in named if kind == box.kind != ANY]
        general = [Call(number, where) for _, kind, number, where in named if kind == ANY]
        words = NUMBER if language == ENGLISH else ", ".join(f"{call.number} ({call.where})" for call in general)
        if self.number:
            general, words = [Call(self.number, "")], self.number
        text = box.text.replace("{number}", words).replace(NUMBER, words)
        return replace(box, text=text, calls=(*general, *own))


def _by_box(told: Mapping[str, float]) -> dict[str, float]:
    """Add up what the model says of all that has the same first steps."""
    found: dict[str, float] = {}
    for name, share in told.items():
        if name != NONE:
            kind = kinds_of_model()[name]
            found[kind] = found.get(kind, 0.0) + share
    return found


_BABYS_FEVER: Final = "baby-fever"  # what the model calls it
_BABY_MONTHS: Final = 6  # age from which on a fever alone is no emergency


def _of_age(told: Mapping[str, float], text: str) -> Mapping[str, float]:
    """Take a fever for a baby's only where no older child has it, or a sign tells that it is more than a fever."""
    ages = list(ages_in(small(text)))
    if not ages or not _BABY_MONTHS / 12 <= min(ages) < ADULT or _RULES["pressing"].search(plain_words(text)):
        return told
    return {**told, _BABYS_FEVER: 0.0, NONE: told[NONE] + told[_BABYS_FEVER]}


def _ordered(kinds: Collection[str]) -> tuple[str, ...]:
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
    for name, pattern in read_patterns(_FOREIGN).items():
        of, _, kind = name.partition(" ")
        if kind != MENTIONED and language in {"", of} and pattern.search(plain):
            found.setdefault(of, []).append(kind)
    language = max(found, key=lambda name: len(found[name]), default="")
    if not language or read_patterns(_FOREIGN)[f"{language} {MENTIONED}"].search(plain):
        return "", []
    return language, found[language]


def _windows(text: str) -> list[str]:
    """Cut a long message into parts of whole sentences, and two short sentences apart; others are read whole."""
    parts, words = [text[start:end] for start, end in sentences(text)], len(text.split())
    if words <= LONG:
        return parts if len(parts) == _TWO and words <= SHORT else []
    windows: list[str] = []
    for sentence in parts:
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


@cache
def _numbers() -> list[list[str]]:
    return [cells for _, cells in table_cells(_NUMBERS, 4, "language, kind, number and where")]
