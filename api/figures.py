"""Pictures within pages: drawn where the screen is wide, a list with bars where it is narrow; links either way."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from flask import render_template, url_for
from markupsafe import Markup

from ..pictures import svg
from ..schema.vocabulary import ENTITY_LABELS

_TYPE: Final = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")

if TYPE_CHECKING:
    from ..pictures.graph import Edge, Node, Picture

    Rows = list[tuple[Edge, tuple[Node, ...]]]


def drawn(picture: Picture) -> Markup:
    """Draw a picture into a page, without ids and with relations in words."""
    edges = tuple(replace(edge, caption=worded(edge.caption).lower()) for edge in picture.edges)
    nodes = tuple(_plain(node, node.id == picture.centre) for node in picture.nodes)
    plain = replace(picture, nodes=nodes, edges=edges, remarks=tuple(map(worded, picture.remarks)))
    # Whatever is written in it was escaped where it was drawn.
    drawing = Markup(svg.draw(plain, standalone=False))  # noqa: S704
    return Markup(render_template("picture.html", drawing=drawing, picture=plain, groups=_stacked(plain)))  # noqa: S704


def worded(text: str) -> str:
    """Write the types of relations in a text in words: `has symptom` for `HAS_SYMPTOM`."""
    return _TYPE.sub(lambda found: found[0].replace("_", " ").lower(), text)


def link(label: str, name: str) -> str:
    """Give the address of the page of a node of a picture; empty where it has none."""
    if label == "Section":
        return url_for("pages.page_section", name=name)
    return url_for("pages.page_entity", name=name) if label in ENTITY_LABELS or label == "Entity" else ""


def _plain(node: Node, is_centre: bool) -> Node:
    parts = tuple(replace(part, caption=worded(part.caption)) for part in node.parts)
    return replace(node, parts=parts, note=node.note.partition(" \u00b7 ")[0] if is_centre else node.note)


def _stacked(picture: Picture) -> dict[str, Rows]:
    """Put arrows together by what they say, each with its far end, or with both; last those of the left side."""
    nodes = {node.id: node for node in picture.nodes}
    groups: dict[str, Rows] = {}
    for edge in picture.edges:
        ends = tuple(nodes[end] for end in (edge.source, edge.target) if end != picture.centre)
        about = picture.centre and edge.target == picture.centre and edge.caption
        heading = f"\u2026 {edge.caption} {nodes[picture.centre].caption}" if about else edge.caption
        groups.setdefault(heading, []).append((edge, ends))
    return dict(sorted(groups.items(), key=lambda group: any(n.before for _, ends in group[1] for n in ends)))
