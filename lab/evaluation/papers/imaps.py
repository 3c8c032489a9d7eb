"""Maps of key information (imap): terms with values, and the score of an answer's map against another's.

Without a language model a value is what the linker finds, and its term what kind of thing that is; names of one concept
are the same value, and the graph says which is a kind of which. A question's values are its constraint, an answer's
what it informs of.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from medgraph.graph import catalogue
from medgraph.schema.vocabulary import CONDITIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from medgraph.graph.database import Database
    from medgraph.linking.linked import Linked
    from medgraph.linking.linker import Linker

    Map = dict[str, dict[str, str]]  # term → concept → entity
    Values = Mapping[str, Collection[str]]  # term → values
    Kinds = Collection[tuple[str, str]]  # pairs of entities, the narrower and the broader
    # How a value of the label is related to one of the response: `SAME`, or the label's is `NARROWER` or `BROADER`.
    Relations = dict[tuple[str, str], str]

_TERMS: Final = {
    **dict.fromkeys(("Drug", "DrugClass", "Treatment", "Compound"), "treatment"),
    **dict.fromkeys(("Test",), "exams and tests"),
    "Anatomy": "part of the body",
    **dict.fromkeys((*CONDITIONS, "SideEffect", "Symptom", "Phenotype"), "condition"),
}
OTHER: Final = "other"
SAME, NARROWER, BROADER = "same", "narrower", "broader"


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


def term_scores(label: Values, response: Values, relations: Relations) -> dict[str, TermScore]:
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


def score(label: Values, response: Values, relations: Relations) -> float:
    """Give the score of a response: the sum over terms that both have, over twice the label's terms.

    Returns:
        From -0.5 to 1; 0 where the label has no term.
    """
    told = term_scores(label, response, relations).values()
    return sum(one.label + one.response - one.wider for one in told) / (2 * len(label)) if label else 0.0


def as_text(values: Values) -> str:
    """Write a map as other metrics read it."""
    return ". ".join(f"{term}: {', '.join(some)}" for term, some in sorted(values.items()))


def names_of(linker: Linker, text: str) -> Values:
    """Find the values of a text by their terms, called as their concepts are."""
    found: dict[str, dict[str, None]] = {}
    for linked in linker.text(text):
        found.setdefault(_term(linker, linked), {})[linker.holdings.concept_name(linked.entity)] = None
    return found
