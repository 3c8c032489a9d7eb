"""Pictures within pages: drawn where the screen is wide, a list with bars where it is narrow; links either way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flask import render_template, url_for
from markupsafe import Markup

from ..pictures import svg
from ..schema.vocabulary import ENTITY_LABELS

if TYPE_CHECKING:
    from ..pictures.graph import Edge, Node, Picture

    Rows = list[tuple[Edge, tuple[Node, ...]]]


def drawn(picture: Picture) -> Markup:
    """Draw a picture into a page, with relations in words."""
    edges = tuple(replace(edge, caption=worded(edge.caption)) for edge in picture.edges)
    nodes = tuple(replace(n, note=n.note.partition(" · ")[0]) if n.id == picture.centre else n for n in picture.nodes)
    plain = replace(picture, nodes=nodes, edges=edges)
    # Whatever is written in it was escaped where it was drawn.
    drawing = Markup(svg.draw(plain, standalone=False))  # noqa: S704
    return Markup(render_template("picture.html", drawing=drawing, picture=plain, groups=_stacked(plain)))  # noqa: S704


def worded(relation: str) -> str:
    """Write types of relations in words: `has symptom` for `HAS_SYMPTOM`."""
    return relation.replace("_", " ").lower()


def link(label: str, name: str) -> str:
    """Give the address of the page of a node of a picture; empty where it has none."""
    if label == "Section":
        return url_for("pages.page_section", name=name)
    return url_for("pages.page_entity", name=name) if label in ENTITY_LABELS or label == "Entity" else ""


def _stacked(picture: Picture) -> dict[str, Rows]:
    """Put arrows together by what they say: each with its far end, or with both where neither is the centre."""
    nodes = {node.id: node for node in picture.nodes}
    groups: dict[str, Rows] = {}
    for edge in picture.edges:
        ends = tuple(nodes[end] for end in (edge.source, edge.target) if end != picture.centre)
        about = picture.centre and edge.target == picture.centre and edge.caption
        heading = f"\u2026 {edge.caption} {nodes[picture.centre].caption}" if about else edge.caption
        groups.setdefault(heading, []).append((edge, ends))
    return groups
