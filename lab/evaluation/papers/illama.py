"""ILlama: search over subgraphs as documents, consultations beside people's answers, latency and throughput."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from medgraph.answers.answerer import EXTRACTIVE
from medgraph.answers.generated import SEED
from medgraph.answers.prompting import escaped, prompt
from medgraph.errors import InputError, NotInGraphError, SourceFileError
from medgraph.graph import catalogue
from medgraph.models.protocol import Request
from medgraph.queries.filters import DERIVED, Filters
from medgraph.queries.fusion import DEFAULT, MODES
from medgraph.queries.retriever import Retriever

from ..pipelines import way_of
from ..retrieval import DEPTH, measures
from ..sets import mediqa
from ..subgraphs import AT_TEN, NEAREST, judged_questions
from . import written
from .bench import NEEDS_MODEL, Row, difference, measured, missing
from .written import ReferenceQuestion, answers, by_chance, compared, physicians, scored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from medgraph.embeddings.encoders.encoder import TextEncoder

    from .bench import Workbench
    from .written import Answers

RANK: Final = "rank by the model, 1 best, 0 worst"
_REPLY: Final = 200  # tokens of a reply, at most
_LONG: Final = 3000  # characters of a text that is ranked

SEARCH: Final = "search over subgraphs, MeQSum's half dev"
LATENCY: Final = "latency and throughput"
PUBMED: Final = "bioasq"  # the source that abstracts of PubMed are loaded as
MESSAGES: Final = "questions/meqsum.csv"
JUDGED: Final = Path(__file__).parent.parent / "subgraphs.tsv"
ICLINIQ: Final = "imapscore/iCliniq-ChatGPT.txt"
# From subgraphs; from the whole graph; from texts; from abstracts alone.
WAYS: Final = ("consult", "graphrag", EXTRACTIVE, f"{EXTRACTIVE}@{PUBMED}")
# A request a question each: the paper's rows with a graph, with PubMed, and with none.
WRITTEN_WAYS: Final = ("consult", f"referenced@{PUBMED}", "base")
RERANKED: Final = "consult/rerank"  # without the reranker, where one is trained
WHOLE: Final = f"{DEFAULT}, among all texts"
UNTRAINED: Final = "semantic, questions encoded as passages"
OWN: Final = "not comparable because its graph, its consultations and its models are its own"
LACKING: Final = {
    "pseudo-queries": "train the encoder with --pseudo-queries, and set MEDGRAPH_QUESTION_ENCODER to it",
    "PubMed in place of subgraphs": "nobody judged abstracts for these questions",
    "reranker": "none is trained: medgraph train reranker, and set MEDGRAPH_RERANKER to it; `learned` then reads anew",
    "the paper's figures": OWN,
}
MEASURES: Final = (written.BERT, written.METEOR, written.BLEU, written.ROUGE_2, written.NLI)
CLIENTS: Final = (1, 2, 4)
SEARCHED: Final = 40  # questions that each number of clients asks, at most


class Order(msgspec.Struct):
    """What a model replies: marks of the answers, the best first."""

    order: list[str]


def ranked(bench: Workbench, table: str, found: Answers) -> Iterator[Row]:
    """Rank the answers to each question; a way that is silent stands behind those that are not, chance's among them."""
    if bench.load_model is None:
        yield missing(table, RANK, NEEDS_MODEL)
        return
    items: dict[str, dict[str, Any]] = {}
    for way, given in found.items():
        for question, one in given.items():
            item = items.setdefault(question, {"question": question, "label": one["label"], "texts": {}})
            item["texts"][way] = one["text"]
    places = bench.each(f"{table}, ranks by {bench.model_name}", items, lambda one: _places(bench, one))
    for way in found:
        values = [one[way] for one in places.values() if way in one]
        waits = missing(table, way, written.WAITS)
        yield measured(table, way, RANK, values, model=bench.model_name) if values else waits


