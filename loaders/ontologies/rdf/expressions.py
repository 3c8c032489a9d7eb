"""Superclasses without a name: which relations they state, and why some state none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..term import IS_A, Link, word_of
from ..terms import NONE, PERHAPS
from .triples import OWL, RDF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .triples import Triples

_DEPTH: Final = 50
_COUNTS: Final = {
    f"{OWL}qualifiedCardinality": "cardinality",
    f"{OWL}minQualifiedCardinality": "minCardinality",
    f"{OWL}maxQualifiedCardinality": "maxCardinality",
}


def links_of(store: Triples, node: str, depth: int = 0) -> tuple[list[Link], str]:
    """Give what a superclass without a name states, and why some of it states nothing; empty if all does."""
    said = {row[1]: row[2] for row in store.of(node)}
    if f"{OWL}intersectionOf" in said and depth < _DEPTH:
        return _all_of(store, said[f"{OWL}intersectionOf"], depth)
    if found := restriction(store, node):
        return [found], ""
    if f"{OWL}complementOf" in said or "0" in {said.get(f"{OWL}{word}ualifiedCardinality") for word in ("q", "maxQ")}:
        return [], NONE
    return [], PERHAPS


def restriction(store: Triples, node: str) -> Link | None:
    """Read a restriction that says that there is something, with how many as notes; None for others."""
    said = {row[1]: row[2] for row in store.of(node)}
    predicate = said.get(f"{OWL}onProperty", "_:")
    filler = said.get(f"{OWL}someValuesFrom") or said.get(f"{OWL}onClass", "_:")
    counts = tuple((word, said[address]) for address, word in _COUNTS.items() if address in said)
    there_is = f"{OWL}someValuesFrom" in said or any(
        word != "maxCardinality" and count != "0" for word, count in counts
    )
    if predicate.startswith("_:") or filler.startswith("_:") or not there_is:
        return None
    return Link(word_of(predicate), filler, notes=counts)


def _all_of(store: Triples, node: str, depth: int) -> tuple[list[Link], str]:
    links, reasons = [], []
    for part in _list(store, node):
        found, why = links_of(store, part, depth + 1) if part.startswith("_:") else ([Link(IS_A, part)], "")
        links.extend(found)
        reasons.append(why)
    return links, max(reasons, default="")


def _list(store: Triples, node: str) -> Iterator[str]:
    seen = set()
    while node != f"{RDF}nil" and node not in seen:
        seen.add(node)
        said = {row[1]: row[2] for row in store.of(node)}
        if f"{RDF}first" in said:
            yield said[f"{RDF}first"]
        node = said.get(f"{RDF}rest", f"{RDF}nil")
