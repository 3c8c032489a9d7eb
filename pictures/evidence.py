"""Draws an answer as a graph: things asked about, things in quoted passages, and their relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .concept import LEGEND
from .graph import MORE, Edge, Node, Picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .graph import Line

    Link = Callable[[str, str], str]
    Row = Mapping[str, Any]

TITLE: Final = "What this answer names, and what the graph knows of it"

MOST: Final = 10  # things that are drawn for their relations to what is asked about, at most
# As long as there are no more things than this, those are drawn too that passages name and nothing relates.
FEW: Final = 6
_NAMED: Final[tuple[Line, str]] = ("dotted", "the passage names it; the graph has no relation between the two")

_NO_THING: Final = frozenset({"Topic", "Anatomy"})  # labels of what passages name by the way


def picture_of(rows: Sequence[Row], link: Link | None = None) -> Picture | None:
    """Draw what an answer tells.

    Args:
        rows: Rows of the query `answer_facts`, with who backs what (`backed`).
        link: Gives a node's address from its label and id, or an empty text; without it nothing is a link.

    Returns:
        What is asked about, in the middle where it is one thing, and what stands in a relation to it; an arrow tells
        the relations, who says so, and the numbers of the passages. None where there is nothing else than that.
    """
    related = [row for row in rows if row["said"]]
    chosen = related[:MOST]
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
    nodes = [_node(row, link) for row in centres]
    edges = [edge for row in chosen for edge in _edges(row)]
    leading = {edge.source for edge in edges if edge.target == centre}
    nodes += [_node(row, link, before=row["concept"] in leading) for row in (*others, *named)]
    edges += [
        Edge(centres[0]["concept"], row["concept"], "named in", _numbers(row["numbers"]), "dotted") for row in named
    ]
    if len(related) > MOST:
        nodes.append(Node(MORE, MORE, f"and {len(related) - MOST:,} more", "things named"))
        edges.append(Edge(nodes[0].id, MORE, ""))
    legend = tuple(row for row in (*LEGEND[:-1], _NAMED) if row[0] in {edge.line for edge in edges if edge.caption})
    return Picture(TITLE, tuple(nodes), tuple(edges), centre, legend=legend)


def _node(row: Row, link: Link | None, *, before: bool = False) -> Node:
    href = link(row["label"], row["entity"]) if link and row["entity"] else ""
    return Node(row["concept"], row["label"], row["name"], row["label"], href=href, before=before)


def _edges(row: Row) -> list[Edge]:
    """Draw an arrow for each direction of the relations between a thing and each that is asked about."""
    several: dict[tuple[str, str], list[Row]] = {}
    for voice in row["said"]:
        ends = (voice["about"], row["concept"])
        several.setdefault(ends if voice["forward"] else ends[::-1], []).append(voice)
    return [_edge(*ends, voices, row) for ends, voices in several.items()]


def _edge(source: str, target: str, voices: Sequence[Row], row: Row) -> Edge:
    backing = voices[0]["backing"]
    line: Line = "bold" if backing.corroborated else "solid" if backing.stated else "dashed"
    relations = ", ".join(dict.fromkeys(voice["relation"] for voice in voices))
    who = ", ".join(dict.fromkeys(source for voice in voices for source in voice["sources"]))
    note = " ".join(filter(None, (who, _numbers(row["numbers"]))))
    return Edge(source, target, relations, note, line, back=source == row["concept"])


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(f"[{number}]" for number in numbers)
