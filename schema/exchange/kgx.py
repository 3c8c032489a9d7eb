"""Flat things as nodes and edges of KGX, the exchange format of Biolink, and back without loss.

Values have Biolink's names where Biolink has one (`name`, `synonym`, `xref`, `publications` …) and ours after
`medgraph:` otherwise; what Biolink asks for besides (`category`, `predicate`, `knowledge_level` …) follows from them
and is not read back. A node that several sources state has what each of them says in `medgraph:statements`.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from . import biolink, table_cells
from .flat import Flat, columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..records import Value

    Object = dict[str, Any]

OURS: Final = "medgraph:"
KIND: Final = "medgraph:kind"
TYPE: Final = "medgraph:type"
TYPES: Final = "medgraph:types"
STATEMENTS: Final = "medgraph:statements"
# The source that says so, where the line names who provided it in the words of the source's own file
SOURCE: Final = "medgraph:source"
INFORES: Final = "infores:"

# Values that Biolink has a name for
NATURAL: Final = frozenset(
    "id name synonym description equivalent_identifiers narrow_synonym broad_synonym related_synonym xref deprecated "
    "license authors subject object original_predicate publications has_confidence_score".split()
)
# What follows from the other values
DERIVED: Final = frozenset(
    [*"category provided_by predicate primary_knowledge_source knowledge_level agent_type".split(), SOURCE]
)
# Edges of documents, which their nodes state too: written for other programs, not read
LINKS: Final = {"ABOUT": "biolink:mentions", "HAS_SECTION": "biolink:has_part", "ANSWERED_AT": "biolink:has_part"}
_SAME: Final = "equivalent_identifiers"
# What our prefix means something else with
_STRUCTURE: Final = frozenset({"kind", "type", "types", "statements", "source", "document"})
_TAKEN: Final = NATURAL | DERIVED | {"same_as", "knowledge_source", "original_knowledge_source", "negated"}
# Columns that KGX reads as lists even if there is one item
_KGX_LISTS: Final = frozenset({"category", "provided_by", "publications", "qualifiers", "synonym"})
_CATEGORIES: Final = {
    "source": ["biolink:Dataset", "biolink:InformationContentEntity", "biolink:NamedThing"],
    "document": ["biolink:Publication", "biolink:InformationContentEntity", "biolink:NamedThing"],
    "section": ["biolink:InformationContentEntity", "biolink:NamedThing"],
    "question": ["biolink:InformationContentEntity", "biolink:NamedThing"],
}
_STATED_ID: Final = "kgx_id"
# Properties that keep the id that an edge has in a graph of others, and its predicate where the type has another
_STATED_PREDICATE: Final = "stated_predicate"
_PROVIDERS: Final = ("primary_knowledge_source", "knowledge_source", "original_knowledge_source", "provided_by")
_VALUE_TYPES: Final = {bool: "boolean", int: "integer", float: "decimal", str: "text", tuple: "list", list: "list"}


def to_object(flat: Flat, source: str) -> Object:
    """Write a flat thing that a source says as a node or an edge."""
    values: Object = dict(flat.values)
    if flat.kind == "source":
        values = {"id": INFORES + values.pop("source"), **values}
    if flat.kind == "entity" and _SAME in values:
        values[_SAME] = [f"UMLS:{cui}" for cui in values[_SAME]]
    said = {_column(name): value for name, value in values.items()}
    others = {_property_column(name, value): value for name, value in flat.properties.items()}
    return _frame(flat, source) | said | {n: list(v) if isinstance(v, tuple) else v for n, v in others.items()}


def of_object(data: Mapping[str, Any]) -> tuple[Flat, str]:
    """Read a node or an edge that `to_object` wrote, as a thing and the id of the source that says so."""
    kind = data.get(KIND, "relation")
    if kind not in {"source", "entity", "relation", "document", "section", "question"}:
        raise RecordError(f"{KIND} is {str(kind)[:60]!r}, which is none of source, entity, document, section, question")
    structure = (
        {_column(column.name) for column in columns(kind)} | {_column("document")} | {KIND, TYPES, STATEMENTS, "id"}
    )
    values: dict[str, Any] = {}
    properties: dict[str, Value] = {}
    for name, value in data.items():
        if name in structure - {KIND, TYPES, STATEMENTS}:
            values[name.removeprefix(OURS)] = value
        elif name not in structure | DERIVED | {"id"}:
            properties[name.removeprefix(OURS)] = _value(name, value)
    if kind == "relation":
        values.pop("id", None)
    if kind == "source":
        values["source"] = str(values.pop("id", "")).removeprefix(INFORES)
    if kind == "entity" and isinstance(values.get(_SAME), list):
        values[_SAME] = [str(curie).removeprefix("UMLS:") for curie in values[_SAME]]
    given = data.get(SOURCE) or data.get("provided_by", data.get("primary_knowledge_source", ""))
    first = (given[0] if given else "") if isinstance(given, list) else given
    return Flat(kind, values, properties), str(first).removeprefix(INFORES)


def link(kind: str, subject: str, target: str, source: str) -> Object:
    """Write an edge, of a `kind` in `LINKS`, of a document to a section, question or entity."""
    ends = {"subject": subject, "predicate": LINKS[kind], "object": target}
    return {"id": _edge_id(source, subject, kind, target), **ends, TYPE: kind, **_knowledge(source)}


def to_cells(data: Object) -> dict[str, str]:
    """Write a node or an edge as cells by column; `medgraph:types` has the types of values foreign to the graph."""
    typed = _columns_of(data)
    types = {n: _VALUE_TYPES[type(v)] for n, v in data.items() if n not in typed and n != STATEMENTS}
    found = {name: _cell(name, value) for name, value in data.items() if name != STATEMENTS}
    if STATEMENTS in data:
        found[STATEMENTS] = table_cells.write(json.dumps(data[STATEMENTS], ensure_ascii=False))
    if types:
        found[TYPES] = table_cells.write_list([f"{name} {kind}" for name, kind in types.items()])
    return found


def of_cells(row: Mapping[str, str]) -> Object:
    """Read a row of a table that `to_cells` wrote as what `to_object` gave."""
    data: Object = {name: row[name] for name in (KIND,) if row.get(name)}
    typed = _columns_of(data)
    typed |= dict(pair.rpartition(" ")[::2] for pair in table_cells.parse_list(row.get(TYPES, "")))
    for name, cell in row.items():
        if name == STATEMENTS and cell:
            data[name] = _json(table_cells.parse_cell(cell))
        elif name != TYPES and (cell or (name in typed and name not in _columns_of(data))):
            data[name] = _of_cell(name, cell, typed.get(name, "text"))
    return data


def _column(name: str) -> str:
    return name if name in NATURAL else OURS + name


def _property_column(name: str, value: Value) -> str:
    """Name a property, with our prefix where Biolink means something else by its name, or wants a list, or none."""
    if name in _STRUCTURE:
        return name
    fits = isinstance(value, tuple) == (name in biolink.LISTS)
    return name if fits and name not in _TAKEN else OURS + name


def _frame(flat: Flat, source: str) -> Object:
    """Give what follows from a thing: what KGX asks for, and what tells our own lines."""
    provider = next((v for n in _PROVIDERS if isinstance(v := flat.properties.get(n), str)), "")
    own_source: Object = {SOURCE: source} if provider else {}
    if flat.kind == "relation":
        kind, own = str(flat.values["type"]), str(flat.values.get("original_predicate", ""))
        subject, target = str(flat.values["subject"]), str(flat.values["object"])
        stated = flat.properties.get(_STATED_ID)
        edge = stated if isinstance(stated, str) and stated else _edge_id(source, subject, kind, target, own)
        word = own.partition(" (")[0] if own.startswith("biolink:") else biolink.predicate_of(kind)
        other = flat.properties.get(_STATED_PREDICATE, "")
        word = other if isinstance(other, str) and other and other not in biolink.TURNED else word
        levels = {n: v for n in ("knowledge_level", "agent_type") if isinstance(v := flat.properties.get(n), str)}
        said = _knowledge(source) | levels | ({"primary_knowledge_source": provider} if provider else {})
        return {"id": edge, "subject": subject, "predicate": word, **said, **own_source}
    categories = _CATEGORIES.get(flat.kind) or biolink.categories_of(str(flat.values.get("label", "")))
    named = flat.properties.get("category")
    frame: Object = {"id": "", "category": list(named) if isinstance(named, tuple) and named else categories}
    return frame | {"provided_by": [provider or INFORES + source], KIND: flat.kind, **own_source}


def _knowledge(source: str) -> Object:
    unknown = {"knowledge_level": "not_provided", "agent_type": "not_provided"}
    return {"primary_knowledge_source": INFORES + source, **unknown}


def _edge_id(*parts: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, "\t".join(parts)).urn


def _columns_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Give the types of the columns that a thing has because of its kind."""
    known = {"category": "list", "provided_by": "list"}
    known |= dict.fromkeys(DERIVED - known.keys() | {"id", KIND, TYPE, _column("document")}, "str")
    return known | {_column(c.name): c.type for c in columns(data.get(KIND, "relation")) if c.attribute != "id"}


def _value(name: str, value: Any) -> Value:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(value, str | bool | int | float):
        return value
    raise RecordError(f"{name!r} is {str(value)[:60]!r}, not a text, a number, true, false or a list of texts")


def _cell(name: str, value: Any) -> str:
    if isinstance(value, list):
        return table_cells.write_list(value) + "|" * (len(value) == 1 and name not in _KGX_LISTS)
    if isinstance(value, bool):
        return "true" if value else "false"
    return table_cells.write(value) if isinstance(value, str) else repr(value)


def _of_cell(name: str, cell: str, kind: str) -> Any:
    if kind == "list":
        return table_cells.parse_list(cell)
    if kind in {"bool", "boolean"} and cell in {"true", "false"}:
        return cell == "true"
    try:
        if kind in {"int", "integer"}:
            return int(cell)
        if kind in {"float", "decimal"}:
            return float(cell)
    except ValueError as error:
        raise RecordError(f"{name!r} is {cell[:60]!r}, not a number") from error
    return table_cells.parse_cell(cell)


def _json(text: str) -> Sequence[Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{STATEMENTS} is not valid JSON") from error
    if not isinstance(data, list):
        raise RecordError(f"{STATEMENTS} is not a list")
    return data
