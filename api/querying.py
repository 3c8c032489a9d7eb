"""The pages of saved queries: what there are, and each with its parameters and its rows, as a table and to download."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, render_template, request

from ..errors import MedgraphError
from ..queries.saved import saved_queries, values_of
from . import problems
from .routes import service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..graph.database import Row

querying = Blueprint("querying", __name__)

SHOWN: Final = 200
"""Rows that a page shows; a file has all."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What formulas of spreadsheets begin with, after blanks that these skip."""


@querying.get("/queries")
def page_queries() -> str:
    """List the saved queries."""
    return render_template("queries.html", queries=saved_queries().values())


@querying.get("/queries/<saved>")
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


@querying.app_template_filter("cell")
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
