"""MEDIQA 2019, task 3: are answers found that experts graded, among all of them? For development figures only.

`alexa.xml` asks simple questions, `validation.xml` holds messages as people wrote them. Grades go from 4 (excellent)
over 3 (incomplete) and 2 (related) to 1 (incorrect). Several questions may have the same text among their answers;
it is one document here, with a grade for each of them, since nothing could tell such twins apart.

The answers are loaded into a graph of their own, so that the user's is left as it is; what a question names is found
with the names of the user's graph.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.embeddings.index import index
from medgraph.errors import SourceFileError
from medgraph.loaders.commands import load_named
from medgraph.loaders.files import xml_stream
from medgraph.progress import progress
from medgraph.queries.retriever import MAX_RESULTS

from ..retrieval import FLOOR, FOLDS, WEIGHTS, SearchResult, blend_of, but, chosen, fold, measures
from ..statistics import Mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database
    from medgraph.settings import Settings

    from ..retrieval import Bench, Blend, SearchMode

    Floats = NDArray[np.float64]

# How questions are asked → file and its outermost element.
FILES: Final = {
    "simple": ("alexa.xml", "MEDIQA2019-Task3-QA-TrainingSet2-Alexa"),
    "message": ("validation.xml", "MEDIQA2019-Task3-QA-ValidationSet"),
}
DEPTH: Final = 10  # results that are asked for and count, as a user sees them
GOOD: Final = 3  # the least grade of an answer that answers
MEASURES: Final = {"ndcg@10": f"nDCG@{DEPTH}", "mrr": f"RR(rel={GOOD})"}

_LONGEST_TITLE: Final = 200


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and how well answers answer it."""

    id: str
    text: str
    style: str  # a key of `FILES`
    grades: Mapping[str, int]  # section → its grade, 1 to 4, for those that experts looked at


@dataclass(frozen=True, slots=True)
class CandidateAnswer:
    """An answer, as a document with one section."""

    id: str
    title: str  # what stands before the text's first colon: the page and its part
    url: str
    text: str

    @property
    def section(self) -> str:
        """The id of its section."""
        return f"{self.id}#1"


def load(folder: Path) -> tuple[list[JudgedQuestion], list[CandidateAnswer]]:
    """Read the questions and the answers to all of them."""
    questions, answers = [], {}
    for style, (name, root) in FILES.items():
        for number, element in enumerate(xml_stream.elements(folder / name, root, ["Question"]), 1):
            grades: dict[str, int] = defaultdict(int)
            for part in element.iter("Answer"):
                answer = _answer(part)
                answers[answer.id] = answer
                grades[answer.section] = max(grades[answer.section], _grade(part, folder / name))
            text = xml_stream.text(xml_stream.child(element, "QuestionText"))
            if not text or not grades:
                raise SourceFileError(f"question {number} lacks its text or its answers: wrong file", folder / name)
            questions.append(JudgedQuestion(f"{style}-{element.get('QID') or number}", text, style, dict(grades)))
    return questions, list(answers.values())


def write_documents(answers: Iterable[CandidateAnswer], path: Path) -> None:
    """Write answers as documents in the form that `medgraph load documents` reads."""
    with path.open("w", encoding="utf-8") as file:
        for one in answers:
            document = {"id": one.id, "title": one.title, "url": one.url, "sections": [{"text": one.text}]}
            file.write(json.dumps(document, ensure_ascii=False) + "\n")


def _grade(element: Any, path: Path) -> int:
    given = element.get("ReferenceScore", "")
    if given not in {"1", "2", "3", "4"}:
        raise SourceFileError(f"an answer has the grade {given!r} where 1 to 4 belong", path)
    return int(given)


def _answer(element: Any) -> CandidateAnswer:
    text = xml_stream.text(xml_stream.child(element, "AnswerText"))
    name = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    title, colon, rest = text.partition(": ")
    if not colon or not rest or len(title) > _LONGEST_TITLE:
        title, rest = text[:_LONGEST_TITLE], text
    return CandidateAnswer(f"mediqa:{name}", title, xml_stream.text(xml_stream.child(element, "AnswerURL")), rest)


@dataclass(frozen=True, slots=True)
class RankedAnswers:
    """What a way of searching made of a question."""

    results: Sequence[str]  # sections, best first
    scores: Mapping[str, float]  # section → how well it fits, for those that experts graded
    # Section → what compares across questions: how likely it answers where that is known, or the score.
    likely: Mapping[str, float]


