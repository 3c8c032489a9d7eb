"""The saved queries: listed, and run by name with parameters from a command line."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..files import write_whole
from ..graph import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..graph.catalogue import Query
    from ..graph.database import Database

FOLDER: Final = "explore"
SHARED: Final = ("disease_subgraph", "paths")  # statements of programs that explorers run as they are
# The most that a whole number may be, such as how many rows are wanted: all of them are held in memory.
MOST: Final = 100_000
# Where the saved queries, their guide and the style are, in an installed package too.
PLACE: Final = catalogue.ROOT / FOLDER
STYLE: Final = PLACE / "medgraph.grass"  # colours, sizes and captions for Neo4j Browser


def list_saved() -> list[dict[str, str]]:
    """List the `name`, `parameters` and `purpose` of queries that explorers can run."""
    return [
        {"name": q.name, "parameters": ", ".join(f"{k}={v}" for k, v in q.parameters.items()), "purpose": q.purpose}
        for q in saved_queries().values()
    ]


def saved_queries() -> dict[str, Query]:
    """Give the queries for explorers by name."""
    return {q.name: q for q in catalogue.queries().values() if q.folder == FOLDER or q.name in SHARED}


def values_of(name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Read parameters as people write them, JSON or text as it stands; InputError for another kind than exemplified."""
    examples = catalogue.get(name).examples
    values = {key: _value(text, examples[key]) for key, text in texts.items()}
    for key, value in values.items():
        if isinstance(value, str) and not isinstance(examples[key], str | None):
            kind = "a list" if isinstance(examples[key], list) else "a number"
            raise InputError(f"{key} is {kind}, such as {json.dumps(examples[key])}, and not {value[:200]!r}")
    return values


def run_saved(database: Database, name: str, given: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Run a query that only reads by `name=value` pairs; InputError for none such, or one that is not for explorers."""
    query = _runnable(name)
    texts = {}
    for pair in given:
        key, equals, text = pair.partition("=")
        if not equals or key not in query.parameters:
            raise InputError(f"{pair!r} is not NAME=VALUE of a parameter of {name}; its parameters: {_known(query)}")
        texts[key] = text
    return run_with(database, name, values_of(name, texts))


def run_with(database: Database, name: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run a query that only reads, its header's examples standing in; InputError where it cannot be run so."""
    query = _runnable(name)
    if unknown := sorted(values.keys() - query.parameters.keys()):
        raise InputError(f"{unknown[0]!r} is no parameter of {name}; its parameters: {_known(query)}")
    for key, value in values.items():
        if type(query.examples[key]) is int and not (type(value) is int and 0 <= value <= MOST):
            raise InputError(f"{key} is {value!r:.50}; write a whole number from 0 to {MOST:,}")
    return database.read(query, **query.examples | dict(values))


def write_favorites(file: Path) -> int:
    """Write saved queries with example values as favorites of Neo4j Browser; InputError where that would take none."""
    if file.suffix != ".zip":
        raise InputError(f"Neo4j Browser takes favorites from a .zip file only; name it {file}.zip")
    queries = saved_queries().values()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for query in queries:
            # Browser lists a favorite by its first line, and makes a folder of the path.
            text = f"// {query.name}\n// {query.purpose}\n{query.with_examples}\n"
            archive.writestr(f"medgraph/{query.name}.cypher", text)
    write_whole(file, packed.getvalue())
    return len(queries)


def _runnable(name: str) -> Query:
    query = catalogue.get(name)
    if query.folder not in {FOLDER, "retrieve", "audit"} and name not in SHARED:
        raise InputError(f"{name!r} is no saved query; these are: {', '.join(row['name'] for row in list_saved())}")
    return query


def _known(query: Query) -> str:
    return ", ".join(query.parameters) or "none"


def _value(text: str, example: Any) -> Any:
    """Read a value; where the example is a text, a number or list is a text too."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(example, str) and not isinstance(value, str) else value
