"""Tables beyond the papers: BC5CDR, K-QA, and the harm of retrieval.

BC5CDR (Li et al., 2016) tells of diseases linked in abstracts, and which chemicals are told to induce which of them;
K-QA (Manes et al., 2024) of must-have statements entailed and statements contradicted, by what checks answers.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answerer import EXTRACTIVE, GENERATED
from medgraph.graph import catalogue

from ..linking import CHEMICAL, SUBSTANCES
from ..sets import claims
from ..sets.pubtator import GoldMention, GoldText, ids_of, pairs_of, predicted_pairs, read_corpus
from ..statistics import Ratio, number
from ..verification import verdict_of
from . import hyke
from .bench import NO_MODEL, Row, measured, missing, needed
from .claims import SHIPPED, labels_of, scores
from .written import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Set

    from medgraph.answers.assembly import Assembly
    from medgraph.linking.linker import Linker

    from .bench import Workbench

    Pair = tuple[str, str]
    Counts = tuple[int, int, int]  # right ones, wrong ones and missed ones

FILES: Final = ("devel", "test", "train")
FITTED: Final = "train"  # what the model of roles was fitted to
PRINTED: Final = 0.806
OTHER: Final = "printed: DNorm on the test set, which is not here"
_NO_ID: Final = "MESH:-1"
# Relations of the graph between a chemical and a disease that it induces.
_INDUCES: Final = ["HAS_SIDE_EFFECT", "CAUSED_BY", "HAS_COMPLICATION"]
MENTIONS: Final = "mentions, span and id"
DOCUMENTS: Final = "ids of the abstract"
KNOWN: Final = ", those that the graph knows"
NAMED: Final = "names given"
MODEL: Final = "the model of roles, names given"

AGREEMENT: Final = "K-QA: agreement with physicians"
STATEMENTS: Final = "K-QA: statements"
PHYSICIANS: Final = "physicians' own answers"
_MUST, _NICE = "Must_have", "Nice_to_have"


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure all three."""
    yield from hyke.harm(bench)
    yield from _induced(bench)
    yield from _agreement(bench)
    yield from _statements(bench)


def _induced(bench: Workbench) -> Iterator[Row]:
    folder = bench.file("bc5cdr")
    linker = bench.assembly.linker()
    held = linker.holdings
    known = {key for entity in range(len(held)) if held.is_condition(entity) for key in held.ids(entity).split("|")}
    parts = [part for part in FILES if (folder / f"{part}.txt").exists()] or [FILES[0]]
    for part in parts:
        abstracts = bench.chosen({one.id: one for one in read_corpus(bench.file(f"bc5cdr/{part}.txt"))})
        found = bench.each(
            f"bc5cdr {part}", abstracts, lambda one: counted(linker, one, known, _related(bench, linker, one))
        )
        for name, told in (("diseases linked", _LINKED), ("diseases that chemicals induce", _INDUCED)):
            for row in told:
                fitted = part == FITTED and row.startswith("the model")
                note = OTHER if row == DOCUMENTS else "the model was fitted to these abstracts" if fitted else ""
                yield from _scores(f"BC5CDR {part}: {name}", row, [one[row] for one in found.values()], note)


_LINKED: Final = (f"mentions, {NAMED}", MENTIONS, MENTIONS + KNOWN, DOCUMENTS, DOCUMENTS + KNOWN, "chemicals, span")
_INDUCED: Final = (
    f"in one abstract, {NAMED}",
    f"in one sentence, {NAMED}",
    MODEL,
    "the model of roles, names as linked",
    f"related in the graph, {NAMED}",
)


def _scores(table: str, row: str, counts: list[Counts], note: str) -> Iterator[Row]:
    right, wrong, missed = np.array(counts, dtype=float).reshape(-1, 3).T
    printed = PRINTED if row == DOCUMENTS else None
    yield measured(table, row, "F1", Ratio(2 * right, 2 * right + wrong + missed), printed=printed, note=note)
    yield measured(table, row, "precision", Ratio(right, right + wrong))
    yield measured(table, row, "recall", Ratio(right, right + missed))


