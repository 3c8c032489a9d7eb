"""VerifAI: search by mode and weight, references of answers, and verification of claims (Košprdić et al., 2024)."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answerer import EXTRACTIVE
from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.answers.pipelines.pipeline import choose
from medgraph.errors import InputError
from medgraph.graph import catalogue
from medgraph.queries.filters import Filters
from medgraph.queries.fusion import scaled

from ..retrieval import Blend, measures
from ..statistics import Ratio
from .bench import NO_MODEL, Row, difference, measured, missing
from .claims import verification

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.answers.answer import Answer

    from .bench import Workbench

    Ranked = tuple[list[str], float]  # ids, best first, and milliseconds

TABLES: Final = ("search", "references", "verification")
CORPUS: Final = "bioasq/abstracts.jsonl.gz"
QUESTIONS: Final = "bioasq/referenced.jsonl"
WITHIN: Final = Filters(sources=("bioasq",))
PRESET: Final = "literature"  # the preset of `lexical`; hybrids are blended here, with other weights
WEIGHTS: Final = tuple(step / 10 for step in range(9, 0, -1))  # weights of words; meaning has the rest
# What the abstract of the paper of 2026 says; its table is not at hand.
PRINTED: Final = {("hybrid .7/.3", "MAP@10"): 0.427}
LARGER: Final = "not comparable with the paper because it searches 25 million abstracts, and this 1,809"
FLOOR: Final = "bm25s"
DEPTH: Final = 100  # results of each branch that are blended, and those whose order exact cosines mend
_MEASURES: Final = {"P@10": "P@10", "MAP@10": "AP@10"}
_PAGE: Final = 2000
_TOP: Final = 10


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure all tables; one that the graph or an extra lacks something for says so."""
    for table, measure in zip(TABLES, (search, references, verification), strict=True):
        try:
            yield from measure(bench)
        except InputError as error:
            yield missing(table, "the other rows", str(error))


def questions(bench: Workbench) -> dict[str, dict[str, Any]]:
    """Read the questions whose abstracts are known, as many as are to be measured."""
    return bench.chosen({row["id"]: row for row in bench.lines(QUESTIONS, "id", "question", "pmids")})


def search(bench: Workbench) -> Iterator[Row]:
    """Measure how abstracts are found."""
    asked, table = questions(bench), TABLES[0]
    ways = cache(lambda: Ways(bench))
    found = bench.each("verifai search", asked, lambda row: ways().all(row["question"]))
    grades = {name: dict.fromkeys(asked[name]["pmids"], 1) for name in found}
    if not grades:
        return
    reached: dict[str, NDArray[np.float64]] = {}
    for way in next(iter(found.values())):
        rankings = {name: one[way][0] for name, one in found.items() if way in one}
        values = measures(rankings, grades, _MEASURES)
        reached[way] = values["MAP@10"]
        for measure, each in values.items():
            printed = PRINTED.get((way, measure))
            yield measured(table, way, measure, each, printed=printed, note=LARGER if printed else "")
        if not way.startswith(FLOOR):
            spent = [one[way][1] for one in found.values()]
            yield Row(table, way, "ms, median", float(np.median(spent)), items=len(spent))
    yield from _shapes(table, reached)


def _shapes(table: str, reached: Mapping[str, NDArray[np.float64]]) -> Iterator[Row]:
    """Tell whether the paper's order is found again, and how far we are from what anybody would build."""
    pairs = [
        ("hybrid .7/.3", "lexical"),
        ("lexical", "semantic"),
        ("semantic, bits rescored", "semantic, bits alone"),
        *((way, FLOOR) for way in ("lexical", "hybrid .7/.3")),
        *(("learned", way) for way in (FLOOR, f"{FLOOR} + vectors .7/.3")),
    ]
    for mine, other in pairs:
        if mine in reached and other in reached:
            yield difference(table, f"{mine} less {other}", "MAP@10", reached[mine], reached[other])


class Ways:
    """All ways to search the abstracts."""

    def __init__(self, bench: Workbench) -> None:
        self._retriever, self._encoder = bench.assembly.retriever, bench.assembly.encoder()
        texts = {str(row["pmid"]): str(row["text"]) for row in bench.lines(CORPUS, "pmid", "text")}
        owners, vectors = _vectors(bench, texts)
        self._owners, self._vectors, self._bits = np.array(owners), vectors, vectors > 0
        self._blend: Blend | None
        try:
            self._blend = Blend(texts, owners, vectors, self._encoder)
        except InputError:  # bm25s is not installed: the floor is left out
            self._blend = None
        self.all("What is gout?")  # opens everything, so that the first question is not the slowest

    def all(self, question: str) -> dict[str, Ranked]:
        """Search in all ways: way → ids and milliseconds."""
        scores, spent = {}, {}
        for mode in ("lexical", "semantic"):
            scores[mode], spent[mode] = self._scores(question, mode)
        found = {mode: (_best(scores[mode]), spent[mode]) for mode in scores}
        found["semantic, bits alone"] = self._timed(lambda: self._by_bits(question, rescored=False))
        found["semantic, bits rescored"] = self._timed(lambda: self._by_bits(question, rescored=True))
        for weight in WEIGHTS:
            name = f"hybrid {_weighed(weight)}"
            found[name] = (_best(_blended(scores, weight)), spent["lexical"] + spent["semantic"])
        found["learned"] = self._timed(lambda: _best(self._scores(question, "learned")[0]))
        if self._blend:
            blended = self._blend.scores(question)
            found[FLOOR] = (self._blend.best(blended[1.0], _TOP), 0.0)
            for weight in WEIGHTS:
                found[f"{FLOOR} + vectors {_weighed(weight)}"] = (self._blend.best(blended[weight], _TOP), 0.0)
        return found

    def _scores(self, question: str, mode: str) -> tuple[dict[str, float], float]:
        before = time.perf_counter()
        hits = self._retriever.search(question, mode=mode, preset=PRESET, top_k=DEPTH, filters=WITHIN)
        spent = 1000 * (time.perf_counter() - before)
        found: dict[str, float] = {}
        for hit in hits:
            found.setdefault(hit.document.rpartition(":")[2], hit.score)
        return found, spent

    @staticmethod
    def _timed(find: Callable[[], list[str]]) -> Ranked:
        before = time.perf_counter()
        found = find()
        return found, 1000 * (time.perf_counter() - before)

    def _by_bits(self, question: str, *, rescored: bool) -> list[str]:
        """Search by the signs of vectors, as a compressed index does."""
        vector = self._encoder.encode_questions([question])[0]
        near = (self._bits == (vector > 0)).sum(axis=1)
        places = np.argsort(-near, kind="stable")[:DEPTH]
        if rescored:
            places = places[np.argsort(-(self._vectors[places] @ vector), kind="stable")]
        return list(dict.fromkeys(self._owners[places].tolist()))[:_TOP]


