"""Maps of key information (imap): terms with values, and the score of an answer's map against another's.

Without a language model a value is what the linker finds, and its term what kind of thing that is; names of one concept
are the same value, and the graph says which is a kind of which. A question's values are its constraint, an answer's
what it informs of. A language model writes the maps of a question and of both answers at one request, and all their
relations at another: three runs, of which is kept what two say.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from medgraph.answers.generated import SEED
from medgraph.answers.pipelines.papers import rouge_l
from medgraph.answers.prompting import escaped, prompt
from medgraph.errors import ModelReplyError, RequestsWaitError
from medgraph.graph import catalogue
from medgraph.models.protocol import Request
from medgraph.schema.vocabulary import CONDITIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from medgraph.graph.database import Database
    from medgraph.linking.linked import Linked
    from medgraph.linking.linker import Linker

    from .bench import Workbench

    Texts = dict[str, list[str]]  # term → values
    Map = dict[str, dict[str, str]]  # term → concept → entity
    TermValues = Mapping[str, Collection[str]]  # term → values
    Kinds = Collection[tuple[str, str]]  # pairs of entities, the narrower and the broader
    # How a value of the label is related to one of the response: `SAME`, or the label's is `NARROWER` or `BROADER`.
    Relations = dict[tuple[str, str], str]

RUNS: Final = 3
AGREED: Final = 2  # runs that have to say the same
TEMPERATURE: Final = 0.9
REPLY: Final = 1200  # tokens of a reply, at most
BY_MODEL: Final = "imap score, maps and relations by the model"
AIDED: Final = "imap score, maps and relations by the model, the graph aiding"
BY_GRAPH: Final = "imap score, maps by the model, relations by the graph"
UNLABELLED: Final = "terms asked for that the answer informs of, maps by the model"
_LONG: Final = 6000
_ALIKE: Final = 0.6  # likeness from which on values of two runs are the same one; set by hand before any reply was seen
_SURE: Final = 0.97  # score from which on a whole value is a name of an entity
_TERM = Literal[
    "condition", "symptom", "cause", "test", "medicine", "procedure", "dose", "advice", "outlook", "warning", "other"
]

_TERMS: Final = {
    **dict.fromkeys(("Drug", "DrugClass", "Treatment", "Compound"), "treatment"),
    **dict.fromkeys(("Test",), "exams and tests"),
    "Anatomy": "part of the body",
    **dict.fromkeys((*CONDITIONS, "SideEffect", "Symptom", "Phenotype"), "condition"),
}
OTHER: Final = "other"
SAME, NARROWER, BROADER = "same", "narrower", "broader"


class Values(msgspec.Struct):
    """Values of a term."""

    term: _TERM
    values: list[str]


class Maps(msgspec.Struct):
    """What a model replies: the maps of a question and of two answers."""

    query: list[_TERM]
    constraint: list[Values]
    first: list[Values]
    second: list[Values]


class Pair(msgspec.Struct):
    """Two values that are related."""

    first: str
    second: str
    relation: Literal["same", "narrower", "broader"]


class Pairs(msgspec.Struct):
    """What a model replies: all relations of the values of two answers."""

    pairs: list[Pair]


def metrics(bench: Workbench, name: str, judged: Mapping[str, Judged]) -> dict[str, dict[str, float]]:
    """Compute the metrics that need a model, by what answers are called; those that wait for replies are left out."""
    told = f"by {bench.model_name}: {name}"
    maps = bench.each(f"imaps {told}", judged, lambda one: _maps(bench, one))
    asked = {key: (judged[key].question, one) for key, one in maps.items()}
    found = bench.each(f"relations of imaps {told}", asked, lambda one: _relations(bench, *one))
    linker = bench.assembly.linker()
    return {key: _metrics(bench, linker, maps[key], found[key]) for key in found}


def _metrics(
    bench: Workbench, linker: Linker, maps: dict[str, Any], pairs: Sequence[Sequence[str]]
) -> dict[str, float]:
    label, response = maps["first"], maps["second"]
    by_model: Relations = _same_words(label, response) | {(one, other): kind for one, other, kind in pairs}
    by_graph = _by_graph(bench, linker, label, response)
    texts = [as_text(label), as_text(response)]
    vectors = bench.assembly.encoder().encode(texts)
    return {
        BY_MODEL: score(label, response, by_model),
        AIDED: score(label, response, by_model | by_graph),
        BY_GRAPH: score(label, response, _same_words(label, response) | by_graph),
        UNLABELLED: len({*maps["query"]} & response.keys()) / max(1, len({*maps["query"]})),
        "ROUGE-L +imap, maps by the model": rouge_l(texts[1], texts[0]),
        "cosine +imap, maps by the model": float(vectors[0] @ vectors[1]),
    }


def _same_words(label: Texts, response: Texts) -> Relations:
    return {(one, one): SAME for term in label for one in label[term] if one in response.get(term, ())}


def _by_graph(bench: Workbench, linker: Linker, label: Texts, response: Texts) -> Relations:
    """Relate values that are names of entities: one concept is the same, and a kind of another is narrower."""
    held, meant = linker.holdings, dict[str, tuple[str, str]]()
    for one in {one for side in (label, response) for values in side.values() for one in values}:
        for linked in linker.name(one):
            if linked.score >= _SURE:
                meant[one] = held.concept_id(linked.entity), held.id(linked.entity)
    mine, theirs = (
        {term: dict(meant[one] for one in values if one in meant) for term, values in side.items()}
        for side in (label, response)
    )
    related = relations_by_graph(mine, theirs, kinds_among(bench.assembly.database, mine, theirs))
    return {
        (one, other): related[meant[one][0], meant[other][0]]
        for term in label.keys() & response.keys()
        for one, other in product(label[term], response[term])
        if one in meant and other in meant and (meant[one][0], meant[other][0]) in related
    }


def _maps(bench: Workbench, one: Judged) -> dict[str, Any]:
    texts = {"question": one.question, "first": one.label, "second": one.response}
    told = {name: escaped(text[:_LONG]) for name, text in texts.items()}
    runs: list[Maps] = _replies(bench, "imap_maps", Maps, told)
    queries = [set(run.query) for run in runs]
    return {
        "query": sorted(term for term in set().union(*queries) if sum(term in run for run in queries) >= AGREED),
        **{side: agreed([getattr(run, side) for run in runs]) for side in ("constraint", "first", "second")},
    }


def agreed(runs: Sequence[Sequence[Values]]) -> Texts:
    """Keep the values of each term that enough runs have, as the first of these words them."""
    read: list[dict[str, list[str]]] = [{} for _ in runs]
    for place, run in enumerate(runs):
        for one in run:
            read[place].setdefault(one.term, []).extend(" ".join(value.lower().split()) for value in one.values)
    terms = dict.fromkeys(term for run in read for term in run)
    kept = {term: _alike([run.get(term, []) for run in read]) for term in terms}
    return {term: values for term, values in kept.items() if values}


def _alike(runs: Sequence[Sequence[str]]) -> list[str]:
    """Keep the texts that enough runs have, in much the same letters."""
    kept: list[str] = []
    for text in filter(None, chain.from_iterable(runs)):
        having = sum(any(likeness(text, one) >= _ALIKE for one in run) for run in runs)
        if having >= AGREED and not any(likeness(text, one) >= _ALIKE for one in kept):
            kept.append(text)
    return kept


def likeness(one: str, other: str) -> float:
    """Tell how alike two texts are: the share of pairs of letters that they have in common."""
    mine, theirs = ({text[at : at + 2] for at in range(max(1, len(text) - 1))} for text in (one, other))
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


def _relations(bench: Workbench, question: str, maps: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Let the model relate the values of the terms that both answers have."""
    label, response = maps["first"], maps["second"]
    named: dict[str, str] = {}
    lines = []
    for term in (term for term in label if term in response):
        lines.append(f"<{term}>")
        for letter, values in (("A", label[term]), ("B", response[term])):
            for value in values:
                name = f"{letter}{1 + sum(one.startswith(letter) for one in named)}"
                named[name] = value
                lines.append(f"{name}: {escaped(value)}")
        lines.append(f"</{term}>")
    if not named:
        return []
    told = {"question": escaped(question[:_LONG]), "values": "\n".join(lines)}
    runs: list[Pairs] = _replies(bench, "imap_relations", Pairs, told)
    said = [{(one.first, one.second, one.relation) for one in run.pairs} for run in runs]
    return [
        (named[one], named[other], kind)
        for one, other, kind in sorted(set().union(*said))
        if one in named and other in named and sum((one, other, kind) in run for run in said) >= AGREED
    ]


