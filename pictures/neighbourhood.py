"""Draws the neighbourhood of an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..schema.vocabulary import ENTITY_LABELS
from . import concept
from .graph import MORE, Edge, Node, Picture, in_turns
from .relations import legend_of, line_of

if TYPE_CHECKING:
    from ..queries.cards import Card, CardRelation
    from ..queries.meanings import RelationKind
    from .graph import Line, Link

# How many of each are drawn: kinds above and below, other relations to it and from it, and so on.
MOST: Final = {"above": 6, "below": 8, "to": 8, "from": 8, "concepts": 4, "others": 6, "documents": 8}
_FEW_NODES: Final = 40  # the sections of documents are drawn where there are no more nodes than this with them
# Direction, whether these are kinds, and what is left out of it.
_GROUPS: Final = {
    "above": ("out", True, "above it"),
    "below": ("in", True, "below it"),
    "to": ("in", False, "that point to it"),
    "from": ("out", False, "that it points to"),
}


def picture_of(card: Card, link: Link | None = None, *, sections: bool = True) -> Picture:
    """Draw an entity with what stands around it.

    Kinds above it, what else points to it, its concepts and other entities of these are on the left; what it points to,
    documents, their sections and kinds below it on the right. What is left out is counted. An entity that means the
    same as others, or of whose concept texts tell something, is drawn as this concept.

    Args:
        link: Gives a node's address; otherwise documents lead to their pages.
        sections: Whether to draw the sections of documents, where all fit in.
    """
    meaning = card.meaning
    if meaning and (len(meaning.members) > 1 or meaning.is_told_by_texts):
        return concept.picture_of(meaning, card.documents, name=card.name, link=link)
    return _Neighbourhood(card, link, sections).picture()


class _Neighbourhood:
    """One neighbourhood while it is gathered."""

    def __init__(self, card: Card, link: Link | None, sections: bool) -> None:
        self._card = card
        self._sections = sections
        self._link = link
        self._nodes: dict[str, Node] = {}
        self._edges: dict[Edge, None] = {}

    def picture(self) -> Picture:
        """Gather it."""
        card = self._card
        sources = ", ".join(row.source for row in card.sources)
        centre = self._add(card.id, card.label, card.name, note=_note(card.label, sources))
        self._related(centre, "above", before=True)
        self._related(centre, "to", before=True)
        self._concepts(centre)
        self._related(centre, "from", before=False)
        self._documents(centre)
        self._related(centre, "below", before=False)
        title = f"{card.name[:1].upper()}{card.name[1:]} and what stands around it"
        legend = legend_of(edge for edge in self._edges if edge.line != "solid")
        return Picture(title, tuple(self._nodes.values()), tuple(self._edges), centre, legend=legend)

    def _add(
        self, name: str, label: str | None, caption: str, *, note: str = "", before: bool = False, page: str = ""
    ) -> str:
        """Add a node unless it is there already."""
        kind = label or "Entity"
        key = f"{'Entity' if kind in ENTITY_LABELS else kind} {name}"  # ids are unique among nodes of one label
        href = self._link(kind, name) if self._link else page
        self._nodes.setdefault(key, Node(key, kind, caption, note or kind, href=href, before=before))
        return key

    def _join(self, source: str, target: str, caption: str, line: Line = "solid") -> None:
        self._edges.setdefault(Edge(source, target, caption, line=line))

    def _more(self, beside: str, what: str, left_out: int, *, before: bool = False) -> None:
        """Add a node that tells how many were left out."""
        if left_out > 0:
            key = f"{MORE} {what}"
            self._nodes[key] = Node(key, MORE, f"and {left_out:,} more", what, before=before)
            self._edges.setdefault(Edge(key, beside, ""))

    def _related(self, centre: str, what: str, *, before: bool) -> None:
        direction, is_kind, where = _GROUPS[what]
        rows = [row for row in self._card.relations if _in_group(row, direction, is_kind)]
        total = sum(kind.count for kind in self._card.kinds if _in_group(kind, direction, is_kind))
        different = list({(row.relation, row.id): row for row in rows}.values())
        turns = in_turns(different, lambda row: row.relation)
        chosen = [different[place] for place in sorted(turns[: MOST[what]])]
        for row in chosen:
            other = self._add(row.id, row.label, row.name, before=before)
            ends = (centre, other) if direction == "out" else (other, centre)
            self._join(*ends, row.relation, line_of([row]))
        self._more(centre, where, len(different) - len(chosen) + total - len(rows), before=before)

    def _concepts(self, centre: str) -> None:
        card = self._card
        drawn = {}
        for row in card.concepts[: MOST["concepts"]]:
            note = _note("Concept", row.cui)
            drawn[row.cui] = self._add(row.cui, "Concept", row.name or row.cui, note=note, before=True)
            self._join(centre, drawn[row.cui], "HAS_CUI")
        self._more(centre, "concepts", card.counts.concepts - len(drawn), before=True)
        others = [row for row in card.same_concept if drawn.keys() & set(row.concepts)][: MOST["others"]]
        for same in others:
            note = _note(same.label, ", ".join(same.sources))
            other = self._add(same.id, same.label, same.name, note=note)
            for cui in same.concepts:
                if cui in drawn:
                    self._join(other, drawn[cui], "HAS_CUI")
        if others:
            first = next(drawn[cui] for cui in others[-1].concepts if cui in drawn)
            self._more(first, "of the same concepts", card.counts.same_concept - len(others))

    def _documents(self, centre: str) -> None:
        card = self._card
        documents = card.documents[: MOST["documents"]]
        room = _FEW_NODES - len(self._nodes) - len(documents) - MOST["below"] - 2
        fits = self._sections and sum(len(row.sections) for row in documents) <= room
        for row in documents:
            size = 0 if fits else len(row.sections)
            sections = f"{size} section{'s' if size > 1 else ''}" if size else ""
            about = ", ".join(filter(None, (row.collection or row.source, sections)))
            document = self._add(row.id, "Document", row.title, note=_note("Document", about), page=row.url)
            self._join(document, centre, "ABOUT")
            for section in row.sections if fits else ():
                name = section.type or section.heading or section.id
                added = self._add(section.id, "Section", name, note=section.question)
                self._join(document, added, "HAS_SECTION")
        self._more(centre, "documents", card.counts.documents - len(documents))


def _in_group(row: CardRelation | RelationKind, direction: str, is_kind: bool) -> bool:
    return row.direction == direction and (row.relation == "IS_A") is is_kind


def _note(label: str | None, about: str) -> str:
    return f"{label or 'Entity'} · {about}" if about else label or "Entity"
