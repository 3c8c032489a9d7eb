"""Flat things as N-Quads, a named graph a source, and back without loss.

Every thing is a run of lines with one subject, written with the terms of RDFS, OBO, Dublin Core and OWL where they have
one and `urn:medgraph:vocabulary:` otherwise; what else a source says is under `urn:medgraph:property:`. A relation is
a statement of its own (`rdf:Statement`) with a plain triple of Biolink's or SKOS's after it. The ids of the graph stand
as texts beside the URIs, and the order of lines is that of lists. pyoxigraph writes the
terms, and reads the lines.
"""

from __future__ import annotations

import json
import re
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ...errors import RecordError
from .. import prefixes
from ..vocabulary import ENTITY_LABELS, RELATION_TYPES
from .flat import TABLE, Flat, columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from pyoxigraph import Quad

    from ..records import Value

SOURCES: Final = "urn:medgraph:source:"
VOCABULARY: Final = "urn:medgraph:vocabulary:"
PROPERTIES: Final = "urn:medgraph:property:"

_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_OBO: Final = "http://www.geneontology.org/formats/oboInOwl#"
_DC: Final = "http://purl.org/dc/terms/"
_BIOLINK: Final = "https://w3id.org/biolink/vocab/"
_TYPE: Final = f"{_RDF}type"
_IN_WORDS: Final = {name: address for name, (address,) in TABLE["rdf"].items()}
_NAMES: Final = {iri: name for name, iri in _IN_WORDS.items()}
_CLASSES: Final = {kind: address for kind, (address,) in TABLE["rdf class"].items()}
_STRING: Final = f"{_XSD}string"
_DATATYPES: Final = {bool: f"{_XSD}boolean", int: f"{_XSD}integer", float: f"{_XSD}double", tuple: f"{_RDF}JSON"}
_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_PATH: Final = r"(?:[A-Za-z0-9._~:/?=&;,!*()@+$'-]|%[0-9A-Fa-f]{2})"
_SAFE: Final = re.compile(f"[a-z][a-z0-9+.-]*:{_PATH}+(#{_PATH}*)?")
_BATCH: Final = 1000  # Lines that are parsed at a time


@cache
def _rdf() -> ModuleType:
    import pyoxigraph

    return pyoxigraph


@dataclass(slots=True)
class Block:
    """Lines with one subject in one graph, both by URI.

    What is `said` are pairs of a predicate's URI and a literal or None; no `kind` is ours where that is empty.
    """

    subject: str
    graph: str
    line: int
    said: list[tuple[str, Any]] = field(default_factory=list)
    kind: str = ""


def to_lines(flat: Flat, source: str) -> Iterator[str]:
    """Write a flat thing as lines of N-Quads with their line feeds, in the named graph of the source."""
    graph = _written(SOURCES + source)
    iri_of = _rdf().NamedNode
    subject = str(iri_of(_subject(flat, source)))
    for kind in _types(flat):
        yield f"{subject} {_written(_TYPE)} {_written(kind)} {graph} .\n"
    for name, value in flat.values.items():
        predicate = _written(_IN_WORDS.get(name) or VOCABULARY + name)
        for item in value if isinstance(value, list) else [value]:
            yield f"{subject} {predicate} {_literal(item)} {graph} .\n"
    for name, said in flat.properties.items():
        yield f"{subject} {_written(PROPERTIES + name)} {_literal(said)} {graph} .\n"
    for start, relation, end in _plain(flat, subject):
        yield f"{start} {_written(relation)} {iri_of(end)} {graph} .\n"


def blocks(lines: Iterable[tuple[int, str]]) -> Iterator[Block | tuple[int, str]]:
    """Read numbered lines, those with one subject as a block; yield number and reason of one that cannot be read."""
    block: Block | None = None
    subject: Any = None
    graph: Any = None
    for number, quad in _quads(lines):
        if isinstance(quad, str):
            yield number, quad
            continue
        start, predicate, target, place = quad
        if block is None or start != subject or place != graph:
            if block is not None:
                yield block
            subject, graph = start, place
            block = Block(_name(subject), _name(graph), number)
        _take(block, predicate.value, target)
    if block is not None:
        yield block


def _quads(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Quad | str]]:
    """Parse lines that say something; where one of a batch is broken, each line of it by itself."""
    texts = (line for line in lines if line[1][:1] == "<" or _speaks(line[1]))
    while batch := list(islice(texts, _BATCH)):
        try:
            quads = _parsed("\n".join(text for _, text in batch))
        except SyntaxError:
            quads = []
        if len(quads) == len(batch):
            yield from zip((number for number, _ in batch), quads, strict=True)
        else:
            yield from ((number, _quad(text)) for number, text in batch)


def _parsed(text: str) -> list[Quad]:
    return list(_rdf().parse(text, format=_rdf().RdfFormat.N_QUADS))


def _speaks(text: str) -> bool:
    """Tell a line that says something from a blank one and from a comment."""
    text = text.strip(" \t\r")
    return bool(text) and not text.startswith("#")


def _quad(text: str) -> Quad | str:
    try:
        quads = _parsed(text)
    except SyntaxError as error:
        return f"is no line of N-Quads: {error.msg.partition(': ')[2][:200]}; was the file cut off?"
    return quads[0] if len(quads) == 1 else "is no line of N-Quads: it holds several statements; write one a line"