def fill(database: Database, settings: Settings, answers: Sequence[CandidateAnswer], encoder: TextEncoder) -> None:
    """Load answers into a graph, which is not the user's, and index them; what is there already is left."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        write_documents(answers, path)
        load_named(database, settings, "documents", path)
    index(database, encoder, "all")


def results(bench: Bench, folder: Path) -> Iterator[SearchResult]:
    """Measure every way, but those that plain documents have nothing for."""
    searched = but("questions", "types", "names")
    beside = {way.name: way.beside for way in searched}
    whole = {FLOOR, *(way.name for way in searched if not way.without)}
    questions, answers = load(folder)
    measured = measure(bench, questions, answers, searched)
    for style, places in styles(questions).items():
        for way, values in measured.items():
            also = {"mrr": float(values["mrr"][places].mean())}
            if way in whole:
                also["accepted"] = float(values["right"][places].sum() / values["answers"][places].sum())
                also["order"] = float(np.nanmean(values["order"][places]))
            reached = Mean(values["ndcg@10"][places])
            yield SearchResult("mediqa", style, way, beside.get(way, ""), "ndcg@10", reached, also)


def measure(
    bench: Bench,
    questions: Sequence[JudgedQuestion],
    answers: Sequence[CandidateAnswer],
    searched: Sequence[SearchMode],
) -> dict[str, dict[str, Floats]]:
    """Measure ways of searching, and the floor, question by question.

    Returns:
        Search mode → measure → (questions,), the floor first: `ndcg@10`, `mrr` (of grade 3 or 4), of a question's own
        `answers` how many a threshold on the score, chosen on other questions, takes or leaves rightly (`right`), and
        `order` (Spearman's rank correlation with the grades); the last two mean nothing for a way without a stage.
    """
    with bench.apart(answers) as (database, searching):
        texts = {answer.section: f"{answer.title}\n{answer.text}" for answer in answers}
        blend = blend_of(database, texts, bench.encoder)
        found = {FLOOR: _floor(blend, questions)} | {way.name: [] for way in searched}
        with progress("MEDIQA", "question", len(questions)) as bar:
            for judged in questions:
                # What the graph leaves out, and the sources that it has, are not those of the graph apart.
                asked = replace(bench.retriever.question(judged.text), restriction=None)
                for way in searched:
                    results = [hit.section for hit in way.search(searching, asked, DEPTH) if hit.section]
                    # Scores of all candidates take longest, and are of interest for whole modes alone.
                    every = [] if way.without else way.search(searching, asked, MAX_RESULTS)
                    hits = {hit.section: hit for hit in every}
                    own = {section: hits.get(section) for section in judged.grades}
                    scores = {section: hit.score if hit else 0.0 for section, hit in own.items()}
                    sure = {section: hit.probability for section, hit in own.items() if hit and hit.probability}
                    found[way.name].append(RankedAnswers(results, scores, scores | sure))
                bar.update(1)
    return {name: _measured(questions, ranked) for name, ranked in found.items()}


def styles(questions: Sequence[JudgedQuestion]) -> dict[str, NDArray[np.bool_]]:
    """Tell which questions are asked how: a key of `FILES`, or `all`, → (questions,); none that no question is of."""
    marks = {style: np.array([style in {"all", judged.style} for judged in questions]) for style in (*FILES, "all")}
    return {style: places for style, places in marks.items() if places.any()}


def _floor(blend: Blend, questions: Sequence[JudgedQuestion]) -> list[RankedAnswers]:
    place = {section: i for i, section in enumerate(blend.sections)}
    tried: dict[float, list[RankedAnswers]] = {weight: [] for weight in WEIGHTS}
    for judged in questions:
        for weight, scores in blend.scores(judged.text).items():
            graded = {section: float(scores[place[section]]) for section in judged.grades}
            tried[weight].append(RankedAnswers(blend.best(scores, DEPTH), graded, graded))
    gains = {weight: ndcg(questions, ranked).tolist() for weight, ranked in tried.items()}
    return chosen(tried, gains, [judged.id for judged in questions])


def ndcg(questions: Sequence[JudgedQuestion], ranked: Sequence[RankedAnswers]) -> Floats:
    """Measure rankings by the grades: nDCG@10 of each question."""
    return _ranked(questions, ranked)["ndcg@10"]


def _ranked(questions: Sequence[JudgedQuestion], ranked: Sequence[RankedAnswers]) -> dict[str, Floats]:
    rankings = {one.id: found.results for one, found in zip(questions, ranked, strict=True)}
    return measures(rankings, {one.id: one.grades for one in questions}, MEASURES)


def _measured(questions: Sequence[JudgedQuestion], ranked: Sequence[RankedAnswers]) -> dict[str, Floats]:
    pairs = list(zip(questions, ranked, strict=True))
    return {
        **_ranked(questions, ranked),
        "right": _rightly_accepted(questions, ranked),
        "answers": np.array([len(judged.grades) for judged in questions], dtype=np.float64),
        "order": np.array([_order(judged, one) for judged, one in pairs]),
    }


def _rightly_accepted(questions: Sequence[JudgedQuestion], ranked: Sequence[RankedAnswers]) -> Floats:
    """Count each question's own answers that a threshold, chosen on other questions, takes or leaves rightly."""
    rows = [
        (place, fold(judged.id), found.likely[section], grade >= GOOD)
        for place, (judged, found) in enumerate(zip(questions, ranked, strict=True))
        for section, grade in judged.grades.items()
    ]
    places, folds, scores, good = (np.array(column) for column in zip(*rows, strict=True))
    least = np.array([best_threshold(scores[folds != one], good[folds != one]) for one in range(FOLDS)])
    right = ((scores >= least[folds]) == good).astype(np.float64)
    return np.bincount(places, right, len(questions)).astype(np.float64)


def best_threshold(scores: Floats, good: NDArray[np.bool_]) -> float:
    """Choose the least score to be taken so that most answers are taken or left rightly; infinite to take none."""
    order = np.argsort(-scores, kind="stable")
    gains = np.concatenate([[0], np.cumsum(np.where(good[order], 1, -1))])
    ends = np.concatenate([[True], np.diff(scores[order]) != 0, [True]])  # equal scores are taken together
    best = int(np.argmax(np.where(ends, gains, -np.inf)))
    return float(scores[order[best - 1]]) if best else float("inf")


def _order(judged: JudgedQuestion, found: RankedAnswers) -> float:
    """Correlate grades and scores by rank; not a number where all grades are the same, 0 where all scores are."""
    from scipy.stats import spearmanr

    grades, scores = list(judged.grades.values()), [found.scores[section] for section in judged.grades]
    if len(set(grades)) == 1 or len(set(scores)) == 1:
        return float("nan") if len(set(grades)) == 1 else 0.0
    return float(spearmanr(grades, scores).statistic)