def _vectors(bench: Workbench, texts: Mapping[str, str]) -> tuple[list[str], NDArray[np.float32]]:
    pages = bench.assembly.database.pages(catalogue.get("chunk_vectors"), _PAGE)
    kept = [(name, row["vector"]) for page in pages for row in page if (name := _pmid(row["section"])) in texts]
    if len({name for name, _ in kept}) < len(texts):
        raise InputError(
            f"the graph lacks abstracts of {CORPUS}; write each as a document `pmid:NUMBER` and run: medgraph load"
            " documents FILE --as bioasq, and medgraph index"
        )
    return [name for name, _ in kept], np.array([vector for _, vector in kept], dtype=np.float32)


def _pmid(section: str) -> str:
    return section.partition("#")[0].rpartition(":")[2]


def _best(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: -scores[name])[:_TOP]


def _blended(scores: Mapping[str, Mapping[str, float]], weight: float) -> dict[str, float]:
    """Blend two branches as `hybrid` does."""
    found: dict[str, float] = {}
    for mode, share in (("lexical", weight), ("semantic", 1 - weight)):
        given = scores[mode]
        for name, value in zip(given, scaled(np.array(list(given.values()))), strict=True):
            found[name] = found.get(name, 0.0) + share * float(value)
    return found


def _weighed(weight: float) -> str:
    return f"{weight:.1f}/{1 - weight:.1f}".replace("0.", ".")


def references(bench: Workbench) -> Iterator[Row]:
    """Measure what answers refer to: quotations, the pipeline `referenced` without a model, and with one."""
    asked, table = questions(bench), TABLES[1]
    piped = choose(PIPELINES["referenced"], (), ())
    quoting, answerer = bench.quoting.answerer, bench.assembly.answerer
    yield from _referred(bench, table, asked, EXTRACTIVE, lambda one: quoting.ask(one, WITHIN, composer=EXTRACTIVE))
    if bench.load_model is None:
        yield missing(table, "referenced")
        return
    name = f"referenced, {bench.model_name}"
    yield from _referred(bench, table, asked, name, lambda one: answerer.ask(one, WITHIN, pipeline=piped))


def _referred(
    bench: Workbench, table: str, asked: Mapping[str, dict[str, Any]], way: str, ask: Callable[[str], Answer]
) -> Iterator[Row]:
    found = bench.each(f"verifai references: {way}", asked, lambda row: _cited(ask(row["question"])))
    gold = {name: set(asked[name]["pmids"]) for name in found}
    shown = {name: one for name, one in found.items() if one["sentences"]}
    told = {"model": NO_MODEL if way == EXTRACTIVE else bench.model_name}
    cited = {name: set(one["cited"]) for name, one in shown.items()}
    relevant = {name: [pmid for pmid in one["found"] if pmid in gold[name]] for name, one in shown.items()}
    yield measured(table, way, "answered", [bool(one["sentences"]) for one in found.values()], **told)
    yield measured(table, way, "references an answer", [len(one) for one in cited.values()], **told)
    right = [len(one & gold[name]) for name, one in cited.items()]
    yield measured(table, way, "referenced ones relevant", _ratio(right, [len(one) for one in cited.values()]), **told)
    recalled = [len(cited[name] & set(one)) for name, one in relevant.items()]
    yield measured(table, way, "relevant ones referenced", _ratio(recalled, list(map(len, relevant.values()))), **told)
    first = [one[0] in cited[name] for name, one in relevant.items() if one]
    yield measured(table, way, "most relevant referenced", first, **told)
    yield measured(table, way, "answers without a reference", [not one for one in cited.values()], **told)
    yield measured(table, way, "invented references", [one["invented"] for one in found.values()], **told)


def _cited(answer: Answer) -> dict[str, Any]:
    """Tell what an answer refers to, and what it could have."""
    cited = [_pmid(one.section) for sentence in answer.sentences for one in sentence.citations]
    given = [_pmid(str(one["section"])) for one in answer.as_dict()["evidence"] if one.get("section")]
    return {
        "sentences": len(answer.sentences),
        "cited": list(dict.fromkeys(cited)),
        "found": list(dict.fromkeys([*given, *cited])),
        "invented": answer.generation.removed_ids if answer.generation else 0,
    }


def _ratio(parts: Sequence[int], wholes: Sequence[int]) -> Ratio:
    return Ratio(np.array(parts, dtype=float), np.array(wholes, dtype=float))
