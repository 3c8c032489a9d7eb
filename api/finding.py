"""The pages for people who look for something themselves: search, entities, paths, subgraphs and saved queries."""

from __future__ import annotations

import csv
import io
import json
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, render_template, request

from ..errors import InputError, MedgraphError
from ..pictures.paths import picture_of
from ..pictures.subgraph import picture_of as subgraph_picture
from ..queries.find import MATCHED
from ..queries.relation_sentences import kinds
from ..queries.saved import saved_queries, values_of
from . import problems
from .pages import drawn, link
from .request import from_address
from .resources.entities import EntitiesRequest, PathsRequest, SubgraphRequest, entities, paths, subgraph
from .resources.search import SearchRequest, search
from .routes import service

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..graph.database import Row
    from ..queries.subgraphs import Subgraph

finding = Blueprint("finding", __name__)

Wanted = dict[str, list[str]]
"""Parameters of the address that are filled in."""

SECTIONS: Final = 6
"""Sections that a sentence on relations links to, at most."""

FOUND: Final = 25
"""Entities that are listed for a name at once."""


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


@finding.get("/search")
@_shows("search.html")
def page_search(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page to search on, with what was found."""
    shown.update(asked={name: values[0] for name, values in wanted.items()}, choices={})
    shown["choices"] = service().choices()
    if "q" in wanted:
        shown["results"] = search(service(), from_address({}, wanted, SearchRequest))


@finding.get("/entities")
@_shows("entities.html")
def page_entities(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page to look entities up on, with what was found."""
    shown.update(name=wanted.get("q", [""])[0], how=MATCHED, found=None, size=FOUND)
    if "q" in wanted:
        shown["asked"] = asked = from_address({}, wanted | {"limit": [str(FOUND)]}, EntitiesRequest)
        shown["found"] = entities(service(), asked)


@finding.get("/paths")
@_shows("paths.html")
def page_paths(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page that tells how things go together, with the paths between them."""
    shown.update(names=wanted.get("name", []), question=wanted.get("question", [""])[0])
    if len(shown["names"]) == 1:
        raise InputError("name a second thing, too: paths lead from one to another, as from gout to uric acid")
    if shown["names"]:
        shown["pairs"] = pairs = paths(service(), from_address({}, wanted, PathsRequest)).pairs
        shown["picture"] = drawn(picture_of(pairs, link)) if any(pair.paths for pair in pairs) else None


@finding.get("/subgraph")
@_shows("subgraph.html")
def page_subgraph(wanted: Wanted, shown: dict[str, Any]) -> None:
    """Show the page that tells what goes with a condition, in words and as a picture."""
    shown.update(name=wanted.get("name", [""])[0], kind=wanted.get("type", [""])[0], kinds=list(kinds()))
    if shown["name"]:
        shown["found"] = found = subgraph(service(), from_address({}, wanted, SubgraphRequest))
        shown["told"] = _told(found)
        shown["picture"] = drawn(subgraph_picture(found, link)) if found.relations else None


def _told(found: Subgraph) -> list[tuple[str, list[dict[str, Any]]]]:
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


SHOWN: Final = 200
"""Rows that a page shows; a file has all."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What formulas of spreadsheets begin with, after blanks that these skip."""


@finding.get("/queries")
def page_queries() -> str:
    """List the saved queries."""
    return render_template("queries.html", queries=saved_queries().values())


@finding.get("/queries/<saved>")
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
            rows = service().saved(saved, values_of(saved, texts))
            if kind := request.args.get("as"):
                return _file(saved, query.columns, rows, kind)
            page["rows"] = rows
        except MedgraphError as error:
            status, page["problem"] = problems.status_of(error)
    return render_template("query.html", **page), status


@finding.app_template_filter("cell")
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