def _replies(bench: Workbench, name: str, schema: type[Any], told: Mapping[str, str]) -> list[Any]:
    """Ask in several runs; one whose reply is of no use is left out."""
    found, waits = [], None
    for run in range(RUNS):
        request = Request(prompt(name).fill(**told), schema, max_tokens=REPLY, temperature=TEMPERATURE, seed=SEED + run)
        try:
            found.append(bench.model.complete(request).value)
        except RequestsWaitError as error:  # the others are to be written, too
            waits = error
        except ModelReplyError:
            continue
    if waits:
        raise waits
    return found


@dataclass(frozen=True, slots=True)
class Judged:
    """A model's answer beside a doctor's."""

    question: str
    label: str
    response: str
    people: tuple[float, ...]  # what people say of its accuracy, completeness and specificity


def values_of(linker: Linker, text: str) -> Map:
    """Find the values of a text by their terms."""
    found: Map = {}
    held = linker.holdings
    for linked in linker.text(text):
        concept, entity = held.concept_id(linked.entity), held.id(linked.entity)
        found.setdefault(_term(linker, linked), {}).setdefault(concept, entity)
    return found


def _term(linker: Linker, linked: Linked) -> str:
    return _TERMS.get(linker.holdings.label(linked.entity), OTHER)


def kinds_among(database: Database, *maps: Map) -> set[tuple[str, str]]:
    """Read which values are kinds of others."""
    entities = sorted({entity for one in maps for values in one.values() for entity in values.values()})
    rows = database.read(catalogue.get("kinds_among"), entities=entities) if entities else []
    return {(row["narrower"], row["broader"]) for row in rows}