def counted(linker: Linker, text: GoldText, known: set[str], graph: set[Pair]) -> dict[str, Counts]:
    """Count for each row what is right, wrong and missed, by ids that the graph knows and pairs that it relates."""
    linked = _linked(linker, text)
    diseases = [one for one in text.mentions if one.kind != CHEMICAL and _NO_ID not in one.ids]
    found = [one for one in linked if one.kind != CHEMICAL and one.ids & known]
    ids = {key for one in diseases for key in one.ids}
    named = [(one.ids, ids_of(linker, one.surface)) for one in diseases]
    rightly = sum(not wanted.isdisjoint(told) for wanted, told in named)
    every = {
        (chemical, disease)
        for one, other in product(text.mentions, repeat=2)
        if one.kind == CHEMICAL != other.kind
        for chemical, disease in product(one.ids, other.ids)
    }
    pairs = {pair for pair, _ in pairs_of(text)}
    ways = (every, pairs, predicted_pairs(text), predicted_pairs(_as_linked(text, linked)), graph)
    return {
        _LINKED[0]: (rightly, sum(bool(told) for _, told in named) - rightly, len(named) - rightly),
        MENTIONS: _places(diseases, found),
        MENTIONS + KNOWN: _places([one for one in diseases if one.ids & known], found),
        DOCUMENTS: _documents(ids, found),
        DOCUMENTS + KNOWN: _documents(ids & known, found),
        _LINKED[-1]: _spans(text.mentions, linked),
        **{
            way: _same(text.induced, {pair for pair in some if _NO_ID not in pair})
            for way, some in zip(_INDUCED, ways, strict=True)
        },
    }


def _linked(linker: Linker, text: GoldText) -> list[GoldMention]:
    """Find diseases and chemicals in an abstract, with all ids of what each means."""
    held, found = linker.holdings, []
    for one in linker.text(text.text):
        condition, label = held.is_condition(one.entity), held.label(one.entity)
        if condition or label in SUBSTANCES:
            ids = frozenset(key for key in held.ids(one.entity).split("|") if key.startswith("MESH:"))
            kind = "Disease" if condition else CHEMICAL
            found.append(GoldMention(one.start, one.end, text.text[one.start : one.end], ids, kind))
    return found


def _same(wanted: Set[Any], told: Set[Any]) -> Counts:
    return len(wanted & told), len(told - wanted), len(wanted - told)


def _places(wanted: list[GoldMention], found: list[GoldMention]) -> Counts:
    ids = {(one.start, one.end): one.ids for one in wanted}
    right = sum(not one.ids.isdisjoint(ids.get((one.start, one.end), ())) for one in found)
    return right, len(found) - right, len(ids) - right


def _documents(wanted: set[str], found: list[GoldMention]) -> Counts:
    """Count ids of an abstract; what is found is one thing with several ids perhaps, of which one has to be right."""
    things = {one.ids for one in found}
    covered = wanted & {key for ids in things for key in ids}
    return len(covered), sum(ids.isdisjoint(wanted) for ids in things), len(wanted) - len(covered)


def _spans(marked: Iterable[GoldMention], linked: Iterable[GoldMention]) -> Counts:
    places = ({(one.start, one.end) for one in some if one.kind == CHEMICAL} for some in (marked, linked))
    return _same(*places)


def _as_linked(text: GoldText, linked: list[GoldMention]) -> GoldText:
    """Give an abstract with what is linked in place of what people marked.

    A chemical has the ids of the marked one at its place, as the graph knows few; a disease those that it shares with
    the abstract. What is none of these has an id that is never right.
    """
    marked = {(one.start, one.end): one.ids for one in text.mentions if one.kind == CHEMICAL}
    ids = frozenset(key for one in text.mentions if one.kind != CHEMICAL for key in one.ids)
    mentions = []
    for one in linked:
        given = marked.get((one.start, one.end), frozenset()) if one.kind == CHEMICAL else one.ids & ids
        mentions.append(GoldMention(one.start, one.end, one.surface, given or frozenset({one.surface}), one.kind))
    return GoldText(text.id, text.text, tuple(mentions))


