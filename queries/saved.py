"""The saved queries: listed, and run by name with parameters from a command line."""

from __future__ import annotations

import io
import json
import re
import textwrap
import zipfile
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..files import write_whole
from ..graph import catalogue
from ..graph.database import PathRow
from ..schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from .paths import in_a_line

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
_CALLED: Final = ("name", "question", "text", "title", "id")  # what a node of a path is called by: the first it has
_KINDS: Final = re.compile(r"[(\[]\w*:([\w|&]+)")
# What brings labels and relations that no source states
_MAKES: Final = (
    dict.fromkeys(("Answer", "Claim", "Run"), "keep answers: medgraph ask QUESTION --keep")
    | dict.fromkeys(("Chunk", "Concept", "MEANS", "MENTIONS"), "make the indexes: medgraph index")
    | dict.fromkeys((*ENTITY_LABELS, *RELATION_TYPES), "load a source that states it, as medgraph sources lists them")
)


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


def parameters_of(name: str, given: Sequence[str] = ()) -> dict[str, Any]:
    """Read `name=value` pairs of a saved query; InputError for none such, or one that is not for explorers."""
    query = _runnable(name)
    texts = {}
    for pair in given:
        key, equals, text = pair.partition("=")
        if not equals or key not in query.parameters:
            raise InputError(f"{pair!r} is not NAME=VALUE of a parameter of {name}; its parameters: {_known(query)}")
        texts[key] = text
    return values_of(name, texts)


def run_with(database: Database, name: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run a query that only reads, its header's examples standing in; InputError where it cannot be run so."""
    query = _runnable(name)
    if unknown := sorted(values.keys() - query.parameters.keys()):
        raise InputError(f"{unknown[0]!r} is no parameter of {name}; its parameters: {_known(query)}")
    for key, value in values.items():
        if type(query.examples[key]) is int and not (type(value) is int and 0 <= value <= MOST):
            raise InputError(f"{key} is {value!r:.50}; write a whole number from 0 to {MOST:,}")
    return database.read(query, **query.examples | dict(values))


def shown(value: Any) -> Any:
    """Give a path as a line, as `medgraph paths` prints it, and any other value as it is."""
    if not isinstance(value, PathRow):
        return value
    names = [next(filter(None, map(node.get, _CALLED)), "") for node in value[::2]]
    return in_a_line([textwrap.shorten(name, 60, placeholder=" …") for name in names], value[1::2], value.forward)


def why_empty(database: Database, name: str, values: Mapping[str, Any]) -> str:
    """Say what is missing where a saved query finds nothing, and what brings it."""
    query = _runnable(name)
    used = {row["word"] for row in database.read(catalogue.get("words_in_use"))}
    first = query.text.partition("MATCH")[2].partition("\n")[0]  # what comes later may be missing
    wanted = [part.split("|") for found in _KINDS.findall(first) for part in found.split("&")]
    texts = [value for value in (query.examples | dict(values)).values() if isinstance(value, str)]
    wanted += [[text] for text in texts if text in RELATION_TYPES]
    missing = [kinds for kinds in wanted if used.isdisjoint(kinds) and kinds[0] in _MAKES]
    if missing:
        return f"the graph has no {' or '.join(missing[0])}; {_MAKES[missing[0][0]]}"
    if ".kge" in query.text:
        return "vectors of relations may be missing: medgraph index kge"
    if "generated: true" in query.text:
        return "questions are made of relations by: medgraph index subgraphs"
    names = " or ".join(repr(value) for value in values.values() if value and isinstance(value, str))
    return f"the graph has nothing of the kind for {names}; look names up with: medgraph entity NAME" if names else ""


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