def _places(bench: Workbench, one: Mapping[str, Any]) -> dict[str, float]:
    """Let the model rank the answers to a question, told in an order that the question alone decides."""
    ways = sorted(one["texts"], key=lambda way: (way == written.OTHER, way))
    said = [way for way in ways if one["texts"][way].strip()]
    random.Random(one["question"]).shuffle(said)  # noqa: S311 # no secret
    marks = {f"A{number}": way for number, way in enumerate(said, 1)}
    order = said
    if len(said) > 1:
        texts = "\n\n".join(f"<{m}>{escaped(one['texts'][way][:_LONG])}</{m}>" for m, way in marks.items())
        told = {"question": escaped(one["question"]), "reference": escaped(one["label"][:_LONG]), "answers": texts}
        request = Request(prompt("rank_answers").fill(**told), Order, max_tokens=_REPLY, seed=SEED)
        reply: Order = bench.model.complete(request).value
        named = dict.fromkeys(mark for mark in reply.order if mark in marks)
        order = [marks[mark] for mark in (*named, *(mark for mark in marks if mark not in named))]
    last = max(1, len(ways) - 1)
    return {way: 1 - (order.index(way) if way in order else last) / last for way in ways}


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure what public data allows."""
    sets: dict[str, Callable[[Workbench], dict[str, ReferenceQuestion]]] = {
        "generation on K-QA": physicians,
        "generation on MEDIQA's messages, dev": messages,
        "generation on iCliniq (ChatDoctor)": consultations,
    }
    asked = physicians(bench)
    try:
        yield from _searched(bench)
    except (InputError, SourceFileError) as error:
        yield missing(SEARCH, "all", str(error))
    found: Answers = {}
    for table, read in sets.items():
        try:
            given = _answers(bench, table, read(bench))
        except SourceFileError as error:
            yield missing(table, "all", str(error))
            continue
        yield from compared(bench, table, given, scored(bench, table, given), MEASURES, (written.BERT,))
        yield from ranked(bench, table, given)
        for row, why in _lacking(bench).items():
            yield missing(table, row, why)
        found = found or given
    yield from _spent(found)
    yield from _throughput(bench, [*asked][:SEARCHED])


def messages(bench: Workbench) -> dict[str, ReferenceQuestion]:
    """Read messages of MEDIQA's dev file, each with the answer that experts graded best."""
    judged, given = mediqa.load(bench.file("mediqa"))
    texts = {one.section: one.text for one in given}
    best = {one.text: max(one.grades, key=one.grades.__getitem__) for one in judged if one.style == "message"}
    return bench.chosen({text: ReferenceQuestion(text, texts[section]) for text, section in best.items()})


def consultations(bench: Workbench) -> dict[str, ReferenceQuestion]:
    """Read what people asked doctors on iCliniq, whose consultations ChatDoctor is tested on."""
    rows = bench.lines(ICLINIQ, "Question", "Doctor_Response")
    return bench.chosen({row["Question"]: ReferenceQuestion(row["Question"], row["Doctor_Response"]) for row in rows})


def _answers(bench: Workbench, table: str, asked: dict[str, ReferenceQuestion]) -> Answers:
    """Answer from subgraphs, the whole graph, texts and abstracts, and by what a language model writes."""
    lacking = _lacking(bench)
    ways = [way for way in (*WAYS, RERANKED) if not (way in lacking or ("@" in way and PUBMED in lacking))]
    found = {**answers(bench, table, asked, ways), written.OTHER: by_chance(asked)}
    if bench.load_model:
        ways = [way for way in WRITTEN_WAYS if not ("@" in way and PUBMED in lacking)]
        found |= answers(bench, table, asked, ways if table.endswith("K-QA") else ways[:1], written=True)
    return found


