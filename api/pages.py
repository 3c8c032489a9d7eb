"""The pages for people but that of an answer: the first one, sections, entities, search, paths, saved queries."""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, current_app, render_template, request, url_for
from markupsafe import Markup

from ..errors import InputError, MedgraphError
from ..pictures import palette, svg
from ..pictures.entity import picture_of_entity
from ..pictures.relations import picture_of_paths, picture_of_subgraph
from ..queries import relation_sentences
from ..queries.cards import CardRelation, property_texts
from ..queries.find import MATCHED
from ..queries.lucene import all_words, content_words
from ..queries.relation_sentences import kinds
from ..queries.salience import stem
from ..queries.saved import saved_queries, shown, values_of
from ..queries.voices import Standing, apart
from ..schema.vocabulary import ENTITY_LABELS
from ..text import plain_question
from . import problems
from .request import from_address
from .resources.entities import (
    EntitiesRequest,
    EntityRequest,
    PathsRequest,
    SimilarRequest,
    SubgraphRequest,
    entities,
    entity,
    paths,
    similar,
    subgraph,
)
from .resources.search import SearchRequest, search
from .resources.sources import SectionRequest, section
from .routes import ROUTES, document, service

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..graph.database import Row
    from ..pictures.graph import Edge, Node, Picture
    from ..queries.meanings import RelationKind
    from ..queries.subgraphs import Subgraph
    from .service import Overview

# Things around one that the first page draws.
FEW: Final = 7
_SHORT: Final = 3  # letters of a word of which longer ones are no forms, such as `red` of `reduce`

pages = Blueprint("pages", __name__)
pages.add_app_template_filter(relation_sentences.unjoined, "unjoined")
pages.add_app_template_filter(plain_question, "asked")
pages.add_app_template_filter(shown)
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


@pages.app_template_filter("relation_heading")
def relation_heading(kind: RelationKind, label: str, standing: Standing) -> str:
    """Write what stands over relations of one kind, such as `Symptoms of it include …`; `label` is of the first."""
    told, sentence = relation_sentences.saying(kind.relation, kind.direction, label or "")
    if standing == "listed":
        return f"What one uncurated table alone lists under {told} for it"
    lead = "According to one source alone, " if standing == "single" else ""
    return relation_sentences.write_sentence(sentence, "it", ["\u2026"], lead=lead).rstrip(".")


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
    """Mark what a question tells in a text: short words in both numbers, others in any form that begins alike."""
    forms = {_form(stem(word)) for word in content_words(all_words(question))}
    parts = re.split(rf"\b({'|'.join(sorted(forms))})", text, flags=re.IGNORECASE) if forms else [text]
    return Markup().join(Markup("<mark>{}</mark>").format(part) if n % 2 else part for n, part in enumerate(parts))


def _form(root: str) -> str:
    short = root.removesuffix("s") if len(root) == _SHORT + 1 else root
    return re.escape(short) + (r"s?\b" if len(short) <= _SHORT else r"\w*")


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
    picture = drawn(picture_of_entity(card, link, sections=False))
    texts = property_texts(card.properties)
    alike = None
    with suppress(MedgraphError):  # such as for want of vectors
        alike = similar(service(), SimilarRequest(id=card.id))
    return render_template("entity.html", entity=card, picture=picture, properties=texts, similar=alike)


@pages.get("/docs")
def page_docs() -> str:
    """Show what programs can ask for."""
    return render_template("docs.html", api=document(ROUTES))


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
    return drawn(picture_of_subgraph(replace(some, note=""), link, most=FEW)) if some and some.relations else None


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


def _stacked(picture: Picture) -> dict[str, list[tuple[Edge, tuple[Node, ...]]]]:
    """Put arrows together by what they say, each with its far end, or with both; last those of the left side."""
    nodes = {node.id: node for node in picture.nodes}
    groups: dict[str, list[tuple[Edge, tuple[Node, ...]]]] = {}
    for edge in picture.edges:
        ends = tuple(nodes[end] for end in (edge.source, edge.target) if end != picture.centre)
        about = picture.centre and edge.target == picture.centre and edge.caption
        heading = f"\u2026 {edge.caption} {nodes[picture.centre].caption}" if about else edge.caption
        groups.setdefault(heading, []).append((edge, ends))
    return dict(sorted(groups.items(), key=lambda group: any(n.before for _, ends in group[1] for n in ends)))


Wanted = dict[str, list[str]]  # parameters of the address that are filled in
SECTIONS: Final = 6  # sections that a sentence on relations links to, at most
FOUND: Final = 25  # entities that are listed for a name at once


def _shows(template: str) -> Callable[[Callable[[Wanted, dict[str, Any]], None]], Callable[[], tuple[str, int]]]:
    """Make a page of a function that fills in what a template shows; where it raises, the page tells the problem."""

    def page_of(look: Callable[[Wanted, dict[str, Any]], None]) -> Callable[[], tuple[str, int]]:
        @wraps(look)
        def page() -> tuple[str, int]:
            shown: dict[str, Any] = {"problem": None}
            status = 200
            try:
                look(_wanted(), shown)
            except MedgraphError as error:
                status, shown["problem"] = problems.status_of(error)
            return render_template(template, **shown), status

        return page

    return page_of


