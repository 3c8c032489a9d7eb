"""Evaluates search modes against a floor on questions with known answers, with tests of significance.

The floor is BM25 by bm25s and the same vectors, each scaled and both added, as anybody would begin; its weight is
chosen for each question on those of other folds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np

from medgraph.errors import InputError, install_line
from medgraph.graph import catalogue
from medgraph.progress import progress
from medgraph.queries import fusion
from medgraph.queries.fusion import DEFAULT, MODES, scaled

from .statistics import Mean, compare, holm, number

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database
    from medgraph.queries.hits import Evidence, Hit
    from medgraph.queries.question import Question
    from medgraph.queries.retriever import Retriever

    from .statistics import Measured

    Floats = NDArray[np.float64]
    Rows = dict[str, dict[str, Floats]]
    Apart = Callable[[Sequence[Any]], AbstractContextManager[tuple[Database, Retriever]]]

# Stage → the features that it gives: BM25, how much of the question stands in title, heading and text, vectors, the
# entities that the question names, the section type that it asks for, and the questions that sections answer; without
# features, understanding messages of several sentences, the layers that encode questions, and reading the best
# candidates together with the question.
OF_STAGE: Final = {
    "words": {"words", "first by words"},
    "fields": {"question in title", "question in heading", "question in text", "title alone"},
    "vectors": {"meaning", "nearest", "asked", "meaning where about"},
    "names": {"about it", "about the same", "meaning where about", "type where about"},
    "types": {"type", "other type", "type where about"},
    "questions": {"asked"},
    "messages": set[str](),
    "layers": set[str](),
    "reading": set[str](),
}
STAGES: Final = tuple(OF_STAGE)

T = TypeVar("T")
FLOOR: Final = "bm25s + vectors"
WEIGHTS: Final = tuple(step / 10 for step in range(11))  # weights of BM25 that are tried; the vectors have the rest
FOLDS: Final = 5
DEPTH: Final = 50  # results that are looked at for each question
# Column of the table → the measure's name in ir-measures.
MEASURES: Final = {"ndcg@10": "nDCG@10", "recall@10": "R@10", "mrr": "RR"}
_PAGE: Final = 2000


class _Less:
    """An encoder that encodes questions as passages, or reads nothing."""

    def __init__(self, encoder: TextEncoder, without: Collection[str]) -> None:
        self._encoder, self._without = encoder, without
        self.calibration = encoder.calibration

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encoder.encode(texts)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return (self._encoder.encode if "layers" in self._without else self._encoder.encode_questions)(texts)

    def passage_logits(self, question: str, passages: Sequence[str]) -> NDArray[np.float32] | None:
        return None if "reading" in self._without else self._encoder.passage_logits(question, passages)


def search_without(retriever: Retriever, question: Question, without: Collection[str], top_k: int) -> Evidence:
    """Search without some of `STAGES`, best first."""
    if "messages" in without:
        question = replace(question, as_typed=True)
    if "names" in without:
        question = replace(question, linker=lambda _text: ())
    if not {"layers", "reading"}.isdisjoint(without):
        encoder: Callable[[], TextEncoder] = question.encoder
        question = replace(question, encoder=lambda: _Less(encoder(), without), _vectors={})  # type: ignore[arg-type,return-value]
    silent = set[str]().union(*(OF_STAGE[stage] for stage in without))
    whole = fusion.model()
    weights = {name: 0.0 if name in silent else weight for name, weight in whole.weights.items()}
    return retriever.search(question, mode=DEFAULT, top_k=top_k, ranking=replace(whole, weights=weights))


@dataclass(frozen=True, slots=True)
class SearchMode:
    """A way of searching."""

    name: str
    mode: str
    without: tuple[str, ...] = ()  # stages that are left out
    beside: str = FLOOR  # what it is compared with

    def search(self, retriever: Retriever, question: Question, top_k: int) -> Sequence[Hit]:
        """Search this way."""
        if self.without:
            return search_without(retriever, question, self.without, top_k)
        return retriever.search(question, mode=self.mode, top_k=top_k)


def _less(*stages: str) -> SearchMode:
    return SearchMode(f"{DEFAULT} without {' and '.join(stages)}", DEFAULT, stages, DEFAULT)


# Every mode, `learned` less each stage, less all that reads words, and less all that plain documents lack.
ALL: Final = (
    *(SearchMode(mode, mode) for mode in MODES),
    *(_less(stage) for stage in STAGES),
    _less("words", "fields"),
    _less("names", "types", "questions"),
)


def but(*nothing: str) -> tuple[SearchMode, ...]:
    """Give all ways but those of modes and stages that a set has nothing for."""
    none = {*nothing}
    return tuple(way for way in ALL if way.mode not in none and not (way.without and none.issuperset(way.without)))


def measures(
    rankings: Mapping[str, Sequence[str]], grades: Mapping[str, Mapping[str, int]], wanted: Mapping[str, str] = MEASURES
) -> dict[str, Floats]:
    """Measure rankings by ir-measures, question by question.

    Args:
        rankings: Question → ids of results, best first.
        grades: Question → id of what was judged → grade.
        wanted: Column → the measure's name in ir-measures.

    Returns:
        Column → (questions,) in the order of `grades`.

    Raises:
        InputError: ir-measures is not installed.
    """
    try:
        import ir_measures
    except ImportError as error:
        raise InputError(f"measures need ir-measures; {install_line('evaluate')}") from error
    run = {
        question: {name: -float(rank) for rank, name in enumerate(dict.fromkeys(ranking))}
        for question, ranking in rankings.items()
    }
    columns = {ir_measures.parse_measure(name): column for column, name in wanted.items()}
    values = {column: dict.fromkeys(grades, 0.0) for column in wanted}
    judged = {question: dict(given) for question, given in grades.items()}
    for metric in ir_measures.iter_calc(list(columns), judged, run):
        values[columns[metric.measure]][metric.query_id] = metric.value
    return {column: np.array(list(given.values()), dtype=np.float64) for column, given in values.items()}


class Blend:
    """The floor: BM25 over whole texts and the nearest chunk's cosine.

    Args:
        chunks: Sections of the chunks, one for each row of the vectors.
        vectors: (chunks, dimension) float32 of unit length.

    Raises:
        InputError: bm25s is not installed.
    """

    def __init__(
        self, texts: Mapping[str, str], chunks: Sequence[str], vectors: NDArray[np.float32], encoder: TextEncoder
    ) -> None:
        try:
            import bm25s
        except ImportError as error:
            raise InputError(f"the floor needs bm25s; {install_line('evaluate')}") from error
        self.sections = sorted(texts)
        place = {section: number for number, section in enumerate(self.sections)}
        self._tokenize: Any = partial(bm25s.tokenize, stopwords="en", return_ids=False, show_progress=False)
        self._bm25: Any = bm25s.BM25()
        self._bm25.index(self._tokenize([texts[section] for section in self.sections]), show_progress=False)
        self._owners = np.array([place[section] for section in chunks])
        self._vectors, self._encoder = vectors, encoder

    def scores(self, question: str) -> dict[float, Floats]:
        """Score all texts: Weight of BM25 → (sections,) from 0 for the worst text to 1 for the best."""
        (tokens,) = self._tokenize([question])
        words = scaled(self._bm25.get_scores(tokens) if tokens else np.zeros(len(self.sections)))
        near = np.full(len(self.sections), -1.0)
        np.maximum.at(near, self._owners, self._vectors @ self._encoder.encode([question])[0])
        return {weight: weight * words + (1 - weight) * scaled(near) for weight in WEIGHTS}

    def best(self, scores: Floats, depth: int) -> list[str]:
        """Give the sections that score best, best first."""
        return [self.sections[place] for place in np.argsort(-scores, kind="stable")[:depth].tolist()]


def blend_of(database: Database, texts: Mapping[str, str], encoder: TextEncoder) -> Blend:
    """Blend over a graph's chunks, and what BM25 reads of each section."""
    rows = [row for page in database.pages(catalogue.get("chunk_vectors"), _PAGE) for row in page]
    if not rows:
        raise InputError("the graph has no vectors; run: medgraph index")
    vectors = np.array([row["vector"] for row in rows], dtype=np.float32)
    return Blend(texts, [row["section"] for row in rows], vectors, encoder)


