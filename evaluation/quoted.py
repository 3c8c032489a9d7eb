"""Sentences that answers quote, measured by grades that people gave to sentences by reading them.

A section that answers says other things, too. What helps is graded a sentence at a time, for one thing that a question
asks, before any score is seen; what nobody graded is told apart.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..answers.answer import ANSWERED, RELATED
from ..answers.choice import quotable
from ..answers.confidence import ANSWERS
from ..answers.evidence import features_of
from ..answers.helping import DIMENSION, FEATURES, INTERCEPT, reads
from ..answers.weighing import text_of
from ..errors import InputError, SourceFileError
from ..files import table_lines
from ..progress import progress
from . import graded, logistic
from .statistics import share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ..answers.answer import Citation
    from ..answers.answerer import Answerer
    from ..answers.evidence import Evidence
    from ..answers.parts import Part
    from ..embeddings.rerankers.sentence_reader import SentenceReader
    from ..embeddings.sentences import Candidate
    from .messages import Message

    Quoted = tuple[str, str, str, int, int]
    """A question's id, what of it is asked, and a section's id with where a sentence of it begins and ends."""

HELPS: Final = 2
"""The least grade of a sentence that helps."""

RIDGE: Final = 0.3
READING_RIDGE: Final = 700.0
"""Penalty on large weights of standardised numbers; chosen on other folds of the half dev and everyday questions."""

EVERY: Final = 10_000
"""More sentences than a question's sections have."""

_LEAST_SPREAD: Final = 1e-6
_LEAST_SURE: Final = 0.01
_LEAST_COUNT: Final = 0.05
"""What a sentence counts that surely does not help, beside one that does: which of these comes first matters less."""
_GRADES: Final = frozenset("0123")
_CELLS: Final = "question<TAB>what it asks<TAB>section<TAB>start<TAB>end<TAB>grade from 0 to 3"


def read(path: Path) -> dict[Quoted, int]:
    """Read grades of sentences.

    Returns:
        Sentence → grade.

    Raises:
        SourceFileError: A line is not of the form.
    """
    grades = {}
    for number, line in table_lines(path):
        match line.split("\t"):
            case [question, asked, section, start, end, grade] if _is_graded(start, end, grade):
                grades[question, asked, section, int(start), int(end)] = int(grade)
            case _:
                raise SourceFileError(f"write the line as {_CELLS}", path, number)
    return grades


def _is_graded(start: str, end: str, grade: str) -> bool:
    return start.isdecimal() and end.isdecimal() and grade in _GRADES


def evaluate(answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int]) -> list[dict[str, Any]]:
    """Ask short questions, and compare each sentence of what is said to each thing asked with the grades.

    Returns:
        Rows of `status` (`answered` or `related`), `parts` (things asked), `sentences` (of each, on average), and of
        the graded ones the shares that `answer` (grade 3), `help` (2 or more) or do `not belong` (0), that the first of
        a part helps (`first`), and the share of all that nobody graded.
    """
    found: dict[str, list[list[int | None]]] = defaultdict(list)
    chosen = _graded(messages, grades)
    with progress("asking", "question", len(chosen)) as bar:
        for one in chosen:
            answer = answerer.ask(one.short)
            for part in answer.parts:
                cited = [answer.sentences[place].citations[0] for place in part.sentences]
                of_part = [_grade(grades, one.id, part.asked, place.section, place) for place in cited]
                if any(grade is not None for grade in of_part):
                    found[part.status].append(of_part)
            bar.update(1)
    return [{"status": status} | _summary(found[status]) for status in (ANSWERED, RELATED)]


def _summary(parts: Sequence[Sequence[int | None]]) -> dict[str, Any]:
    every = [grade for part in parts for grade in part]
    known = [grade for grade in every if grade is not None]
    first = [part[0] for part in parts if part[0] is not None]
    return {
        "parts": len(parts),
        "sentences": len(every) / len(parts) if parts else 0.0,
        "answer": share([grade > HELPS for grade in known]),
        "help": share([grade >= HELPS for grade in known]),
        "not belong": share([not grade for grade in known]),
        "first": share([grade >= HELPS for grade in first]),
        "ungraded": share([grade is None for grade in every]),
    }


