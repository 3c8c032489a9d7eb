"""Fit what weighs the branches of search, to questions made from MedQuAD and to sections graded by reading."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.errors import InputError
from medgraph.graph import catalogue
from medgraph.progress import progress
from medgraph.queries.fusion import FEATURES, FusionModel, as_plain, features_of, write
from medgraph.queries.salience import stem

from .likelihood import labelled
from .questions import PAGE, SOURCE, examples, reworded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.graph.database import Database, Row
    from medgraph.queries.question import Question
    from medgraph.queries.retriever import Retriever

    from ..evaluation.retrieval import Case
    from .likelihood import DescribedQuestion
    from .questions import Example

    # A question's candidates: (candidates, features), what each should have of the whole, and how much it counts.
    Group = tuple[NDArray[np.float64], NDArray[np.float64], float]

SEED: Final = 7
NEAR: Final = 0.1  # what another kind of section about the same subject counts beside one that answers
# What each question counts once more with all that only the graph knows left out, as plain documents are.
PLAIN: Final = 0.3
# What a made question counts beside one candidate of a graded one; chosen on MEDIQA and other graded questions. With
# less, what patients ask is ranked better, and what asks for a kind of section by its name is ranked worse.
MADE: Final = 3.0
# What a question counts beside it whose answer is one abstract: enough that pages about what it names do not hide that.
ABSTRACTS: Final = 0.1
COMMON: Final = 0.002  # the least share of sections that a word which is not rare stands in
MADE_BY: Final = (
    "by `medgraph train fusion FILE`, from {questions} questions about MedQuAD's sections (github.com/abachaa/MedQuAD, "
    "CC BY 4.0), of the half dev, with candidates of the encoder {encoder}"
)
_PENALTY: Final = 1.0
_WORDS: Final = re.compile(r"[\W_]+")


def train(
    database: Database,
    retriever: Retriever,
    sample: int,
    abstracts: Sequence[Case] = (),
    graded: Sequence[DescribedQuestion] = (),
) -> tuple[FusionModel, int]:
    """Fit the model."""
    sections, holding = _counted(database)
    chance = random.Random(SEED)  # noqa: S311 # not for secrets
    made = [one for one in examples(database) if len(one.answers) > 1]
    chosen = chance.sample(made, min(sample, len(made)))
    empty = FusionModel(dict.fromkeys(FEATURES, 0.0), sections, holding)
    groups: list[Group] = []
    with progress("searching", "question", len(chosen) + len(abstracts)) as bar:
        for example in chosen:
            groups += _groups(retriever, example, reworded(example, chance), empty)
            bar.update(1)
        for case in abstracts:
            groups += _group_of(retriever, case, empty)
            bar.update(1)
    if not groups:
        raise InputError("no question found an answer in another collection of MedQuAD; load all of it, and index it")
    weights = maximise(groups, *labelled(graded))
    return replace(empty, weights=dict(zip(FEATURES, weights.tolist(), strict=True))), len(chosen)


def train_file(
    database: Database,
    retriever: Retriever,
    sample: int,
    path: Path,
    encoder: str,
    abstracts: Sequence[Case] = (),
    graded: Sequence[DescribedQuestion] = (),
) -> FusionModel:
    """Fit the model and write it."""
    model, questions = train(database, retriever, sample, abstracts, graded)
    made_by = MADE_BY.format(questions=f"{questions:,}", encoder=encoder)
    made_by += f" and {len(abstracts)} of PubMedQA (github.com/pubmedqa/pubmedqa, MIT)" if abstracts else ""
    if graded:
        made_by += f" and {len(graded)} searches of MeQSum (github.com/abachaa/MeQSum, CC BY 4.0), graded by reading"
    write(model, path, made_by)
    return model


def _counted(database: Database) -> tuple[int, dict[str, int]]:
    """Count sections, and those that have each of the commoner words."""
    count: Counter[str] = Counter()
    sections = 0
    for page in database.pages(catalogue.get("section_words"), PAGE, source=SOURCE):
        for row in page:
            count.update({stem(word) for word in _WORDS.split(f"{row['title']} {row['text']}".lower()) if word})
            sections += 1
    return sections, {word: number for word, number in count.items() if number >= COMMON * sections}


def _groups(retriever: Retriever, example: Example, text: str, model: FusionModel) -> list[Group]:
    """Describe what a question finds in other collections, as it is and as plain documents would be."""
    question = retriever.question(text)
    rows = [row for row in retriever.candidates(question) if row["collection"] != example.collection]
    wanted = np.array(
        [1.0 if row["section"] in example.answers else NEAR * (row["section"] in example.near) for row in rows]
    )
    groups = _group(question, rows, wanted, model, MADE)
    for described, shares, _ in tuple(groups):
        groups.append((as_plain(described), shares, PLAIN * MADE))
    return groups


def _group_of(retriever: Retriever, case: Case, model: FusionModel) -> list[Group]:
    """Describe what a question finds of which one document is the answer."""
    question = retriever.question(case.text)
    rows = retriever.candidates(question)
    wanted = np.array([float(row["document"] in case.relevant) for row in rows])
    return _group(question, rows, wanted, model, ABSTRACTS * MADE)


def _group(
    question: Question, rows: Sequence[Row], wanted: NDArray[np.float64], model: FusionModel, counts: float
) -> list[Group]:
    """Describe candidates; there is nothing to learn where all are wanted, or none is."""
    if not wanted.any() or wanted.all():
        return []
    return [(features_of(question, rows, model), wanted / wanted.sum(), counts)]


def maximise(groups: Sequence[Group], graded: NDArray[np.float64], answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the (features,) weights under which all that is known is likeliest, kept small by a ridge.

    Of a made question it is known which candidates should be chosen of all (a conditional logit), of a `graded`
    candidate, (candidates, features), whether it `answers`, (candidates,).
    """
    from scipy.optimize import minimize
    from scipy.special import expit, log_softmax

    def lost(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights, logits = values[:-1], graded @ values[:-1] + values[-1]
        total = _PENALTY / 2 * float(weights @ weights) + float((np.logaddexp(0, logits) - answers * logits).sum())
        wrong = expit(logits) - answers
        slope = _PENALTY * weights + wrong @ graded
        for described, shares, counts in groups:
            chances = log_softmax(described @ weights)
            total -= counts * float(shares @ chances)
            slope = slope - counts * ((shares - np.exp(chances)) @ described)
        return total, np.append(slope, wrong.sum())

    options = {"maxiter": 10_000, "ftol": 1e-14, "gtol": 1e-8}
    start = np.zeros(graded.shape[1] + 1)
    found: NDArray[np.float64] = minimize(lost, start, jac=True, method="L-BFGS-B", options=options).x
    return found[:-1]  # all candidates of a question share the intercept
