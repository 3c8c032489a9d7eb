"""A concept as a picture: the entities that stand for it, and what is said of it by whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from .graph import MORE, Edge, Node, Part, Picture, in_turns
from .relations import legend_of, line_of, noted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..queries.cards import CardDocument
    from ..queries.concepts import ConceptCard
    from ..queries.meanings import Meaning, Member, Voice, VoicedRelation
    from .graph import Line, Link

# How many of each are drawn: groups of sources, entities in each, documents, what it is related to, and entities of a
# concept that nothing was joined at yet.
MOST: Final = {"groups": 7, "members": 8, "documents": 5, "targets": 22, "entities": 8}


_SOURCES: Final = 3  # sources that a caption names; the others are counted
_SURE: Final = 0.995  # A score from which on it is not told: it would be written as 1.00


def picture_of(
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


def picture_of_card(card: ConceptCard) -> Picture:
    """Draw a concept that was asked for by its CUI.

    Where nothing was joined at it yet, it is on the left and on the right the entities that sources say stand for it,
    those that fit best. What is left out is counted.
    """
    return picture_of(card.meaning, card.documents) if card.meaning else _stated(card)


def _stated(card: ConceptCard) -> Picture:
    centre = Node(card.cui, "Concept", card.name or card.cui, f"Concept · {card.cui}")
    nodes, edges = [centre], []
    for row in card.entities[: MOST["entities"]]:
        node = Node(f"Entity {row.id}", row.label, row.name, f"{row.label} · {', '.join(row.sources)}")
        nodes.append(node)
        edges.append(Edge(node.id, centre.id, "HAS_CUI"))
    if (left_out := card.counts["entities"] - len(edges)) > 0:
        nodes.append(Node(MORE, MORE, f"and {left_out:,} more", "entities"))
        edges.append(Edge(MORE, centre.id, ""))
    return Picture(f"{card.name or card.cui} and what stands for it", tuple(nodes), tuple(edges), centre.id)


class _Concept:
    """The picture of one concept while it is gathered."""

    def __init__(self, meaning: Meaning, documents: Sequence[CardDocument], link: Link | None) -> None:
        self._meaning = meaning
        self._documents = documents
        self._link = link
        self._nodes: dict[str, Node] = {}
        self._edges: list[Edge] = []

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
        """Draw the entities that stand for it, those that the same sources name in one box."""
        groups = self._groups()
        for sources, members in groups[: MOST["groups"]]:
            key = f"Sources {' '.join(sources)}"
            shown = members[: MOST["members"]]
            parts = [Part(m.label, m.name, _how_joined(m), self._address(m.label, m.id)) for m in shown]
            if len(members) > len(shown):
                parts.append(Part(MORE, f"and {len(members) - len(shown):,} more"))
            full = ", ".join(sources)
            self._nodes[key] = Node(key, "Source", _few(sources), title=full, before=True, parts=tuple(parts))
            self._edges.append(Edge(key, centre, "MEANS"))
        left_out = sum(len(members) for _, members in groups[MOST["groups"] :])
        self._more(centre, "entities of other sources", left_out, before=True)

    def _groups(self) -> list[tuple[tuple[str, ...], list[Member]]]:
        """Gather entities by the sources that name them: first where the others were joined to, then the most."""
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
        shown = self._documents[: MOST["documents"]]
        for row in shown:
            size = f"{len(row.sections)} section{'s' if len(row.sections) > 1 else ''}" if row.sections else ""
            note = ", ".join(filter(None, (row.collection or row.source, size)))
            key = f"Document {row.id}"
            href = self._address("Document", row.id) if self._link else row.url
            self._nodes[key] = Node(key, "Document", row.title, f"Document · {note}", href=href, before=True)
            self._edges.append(Edge(key, centre, "ABOUT"))
        self._more(centre, "documents", self._meaning.documents - len(shown), before=True)

    def _related(self, centre: str) -> None:
        """Draw what it is related to, kind by kind, each target once with all its relations that are drawn."""
        drawn: Counter[tuple[str, str]] = Counter()
        for row in _chosen(self._meaning.relations):
            key, label = f"Concept {row.concept}", row.label or "Entity"
            self._nodes.setdefault(key, Node(key, label, row.name, label, href=self._address(label, row.entity)))
            line = line_of([row])
            self._join(centre, key, row.direction, row.relation, noted(line, _who(row.voices)), line)
            drawn[row.relation, row.direction] += 1
        parts, total = [], 0
        for kind in self._meaning.kinds:
            left_out = kind.count - drawn[kind.relation, kind.direction]
            if left_out > 0:
                to_it = "" if kind.direction == "out" else " to it"
                parts.append(Part(MORE, f"{kind.relation}{to_it}", f"{left_out:,}"))
                total += left_out
        self._more(centre, "relations", total, parts=parts)

    def _join(self, centre: str, other: str, direction: str, relation: str, who: str, line: Line) -> None:
        ends = (centre, other) if direction == "out" else (other, centre)
        self._edges.append(Edge(*ends, relation, who, line))

    def _more(self, centre: str, what: str, left_out: int, *, before: bool = False, parts: Sequence[Part] = ()) -> None:
        if left_out > 0:
            key = f"{MORE} {what}"
            self._nodes[key] = Node(key, MORE, f"and {left_out:,} more", what, before=before, parts=tuple(parts))
            self._edges.append(Edge(key, centre, ""))

    def _address(self, label: str, name: str) -> str:
        return self._link(label, name) if self._link and name else ""


def _chosen(rows: Sequence[VoicedRelation]) -> list[VoicedRelation]:
    """Choose relations of each kind in turn, the best supported first, and all others to the same targets."""
    turns = in_turns(rows, lambda row: (row.relation, row.direction))
    targets = dict.fromkeys(rows[place].concept for place in turns)
    kept = set(list(targets)[: MOST["targets"]])
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
