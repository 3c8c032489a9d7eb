"""The pages for people who look for something themselves: search with filters, entities by name, and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, render_template, request

from ..errors import MedgraphError
from ..pictures.paths import picture_of
from ..queries.find import MATCHED
from . import problems
from .pages import drawn, link
from .request import from_address
from .resources.entities import EntitiesRequest, entities
from .resources.paths import PathsRequest, paths
from .resources.search import SearchRequest, search
from .routes import service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..graph.database import Row

finding = Blueprint("finding", __name__)

FOUND: Final = 25
"""Entities that are listed for a name."""


@finding.get("/search")
def page_search() -> tuple[str, int]:
    """Show the page to search on, with what was found."""
    wanted = _wanted()
    results, choices, problem, status = None, None, None, 200
    try:
        choices = _choices(service().overview().sources, service().filter_values())
        if "q" in wanted:
            results = search(service(), from_address({}, wanted, SearchRequest))
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    return render_template(
        "search.html",
        asked={name: values[0] for name, values in wanted.items()},
        choices=choices or {},
        results=results,
        problem=problem,
    ), status


@finding.get("/entities")
def page_entities() -> tuple[str, int]:
    """Show the page to look entities up on, with what was found."""
    wanted = _wanted()
    found, problem, status = None, None, 200
    try:
        if "q" in wanted:
            asked = from_address({}, wanted | {"limit": [str(FOUND)]}, EntitiesRequest)
            found = entities(service(), asked).entities
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    name = wanted.get("q", [""])[0]
    return render_template("entities.html", name=name, found=found, how=MATCHED, problem=problem), status


@finding.get("/paths")
def page_paths() -> tuple[str, int]:
    """Show the page that tells how things go together, with the paths between them."""
    wanted = _wanted()
    pairs, picture, problem, status = None, None, None, 200
    try:
        if "name" in wanted:
            pairs = paths(service(), from_address({}, wanted, PathsRequest)).pairs
            picture = drawn(picture_of(pairs, link)) if any(pair.paths for pair in pairs) else None
    except MedgraphError as error:
        status, problem = problems.status_of(error)
    return render_template(
        "paths.html",
        names=wanted.get("name", []),
        question=wanted.get("question", [""])[0],
        pairs=pairs,
        picture=picture,
        problem=problem,
    ), status


def _wanted() -> dict[str, list[str]]:
    """Read the address; a form sends the fields that were left empty, too."""
    given = {name: [value for value in values if value] for name, values in request.args.lists()}
    return {name: values for name, values in given.items() if values}


def _choices(sources: Sequence[Row], values: Sequence[Row]) -> Mapping[str, Sequence[str]]:
    """List what can be filtered by, of all that has documents."""
    told = {name for row in sources if row["documents"] for name in (row["source"], row["part_of"]) if name}
    rows = [row for row in values if row["source"] in told]
    return {
        "source": sorted(told | {name for row in rows for name in row["collections"]}, key=str.casefold),
        "type": sorted({name for row in rows for name in row["types"]}),
        "licence": sorted({row["licence"] for row in rows} - {""}),
    }
