"""Search measured on consumers' questions with graded answers, beside a plain blend of BM25 and vectors.

The answers are loaded into a graph of their own, so that the user's is left as it is; what a question names is found
with the names of the user's graph. Questions are searched for as they stand.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..embeddings.index import index
from ..errors import InputError
from ..loaders.commands import load_named
from ..progress import progress
from ..queries.retriever import MAX_RESULTS
from . import mediqa, ways
from .blend import FLOOR, FOLDS, WEIGHTS, blend_of, chosen, fold
from .statistics import Mean, compare
from .ways import Way

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..queries.question import Question
    from ..queries.retriever import Retriever
    from ..settings import Settings
    from .blend import Blend
    from .mediqa import Answer, Judged

WAYS: Final = (
    Way("lexical", "lexical"),
    Way("semantic", "semantic"),
    *(
        Way(f"{mode}, as typed" if as_typed else mode, mode, as_typed)
        for mode in ("hybrid", "linked", "learned")
        for as_typed in (False, True)
    ),
)
"""Modes of search, and whether all words of a message count alike."""

DEPTH: Final = 10
"""Results that are asked for and count, as a user sees them."""

GOOD: Final = 3
"""The least grade of an answer that answers."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a way of searching made of a question.

    Attributes:
        scores: Section → how well it fits, for those that experts graded.
    """

    results: Sequence[str]
    scores: Mapping[str, float]


def fill(database: Database, settings: Settings, answers: Sequence[Answer], encoder: TextEncoder) -> None:
    """Load answers into a graph and index them; what is there already is left."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        mediqa.write_documents(answers, path)
        load_named(database, settings, "documents", path)
    index(database, encoder, "all")


def evaluate(
    questions: Sequence[Judged],
    answers: Sequence[Answer],
    database: Database,
    asking: Retriever,
    searching: Retriever,
    encoder: TextEncoder,
) -> list[dict[str, Any]]:
    """Measure the modes of search, and the plain blend, on graded questions.

    Returns:
        Rows of `search`, `style`, `questions`, `ndcg@10` with `more` (than the floor) between `low` and `high` (95 %
        of paired bootstrap samples), `mrr` (of grade 3 or 4), and of a question's own answers `accepted` (the share
        rightly taken or left by a threshold on the score, chosen on other questions) and `order` (Spearman's rank
        correlation with the grades).
    """
    measured = measure(questions, answers, database, asking, searching, encoder, WAYS)
    rows = []
    for style, places in styles(questions).items():
        for name, measures in measured.items():
            difference = compare(Mean(measures["ndcg@10"][places]), Mean(measured[FLOOR]["ndcg@10"][places]))
            means = summary(measures, places)
            rows.append(
                {"search": name, "style": style, "questions": int(places.sum()), "ndcg@10": means.pop("ndcg@10")}
                | {"more": difference.more, "low": difference.low, "high": difference.high}
                | means
            )
    return rows