def _related(bench: Workbench, linker: Linker, text: GoldText) -> set[Pair]:
    """Give the pairs that the graph relates as cause and effect, names looked up."""
    meant: dict[str, dict[str, frozenset[str]]] = {CHEMICAL: {}, "": {}}
    for one in text.mentions:
        for linked in linker.name(one.surface):
            entity = linker.holdings.id(linked.entity)
            side = meant[CHEMICAL if one.kind == CHEMICAL else ""]
            side[entity] = side.get(entity, frozenset()) | one.ids
    pairs = [{"head": head, "tail": tail} for head, tail in product(meant[CHEMICAL], meant[""])]
    found = bench.assembly.database.read(catalogue.get("related_pairs"), pairs=pairs, relations=_INDUCES)
    return {pair for row in found for pair in product(meant[CHEMICAL][row["head"]], meant[""][row["tail"]])}


def _agreement(bench: Workbench) -> Iterator[Row]:
    """Compare verdicts on models' answers to K-QA's questions with what most physicians say."""
    judged = claims.read_kqa(bench.file(claims.KQA))
    pairs = bench.chosen({f"{place} {number(one.claim)}": one for place, one in enumerate(judged)})
    ours = bench.each("verdicts on kqa", pairs, verdict_of)
    truth = {name: one.label for name, one in pairs.items()}
    yield from scores(bench, AGREEMENT, SHIPPED, labels_of(truth.values()), labels_of(ours.values()))
    must = [name for name, one in pairs.items() if one.kind == _MUST]
    for way, given in (("physicians' majority", truth), (SHIPPED, ours)):
        entailed = [given[name] == claims.SUPPORTS for name in must]
        yield measured(AGREEMENT, f"models' answers, {way}", "must-have statements entailed", entailed)
        contradicted = [label == claims.REFUTES for label in given.values()]
        yield measured(AGREEMENT, f"models' answers, {way}", "statements contradicted", contradicted)
    kappa = needed("sklearn.metrics").cohen_kappa_score
    for first, second in combinations(range(3), 2):
        both = [one.votes for one in pairs.values() if len(one.votes) > second]
        if both:
            value = float(kappa([one[first] for one in both], [one[second] for one in both]))
            row = f"physicians {first + 1} and {second + 1}"
            yield Row(AGREEMENT, row, "Cohen's kappa", float(np.nan_to_num(value, nan=1.0)), items=len(both))


def _statements(bench: Workbench) -> Iterator[Row]:
    """Tell which statements our answers entail and contradict; physicians' own answers show what the check misses."""
    asked = {row["Question"]: row for row in bench.lines(QUESTIONS, "Question", "Free_form_answer", _MUST, _NICE)}
    chosen = {name: row["Free_form_answer"] for name, row in bench.chosen(asked).items()}
    questions = {name: name for name in chosen}
    written = {
        EXTRACTIVE: bench.each("kqa answers: extractive", questions, lambda one: _text(bench.quoting, EXTRACTIVE, one))
    }
    if bench.load_model:
        table = f"kqa answers by {bench.model_name}: {GENERATED}"
        written[GENERATED] = bench.each(table, questions, lambda one: _text(bench.writing, GENERATED, one))
    written[PHYSICIANS] = chosen
    for way, texts in written.items():
        model = bench.model_name if way == GENERATED else NO_MODEL
        told = {name: (text, asked[name]) for name, text in texts.items()}
        judged = bench.each(f"kqa statements by {model}: {way}", told, lambda pair: _judged(*pair))
        yield measured(STATEMENTS, way, "answered", [bool(text) for text in texts.values()], model=model)
        must = [one[_MUST].count(claims.SUPPORTS) / len(one[_MUST]) for one in judged.values() if one[_MUST]]
        yield measured(STATEMENTS, way, "must-have statements entailed", must, model=model)
        against = [one[_MUST].count(claims.REFUTES) + one[_NICE].count(claims.REFUTES) for one in judged.values()]
        yield measured(STATEMENTS, way, "statements contradicted, an answer", against, model=model)
    if bench.load_model is None:
        yield missing(STATEMENTS, GENERATED)


def _text(assembly: Assembly, way: str, question: str) -> str:
    return " ".join(one.text for one in assembly.answerer.ask(question, composer=way).sentences)


def _judged(text: str, row: Mapping[str, Any]) -> dict[str, list[str]]:
    passage, found = claims.sentences_of(text), defaultdict(list)
    for kind in (_MUST, _NICE):
        found[kind] = [verdict_of(claims.LabelledClaim(str(one), passage, "", "")) for one in row[kind]]
    return found
