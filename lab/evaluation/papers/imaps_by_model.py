"""Maps of key information that a language model writes, with how their values are related: three runs, kept if in two.

One request has the maps of a question and of both answers, another one all their relations.
"""

from __future__ import annotations

from itertools import chain, product
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from medgraph.answers.generated import SEED
from medgraph.answers.pipelines.papers import rouge_l
from medgraph.answers.prompting import escaped, prompt
from medgraph.errors import ModelReplyError, RequestsWaitError
from medgraph.models.protocol import Request

from . import imaps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medgraph.linking.linker import Linker

    from .bench import Workbench
    from .imaps import Judged, Relations

    Texts = dict[str, list[str]]  # term → values

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
    texts = [imaps.as_text(label), imaps.as_text(response)]
    vectors = bench.assembly.encoder().encode(texts)
    return {
        BY_MODEL: imaps.score(label, response, by_model),
        AIDED: imaps.score(label, response, by_model | by_graph),
        BY_GRAPH: imaps.score(label, response, _same_words(label, response) | by_graph),
        UNLABELLED: len({*maps["query"]} & response.keys()) / max(1, len({*maps["query"]})),
        "ROUGE-L +imap, maps by the model": rouge_l(texts[1], texts[0]),
        "cosine +imap, maps by the model": float(vectors[0] @ vectors[1]),
    }


def _same_words(label: Texts, response: Texts) -> Relations:
    return {(one, one): imaps.SAME for term in label for one in label[term] if one in response.get(term, ())}


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
    related = imaps.relations_by_graph(mine, theirs, imaps.kinds_among(bench.assembly.database, mine, theirs))
    return {
        (one, other): related[meant[one][0], meant[other][0]]
        for term in label.keys() & response.keys()
        for one, other in product(label[term], response[term])
        if one in meant and other in meant and (meant[one][0], meant[other][0]) in related
    }


def _maps(bench: Workbench, one: Judged) -> dict[str, Any]:
    """Let the model write the maps of a question and of both answers."""
    texts = {"question": one.question, "first": one.label, "second": one.response}
    told = {name: escaped(text[:_LONG]) for name, text in texts.items()}
    runs: list[Maps] = _asked(bench, "imap_maps", Maps, told)
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
    runs: list[Pairs] = _asked(bench, "imap_relations", Pairs, told)
    said = [{(one.first, one.second, one.relation) for one in run.pairs} for run in runs]
    return [
        (named[one], named[other], kind)
        for one, other, kind in sorted(set().union(*said))
        if one in named and other in named and sum((one, other, kind) in run for run in said) >= AGREED
    ]


def _asked(bench: Workbench, name: str, schema: type[Any], told: Mapping[str, str]) -> list[Any]:
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