def _lacking(bench: Workbench) -> dict[str, str]:
    """Tell which rows cannot be had here, and what they need."""
    found = {"the paper's figures": OWN}
    if bench.load_model is None:
        found["written: with the graph, with PubMed, with neither"] = NEEDS_MODEL
    if bench.assembly.encoder().passage_logits("gout", ["gout"]) is None:
        found[RERANKED] = "no reranker is trained, so that consult has none: medgraph train reranker"
    if PUBMED not in {row["source"] for row in bench.assembly.database.read(catalogue.get("filter_values"))}:
        found[PUBMED] = "the graph lacks abstracts of PubMed as this source: see docs/experiments/papers.md"
    return found


class _Untrained:
    """Encodes questions as passages are, and all else as another encoder does."""

    def __init__(self, encoder: TextEncoder) -> None:
        self._encoder, self.encode_questions = encoder, encoder.encode

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)


def _searched(bench: Workbench) -> Iterator[Row]:
    part, told = Filters(sources=(DERIVED,)), bench.assembly
    asked, every = judged_questions(told.retriever, bench.file(MESSAGES), JUDGED)
    grades = bench.chosen(every)
    untrained = Retriever(told.database, lambda: _Untrained(told.encoder()), told.linker)
    ways = {mode: (told.retriever, mode, part, "short") for mode in MODES}
    ways[UNTRAINED] = (untrained, "semantic", part, "short")
    ways[WHOLE] = (told.retriever, DEFAULT, Filters(graph=True), "short")
    ways |= {f"{mode}, by whole messages": (told.retriever, mode, part, "text") for mode in ("semantic", DEFAULT)}
    reached = {}
    for way, (retriever, mode, filters, form) in ways.items():

        def find(name: str, way: Any = (retriever, mode, filters, form)) -> list[str]:
            hits = way[0].search(getattr(asked[name], way[3]), mode=way[1], top_k=DEPTH, filters=way[2])
            return list(dict.fromkeys(hit.document for hit in hits))[:NEAREST]

        rankings = bench.each(f"illama search: {way}", {name: name for name in grades}, find)
        reached[way] = measures(rankings, grades, AT_TEN)
        yield from (measured(SEARCH, way, AT_TEN[name], each) for name, each in reached[way].items())
    for first, second in ((DEFAULT, WHOLE), ("semantic", UNTRAINED)):
        mine, other = (reached[one]["ndcg@10"] for one in (first, second))
        yield difference(SEARCH, f"{first} less {second}", "nDCG@10", mine, other)
    for row, why in LACKING.items():
        yield missing(SEARCH, row, why)


def _spent(found: Answers) -> Iterator[Row]:
    """Tell how long answers took; what a language model takes is its own, and batch files do not tell it."""
    for way, given in found.items():
        spent = [one["ms"] for one in given.values() if "total" in one["ms"] and not way.endswith(written.WRITTEN)]
        search = np.array([one.get("retrieve", 0.0) for one in spent])
        whole = np.array([one["total"] for one in spent])
        for name, each in (("search", search), ("answer", whole - search), ("end to end", whole)):
            for called, share in (("median", 0.5), ("p95", 0.95)) if spent else ():
                yield Row(LATENCY, way, f"ms {name}, {called}", float(np.quantile(each, share)), items=len(spent))


def _throughput(bench: Workbench, questions: Sequence[str]) -> Iterator[Row]:
    retriever, within, way = bench.quoting.retriever, Filters(sources=(DERIVED,)), way_of("consult")
    tasks: dict[str, Callable[[str], object]] = {
        "search": lambda question: retriever.search(question, mode="semantic", filters=within),
        "consult": lambda question: bench.quoting.answerer.ask(question, pipeline=way.pipeline),
    }
    for name, task in tasks.items():
        try:
            task(questions[0])  # opens everything
        except NotInGraphError:
            yield missing(LATENCY, name, "the graph has no subgraphs as documents; run: medgraph index subgraphs")
            continue
        for clients in CLIENTS:
            before = time.perf_counter()
            with ThreadPoolExecutor(clients) as pool:
                list(pool.map(task, questions))
            rate = len(questions) / (time.perf_counter() - before)
            yield Row(LATENCY, f"{name}, {clients} at once", "a second", rate, items=len(questions))
