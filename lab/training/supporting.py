"""Fit what says how likely sentences say a claim together, to sentences that a large language model wrote."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.answers.verify.claims import VERB, claims_of
from medgraph.answers.verify.rules import statement
from medgraph.answers.verify.supporting import (
    MODEL,
    SIGNS,
    CheckedSection,
    allowed,
    candidates_of,
    reading_of,
    signs_of,
)
from medgraph.errors import InputError
from medgraph.files import table_lines
from medgraph.graph import catalogue
from medgraph.logistic import INTERCEPT, write_models
from medgraph.queries.retriever import SectionText

from ..evaluation.logistic import train_weights as fit_logistic
from ..evaluation.verification import QuotedSentence, faulty
from .verifier import SEED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medgraph.graph.database import Database

COLUMNS: Final = 4
HALF: Final = "dev"
MADE_BY: Final = (
    "sentences that a large language model wrote from MedQuAD's sections (github.com/abachaa/MedQuAD, CC BY 4.0), of"
    " the half dev, and such sentences with faults, mixed, and beside other sections"
)

_ROUNDS: Final = 4
_RIDGE: Final = 0.3


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence that was written for a question."""

    question: str  # the question's number
    text: str
    readings: Sequence[CheckedSection]  # the sections that it cites


def train_file(database: Database, table: Path, path: Path) -> dict[str, float]:
    """Fit the model to a table of half, question's number, ids of sections and sentence, and write it."""
    right = _load_rows(database, table)
    wrong = [*_faulty(right), *_mixed(right), *_mismatched(right)]
    rows = [(signs, label) for some, label in ((right, 1.0), (wrong, 0.0)) for one in some for signs in _ways(one)]
    if not any(label for _, label in rows) or all(label for _, label in rows):
        raise InputError(f"{table}: too few sentences can be checked to learn from them")
    weights = dict(zip((*SIGNS, INTERCEPT), _fitted(rows).tolist(), strict=True))
    made_by = f"by `medgraph train verifier FILE --written TABLE`, from {MADE_BY}"
    write_models({MODEL: weights}, path, made_by)
    return weights


def _load_rows(database: Database, table: Path) -> list[WrittenSentence]:
    rows = []
    for number, line in table_lines(table):
        columns = line.split("\t")
        if len(columns) != COLUMNS:
            raise InputError(f"{table}:{number}: has {len(columns)} columns and not half, question, sections, sentence")
        rows += [(number, columns)] if columns[0] == HALF else []
    ids = sorted({name for _, columns in rows for name in columns[2].split()})
    texts = (SectionText(**row) for row in database.read(catalogue.get("section_texts"), sections=ids))
    known = {one.section: reading_of(one) for one in texts}
    if lost := [(number, one) for number, columns in rows for one in columns[2].split() if one not in known]:
        raise InputError(f"{table}:{lost[0][0]}: {lost[0][1]} is not in the graph; run: medgraph load medquad PATH")
    return [
        WrittenSentence(question, text, [known[one] for one in names.split()]) for _, (_, question, names, text) in rows
    ]


def _faulty(right: Sequence[WrittenSentence]) -> Iterator[WrittenSentence]:
    known = {one.text: one for one in right}
    for made in faulty([QuotedSentence(one.question, one.text) for one in right], len(right), random.Random(SEED)):  # noqa: S311
        yield WrittenSentence(known[made.cited].question, made.text, known[made.cited].readings)


def _mixed(right: Sequence[WrittenSentence]) -> Iterator[WrittenSentence]:
    """Put the predicate of another sentence of the same answer behind a sentence's subject."""
    chance = random.Random(SEED)  # noqa: S311 # not for secrets
    parted = [(one, verb.start()) for one in right if (verb := VERB.search(one.text)) and verb.start()]
    for one, start in parted:
        mine = set(statement(one.text[:start]).words)
        others = []
        for other, place in parted:
            theirs = set(statement(other.text[:place]).words)
            if other.question == one.question and mine and theirs and not (mine <= theirs or theirs <= mine):
                others.append((other, place))
        if others:
            other, place = chance.choice(others)
            readings = {reading.section.section: reading for reading in (*one.readings, *other.readings)}
            yield WrittenSentence(one.question, one.text[:start] + other.text[place:], list(readings.values()))


def _mismatched(right: Sequence[WrittenSentence]) -> Iterator[WrittenSentence]:
    """Put a sentence beside the sections of another question that have most of its words."""
    cited = [{reading.section.section for reading in one.readings} for one in right]
    words = [set().union(*(own for reading in one.readings for own in reading.own)) for one in right]
    for place, one in enumerate(right):
        mine = set(statement(one.text).words)
        others = [
            other
            for other in range(len(right))
            if right[other].question != one.question and cited[other].isdisjoint(cited[place])
        ]
        if others:
            best = max(others, key=lambda other: len(mine & words[other]))
            yield WrittenSentence(one.question, one.text, right[best].readings)


def _ways(one: WrittenSentence) -> Iterator[list[list[float]]]:
    """Describe each claim of a sentence by what may say it and no rule objects to."""
    for claim in claims_of(one.text):
        found = (
            (reading, chosen, allowed(claim, reading, chosen)) for reading, chosen in candidates_of(claim, one.readings)
        )
        if ways := [signs_of(claim, way, chosen, same) for way, chosen, same in found if same]:
            yield ways


def _fitted(rows: Sequence[tuple[list[list[float]], float]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Fit weights; of what may say a claim, that stands for it which is the likeliest by the weights before."""
    labels = np.array([label for _, label in rows])
    weights = np.zeros(len(SIGNS) + 1)
    weights[0] = 1.0
    for _ in range(_ROUNDS):
        best = np.array([max(ways, key=lambda way: float(np.dot(way, weights[:-1]))) for ways, _ in rows])
        weights = fit_logistic(best, labels, np.ones(len(labels)), _RIDGE)
    return weights
