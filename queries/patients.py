"""Estimates the likelihood that a patient would ask a question so, with few, readable counts.

A question is looked at in two parts: its wording, with `{x}` for what it is about, and the name that stands there. The
model is fitted to what people wrote to a library (MeQSum's messages) beside the questions that MedQuAD's pages pose
and the names that vocabularies have; `patients.tsv` holds how often each saw a pair of words or a trait of a name.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..logistic import LogisticModel
from .salience import rows_by_kind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

FILE: Final = Path(__file__).with_name("patients.tsv")

# How likely it must be that a patient asks so, with as many of patients as of pages; chosen by labelled questions.
LEAST: Final = 0.2
SLOT: Final = "{x}"
PARTS: Final = ("wording", "name")
_DOUBT: Final = 0.5
_WORD: Final = re.compile(r"\{x\}|[^\W_]+(?:['\u2019][^\W_]+)?")
_MANY: Final = 4


@dataclass(frozen=True, slots=True)
class PatientModel:
    """What patients and pages wrote."""

    # part (`wording` or `name`) → pair of words or trait → how many of patients, and of pages, have it
    seen: Mapping[str, Mapping[str, tuple[int, int]]]
    totals: Mapping[str, tuple[int, int]]  # part → how many there are of patients, and of pages
    weights: Mapping[str, float]  # what each part's likelihood counts, with `always`
    words: Container[str]  # words that several patients wrote

    def likeness(self, wording: str, name: str) -> float:
        """Tell how likely it is, from 0 to 1, that a patient asks so."""
        odds = {"wording": self._odds("wording", pairs(wording)), "name": self._odds("name", traits(name, self.words))}
        return LogisticModel(self.weights).likely({"always": 1.0, **odds})

    def _odds(self, part: str, marks: Iterable[str]) -> float:
        """Tell how much likelier patients than pages write a part: the mean of log-odds."""
        patients, pages = self.totals[part]
        odds = []
        for mark in marks:
            asked, posed = self.seen[part].get(mark, (0, 0))
            odds.append(math.log((asked + _DOUBT) / (patients + 1)) - math.log((posed + _DOUBT) / (pages + 1)))
        return sum(odds) / len(odds) if odds else 0.0


def pairs(wording: str) -> Sequence[str]:
    """Cut a wording into pairs of neighbouring words in small letters; `<` and `>` stand for its ends."""
    words = ["<", *(word.lower() for word in _WORD.findall(wording)), ">"]
    return [f"{one} {other}" for one, other in pairwise(words)]


def traits(name: str, words: Container[str]) -> Sequence[str]:
    """Say how a name looks: `short`, `comma`, `all known`."""
    parts = [word.lower() for word in _WORD.findall(name)]
    known = sum(word in words for word in parts)
    marks = {
        "short": len(parts) < _MANY,
        "long": len(parts) >= _MANY,
        "comma": "," in name,
        "digit": any(letter.isdigit() for letter in name),
        "bracket": any(letter in "()[]/" for letter in name),
        "all known": known == len(parts),
        "some known": 0 < known < len(parts),
        "none known": bool(parts) and not known,
    }
    return [mark for mark, there in marks.items() if there]


@cache
def model() -> PatientModel:
    """Read the model that the package has."""
    return read(FILE)


def read(path: Path) -> PatientModel:
    """Read a model: a table of weights, totals, counts and words."""
    rows = rows_by_kind(path)
    weights = {name: float(value) for name, value in rows["weight"]}
    counts = {
        kind: {mark: (int(patients), int(pages)) for mark, patients, pages in rows[kind]} for kind in (*PARTS, "all")
    }
    totals = counts.pop("all")
    return PatientModel(counts, totals, weights, frozenset(word for (word,) in rows["word"]))