def fold(name: str) -> int:
    """Tell which fold a question is in, the same each time."""
    return number(name) % FOLDS


def chosen(tried: Mapping[float, Sequence[T]], gains: Mapping[float, Sequence[float]], names: Sequence[str]) -> list[T]:
    """Take for each question what the weight makes of it that had the highest gains on other folds."""
    folds = np.array([fold(name) for name in names])
    table = {weight: np.array(values) for weight, values in gains.items()}
    best = {one: max(table, key=lambda weight: float(table[weight][folds != one].sum())) for one in set(folds.tolist())}
    return [tried[best[one]][place] for place, one in enumerate(folds.tolist())]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a section is."""

    section: str
    document: str
    collection: str


@dataclass(frozen=True, slots=True)
class Case:
    """A question with the ids of the sections or documents that answer it."""

    id: str
    text: str
    relevant: frozenset[str]
    kind: Literal["section", "document"] = "section"
    but: str = ""  # a collection whose results do not count

    def ranking(self, results: Iterable[Hit | Place]) -> list[str]:
        """Give the ids of those results that count, best first, each once."""
        counting = (one for one in results if not self.but or one.collection != self.but)
        return list(dict.fromkeys(name for one in counting if (name := getattr(one, self.kind))))


class Floor:
    """The floor over a whole graph, which is indexed."""

    def __init__(self, database: Database, encoder: TextEncoder) -> None:
        texts, self.places = {}, {}
        for page in database.pages(catalogue.get("section_places"), _PAGE):
            for row in page:
                self.places[row["id"]] = Place(row["id"], row["document"], row["collection"])
                texts[row["id"]] = "\n".join((row["title"], row["heading"], row["question"], row["text"]))
        self._blend = blend_of(database, texts, encoder)

    def results(self, text: str, depth: int) -> dict[float, list[Place]]:
        """Search: weight of BM25 → results, best first."""
        return {
            weight: [self.places[name] for name in self._blend.best(scores, depth)]
            for weight, scores in self._blend.scores(text).items()
        }


@dataclass(frozen=True)
class Bench:
    """What is measured with."""

    database: Database  # the graph, with everything loaded and indexed
    retriever: Retriever
    encoder: TextEncoder
    data: Path  # the folder of data
    part: str  # `dev` or `held`, of sets that have halves
    sample: int  # questions of each set and style, at most
    apart: Apart  # opens a graph of MEDIQA's answers and what searches it

    @cached_property
    def floor(self) -> Floor:
        """The floor over the whole graph; it is made once."""
        return Floor(self.database, self.encoder)


def measure(bench: Bench, name: str, cases: Sequence[Case], searched: Sequence[SearchMode], main: str) -> Rows:
    """Measure ways of searching, the floor first: search mode → measure of `MEASURES` → (questions,)."""
    grades = {case.id: dict.fromkeys(case.relevant, 1) for case in cases}
    found: dict[str, dict[str, list[str]]] = {way.name: {} for way in searched}
    tried: dict[float, dict[str, list[str]]] = {weight: {} for weight in WEIGHTS}
    with progress(name, "question", len(cases)) as bar:
        for case in cases:
            question = bench.retriever.question(case.text)
            for way in searched:
                found[way.name][case.id] = case.ranking(way.search(bench.retriever, question, DEPTH))
            for weight, results in bench.floor.results(case.text, DEPTH).items():
                tried[weight][case.id] = case.ranking(results)
            bar.update(1)
    # The floor's weight is chosen by the main measure, on questions of other folds.
    gains = {weight: measures(rankings, grades)[main].tolist() for weight, rankings in tried.items()}
    lists = {weight: [rankings[one] for one in grades] for weight, rankings in tried.items()}
    best = dict(zip(grades, chosen(lists, gains, list(grades)), strict=True)) if cases else {}
    return {way: measures(rankings, grades) for way, rankings in ({FLOOR: best} | found).items()}


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a way reached on a set."""

    set: str
    style: str  # how it is asked, or which part of it
    way: str
    beside: str  # the way that it is compared with; empty for a floor
    measure: str
    reached: Measured
    also: Mapping[str, float]


