"""Maps of key information (imap): terms with values, and the score of an answer's map against another's.

Without a language model a value is what the linker finds, and its term what kind of thing that is; names of one concept
are the same value, and the graph says which is a kind of which. A question's values are its constraint, an answer's
what it informs of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ...graph import catalogue
from ...schema.vocabulary import CONDITIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ...graph.database import Database
    from ...linking.linked import Linked
    from ...linking.linker import Linker

    Map = dict[str, dict[str, str]]
    """Term → concept → entity."""

    Kinds = Collection[tuple[str, str]]
    """Pairs of entities, the narrower and the broader."""

_TERMS: Final = {
    **dict.fromkeys(("Drug", "DrugClass", "Treatment", "Compound"), "treatment"),
    **dict.fromkeys(("Test",), "exams and tests"),
    "Anatomy": "part of the body",
    **dict.fromkeys((*CONDITIONS, "SideEffect", "Symptom", "Phenotype"), "condition"),
}
OTHER: Final = "other"


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


@dataclass(frozen=True, slots=True)
class TermScore:
    """How the values of a term agree.

    Attributes:
        label: The share of the label's values that are matched.
        response: The share of the response's.
        wider: The share of related pairs in which the label's value includes the response's.
    """

    label: float
    response: float
    wider: float


def term_scores(label: Map, response: Map, kinds: Kinds) -> dict[str, TermScore]:
    """Compare the terms that both have.

    The same value comes before belonging (the label's is a kind of the response's) before containment (the reverse).
    """
    return {term: _compared(label[term], response[term], kinds) for term in label if term in response}


def _compared(label: Mapping[str, str], response: Mapping[str, str], kinds: Kinds) -> TermScore:
    exact = label.keys() & response.keys()
    mine = {one: label[one] for one in label if one not in exact}
    theirs = {one: response[one] for one in response if one not in exact}
    belonging = {(one, other) for one, a in mine.items() for other, b in theirs.items() if (a, b) in kinds}
    containing = {(one, other) for one, a in mine.items() for other, b in theirs.items() if (b, a) in kinds}
    pairs = belonging | containing
    related = len(exact) + len(pairs)
    return TermScore(
        (len(exact) + len({one for one, _ in pairs})) / len(label),
        (len(exact) + len({other for _, other in pairs})) / len(response),
        len(containing - belonging) / related if related else 0.0,
    )


def score(label: Map, response: Map, kinds: Kinds) -> float:
    """Give the score of a response: the sum over terms that both have, over twice the label's terms.

    Returns:
        From -0.5 to 1; 0 where the label has no term.
    """
    told = term_scores(label, response, kinds).values()
    return sum(one.label + one.response - one.wider for one in told) / (2 * len(label)) if label else 0.0


def as_text(linker: Linker, text: str) -> str:
    """Write the map of a text as other metrics read it: terms with the names of their values."""
    held, found = linker.holdings, dict[str, dict[str, None]]()
    for linked in linker.text(text):
        found.setdefault(_term(linker, linked), {})[held.concept_name(linked.entity)] = None
    return ". ".join(f"{term}: {', '.join(values)}" for term, values in sorted(found.items()))
