"""Sentences that answers quote, measured by grades that people gave to sentences by reading them.

A section that answers says other things, too. What helps is graded a sentence at a time, for one thing that a question
asks, before any score is seen; what nobody graded is told apart.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers import signs
from medgraph.answers.answer import ANSWERED, RELATED
from medgraph.answers.scoring import features_of, labels_apart, text_of
from medgraph.answers.signs import DIMENSION, helps_when_paired
from medgraph.answers.signs import SENTENCE_FEATURES as FEATURES
from medgraph.logistic import INTERCEPT
from medgraph.progress import progress

from . import graded, logistic
from .sets.grades import HELPS
from .statistics import share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.answers.answer import Citation
    from medgraph.answers.answerer import Answerer
    from medgraph.answers.parts import QuestionPart
    from medgraph.answers.scoring import ScoredSection
    from medgraph.embeddings.candidate_sentences import CandidateSentence
    from medgraph.embeddings.reranking import SentenceReader

    from .sets.grades import Quoted
    from .sets.meqsum import Message

# Penalty on large weights of standardised numbers; chosen on other folds of the half dev and everyday questions.
READING_RIDGE: Final = 700.0
EVERY: Final = 10_000  # more sentences than a question's sections have
_FREE: Final = 100.0  # by how much what needs no penalty is larger
_KNOWN: Final = "known"
_LEAST_SPREAD: Final = 1e-6
_LEAST_SURE: Final = 0.01
# What a sentence counts that surely does not help, beside one that does: which of these comes first matters less.
_LEAST_COUNT: Final = 0.05


def evaluate(answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int]) -> list[dict[str, Any]]:
    """Ask short questions, and compare each sentence of the answer to each part with the grades.

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


def train_reading(
    answerer: Answerer,
    messages: Sequence[Message],
    grades: Mapping[Quoted, int],
    reader: SentenceReader,
    *,
    of_labels: bool = False,
) -> dict[str, float]:
    """Fit how likely a sentence helps that was read together with the question, to the grades of sentences."""
    described, labels = [], []
    for one, part, every in _all_of(answerer, messages, grades):
        evidence = labels_apart(part.question, every)[0] if of_labels else every
        found = [
            (features_of(said, item, best=rank == 0), text_of(item, said), grade)
            for rank, item in enumerate(evidence)
            for said in item.sentences
            if (grade := _grade(grades, one.id, part.asked, item.section.section, said.candidate)) is not None
        ]
        vectors = reader.describe(part.question.text, [text for _, text, _ in found]) if found else ()
        for (features, _, grade), vector in zip(found, vectors, strict=True):
            described.append([*(features[name] for name in FEATURES), *vector.tolist()])
            labels.append(float(grade >= HELPS))
    known = signs.model("reading", "reads").weights if of_labels else {}
    return _fitted(np.array(described or [[0.0] * len(FEATURES)]), labels, known)


def _fitted(values: NDArray[np.float64], labels: Sequence[float], known: Mapping[str, float]) -> dict[str, float]:
    """Fit weights of (sentences, numbers); from those that are `known` of pages only what differs is learned."""
    middle, spread = values.mean(axis=0), values.std(axis=0) + _LEAST_SPREAD
    names = [*FEATURES, *(f"{DIMENSION}{place}" for place in range(values.shape[1] - len(FEATURES)))]
    before = np.array([known.get(name, 0.0) for name in names])
    rows = np.c_[(values - middle) / spread, _FREE * (values @ before)]
    # Of hundreds of numbers none counts much, whatever it is measured in.
    fitted = logistic.train_named((*names, _KNOWN), rows.tolist(), labels, READING_RIDGE)
    own = np.array([fitted[name] for name in names]) / spread
    weights = dict(zip(names, (own + _FREE * fitted[_KNOWN] * before).tolist(), strict=True))
    return weights | {INTERCEPT: fitted[INTERCEPT] - float(own @ middle)}


def train_promising(
    answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int], reader: SentenceReader
) -> dict[str, float]:
    """Fit what a sentence promises before it is read to what reading says of it, whether or not it was graded."""
    described, wanted, counts = [], [], []
    for _, part, evidence in _all_of(answerer, messages, grades):
        found = [(said, item, rank == 0) for rank, item in enumerate(evidence) for said in item.sentences]
        vectors = reader.describe(part.question.text, [text_of(item, said) for said, item, _ in found])
        for (said, item, best), vector in zip(found, vectors, strict=True):
            features = features_of(said, item, best=best)
            helps = min(max(helps_when_paired(features, vector), _LEAST_SURE), 1 - _LEAST_SURE)
            described.append([features[name] for name in FEATURES])
            wanted.append(np.log(helps / (1 - helps)))
            counts.append(helps + _LEAST_COUNT)
    return logistic.train_linear(FEATURES, described, wanted, counts)


def _all_of(
    answerer: Answerer, messages: Sequence[Message], grades: Mapping[Quoted, int]
) -> Iterator[tuple[Message, QuestionPart, list[ScoredSection]]]:
    """Give each thing that is asked with all sentences of what was found for it."""
    chosen = _graded(messages, grades)
    with progress("reading", "question", len(chosen)) as bar:
        for one in chosen:
            for part, evidence in answerer.parts_weighed(one.short, EVERY):
                yield one, part, evidence
            bar.update(1)


def _graded(messages: Sequence[Message], grades: Mapping[Quoted, int]) -> list[Message]:
    return graded.graded_messages(messages, {question: {} for question, *_ in grades})


def _grade(
    grades: Mapping[Quoted, int], question: str, asked: str, section: str, place: Citation | CandidateSentence
) -> int | None:
    return grades.get((question, " ".join(asked.split()), section, place.start, place.end))


# Table in answers → what fits it to grades, with what reads.
FITS: Final[dict[str, Callable[[Answerer, Sequence[Message], Mapping[Quoted, int], Any], dict[str, float]]]] = {
    "reading": train_reading,
    "labels": functools.partial(train_reading, of_labels=True),
    "promising": train_promising,
}