def fit(answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int]) -> dict[str, float]:
    """Fit how likely a sentence helps to the grades of sentences of sections that would be quoted as answers.

    Returns:
        Feature, or `intercept`, → weight, as `helping` has it.

    Raises:
        InputError: The grades are of none of the messages, or all that are found help, or none.
    """
    described, labels = [], []
    chosen = _graded(messages, grades)
    with progress("weighing", "question", len(chosen)) as bar:
        for one in chosen:
            for part, evidence in answerer.parts_weighed(one.short):
                if evidence and evidence[0].answers >= ANSWERS["question"]:
                    for rank, item in enumerate(quotable(evidence)):
                        for said in item.said:
                            grade = _grade(grades, one.id, part.asked, item.section.section, said.candidate)
                            if grade is not None:
                                features = features_of(said, item, best=rank == 0)
                                described.append([features[name] for name in FEATURES])
                                labels.append(float(grade >= HELPS))
            bar.update(1)
    if len(set(labels)) < 2:
        raise InputError("weights need sentences that help and sentences that do not; give more grades")
    fitted = logistic.fit(np.array(described), np.array(labels), np.ones(len(labels)), RIDGE).tolist()
    return dict(zip((*FEATURES, INTERCEPT), fitted, strict=True))


def fit_reading(
    answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int], reader: SentenceReader
) -> dict[str, float]:
    """Fit how likely a sentence helps that was read together with the question, to the grades of sentences.

    Returns:
        Feature, `intercept`, or `helping.DIMENSION` and a place of what the reader gives, → weight.

    Raises:
        InputError: The grades are of none of the messages, or all that are found help, or none.
    """
    described, labels = [], []
    for one, part, evidence in _all_of(answerer, messages, grades):
        found = [
            (features_of(said, item, best=rank == 0), text_of(item, said), grade)
            for rank, item in enumerate(evidence)
            for said in item.said
            if (grade := _grade(grades, one.id, part.asked, item.section.section, said.candidate)) is not None
        ]
        vectors = reader.describe(part.question.text, [text for _, text, _ in found]) if found else ()
        for (features, _, grade), vector in zip(found, vectors, strict=True):
            described.append([*(features[name] for name in FEATURES), *vector.tolist()])
            labels.append(float(grade >= HELPS))
    if len(set(labels)) < 2:
        raise InputError("weights need sentences that help and sentences that do not; give more grades")
    values = np.array(described)
    middle, spread = values.mean(axis=0), values.std(axis=0) + _LEAST_SPREAD
    # Of hundreds of numbers none counts much, whatever it is measured in.
    fitted = logistic.fit((values - middle) / spread, np.array(labels), np.ones(len(labels)), READING_RIDGE)
    weights = fitted[:-1] / spread
    names = (*FEATURES, *(f"{DIMENSION}{place}" for place in range(values.shape[1] - len(FEATURES))))
    return dict(zip(names, weights.tolist(), strict=True)) | {INTERCEPT: float(fitted[-1] - weights @ middle)}


def fit_promising(
    answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int], reader: SentenceReader
) -> dict[str, float]:
    """Fit what a sentence promises before it is read to what reading says of it, whether or not it was graded.

    Returns:
        Feature, or `intercept`, → weight, as `helping` has it.
    """
    described, wanted, counts = [], [], []
    for _, part, evidence in _all_of(answerer, messages, grades):
        found = [(said, item, rank == 0) for rank, item in enumerate(evidence) for said in item.said]
        vectors = reader.describe(part.question.text, [text_of(item, said) for said, item, _ in found])
        for (said, item, best), vector in zip(found, vectors, strict=True):
            features = features_of(said, item, best=best)
            helps = min(max(reads(features, vector), _LEAST_SURE), 1 - _LEAST_SURE)
            described.append([features[name] for name in FEATURES])
            wanted.append(np.log(helps / (1 - helps)))
            counts.append(helps + _LEAST_COUNT)
    x, weights = np.c_[np.array(described), np.ones(len(described))], np.array(counts)
    penalty = np.diag([1.0] * len(FEATURES) + [_LEAST_SPREAD])
    fitted = np.linalg.solve(x.T @ (x * weights[:, None]) + penalty, x.T @ (weights * np.array(wanted)))
    return dict(zip((*FEATURES, INTERCEPT), fitted.tolist(), strict=True))


def _all_of(
    answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int]
) -> Iterator[tuple[Message, Part, list[Evidence]]]:
    """Give each thing that is asked with all sentences of what was found for it."""
    chosen = _graded(messages, grades)
    with progress("reading", "question", len(chosen)) as bar:
        for one in chosen:
            for part, evidence in answerer.parts_weighed(one.short, EVERY):
                yield one, part, evidence
            bar.update(1)


def _graded(messages: Sequence[Message], grades: Mapping[Quoted, int]) -> list[Message]:
    return graded.asked(messages, {question: {} for question, *_ in grades})


def _grade(
    grades: Mapping[Quoted, int], question: str, asked: str, section: str, place: Citation | Candidate
) -> int | None:
    return grades.get((question, " ".join(asked.split()), section, place.start, place.end))