def measure(
    questions: Sequence[Judged],
    answers: Sequence[Answer],
    database: Database,
    asking: Retriever,
    searching: Retriever,
    encoder: TextEncoder,
    searched: Sequence[Way],
) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Measure ways of searching, and the floor, question by question.

    Returns:
        Way → measure → (questions,), the floor first; `summary` makes the figures of them, of which `accepted` and
        `order` mean nothing for a way without a stage.
    """
    blend = blend_of(database, {answer.section: f"{answer.title}\n{answer.text}" for answer in answers}, encoder)
    found = {FLOOR: _floor(blend, questions)} | {way.name: [] for way in searched}
    with progress("MEDIQA", "question", len(questions)) as bar:
        for judged in questions:
            asked = ways.asked(asking, judged.text)
            for way in searched:
                found[way.name].append(_searched(searching, asked, judged, way))
            bar.update(1)
    return {name: _measures(questions, ranked) for name, ranked in found.items()}


def styles(questions: Sequence[Judged]) -> dict[str, NDArray[np.bool_]]:
    """Say which questions are asked how.

    Returns:
        A key of `mediqa.FILES`, or `all` → (questions,) whether each is of it; none that no question is of.
    """
    marks = {
        style: np.array([style in {"all", judged.style} for judged in questions]) for style in (*mediqa.FILES, "all")
    }
    return {style: places for style, places in marks.items() if places.any()}


def summary(measures: Mapping[str, NDArray[np.float64]], places: NDArray[np.bool_]) -> dict[str, float]:
    """Sum up what a way reached.

    Returns:
        `ndcg@10`, `mrr`, `accepted` and `order`.
    """
    return {
        "ndcg@10": float(measures["ndcg@10"][places].mean()),
        "mrr": float(measures["mrr"][places].mean()),
        "accepted": float(measures["right"][places].sum() / measures["answers"][places].sum()),
        "order": float(np.nanmean(measures["order"][places])),
    }


def _searched(searching: Retriever, asked: dict[bool, Question], judged: Judged, way: Way) -> Ranked:
    results = [hit.section for hit in way.search(searching, asked, DEPTH) if hit.section]
    # Scores of all candidates take longest, and are of interest for whole modes alone.
    every = [] if way.without else way.search(searching, asked, MAX_RESULTS)
    scores = {hit.section: hit.score for hit in every if hit.section in judged.grades}
    return Ranked(results, {section: scores.get(section, 0.0) for section in judged.grades})


def _floor(blend: Blend, questions: Sequence[Judged]) -> list[Ranked]:
    """Rank by the blend, its weight chosen for each question on the questions of other folds."""
    branches = [blend.branches(judged.text) for judged in questions]
    place = {section: i for i, section in enumerate(blend.sections)}

    def ranked(place_of: int, weight: float) -> Ranked:
        words, near = branches[place_of]
        scores = weight * words + (1 - weight) * near
        graded = {section: float(scores[place[section]]) for section in questions[place_of].grades}
        return Ranked(blend.ranked(branches[place_of], weight, DEPTH), graded)

    tried = {weight: [ranked(i, weight) for i in range(len(questions))] for weight in WEIGHTS}
    gains = {weight: ndcg(questions, rankings) for weight, rankings in tried.items()}
    return chosen(tried, gains, [judged.id for judged in questions])


def _measures(questions: Sequence[Judged], ranked: Sequence[Ranked]) -> dict[str, NDArray[np.float64]]:
    return {
        "ndcg@10": np.array(ndcg(questions, ranked)),
        "mrr": np.array([_reciprocal(judged, one) for judged, one in zip(questions, ranked, strict=True)]),
        "right": np.array(_rightly_accepted(questions, ranked)),
        "answers": np.array([len(judged.grades) for judged in questions], dtype=np.float64),
        "order": np.array([_order(judged, one) for judged, one in zip(questions, ranked, strict=True)]),
    }


def ndcg(questions: Sequence[Judged], ranked: Sequence[Ranked]) -> list[float]:
    """Measure rankings by the grades."""
    try:
        import ir_measures
    except ImportError as error:
        raise InputError("measures need ir-measures: pip install 'medgraph[evaluate]'") from error
    measure = ir_measures.parse_measure(f"nDCG@{DEPTH}")
    judged = {one.id: dict(one.grades) for one in questions}
    run = {
        one.id: {section: -float(rank) for rank, section in enumerate(found.results)}
        for one, found in zip(questions, ranked, strict=True)
    }
    values = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], judged, run)}
    return [float(values.get(one.id, 0.0)) for one in questions]


def _reciprocal(judged: Judged, found: Ranked) -> float:
    ranks = (rank for rank, section in enumerate(found.results, 1) if judged.grades.get(section, 0) >= GOOD)
    return 1 / next(ranks, np.inf)


def _rightly_accepted(questions: Sequence[Judged], ranked: Sequence[Ranked]) -> list[float]:
    """Count each question's own answers that a threshold, chosen on other questions, takes or leaves rightly."""
    pairs = [
        (fold(judged.id), found.scores[section], grade >= GOOD)
        for judged, found in zip(questions, ranked, strict=True)
        for section, grade in judged.grades.items()
    ]
    folds, scores, good = (np.array(column) for column in zip(*pairs, strict=True))
    least = {fold: best_threshold(scores[folds != fold], good[folds != fold]) for fold in range(FOLDS)}
    right = iter((scores >= np.array([least[fold] for fold in folds])) == good)
    return [float(sum(next(right) for _ in judged.grades)) for judged in questions]


def best_threshold(scores: NDArray[np.float64], good: NDArray[np.bool_]) -> float:
    """Choose the threshold that takes and leaves most answers rightly."""
    order = np.argsort(-scores, kind="stable")
    gains = np.concatenate([[0], np.cumsum(np.where(good[order], 1, -1))])
    ends = np.concatenate([[True], np.diff(scores[order]) != 0, [True]])  # equal scores are taken together
    best = int(np.argmax(np.where(ends, gains, -np.inf)))
    return float(scores[order[best - 1]]) if best else float("inf")


def _order(judged: Judged, found: Ranked) -> float:
    """Correlate grades and scores by rank; not a number where all grades are the same."""
    grades = _ranks(np.array(list(judged.grades.values()), dtype=np.float64))
    scores = _ranks(np.array([found.scores[section] for section in judged.grades]))
    if grades.std() == 0:
        return float("nan")
    return 0.0 if scores.std() == 0 else float(np.corrcoef(grades, scores)[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank values, equal ones alike."""
    ranks: NDArray[np.float64] = (values[:, None] > values).sum(axis=1) + (values[:, None] == values).sum(axis=1) / 2
    return ranks
