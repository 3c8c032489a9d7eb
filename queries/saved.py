"""The saved queries: listed, and run by name with parameters from a command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .. import cypher
from ..errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..database import Database

FOLDER = "explore"


def list_saved() -> list[dict[str, str]]:
    """List the queries that explorers can run.

    Returns:
        Rows of `name`, `parameters` and `purpose`.
    """
    return [
        {"name": q.name, "parameters": ", ".join(f"{k}={v}" for k, v in q.parameters.items()), "purpose": q.purpose}
        for q in cypher.catalogue().values()
        if q.folder == FOLDER
    ]


def run_saved(database: Database, name: str, given: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Run a query that only reads; parameters that are not given take the example value of its header.

    Args:
        database: The graph.
        name: The query's name.
        given: `name=value` pairs; a value is JSON, or a text as it stands.

    Returns:
        The rows.

    Raises:
        InputError: There is no such query or parameter, or it is not for explorers.
        DatabaseError: The database refused or went away.
    """
    query = cypher.get(name)
    if query.folder not in {FOLDER, "retrieve"}:
        raise InputError(f"{name!r} is no saved query; these are: {', '.join(row['name'] for row in list_saved())}")
    parameters = {key: _example(text) for key, text in query.parameters.items()}
    for pair in given:
        key, equals, text = pair.partition("=")
        if not equals or key not in query.parameters:
            known = ", ".join(query.parameters) or "none"
            raise InputError(f"{pair!r} is not NAME=VALUE of a parameter of {name}; its parameters: {known}")
        parameters[key] = _value(text, parameters[key])
    return database.read(query, **parameters)


def _example(text: str) -> Any:
    return text[1:-1] if text.startswith("'") else _value(text, None)


def _value(text: str, example: Any) -> Any:
    """Read a value; where the example is a text, a number or list is a text too."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(example, str) and not isinstance(value, str) else value
