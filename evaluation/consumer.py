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
from ..graph import catalogue
from ..loaders.commands import load_named
from ..progress import progress
from ..queries.retriever import MAX_RESULTS
from . import mediqa
from .blend import FOLDS, WEIGHTS, Blend, best_weights
from .questions import number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..queries.question import Question
    from ..queries.retriever import Retriever
    from ..settings import Settings
    from .mediqa import Answer, Judged

WAYS: Final = {
    "lexical": ("lexical", False),
    "semantic": ("semantic", False),
    "hybrid": ("hybrid", False),
    "hybrid, as typed": ("hybrid", True),
    "linked": ("linked", False),
    "linked, as typed": ("linked", True),
    "learned": ("learned", False),
    "learned, as typed": ("learned", True),
}
"""Name → mode of search, and whether all words of a message count alike."""
DEPTH: Final = 10
"""Results that are asked for and count, as a user sees them."""

GOOD: Final = 3
"""The least grade of an answer that answers."""

SAMPLES: Final = 10_000
"""Samples of the bootstrap."""

FLOOR: Final = "bm25s + vectors"


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a way of searching made of a question.

    Attributes:
        results: Sections, best first.
        scores: Section → how well it fits, for those that experts graded.
    """

    results: Sequence[str]
    scores: Mapping[str, float]


def fill(database: Database, settings: Settings, answers: Sequence[Answer], encoder: TextEncoder) -> None:
    """Load answers into a graph and index them; what is there already is left.

    Args:
        database: The graph, with the schema; not the user's.
        settings: Where rejects go.
        answers: The answers.
        encoder: Cuts and embeds them.

    Raises:
        SourceError: They cannot be loaded.
        DatabaseError: The database refused or went away.
    """
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

    Args:
        questions: The questions.
        answers: All answers.
        database: The graph that `fill` filled with them.
        asking: Searches the user's graph; makes questions with its names.
        searching: Searches the graph of the answers.
        encoder: The encoder of both.

    Returns:
        Rows of `search`, `style`, `questions`, `ndcg@10` with `more` (than the floor) between `low` and `high` (95 %
        of paired bootstrap samples), `mrr` (of grade 3 or 4), and of a question's own answers `accepted` (the share
        rightly taken or left by a threshold on the score, chosen on other questions) and `order` (Spearman's rank
        correlation with the grades).

    Raises:
        InputError: ir-measures or bm25s is not installed, or the question cannot be used.
        DatabaseError: The database refused or went away.
    """
    blend = _blend(database, answers, encoder)
    found = {FLOOR: _floor(blend, questions)} | {name: [] for name in WAYS}
    with progress("evaluating", "question", len(questions)) as bar:
        for judged in questions:
            questions_of = {as_typed: asking.question(judged.text, as_typed=as_typed) for as_typed in (False, True)}
            for name, (mode, as_typed) in WAYS.items():
                found[name].append(_searched(searching, questions_of[as_typed], judged, mode))
            bar.update(1)
    measured = {name: _measures(questions, ranked) for name, ranked in found.items()}
    rows = []
    for style in (*mediqa.FILES, "all"):
        chosen = np.array([style in {"all", judged.style} for judged in questions])
        rows += [
            _row(name, style, chosen, values, measured[FLOOR]) for name, values in measured.items() if chosen.any()
        ]
    return rows


def _searched(searching: Retriever, question: Question, judged: Judged, mode: str) -> Ranked:
    results = [hit.section for hit in searching.search(question, mode=mode, top_k=DEPTH) if hit.section]
    every = searching.search(question, mode=mode, top_k=MAX_RESULTS)
    scores = {hit.section: hit.score for hit in every if hit.section in judged.grades}
    return Ranked(results, {section: scores.get(section, 0.0) for section in judged.grades})


def _blend(database: Database, answers: Sequence[Answer], encoder: TextEncoder) -> Blend:
    query = catalogue.get("chunk_vectors")
    rows = [row for page in database.pages(query, 2000) for row in page]
    vectors = np.array([row["vector"] for row in rows], dtype=np.float32)
    texts = {answer.section: f"{answer.title}\n{answer.text}" for answer in answers}
    return Blend(texts, [row["section"] for row in rows], vectors, encoder)


def _floor(blend: Blend, questions: Sequence[Judged]) -> list[Ranked]:
    """Rank by the blend, its weight chosen for each question on the questions of other folds."""
    branches = [blend.branches(judged.text) for judged in questions]
    place = {section: i for i, section in enumerate(blend.sections)}

    def ranked(place_of: int, weight: float) -> Ranked:
        words, near = branches[place_of]
        scores = weight * words + (1 - weight) * near
        best = [blend.sections[place] for place in np.argsort(-scores, kind="stable")[:DEPTH]]
        return Ranked(best, {section: float(scores[place[section]]) for section in questions[place_of].grades})

    tried = {weight: [ranked(i, weight) for i in range(len(questions))] for weight in WEIGHTS}
    gains = {weight: _ndcg(questions, rankings) for weight, rankings in tried.items()}
    weights = best_weights(gains, [_fold(judged) for judged in questions])
    return [tried[weight][i] for i, weight in enumerate(weights)]


def _measures(questions: Sequence[Judged], ranked: Sequence[Ranked]) -> dict[str, NDArray[np.float64]]:
    return {
        "ndcg@10": np.array(_ndcg(questions, ranked)),
        "mrr": np.array([_reciprocal(judged, one) for judged, one in zip(questions, ranked, strict=True)]),
        "right": np.array(_rightly_accepted(questions, ranked)),
        "answers": np.array([len(judged.grades) for judged in questions], dtype=np.float64),
        "order": np.array([_order(judged, one) for judged, one in zip(questions, ranked, strict=True)]),
    }


def _ndcg(questions: Sequence[Judged], ranked: Sequence[Ranked]) -> list[float]:
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
        (_fold(judged), found.scores[section], grade >= GOOD)
        for judged, found in zip(questions, ranked, strict=True)
        for section, grade in judged.grades.items()
    ]
    folds, scores, good = (np.array(column) for column in zip(*pairs, strict=True))
    least = {fold: best_threshold(scores[folds != fold], good[folds != fold]) for fold in range(FOLDS)}
    right = iter((scores >= np.array([least[fold] for fold in folds])) == good)
    return [float(sum(next(right) for _ in judged.grades)) for judged in questions]


def best_threshold(scores: NDArray[np.float64], good: NDArray[np.bool_]) -> float:
    """Choose the threshold that takes and leaves most answers rightly.

    Args:
        scores: (answers,) how well each fits.
        good: (answers,) whether it does.

    Returns:
        The least score to be taken; infinite where none should be.
    """
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


def _row(
    name: str,
    style: str,
    chosen: NDArray[np.bool_],
    values: Mapping[str, NDArray[np.float64]],
    floor: Mapping[str, NDArray[np.float64]],
) -> dict[str, Any]:
    more = (values["ndcg@10"] - floor["ndcg@10"])[chosen]
    means = more[np.random.default_rng(0).integers(0, len(more), (SAMPLES, len(more)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return {
        "search": name,
        "style": style,
        "questions": int(chosen.sum()),
        "ndcg@10": float(values["ndcg@10"][chosen].mean()),
        "more": float(more.mean()),
        "low": float(low),
        "high": float(high),
        "mrr": float(values["mrr"][chosen].mean()),
        "accepted": float(values["right"][chosen].sum() / values["answers"][chosen].sum()),
        "order": float(np.nanmean(values["order"][chosen])),
    }


def _fold(judged: Judged) -> int:
    return number(judged.id) % FOLDS