def of_block(block: Block) -> tuple[Flat, str]:
    """Read a thing, and the id of the source that says so."""
    if not block.graph.startswith(SOURCES):
        raise RecordError(f"it is in the graph <{block.graph[:60]}>; graphs are called <{SOURCES}…>")
    lists = {column.name for column in columns(block.kind) if column.type == "list"}
    values: dict[str, Any] = {}
    properties: dict[str, Value] = {}
    for predicate, said in block.said:
        name = _NAMES.get(predicate) or predicate.removeprefix(VOCABULARY)
        if predicate.startswith(PROPERTIES):
            _set_single(properties, predicate.removeprefix(PROPERTIES), said)
        elif name in lists:
            values.setdefault(name, []).append(said)
        elif name != predicate and said is not None:
            _set_single(values, name, said)
    return Flat(block.kind, values, properties), block.graph.removeprefix(SOURCES)


def restates(block: Block) -> bool:
    """Tell whether lines of no kind only say plainly what a statement of ours said before them."""
    return all(said is None and predicate in _plain_predicates() for predicate, said in block.said)


@lru_cache(maxsize=1 << 16)
def iri(curie: str) -> str:
    """Give the URI that an id's prefix stands for, or that it is; else one of our own that keeps every character."""
    known = prefixes.uri(curie) or (curie if "://" in curie else None)
    if known and _SAFE.fullmatch(known):
        with suppress(ValueError):
            return str(_rdf().NamedNode(known).value)
    return f"urn:medgraph:id:{quote(curie, safe=':')}"


@lru_cache(maxsize=1)
def _plain_predicates() -> frozenset[str]:
    return frozenset({*map(_predicate, RELATION_TYPES), f"{_DC}subject", f"{_DC}isPartOf"})


def _predicate(kind: str) -> str:
    prefix, _, local = RELATION_TYPES[kind].partition(":")
    return (_SKOS if prefix == "skos" else _BIOLINK) + local


def _subject(flat: Flat, source: str) -> str:
    if flat.kind == "source":
        return SOURCES + source
    if flat.kind == "relation":
        key = [
            source,
            *(str(flat.values.get(name, "")) for name in ("subject", "type", "object", "original_predicate")),
        ]
        return uuid.uuid5(uuid.NAMESPACE_URL, "\t".join(key)).urn
    # Sections and questions may have the id of an entity, and then are other things than that.
    said = str(flat.values["id"])
    return iri(said) if flat.kind == "entity" else f"urn:medgraph:{flat.kind}:{quote(said, safe=':')}"


def _types(flat: Flat) -> Iterator[str]:
    yield VOCABULARY + flat.kind.capitalize()
    if flat.kind == "entity":
        yield _BIOLINK + ENTITY_LABELS.get(str(flat.values.get("label")), "biolink:NamedThing").partition(":")[2]
    else:
        yield _CLASSES[flat.kind]


def _plain(flat: Flat, subject: str) -> Iterator[tuple[str, str, str]]:
    if flat.kind == "relation":
        start, kind, end = (str(flat.values[name]) for name in ("subject", "type", "object"))
        yield _written(iri(start)), _predicate(kind), iri(end)
    about = flat.values.get("about", [])
    for entity in about if isinstance(about, list) else []:
        yield subject, f"{_DC}subject", iri(entity)
    if "document" in flat.values:
        document = quote(str(flat.values["document"]), safe=":")
        yield subject, f"{_DC}isPartOf", f"urn:medgraph:document:{document}"


@lru_cache(maxsize=1 << 12)
def _written(address: str) -> str:
    return str(_rdf().NamedNode(address))


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return str(_rdf().Literal(value))
    if isinstance(value, bool):
        text = "true" if value else "false"
    else:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else repr(value)
    return str(_rdf().Literal(text, datatype=_node(_DATATYPES[type(value)])))


@cache
def _node(datatype: str) -> Any:
    return _rdf().NamedNode(datatype)


def _name(term: Any) -> str:
    """Give the URI of a term; a text of its own for a blank node, and an empty one for the default graph."""
    if isinstance(term, _rdf().NamedNode):
        return str(term.value)
    return "" if isinstance(term, _rdf().DefaultGraph) else str(term)


def _take(block: Block, predicate: str, target: Any) -> None:
    if isinstance(target, _rdf().Literal):
        block.said.append((predicate, _value(target.value, target.datatype.value)))
    elif predicate != _TYPE or not isinstance(target, _rdf().NamedNode):
        block.said.append((predicate, None))
    elif target.value.startswith(VOCABULARY):
        block.kind = target.value.removeprefix(VOCABULARY).lower()


def _value(text: str, datatype: str) -> Any:
    if datatype == _STRING:
        return text
    try:
        if datatype == _DATATYPES[int]:
            return int(text)
        if datatype == _DATATYPES[float]:
            return float(text)
        if datatype == _DATATYPES[tuple]:
            items = json.loads(text)
            return tuple(items) if isinstance(items, list) and all(isinstance(item, str) for item in items) else text
    except (ValueError, RecursionError):
        return text
    return text == "true" if datatype == _DATATYPES[bool] else text


def _set_single(values: dict[str, Any], name: str, said: Any) -> None:
    if name in values:
        raise RecordError(f"it has two values of {name!r}, which can have one")
    values[name] = said