def results(name: str, style: str, rows: Mapping[str, Mapping[str, Floats]], main: str) -> Iterator[SearchResult]:
    """Give what ways reached on a set, from way → measure → (questions,)."""
    beside = {way.name: way.beside for way in ALL}
    for way, values in rows.items():
        also = {other: float(one.mean()) for other, one in values.items() if other != main}
        yield SearchResult(name, style, way, beside.get(way, ""), main, Mean(values[main]), also)


def compared(found: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """Compare each way with the one that it stands beside.

    Returns:
        Rows of `set`, `style`, `way`, `n`, `measure`, its `value`, `beside` which, how much `more` between `low` and
        `high` (95 % of paired bootstrap samples), `p`, corrected by Holm for all ways of the set and style, and `also`
        with further measures.
    """
    reached = {(one.set, one.style, one.way): one.reached for one in found}
    rows: list[dict[str, Any]] = []
    for one in found:
        told = {"set": one.set, "style": one.style, "way": one.way, "n": one.reached.questions, "measure": one.measure}
        told |= {"value": one.reached.value(), "beside": one.beside}
        if one.beside:
            difference = compare(one.reached, reached[one.set, one.style, one.beside])
            told |= {"more": difference.more, "low": difference.low, "high": difference.high, "p": difference.p}
        else:
            told |= dict.fromkeys(("more", "low", "high", "p"))
        rows.append(told | {"also": dict(one.also)})
    for group in {(row["set"], row["style"]) for row in rows}:
        mine = [row for row in rows if (row["set"], row["style"]) == group and row["beside"]]
        for row, p in zip(mine, holm([row["p"] for row in mine]), strict=True):
            row["p"] = p
    return rows
