"""Flat things as N-Quads, a named graph a source, and back without loss.

Every thing is a run of lines with one subject, written with the terms of RDFS, OBO, Dublin Core and OWL where they have
one and `urn:medgraph:vocabulary:` otherwise; what else a source says is under `urn:medgraph:property:`. A relation is
a statement of its own (`rdf:Statement`) with a plain triple of Biolink's or SKOS's after it. The ids of the graph stand
as texts beside the URIs, and the order of lines is that of lists.
"""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ...errors import RecordError
from .. import prefixes
from ..vocabulary import ENTITY_LABELS, RELATION_TYPES
from .flat import Flat, columns

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_IN_WORDS: Final = {
    "name": "http://www.w3.org/2000/01/rdf-schema#label",
    "synonym": f"{_OBO}hasExactSynonym",
    "narrow_synonym": f"{_OBO}hasNarrowSynonym",
    "broad_synonym": f"{_OBO}hasBroadSynonym",
    "related_synonym": f"{_OBO}hasRelatedSynonym",
    "xref": f"{_OBO}hasDbXref",
    "description": "http://purl.obolibrary.org/obo/IAO_0000115",
    "deprecated": "http://www.w3.org/2002/07/owl#deprecated",
    "license": f"{_DC}license",
}
_NAMES: Final = {iri: name for name, iri in _IN_WORDS.items()}
_CLASSES: Final = {
    "source": "http://www.w3.org/ns/dcat#Dataset",
    "relation": f"{_RDF}Statement",
    "document": f"{_BIOLINK}Publication",
    "section": f"{_BIOLINK}InformationContentEntity",
    "question": f"{_BIOLINK}InformationContentEntity",
}
_DATATYPES: Final = {bool: f"{_XSD}boolean", int: f"{_XSD}integer", float: f"{_XSD}double", tuple: f"{_RDF}JSON"}
_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_SAFE: Final = re.compile(r"[a-z][a-z0-9+.-]*:[A-Za-z0-9._~:/?=&;,!*()@-]+(#[A-Za-z0-9._~:/?=&;,!*()@-]*)?")
_BREAKS: Final = re.compile('[\\\\"\\x00-\\x1f\\x7f-\\x9f\u2028\u2029]')
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_READ: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_IRI: Final = r"<([^<>\"{}|^`\\\x00-\x20]*)>"
_LINE: Final = re.compile(
    rf'[ \t]*{_IRI}[ \t]*{_IRI}[ \t]*(?:{_IRI}|"((?:[^"\\\n\r]++|\\.)*+)"(?:\^\^{_IRI}|@[A-Za-z0-9-]+)?)'
    rf"[ \t]*(?:{_IRI})?[ \t]*\.[ \t]*(?:#.*)?"
)


@dataclass(slots=True)
class Block:
    """Lines with one subject in one graph.

    Attributes:
        subject: The subject's URI.
        graph: The graph's URI.
        line: Where it begins.
        said: Pairs of a predicate's URI and an object: a text, a number, true or false; None for a URI.
        kind: The kind of thing, a key of `FORMS`; empty for lines that restate others, or are none of ours.
    """

    subject: str
    graph: str
    line: int
    said: list[tuple[str, Any]] = field(default_factory=list)
    kind: str = ""


def to_lines(flat: Flat, source: str) -> Iterator[str]:
    """Write a flat thing.

    Args:
        flat: The thing.
        source: The id of the source that says so.

    Yields:
        Lines of N-Quads, each with its line feed.
    """
    graph = f"<{SOURCES}{source}> .\n"
    subject = _subject(flat, source)
    for kind in _types(flat):
        yield f"<{subject}> <{_TYPE}> <{kind}> {graph}"
    for name, value in flat.values.items():
        predicate = _IN_WORDS.get(name, VOCABULARY + name)
        for item in value if isinstance(value, list) else [value]:
            yield f"<{subject}> <{predicate}> {_literal(item)} {graph}"
    for name, said in flat.properties.items():
        yield f"<{subject}> <{PROPERTIES}{name}> {_literal(said)} {graph}"
    for triple in _plain(flat, subject):
        yield f"{triple} {graph}"


