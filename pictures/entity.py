"""Draws an entity with what stands around it, or its concept with the entities that stand for it and who says what."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from ..patterns import threshold
from ..schema.vocabulary import ENTITY_LABELS
from .graph import MORE, Edge, Node, Part, Picture, in_turns
from .relations import legend_of, line_of, noted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..queries.cards import Card, CardDocument, CardRelation
    from ..queries.concepts import ConceptCard
    from ..queries.meanings import Meaning, Member, RelationKind, Voice, VoicedRelation
    from .graph import Line, Link

# How many of each are drawn of a concept: groups of sources, entities in each, documents, what it is related to, and
# entities of one that nothing was joined at yet.
_OF_CONCEPT: Final = {"groups": 7, "members": 8, "documents": 5, "targets": 22, "entities": 8}
_SOURCES: Final = 3  # sources that a caption names; the others are counted
_SURE: Final = threshold("pictures.entity.sure")
# How many of each are drawn of an entity: kinds above and below, other relations to it and from it, and so on.
_OF_ENTITY: Final = {"above": 6, "below": 8, "to": 8, "from": 8, "concepts": 4, "others": 6, "documents": 8}
_FEW_NODES: Final = 40  # the sections of documents are drawn where there are no more nodes than this with them
# Direction, whether these are kinds, and what is left out of it.
_GROUPS: Final = {
    "above": ("out", True, "above it"),
    "below": ("in", True, "below it"),
    "to": ("in", False, "that point to it"),
    "from": ("out", False, "that it points to"),
}


class _Gathering:
    """A picture while it is gathered."""

    def __init__(self, link: Link | None) -> None:
        self._link = link
        self._nodes: dict[str, Node] = {}
        self._edges: dict[Edge, None] = {}

    def _join(self, source: str, target: str, caption: str, note: str = "", line: Line = "solid") -> None:
        self._edges.setdefault(Edge(source, target, caption, note, line))

    def _more(self, beside: str, what: str, left_out: int, *, before: bool = False, parts: Sequence[Part] = ()) -> None:
        if left_out > 0:
            key = f"{MORE} {what}"
            self._nodes[key] = Node(key, MORE, f"and {left_out:,} more", what, before=before, parts=tuple(parts))
            self._join(key, beside, "")


def picture_of_entity(card: Card, link: Link | None = None, *, sections: bool = True) -> Picture:
    """Draw an entity with what stands around it.

    Kinds above it, what else points to it, its concepts and other entities of these are on the left; what it points to,
    documents, their sections and kinds below it on the right. What is left out is counted. An entity that means the
    same as others, or of whose concept texts tell something, is drawn as this concept.

    Args:
        link: Gives a node's address; otherwise documents lead to their pages.
        sections: Whether to draw the sections of documents, where all fit in.
    """
    meaning = card.meaning
    if meaning and (len(meaning.members) > 1 or meaning.is_in_texts):
        return picture_of_concept(meaning, card.documents, name=card.name, link=link)
    return _Neighbourhood(card, link, sections).picture()


class _Neighbourhood(_Gathering):
    """One neighbourhood while it is gathered."""

    def __init__(self, card: Card, link: Link | None, sections: bool) -> None:
        super().__init__(link)
        self._card = card
        self._sections = sections

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
        kind = label or "Entity"
        key = f"{'Entity' if kind in ENTITY_LABELS else kind} {name}"  # ids are unique among nodes of one label
        href = self._link(kind, name) if self._link else page
        self._nodes.setdefault(key, Node(key, kind, caption, note or kind, href=href, before=before))
        return key

    def _related(self, centre: str, what: str, *, before: bool) -> None:
        direction, is_kind, where = _GROUPS[what]
        rows = [row for row in self._card.relations if _in_group(row, direction, is_kind)]
        total = sum(kind.count for kind in self._card.kinds if _in_group(kind, direction, is_kind))
        different = list({(row.relation, row.id): row for row in rows}.values())
        turns = in_turns(different, lambda row: row.relation)
        chosen = [different[place] for place in sorted(turns[: _OF_ENTITY[what]])]
        for row in chosen:
            other = self._add(row.id, row.label, row.name, before=before)
            ends = (centre, other) if direction == "out" else (other, centre)
            self._join(*ends, row.relation, line=line_of([row]))
        self._more(centre, where, len(different) - len(chosen) + total - len(rows), before=before)

    def _concepts(self, centre: str) -> None:
        card = self._card
        drawn = {}
        for row in card.concepts[: _OF_ENTITY["concepts"]]:
            note = _note("Concept", row.cui)
            drawn[row.cui] = self._add(row.cui, "Concept", row.name or row.cui, note=note, before=True)
            self._join(centre, drawn[row.cui], "HAS_CUI")
        self._more(centre, "concepts", card.counts.concepts - len(drawn), before=True)
        others = [row for row in card.same_concept if drawn.keys() & set(row.concepts)][: _OF_ENTITY["others"]]
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
        documents = card.documents[: _OF_ENTITY["documents"]]
        room = _FEW_NODES - len(self._nodes) - len(documents) - _OF_ENTITY["below"] - 2
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


def picture_of_concept(
    meaning: Meaning, documents: Sequence[CardDocument] = (), *, name: str = "", link: Link | None = None
) -> Picture:
    """Draw a concept with who says what of it.

    On the left stand the entities that stand for it, in a box for all that the same sources name, each with how it was
    joined, and documents. On the right stands what it is related to, each once, of each kind of relation what most
    sources and sections say; an edge tells the relation and who says so. What is left out is counted.

    Args:
        documents: Documents about it, the most important first.
        name: What was asked for, where that is not the concept's own name.
        link: Gives a node's address; otherwise documents lead to their pages.
    """
    return _Concept(meaning, documents, link).picture(name)


def picture_of_concept_card(card: ConceptCard) -> Picture:
    """Draw a concept that was asked for by its CUI.

    Where nothing was joined at it yet, it is on the left and on the right the entities that sources say stand for it,
    those that fit best. What is left out is counted.
    """
    return picture_of_concept(card.meaning, card.documents) if card.meaning else _stated(card)


def _stated(card: ConceptCard) -> Picture:
    centre = Node(card.cui, "Concept", card.name or card.cui, f"Concept · {card.cui}")
    nodes, edges = [centre], []
    for row in card.entities[: _OF_CONCEPT["entities"]]:
        node = Node(f"Entity {row.id}", row.label, row.name, f"{row.label} · {', '.join(row.sources)}")
        nodes.append(node)
        edges.append(Edge(node.id, centre.id, "HAS_CUI"))
    if (left_out := card.counts["entities"] - len(edges)) > 0:
        nodes.append(Node(MORE, MORE, f"and {left_out:,} more", "entities"))
        edges.append(Edge(MORE, centre.id, ""))
    return Picture(f"{card.name or card.cui} and what stands for it", tuple(nodes), tuple(edges), centre.id)


class _Concept(_Gathering):
    """The picture of one concept while it is gathered."""

    def __init__(self, meaning: Meaning, documents: Sequence[CardDocument], link: Link | None) -> None:
        super().__init__(link)
        self._meaning = meaning
        self._documents = documents

    def picture(self, name: str) -> Picture:
        """Gather it."""
        meaning = self._meaning
        note = " · ".join(dict.fromkeys(filter(None, (meaning.label or "Concept", meaning.id))))
        centre = Node(f"Concept {meaning.id}", "Concept", meaning.name, note)
        self._nodes[centre.id] = centre
        self._members(centre.id)
        self._about(centre.id)
        self._related(centre.id)
        legend = legend_of(edge for edge in self._edges if edge.note)
        name = name or meaning.name
        title = f"{name[:1].upper()}{name[1:]}: what sources say, and who says so"
        return Picture(title, tuple(self._nodes.values()), tuple(self._edges), centre.id, legend=legend)

    def _members(self, centre: str) -> None:
        groups = self._groups()
        for sources, members in groups[: _OF_CONCEPT["groups"]]:
            key = f"Sources {' '.join(sources)}"
            shown = members[: _OF_CONCEPT["members"]]
            parts = [Part(m.label, m.name, _how_joined(m), self._address(m.label, m.id)) for m in shown]
            if len(members) > len(shown):
                parts.append(Part(MORE, f"and {len(members) - len(shown):,} more"))
            full = ", ".join(sources)
            self._nodes[key] = Node(key, "Source", _few(sources), title=full, before=True, parts=tuple(parts))
            self._join(key, centre, "MEANS")
        left_out = sum(len(members) for _, members in groups[_OF_CONCEPT["groups"] :])
        self._more(centre, "entities of other sources", left_out, before=True)

    def _groups(self) -> list[tuple[tuple[str, ...], list[Member]]]:
        meaning = self._meaning
        naming: dict[str, dict[str, None]] = defaultdict(dict)
        for said in (*(said for said in meaning.told if said.name), *meaning.told):
            if said.name or said.entity not in naming:
                naming[said.entity][said.source] = None
        groups: dict[tuple[str, ...], list[Member]] = defaultdict(list)
        for member in sorted(meaning.members, key=lambda m: (m.method != "itself", -(m.score or 0), m.name, m.id)):
            groups[tuple(naming[member.id])].append(member)
        return sorted(groups.items(), key=lambda g: (g[1][0].method != "itself", -len(g[1]), g[0]))

    def _about(self, centre: str) -> None:
        shown = self._documents[: _OF_CONCEPT["documents"]]
        for row in shown:
            size = f"{len(row.sections)} section{'s' if len(row.sections) > 1 else ''}" if row.sections else ""
            note = ", ".join(filter(None, (row.collection or row.source, size)))
            key = f"Document {row.id}"
            href = self._address("Document", row.id) if self._link else row.url
            self._nodes[key] = Node(key, "Document", row.title, f"Document · {note}", href=href, before=True)
            self._join(key, centre, "ABOUT")
        self._more(centre, "documents", self._meaning.documents - len(shown), before=True)

    def _related(self, centre: str) -> None:
        """Draw what it is related to, kind by kind, each target once with all its relations that are drawn."""
        drawn: Counter[tuple[str, str]] = Counter()
        for row in _chosen(self._meaning.relations):
            key, label = f"Concept {row.concept}", row.label or "Entity"
            self._nodes.setdefault(key, Node(key, label, row.name, label, href=self._address(label, row.entity)))
            line = line_of([row])
            ends = (centre, key) if row.direction == "out" else (key, centre)
            self._join(*ends, row.relation, noted(line, _who(row.voices)), line)
            drawn[row.relation, row.direction] += 1
        parts, total = [], 0
        for kind in self._meaning.kinds:
            left_out = kind.count - drawn[kind.relation, kind.direction]
            if left_out > 0:
                to_it = "" if kind.direction == "out" else " to it"
                parts.append(Part(MORE, f"{kind.relation}{to_it}", f"{left_out:,}"))
                total += left_out
        self._more(centre, "relations", total, parts=parts)

    def _address(self, label: str, name: str) -> str:
        return self._link(label, name) if self._link and name else ""


def _chosen(rows: Sequence[VoicedRelation]) -> list[VoicedRelation]:
    turns = in_turns(rows, lambda row: (row.relation, row.direction))
    targets = dict.fromkeys(rows[place].concept for place in turns)
    kept = set(list(targets)[: _OF_CONCEPT["targets"]])
    return [row for row in rows if row.concept in kept]


def _how_joined(member: Member) -> str:
    """Say by what an entity came to its concept, and how sure that is where it is not certain."""
    sure = "" if member.score is None or member.score >= _SURE else f" {member.score:.2f}"
    return f"{'' if member.method == 'itself' else 'by '}{member.method}{sure}" if member.method else ""


def _who(voices: Iterable[Voice]) -> str:
    """Say which sources state a relation, and whose texts tell it in how many sections."""
    rows = list(voices)
    stated = list(dict.fromkeys(source for voice in rows if not voice.sections for source in voice.sources))
    told = list(dict.fromkeys(source for voice in rows if voice.sections for source in voice.sources))
    sections = sum(voice.sections for voice in rows)
    texts = f"{_few(told)} in {sections:,} section{'s' if sections > 1 else ''}" if told else ""
    return "; ".join(filter(None, (_few(stated), texts)))


def _few(sources: Sequence[str]) -> str:
    left_out = len(sources) - _SOURCES
    return ", ".join(sources[:_SOURCES]) + (f" and {left_out} more" if left_out > 0 else "")