@pages.get("/search")
@_shows("search.html")
def page_search(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page to search on, with what was found."""
    shown.update(asked={name: values[0] for name, values in wanted.items()}, choices={})
    shown["choices"] = service().choices()
    if "q" in wanted:
        shown["results"] = search(service(), from_address({}, wanted, SearchRequest))


@pages.get("/entities")
@_shows("entities.html")
def page_entities(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page to look entities up on, with what was found."""
    shown.update(name=wanted.get("q", [""])[0], how=MATCHED, found=None, size=FOUND)
    if "q" in wanted:
        shown["asked"] = asked = from_address({}, wanted | {"limit": [str(FOUND)]}, EntitiesRequest)
        shown["found"] = found = entities(service(), asked)
        shown["nearly"] = "" if found.entities else service().called_nearly(asked.q)


@pages.get("/paths")
@_shows("paths.html")
def page_paths(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page that tells how things go together, with the paths between them."""
    shown.update(names=wanted.get("name", []), question=wanted.get("question", [""])[0])
    if len(shown["names"]) == 1:
        raise InputError("name a second thing, too: paths lead from one to another, as from gout to uric acid")
    if shown["names"]:
        shown["pairs"] = pairs = paths(service(), from_address({}, wanted, PathsRequest)).pairs
        shown["picture"] = drawn(picture_of_paths(pairs, link)) if any(pair.paths for pair in pairs) else None


@pages.get("/subgraph")
@_shows("subgraph.html")
def page_subgraph(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page that tells what goes with a condition, in words and as a picture."""
    shown.update(name=wanted.get("name", [""])[0], kind=wanted.get("type", [""])[0], kinds=list(kinds()))
    if shown["name"]:
        shown["found"] = found = subgraph(service(), from_address({}, wanted, SubgraphRequest))
        shown["told"] = _sentences_by_kind(found)
        shown["picture"] = drawn(picture_of_subgraph(found, link)) if found.relations else None


def _sentences_by_kind(found: Subgraph) -> list[tuple[str, list[dict[str, Any]]]]:
    """Put sentences together by kind, each with the sections that tell it, and whether it only says a kind of what."""
    several: dict[str, list[dict[str, Any]]] = {}
    for sentence in found.sentences:
        rows = [found.relations[place] for place in sentence.relations]
        voices = (voice for row in rows for voice in row.said if voice.method != "stated")
        sections = tuple(dict.fromkeys(section for voice in voices for section in voice.evidence))[:SECTIONS]
        told = {"sentence": sentence, "sections": sections, "aside": bool(rows) and rows[0].hops > 1}
        several.setdefault(sentence.kind, []).append(told)
    return list(several.items())


def _wanted() -> Wanted:
    """Read the address; a form sends the fields that were left empty, too."""
    given = {name: [value for value in values if value] for name, values in request.args.lists()}
    return {name: values for name, values in given.items() if values}


SHOWN: Final = 200  # rows that a page shows; a file has all
# What formulas of spreadsheets begin with, after blanks that these skip.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


@pages.get("/queries")
def page_queries() -> str:
    """List the saved queries."""
    return render_template("queries.html", queries=saved_queries().values())


@pages.get("/queries/<saved>")
def page_query(saved: str) -> tuple[str, int] | Response:
    """Show a saved query; with parameters in the address, what it finds, or a file of it."""
    query = saved_queries().get(saved)
    if query is None:
        abort(404, "there is no saved query of this name")
    texts = {key: request.args.get(key, text_of(example)) for key, example in query.examples.items()}
    page: dict[str, Any] = {"query": query, "texts": texts, "rows": None, "problem": None, "most": SHOWN}
    status = 200
    if request.args:
        try:
            values = values_of(saved, texts)
            rows = service().saved(saved, values)
            if kind := request.args.get("as"):
                return _file(saved, query.columns, rows, kind)
            page["rows"] = rows
            page["why"] = "" if rows else service().why_empty(saved, values)
        except MedgraphError as error:
            status, page["problem"] = problems.status_of(error)
    return render_template("query.html", **page), status


@pages.app_template_filter("cell")
def text_of(value: Any) -> str:
    """Write a value for people: a text as it is, texts one after another, and anything else as JSON."""
    if isinstance(value, str) or value is None:
        return value or ""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _file(name: str, columns: Sequence[str], rows: Sequence[Row], kind: str) -> Response:
    if kind not in {"csv", "json"}:
        abort(400, "rows can be had as csv or json")
    text = json.dumps(rows, ensure_ascii=False, default=str) if kind == "json" else _csv(columns, rows)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    mimetype = "application/json" if kind == "json" else "text/csv"
    return Response(text, content_type=f"{mimetype}; charset=utf-8", headers=headers)


def _csv(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return written.getvalue()


def _cell(value: Any) -> str:
    """Write a cell; with an apostrophe before a text that a spreadsheet would take for a formula."""
    text = text_of(value)
    return f"'{text}" if isinstance(value, str | list) and text.startswith(_FORMULA) else text
