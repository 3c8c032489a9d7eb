"""The pages for people: the first one, a section with its quoted span, an entity, the routes; and their pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, render_template, request, url_for
from markupsafe import Markup

from ..errors import MedgraphError
from ..pictures import neighbourhood, palette, subgraph, svg
from ..queries import relation_sentences
from ..queries.cards import property_texts
from ..queries.salience import stem
from ..queries.voices import apart
from ..schema.vocabulary import ENTITY_LABELS
from ..text import asked_plainly
from . import openapi, problems
from .resources.entities import EntityRequest, SimilarRequest, entity, similar
from .resources.sources import SectionRequest, section
from .routes import ROUTES, service

if TYPE_CHECKING:
    from ..pictures.graph import Edge, Node, Picture
    from ..queries.cards import CardRelation
    from ..queries.meanings import RelationKind
    from ..queries.voices import Standing
    from .overview import Overview

    Rows = list[tuple[Edge, tuple[Node, ...]]]

FEW: Final = 7
"""Things around one that the first page draws."""

_WORD: Final = re.compile(r"\w{4,}")

pages = Blueprint("pages", __name__)
pages.add_app_template_filter(relation_sentences.unjoined, "unjoined")
pages.add_app_template_filter(asked_plainly, "asked")
pages.add_app_template_filter(apart, "apart")


@pages.app_template_test("web")
def is_web(url: str) -> bool:
    """Tell addresses of pages from scripts and the like: a document's url is whatever its source says."""
    return url.lower().startswith(("http://", "https://"))


@pages.app_template_filter("in_browser")
def in_browser(cypher: str) -> str:
    """Make an address that opens a statement in Neo4j Browser; empty where no Browser is known."""
    browser: str = current_app.extensions["medgraph-options"].browser
    # Browser decodes the whole address before it takes it apart, so these would cut the statement short; where they can
    # stand, in strings, Cypher reads escapes.
    for special in "%#&+?":
        cypher = cypher.replace(special, f"\\u{ord(special):04x}")
    return f"{browser}{'&' if '?' in browser else '?'}{urlencode({'cmd': 'edit', 'arg': cypher})}" if browser else ""


@pages.app_template_filter("said_of")
def said_of(kind: RelationKind, label: str, standing: Standing) -> str:
    """Write what stands over relations of one kind, such as `Symptoms of it include …`; `label` is of the first."""
    told, sentence = relation_sentences.saying(kind.relation, kind.direction, label or "")
    if standing == "listed":
        return f"What one uncurated table alone lists under {told} for it"
    lead = "According to one source alone, " if standing == "single" else ""
    return relation_sentences.say(sentence, "it", ["\u2026"], lead=lead).rstrip(".")


@pages.app_template_filter("details")
def details(row: CardRelation) -> str:
    """Say in brief what a source adds to a relation."""
    return "; ".join(row.details())


@pages.get("/picture.css")
def picture_style() -> Response:
    """Give the colours of pictures."""
    return Response(palette.stylesheet(), content_type="text/css")


@pages.app_template_filter("marked")
def marked(text: str, question: str) -> Markup:
    """Mark the words of a question in a text, in any form that begins alike."""
    stems = {re.escape(stem(word)) for word in _WORD.findall(question)}
    parts = re.split(rf"\b((?:{'|'.join(sorted(stems))})\w*)", text, flags=re.IGNORECASE) if stems else [text]
    return Markup().join(Markup("<mark>{}</mark>").format(part) if n % 2 else part for n, part in enumerate(parts))


@pages.get("/")
def page() -> str:
    """Show the page to begin on."""
    overview = _overview()
    return render_template("home.html", overview=overview, around=_around(overview), notice=service().notice)


@pages.get("/sources")
def page_sources() -> str:
    """Show what is loaded."""
    return render_template("sources.html", sources=service().sources())


@pages.get("/sections/<id:name>")
def page_section(name: str) -> str:
    """Show a section, with the quoted span marked."""
    found = section(service(), SectionRequest(id=name))
    text = found.text
    start, end = (min(max(request.args.get(key, 0, type=int), 0), len(text)) for key in ("start", "end"))
    if end < start:
        start = end = 0
    return render_template("section.html", section=found, before=text[:start], quote=text[start:end], after=text[end:])


@pages.get("/entities/<id:name>")
def page_entity(name: str) -> str:
    """Show what is known about an entity."""
    card = entity(service(), EntityRequest(id=name))
    picture = drawn(neighbourhood.picture_of(card, link, sections=False))
    texts = property_texts(card.properties)
    alike, unlike = None, ""
    try:
        alike = similar(service(), SimilarRequest(id=card.id))
    except MedgraphError as error:
        _, unlike = problems.status_of(error)
    return render_template("entity.html", entity=card, picture=picture, properties=texts, similar=alike, unlike=unlike)


@pages.get("/docs")
def page_docs() -> str:
    """Show what programs can ask for."""
    return render_template("docs.html", api=openapi.document(ROUTES))


def _around(overview: Overview | None) -> Markup | None:
    """Draw what goes with the thing that the first example asks about."""
    if overview is None or not overview.examples:
        return None
    try:
        found = service().entities(overview.examples[0], 1)
        some = service().subgraph(found[0].id, limit=2) if found else None
    except MedgraphError as error:
        problems.status_of(error)  # which logs it
        return None
    return drawn(subgraph.picture_of(replace(some, note=""), link, most=FEW)) if some and some.relations else None


def _overview() -> Overview | None:
    """Look up what is loaded; without it there still is the page to ask on, which tells what is wrong."""
    try:
        return service().overview()
    except MedgraphError as error:
        problems.status_of(error)  # which logs it
        return None


_TYPE: Final = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")


def drawn(picture: Picture) -> Markup:
    """Draw a picture into a page, without ids and with relations in words."""
    edges = tuple(replace(edge, caption=worded(edge.caption).lower()) for edge in picture.edges)
    nodes = tuple(_plain(node, node.id == picture.centre) for node in picture.nodes)
    plain = replace(picture, nodes=nodes, edges=edges, remarks=tuple(map(worded, picture.remarks)))
    # Whatever is written in it was escaped where it was drawn.
    drawing = Markup(svg.draw(plain, standalone=False))  # noqa: S704
    return Markup(render_template("picture.html", drawing=drawing, picture=plain, groups=_stacked(plain)))  # noqa: S704


@pages.app_template_filter("worded")
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