def relations_by_graph(label: Map, response: Map, kinds: Kinds) -> Relations:
    """Relate the values of terms that both have: one concept is the same, and a kind of another is narrower."""
    found: Relations = {}
    for term in label.keys() & response.keys():
        for (one, a), (other, b) in product(label[term].items(), response[term].items()):
            if one == other:
                found[one, other] = SAME
            elif (a, b) in kinds:
                found[one, other] = NARROWER
            elif (b, a) in kinds:
                found[one, other] = BROADER
    return found


@dataclass(frozen=True, slots=True)
class TermScore:
    """How the values of a term agree."""

    label: float  # the share of the label's values that are matched
    response: float  # the share of the response's
    wider: float  # the share of related pairs in which the label's value includes the response's


def term_scores(label: TermValues, response: TermValues, relations: Relations) -> dict[str, TermScore]:
    """Compare the terms that both have; a value that has the same on the other side is related to nothing else."""
    return {term: _compared(label[term], response[term], relations) for term in label if term in response}


def _compared(label: Collection[str], response: Collection[str], relations: Relations) -> TermScore:
    pairs = {pair: relations[pair] for pair in product(label, response) if pair in relations}
    same = [pair for pair in pairs if pairs[pair] == SAME]
    mine, theirs = {one for one, _ in same}, {other for _, other in same}
    related = [pair for pair in pairs if pair in same or (pair[0] not in mine and pair[1] not in theirs)]
    return TermScore(
        len({one for one, _ in related}) / len(label),
        len({other for _, other in related}) / len(response),
        sum(pairs[pair] == BROADER for pair in related) / max(1, len(related)),
    )


def score(label: TermValues, response: TermValues, relations: Relations) -> float:
    """Give the score of a response, -0.5 to 1: the sum over terms that both have, over twice the label's terms."""
    told = term_scores(label, response, relations).values()
    return sum(one.label + one.response - one.wider for one in told) / (2 * len(label)) if label else 0.0


def as_text(values: TermValues) -> str:
    """Write a map as other metrics read it."""
    return ". ".join(f"{term}: {', '.join(some)}" for term, some in sorted(values.items()))


def names_of(linker: Linker, text: str) -> TermValues:
    """Find the values of a text by their terms, called as their concepts are."""
    found: dict[str, dict[str, None]] = {}
    for linked in linker.text(text):
        found.setdefault(_term(linker, linked), {})[linker.holdings.concept_name(linked.entity)] = None
    return found
