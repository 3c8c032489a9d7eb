"""Reads nodes without an address: texts of old converters, SKOS and SKOS-XL; superclasses that are expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..term import IS_A, Link, word_of
from ..terms import NONE, PERHAPS
from .triples import OWL, RDF, RDFS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..term import Notes
    from .triples import Row, Triples

_OIO: Final = "http://www.geneontology.org/formats/oboInOwl#"
_XL: Final = "http://www.w3.org/2008/05/skos-xl#"
_URI: Final = f"{_OIO}hasURI"
_TEXT: Final = (f"{_XL}literalForm", f"{RDF}value", f"{RDFS}label", _URI)
_KINDS: Final = {*(f"{_OIO}{word}" for word in ("Synonym", "Definition", "DbXref")), f"{_XL}Label"}
_SOURCES: Final = {f"{_OIO}hasDbXref", f"{_OIO}xref", f"{_OIO}source", "http://purl.org/dc/terms/source"}
_DEPTH: Final = 50
_COUNTS: Final = {
    f"{OWL}qualifiedCardinality": "cardinality",
    f"{OWL}minQualifiedCardinality": "minCardinality",
    f"{OWL}maxQualifiedCardinality": "maxCardinality",
}


@dataclass(frozen=True, slots=True)
class Label:
    """What a node says: its text and language, where it comes from, the type of a synonym, and notes."""

    text: str
    language: str
    xrefs: tuple[str, ...]
    kind: str
    notes: Notes


def label_of(store: Triples, node: str) -> Label | None:
    """Read the node that an annotation points to in place of a text; None where it is no text."""
    rows = store.of(node)
    is_text = node.startswith("_:") or any(row[2] in _KINDS for row in rows)
    texts = [row for row in rows if row[1] in (_TEXT if is_text else _TEXT[:2]) and (row[3] or row[1] == _URI)]
    if not texts:
        return None
    first = min(texts, key=lambda row: (_TEXT.index(row[1]), row[2]))
    kind, xrefs, notes = "", [], []
    for row in sorted(rows):
        if row[1] == f"{_OIO}hasSynonymType":
            kind = row[2]
        elif row[1] in _SOURCES:
            xrefs.append(text_of(store, row))
        elif row[3] and row != first and row[1] != _URI:
            notes.append((word_of(row[1]), row[2]))
    return Label(first[2], first[4], tuple(filter(None, xrefs)), kind, tuple(notes))


def text_of(store: Triples, row: Row) -> str:
    """Give what a statement says, be it in a node of its own; nothing for a node without a text."""
    found = None if row[3] else label_of(store, row[2])
    return found.text if found else "" if row[2].startswith("_:") and not row[3] else row[2]


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
