"""Draws relations with who says so: paths between things, what goes with a concept, and what an answer names."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..schema.vocabulary import ENTITY_LABELS, METAGRAPH, NODE_LABELS
from .graph import MORE, Edge, Node, Part, Picture, in_turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..queries.paths import PairPaths, PathEnd, PathNode
    from ..queries.subgraphs import Subgraph, SubgraphRelation
    from ..queries.voices import Backing, Standing
    from .graph import Line, Link

    Row = Mapping[str, Any]
    Joined = tuple[str, str, str]


class _Backed(Protocol):
    @property
    def backing(self) -> Backing: ...
    @property
    def standing(self) -> Standing: ...


# How a relation is drawn by who says so.
LEGEND: Final[tuple[tuple[Line, str], ...]] = (
    ("bold", "independent sources say it"),
    ("solid", "one source alone states it"),
    ("dashed", "texts of one source alone tell it"),
    ("dotted", "one uncurated table alone lists it"),
)
MOST_NEIGHBOURS: Final = 40  # things that are drawn beside the centre of a subgraph, at most
MOST_RELATED: Final = 10  # things that are drawn for their relations to what is asked about, at most
FEW: Final = 6  # as long as there are no more things than this, those are drawn too that passages name alone
_NAMED: Final[tuple[Line, str]] = ("dotted", "the passage names it; the graph has no relation between the two")
_NO_THING: Final = frozenset({"Topic", "Anatomy"})  # labels of what passages name by the way


def line_of(rows: Iterable[_Backed]) -> Line:
    """Choose how an arrow that stands for some relations is drawn, as the legend says."""
    several = list(rows)
    standings = {row.standing for row in several}
    if "corroborated" in standings:
        return "bold"
    if standings == {"listed"}:
        return "dotted"
    return "solid" if any(row.backing.stated for row in several) else "dashed"


def noted(line: Line, who: str) -> str:
    """Write who says what an arrow tells; what an uncurated table alone gives is labelled as listed."""
    return f"listed by {who}" if line == "dotted" else who


def legend_of(edges: Iterable[Edge]) -> tuple[tuple[Line, str], ...]:
    """Give the part of the legend that some arrows need."""
    drawn = {edge.line for edge in edges}
    return tuple(row for row in LEGEND if row[0] in drawn)


def picture_of_paths(pairs: Sequence[PairPaths], link: Link | None = None) -> Picture:
    """Draw paths: every thing once, in layers from the beginnings on the left to the ends on the right.

    An arrow tells the relations and who says so, and points where they lead.
    """
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], Edge] = {}
    for pair in pairs:
        for row in (pair.first, pair.second, *(node for path in pair.paths for node in path.nodes)):
            nodes.setdefault(row.id, _node(row, link))
        for path in pair.paths:
            for (one, other), hop in zip(itertools.pairwise(path.nodes), path.hops, strict=True):
                way = (one.id, other.id) if hop.forward else (other.id, one.id)
                relations, sources = ", ".join(hop.relations), ", ".join(hop.sources)
                edges.setdefault(way, Edge(*way, relations, sources, line_of([hop]), back=not hop.forward))
    ends = dict.fromkeys(end.name for pair in pairs for end in (pair.first, pair.second))
    remarks = tuple(pair.note for pair in pairs if pair.note)
    title = f"How these go together: {', '.join(ends)}"
    arrows = tuple(edges.values())
    return Picture(title, tuple(nodes.values()), arrows, remarks=remarks, legend=legend_of(arrows))


def _node(row: PathNode | PathEnd, link: Link | None, *, before: bool = False) -> Node:
    href = link(row.label, row.entity) if link and row.entity else ""
    return Node(row.id, row.label, row.name, row.label, href=href, before=before)


def picture_of_subgraph(subgraph: Subgraph, link: Link | None = None, *, most: int = MOST_NEIGHBOURS) -> Picture:
    """Draw what goes with a concept, and what that is a kind of, with who says so.

    The concept is in the middle, on the left what points to it, on the right what it points to, and beside that what it
    is a kind of; of each kind of relation the best, in turn. What an uncurated table alone lists is not drawn. An arrow
    tells the relations and who says so. What is left out for want of room is counted.
    """
    centre = subgraph.centre
    relations = [row for row in subgraph.relations if row.standing != "listed"]
    direct = [row for row in relations if row.hops == 1]
    turns = in_turns(direct, lambda row: row.relation)
    beside = list(dict.fromkeys(_other(direct[place], centre.id).id for place in turns))
    drawn = {centre.id, *beside[:most]}
    nodes = {centre.id: _node(centre, link)}
    edges: dict[tuple[str, str], list[SubgraphRelation]] = {}
    for row in relations:
        if row.hops == 1 and _other(row, centre.id).id in drawn:
            other = _other(row, centre.id)
            nodes.setdefault(other.id, _node(other, link, before=other is row.head))
        elif row.hops > 1 and row.head.id in drawn:
            nodes.setdefault(row.tail.id, _node(row.tail, link, before=nodes[row.head.id].before))
        else:
            continue
        edges.setdefault((row.head.id, row.tail.id), []).append(row)
    arrows = [_relations(rows) for rows in edges.values()]
    if len(beside) > most:
        nodes[MORE] = Node(MORE, MORE, f"and {len(beside) - most:,} more", "relations")
        arrows.append(Edge(centre.id, MORE, ""))
    title = f"{centre.name[:1].upper()}{centre.name[1:]} and what goes with it"
    remarks = (subgraph.note,) if subgraph.note else ()
    return Picture(title, tuple(nodes.values()), tuple(arrows), centre.id, remarks, legend_of(arrows))


def _other(row: SubgraphRelation, centre: str) -> PathNode:
    return row.tail if row.head.id == centre else row.head


def _relations(rows: Sequence[SubgraphRelation]) -> Edge:
    relations = dict.fromkeys(row.relation for row in rows)
    sources = dict.fromkeys(source for row in rows for voice in row.said for source in voice.sources)
    line = line_of(rows)
    return Edge(rows[0].head.id, rows[0].tail.id, ", ".join(relations), noted(line, ", ".join(sources)), line)


def picture_of_answer(rows: Sequence[Row], link: Link | None = None) -> Picture | None:
    """Draw what an answer tells: what is asked about, in the middle where it is one thing, and what is related to it.

    An arrow tells the relations, who says so, and the numbers of the passages. None where there is nothing else.

    Args:
        rows: Rows of the query `answer_facts`, with who backs what (`backed`).
    """
    related = [row for row in rows if row["said"]]
    chosen = related[:MOST_RELATED]
    ends = {voice["about"] for row in chosen for voice in row["said"]}
    asked = [row for row in rows if row["asked"]]
    ends |= {row["concept"] for row in chosen if row["asked"]} or {row["concept"] for row in asked[:1]}
    centres = [row for row in asked if row["concept"] in ends]
    named = [row for row in rows if not (row["said"] or row["asked"] or row["label"] in _NO_THING)]
    named = named[: max(0, FEW - len(chosen))] if centres else []
    others = [row for row in chosen if not row["asked"]]
    if not centres or len(centres) + len(others) + len(named) < 2:
        return None
    centre = centres[0]["concept"] if len(centres) == 1 else ""
    nodes = [_thing(row, link) for row in centres]
    edges = [edge for row in chosen for edge in _arrows(row)]
    leading = {edge.source for edge in edges if edge.target == centre}
    nodes += [_thing(row, link, before=row["concept"] in leading) for row in (*others, *named)]
    edges += [
        Edge(centres[0]["concept"], row["concept"], "named in", _numbers(row["numbers"]), "dotted") for row in named
    ]
    if len(related) > MOST_RELATED:
        nodes.append(Node(MORE, MORE, f"and {len(related) - MOST_RELATED:,} more", "things named"))
        edges.append(Edge(nodes[0].id, MORE, ""))
    legend = tuple(row for row in (*LEGEND[:-1], _NAMED) if row[0] in {edge.line for edge in edges if edge.caption})
    title = "What this answer names, and what the graph knows of it"
    return Picture(title, tuple(nodes), tuple(edges), centre, legend=legend)


def _thing(row: Row, link: Link | None, *, before: bool = False) -> Node:
    href = link(row["label"], row["entity"]) if link and row["entity"] else ""
    return Node(row["concept"], row["label"], row["name"], row["label"], href=href, before=before)


def _arrows(row: Row) -> list[Edge]:
    several: dict[tuple[str, str], list[Row]] = {}
    for voice in row["said"]:
        ends = (voice["about"], row["concept"])
        several.setdefault(ends if voice["forward"] else ends[::-1], []).append(voice)
    return [_arrow(*ends, voices, row) for ends, voices in several.items()]


def _arrow(source: str, target: str, voices: Sequence[Row], row: Row) -> Edge:
    backing = voices[0]["backing"]
    line: Line = "bold" if backing.corroborated else "solid" if backing.stated else "dashed"
    relations = ", ".join(dict.fromkeys(voice["relation"] for voice in voices))
    who = ", ".join(dict.fromkeys(source for voice in voices for source in voice["sources"]))
    note = " ".join(filter(None, (who, _numbers(row["numbers"]))))
    return Edge(source, target, relations, note, line, back=source == row["concept"])


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(f"[{number}]" for number in numbers)


ENTITY = "Entity"


def picture_of_contents(rows: Sequence[Row]) -> Picture:
    """Draw what the graph holds, as rows of the query `metagraph` count it.

    A node a label with its count, entities with their categories, and an edge for each relation and what it joins.
    """
    nodes = {row["source_label"]: f"{row['count']:,}" for row in rows if row["kind"] == "node"}
    parts = [
        Part(row["target_label"], row["target_label"], f"{row['count']:,}") for row in rows if row["kind"] == "category"
    ]
    relations = {
        (row["source_label"], row["relation"], row["target_label"]): row["count"]
        for row in rows
        if row["kind"] == "relation"
    }
    return Picture("What the graph holds", _nodes(nodes, parts), *_edges(relations))


def picture_of_schema() -> Picture:
    """Draw what the graph may hold, as the vocabulary declares it: the same picture without counts."""
    parts = [Part(label, label) for label in ENTITY_LABELS]
    nodes = _nodes(dict.fromkeys(NODE_LABELS, ""), parts)
    return Picture("What the graph may hold", nodes, *_edges(dict.fromkeys(METAGRAPH, 0)))


def _nodes(notes: dict[str, str], parts: Iterable[Part]) -> tuple[Node, ...]:
    known = [label for label in NODE_LABELS if label in notes]
    labels = [*known, *sorted(notes.keys() - set(known))]
    order = {label: number for number, label in enumerate(ENTITY_LABELS)}
    kinds = tuple(sorted(parts, key=lambda part: (order.get(part.label, len(order)), part.caption)))
    return tuple(
        Node(label, label, label, note=notes[label], parts=kinds if label == ENTITY else ()) for label in labels
    )


def _edges(relations: Mapping[Joined, int]) -> tuple[tuple[Edge, ...], str, tuple[str, ...]]:
    """Give the edges, no centre, and the lines that list what one edge stands for: many loops cannot be read."""
    order = {relation: number for number, relation in enumerate(METAGRAPH)}
    between: dict[tuple[str, str], list[Joined]] = defaultdict(list)
    for joined in sorted(relations, key=lambda joined: (order.get(joined, len(order)), joined)):
        between[joined[0], joined[2]].append(joined)
    edges: list[Edge] = []
    remarks: list[str] = []
    for (source, target), joining in between.items():
        caption = joining[0][1] if len(joining) == 1 else f"{len(joining)} relations, see below"
        edges.append(Edge(source, target, caption, _number(sum(relations[joined] for joined in joining))))
        if len(joining) > 1:
            remarks.append(f"{source} to {target}: {_listed(joining, relations)}")
    return tuple(edges), "", tuple(remarks)


def _listed(joining: Sequence[Joined], relations: Mapping[Joined, int]) -> str:
    """List relations, the most frequent first; no line will end between one and its count."""
    ordered = sorted(joining, key=lambda joined: -relations[joined])
    return " · ".join(f"{joined[1]}\u00a0{_number(relations[joined])}".rstrip() for joined in ordered)


def _number(count: int) -> str:
    return f"{count:,}" if count else ""