def blocks(lines: Iterator[tuple[int, str]]) -> Iterator[Block | tuple[int, str]]:
    """Read lines, those with one subject together.

    Args:
        lines: Pairs of a line's number and its text.

    Yields:
        Blocks, and pairs of a number and a reason for lines that cannot be read.
    """
    block: Block | None = None
    for number, text in lines:
        if not text.strip(" \t\r") or text.lstrip(" \t").startswith("#"):
            continue
        match = _LINE.fullmatch(text)
        if match is None:
            yield number, "is no line of N-Quads as medgraph writes them; was the file cut off?"
            continue
        if block is None or (block.subject, block.graph) != (match[1], match[6] or ""):
            if block is not None:
                yield block
            block = Block(match[1], match[6] or "", number)
        _take(block, match)
    if block is not None:
        yield block


def of_block(block: Block) -> tuple[Flat, str]:
    """Read a thing.

    Args:
        block: Its lines.

    Returns:
        The thing, and the id of the source that says so.

    Raises:
        RecordError: It is in no graph of a source, or says twice what can be said once.
    """
    if not block.graph.startswith(SOURCES):
        raise RecordError(f"it is in the graph <{block.graph[:60]}>; graphs are called <{SOURCES}…>")
    lists = {column.name for column in columns(block.kind) if column.type == "list"}
    values: dict[str, Any] = {}
    properties: dict[str, Value] = {}
    for predicate, said in block.said:
        name = _NAMES.get(predicate) or predicate.removeprefix(VOCABULARY)
        if predicate.startswith(PROPERTIES):
            _once(properties, predicate.removeprefix(PROPERTIES), said)
        elif name in lists:
            values.setdefault(name, []).append(said)
        elif name != predicate and said is not None:
            _once(values, name, said)
    return Flat(block.kind, values, properties), block.graph.removeprefix(SOURCES)


def restates(block: Block) -> bool:
    """Tell whether lines only say plainly what a statement of ours said before them.

    Args:
        block: Lines that are of no kind.

    Returns:
        Whether each is a relation between two URIs that we write.
    """
    return all(said is None and predicate in _plain_predicates() for predicate, said in block.said)


@lru_cache(maxsize=1 << 16)
def iri(curie: str) -> str:
    """Give a URI for an id.

    Args:
        curie: Any id.

    Returns:
        The one that its prefix stands for, or one of our own that keeps every character.
    """
    known = prefixes.uri(curie)
    return known if known and _SAFE.fullmatch(known) else f"urn:medgraph:id:{quote(curie, safe=':')}"


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
        yield _BIOLINK + ENTITY_LABELS[str(flat.values["label"])].partition(":")[2]
    else:
        yield _CLASSES[flat.kind]


def _plain(flat: Flat, subject: str) -> Iterator[str]:
    """Say in one triple what a thing of ours says in several."""
    if flat.kind == "relation":
        start, kind, end = (str(flat.values[name]) for name in ("subject", "type", "object"))
        yield f"<{iri(start)}> <{_predicate(kind)}> <{iri(end)}>"
    about = flat.values.get("about", [])
    for entity in about if isinstance(about, list) else []:
        yield f"<{subject}> <{_DC}subject> <{iri(entity)}>"
    if "document" in flat.values:
        yield f"<{subject}> <{_DC}isPartOf> <urn:medgraph:document:{quote(str(flat.values['document']), safe=':')}>"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{_escaped(value)}"'
    if isinstance(value, bool):
        text = "true" if value else "false"
    else:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else repr(value)
    return f'"{_escaped(text)}"^^<{_DATATYPES[type(value)]}>'


def _escaped(text: str) -> str:
    return _BREAKS.sub(lambda match: _SHORT.get(match[0]) or f"\\u{ord(match[0]):04X}", text)


def _take(block: Block, match: re.Match[str]) -> None:
    _, predicate, target, text, datatype, _ = match.groups()
    if predicate == _TYPE and target is not None:
        if target.startswith(VOCABULARY):
            block.kind = target.removeprefix(VOCABULARY).lower()
        return
    block.said.append((predicate, None if text is None else _value(text, datatype or "")))


def _value(text: str, datatype: str) -> Any:
    if "\\" in text:
        text = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else _READ.get(m[1], m[1]), text)
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


def _once(values: dict[str, Any], name: str, said: Any) -> None:
    if name in values:
        raise RecordError(f"it has two values of {name!r}, which can have one")
    values[name] = said
