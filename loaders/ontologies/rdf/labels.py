"""Texts that stand in nodes of their own: those of oboInOwl's old converters, labels of SKOS-XL, notes of SKOS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..term import word_of
from .triples import RDF, RDFS

if TYPE_CHECKING:
    from ..term import Notes
    from .fast import Row
    from .triples import Triples

_OIO: Final = "http://www.geneontology.org/formats/oboInOwl#"
_XL: Final = "http://www.w3.org/2008/05/skos-xl#"
_URI: Final = f"{_OIO}hasURI"
_TEXT: Final = (f"{_XL}literalForm", f"{RDF}value", f"{RDFS}label", _URI)
_KINDS: Final = {*(f"{_OIO}{word}" for word in ("Synonym", "Definition", "DbXref")), f"{_XL}Label"}
_SOURCES: Final = {f"{_OIO}hasDbXref", f"{_OIO}xref", f"{_OIO}source", "http://purl.org/dc/terms/source"}


@dataclass(frozen=True, slots=True)
class Label:
    """What a node says.

    Attributes:
        text: Its text.
        language: The language of that; empty where the file does not say.
        xrefs: Where it comes from.
        kind: The type of a synonym.
        notes: What else: pairs of a property and a value.
    """

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
