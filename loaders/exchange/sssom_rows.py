"""The mappings of an SSSOM file, whatever its form: a table, JSON or RDF, each also packed with gzip."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from ..base import Reject
from ..files import json_items, tables
from ..files.opening import head
from . import sssom_header, sssom_rdf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .sssom_header import Header

Cells = dict[str, str]
"""Cells by column, of lists with `|` between the items."""

NEEDED: Final = ("predicate_id",)
"""What each mapping has; an end that is a text has a label in place of an id, and a justification may be left out."""

_SETS: Final = "mappings"


def form_of(path: Path) -> str:
    """Tell the form of a file by its name.

    Returns:
        `json`, `rdf` or `table`.
    """
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".json", ".jsonld")):
        return "json"
    return "rdf" if name.endswith((".rdf", ".owl", ".ttl", ".nt", ".xml")) else "table"


def header(path: Path) -> Header:
    """Read what a file says of all its mappings."""
    form = form_of(path)
    if form == "table":
        return sssom_header.read(path)
    return sssom_rdf.header(path) if form == "rdf" else _of_json(json_items.members(path, {_SETS}, lenient=True))


def rows(path: Path, said: Header) -> Iterator[tuple[int, Cells] | Reject]:
    """Read the mappings.

    Args:
        said: What it says of all of them.

    Yields:
        Pairs of the line at which a mapping starts (1 in RDF, which has none) and its cells; a `Reject` for one that
        cannot be read.
    """
    form = form_of(path)
    if form == "table":
        yield from tables.read(path, NEEDED, comment="#", ragged=True)
    elif form == "rdf":
        yield from ((1, cells) for cells in sssom_rdf.mappings(path, said))
    else:
        yield from _listed(path)


def looks_right(path: Path) -> bool:
    """Tell whether a file begins like a set of mappings, which its name may be.

    Returns:
        Whether its first mapping has what tells mappings from other tables and documents.

    Raises:
        SourceFileError: It cannot be read as one.
    """
    form = form_of(path)
    if form == "rdf":
        return b"sssom/MappingSet" in head(path) or b"sssom:MappingSet" in head(path)
    if form == "json":
        first = json_items.first(path, {_SETS}, head(path))
        return isinstance(first, dict) and "predicate_id" in first
    names = set(tables.columns(path, comment="#") or ())
    ends = all(names & {f"{end}_id", f"{end}_label"} for end in ("subject", "object"))
    return ends and {"predicate_id", "mapping_justification"} <= names


def _listed(path: Path) -> Iterator[tuple[int, Cells] | Reject]:
    for item in json_items.of(path, _SETS, lenient=True):
        if isinstance(item, Reject):
            yield item
        elif isinstance(item[1], dict):
            line, data = item
            yield line, {name: sssom_rdf.cell(name, items) for name, value in data.items() if (items := _items(value))}
        else:
            yield Reject(str(path), item[0], f"is {str(item[1])[:60]!r}, not a mapping in {{}}")


def _items(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items]


def _of_json(data: dict[str, Any]) -> Header:
    """Give what stands beside the mappings, with the prefixes of its context."""
    context = data.pop("@context", None)
    known = context if isinstance(context, dict) else {}
    bases = {
        name: said.get("@id") if isinstance(said, dict) and said.get("@prefix") else said
        for name, said in known.items()
    }
    curie_map = {name: base for name, base in bases.items() if isinstance(base, str) and re.match(r"[^@].*", name)}
    own = data.pop("curie_map", None)
    said = {name: value if isinstance(value, str | list | dict) else json.dumps(value) for name, value in data.items()}
    return sssom_header.of(said | {"curie_map": curie_map | (own if isinstance(own, dict) else {})})
