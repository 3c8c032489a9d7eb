"""Ontologies as OBO Graphs JSON (github.com/geneontology/obographs), with the same records as their OBO and OWL files.

The file is read several times as a stream, for relations refer to properties and entities anywhere in it. Logical
definitions, individuals and what holds of properties are not read. JSON gives no lines: what is wrong names the term.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema.records import SourceInfo
from ..base import Source
from ..files.opening import head, open_source
from .releases import LABEL_OPTION, Facts, source_info
from .terms import IMPORTED, IS_A, Link, Synonym, Term, Terms, word_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = SourceInfo(
    id="obographs",
    title="An ontology as OBO Graphs JSON",
    version="unversioned",
    licence="LicenseRef-unstated",
    url="",
    rank=1,
)

_SMALL: Final = 32 << 20
_START = re.compile(rb'\A\s*\{.*?"graphs"\s*:\s*\[', re.DOTALL)
_SCOPE = re.compile(r"has(Exact|Narrow|Broad|Related)Synonym")
_SOURCES: Final = {"oboInOwl:source", "oboInOwl:hasDbXref", "oboInOwl:xref"}
_PROPERTY_EDGES: Final = {"subPropertyOf", "inverseOf", "type"}


def records(path: Path, label: str = "") -> Iterator[Item]:
    """Read a file of OBO Graphs: its terms, then their relations.

    Args:
        path: The file, packed by gzip or not.
        label: The label of all its terms; without it, the one that the prefix of each implies.

    Yields:
        Entities, relations, remarks and rejects.

    Raises:
        SourceFileError: The file cannot be read or is broken, or holds no term.
    """
    terms = Terms(str(path), label)
    names = _properties(path, terms)
    found = False
    for node in _items(path, "graphs.item.nodes.item"):
        if (term := _term(node, terms)) is not None:
            found = True
            yield from terms.entity(term)
        yield from terms.noted()
    if not found:
        raise SourceFileError("holds no term; is it OBO Graphs, and whole?", path)
    for node in _items(path, "graphs.item.nodes.item"):  # mappings to terms of the file are relations
        if (term := _term(node, Terms(str(path)))) is not None:
            yield from terms.relations(term, names)
    for edge in _items(path, "graphs.item.edges.item"):
        if (term := _edge(edge, names, terms)) is not None:
            yield from terms.relations(term, names)
        yield from terms.noted()
    for same in _items(path, "graphs.item.equivalentNodesSets.item"):
        for term in _equivalent(same):
            yield from terms.relations(term, names)


def describe(path: Path) -> SourceInfo:
    """Read which ontology a file holds, and which release.

    Args:
        path: The file.

    Returns:
        What its first graph says of itself.

    Raises:
        SourceFileError: The file cannot be read or is broken.
    """
    facts = Facts(next(_items(path, "graphs.item.id"), ""))
    for meta in _items(path, "graphs.item.meta"):
        if isinstance(meta, dict):
            facts.versions.append(_text(meta.get("version")))
            for predicate, value, _ in _values(meta):
                facts.say(predicate, value)
            break
    return source_info(INFO, facts, path)


def recognise(path: Path) -> bool:
    """Tell whether a file is of this format.

    Args:
        path: The file.

    Returns:
        Whether it is named `.json`, or `.json.gz`, and begins as an object with graphs of nodes.
    """
    if not path.name.lower().endswith((".json", ".json.gz")):
        return False
    start = head(path)
    return bool(_START.match(start)) and any(mark in start for mark in (b'"nodes"', b'"edges"', b'"lbl"', b'"meta"'))


SOURCE: Final = Source(INFO, records, order=11, describe=describe, recognise=recognise, options={"label": LABEL_OPTION})


def _items(path: Path, place: str) -> Iterator[Any]:
    import ijson

    with open_source(path) as file, _broken(path):
        yield from ijson.items(file, place, use_float=True)


@contextmanager
def _broken(path: Path) -> Iterator[None]:
    import ijson

    try:
        yield
    except (ijson.JSONError, UnicodeDecodeError) as error:
        line, message = _place(path, str(error))
        raise SourceFileError(f"is not whole JSON in UTF-8 ({message}); fetch it again", path, line) from error


def _place(path: Path, message: str) -> tuple[int | None, str]:
    """Find the line of what is wrong, which the reader of streams does not tell, in a file that is not large."""
    import json

    if path.stat().st_size <= _SMALL:
        with open_source(path) as file:
            data = file.read(_SMALL)
        try:
            json.loads(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            return data.count(b"\n", 0, error.start) + 1, f"byte {error.start + 1} is no UTF-8"
        except json.JSONDecodeError as error:
            return error.lineno, error.msg
        except (ValueError, RecursionError):
            pass
    return None, " ".join(message.split())[:200]


def _properties(path: Path, terms: Terms) -> dict[str, str]:
    """Look through the whole file for names of properties, so that a broken one is refused at once."""
    names = {}
    for node in _items(path, "graphs.item.nodes.item"):
        if isinstance(node, dict) and node.get("type") == "PROPERTY":
            names[word_of(_text(node.get("id")))] = _text(node.get("lbl"))
        elif isinstance(node, dict) and node.get("type") == "INDIVIDUAL":
            terms.remark("individuals", 1, "individuals are passed over: only classes are read")
    for address in _items(path, "graphs.item.meta.imports.item"):
        text = _text(address)
        terms.remark(text, 1, IMPORTED.format(text))
    return names


def _term(node: Any, terms: Terms) -> Term | None:
    """Read a node; none for one that is no class, and a reject for one that cannot be read."""
    if isinstance(node, dict) and node.get("type", "CLASS") != "CLASS":
        return None
    if not isinstance(node, dict) or not _text(node.get("id")):
        terms.reject(1, f"a node has no id: {str(node)[:60]}; give it one")
        return None
    term = Term(_text(node["id"]))
    term.say("rdfs:label", _text(node.get("lbl")))
    try:
        _meta(term, node.get("meta") or {})
    except (RecordError, AttributeError, TypeError) as error:
        terms.reject(1, f"what is said of {term.id[:60]!r} is not of the form of OBO Graphs ({error}); mend it")
    return term


def _meta(term: Term, meta: Any) -> None:
    term.obsolete = meta.get("deprecated") is True
    for synonym in meta.get("synonyms") or ():
        scope = _SCOPE.search(_text(synonym.get("pred")))
        kind = word_of(_text(synonym.get("synonymType")))
        if text := _text(synonym.get("val")):
            references = tuple(map(_text, synonym.get("xrefs") or ()))
            term.synonyms.append(Synonym(text, scope[1].upper() if scope else "RELATED", kind, references))
    if definition := meta.get("definition"):
        term.say("IAO:0000115", _text(definition.get("val")), tuple(map(_text, definition.get("xrefs") or ())))
    for xref in meta.get("xrefs") or ():
        term.say("oboInOwl:hasDbXref", _text(xref.get("val")), _sources(xref.get("meta")))
    for comment in meta.get("comments") or ():
        term.say("rdfs:comment", _text(comment))
    for subset in meta.get("subsets") or ():
        term.say("oboInOwl:inSubset", _text(subset))
    for predicate, value, sources in _values(meta):
        term.say(predicate, value, sources)


def _values(meta: Any) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for said in meta.get("basicPropertyValues") or ():
        yield word_of(_text(said.get("pred"))), _text(said.get("val")), _sources(said.get("meta"))


def _sources(meta: Any) -> tuple[str, ...]:
    if not meta:
        return ()
    references = [_text(xref.get("val")) if isinstance(xref, dict) else _text(xref) for xref in meta.get("xrefs") or ()]
    return (*references, *(value for predicate, value, _ in _values(meta) if predicate in _SOURCES))


def _edge(edge: Any, names: dict[str, str], terms: Terms) -> Term | None:
    if not isinstance(edge, dict) or not all(_text(edge.get(key)) for key in ("sub", "pred", "obj")):
        terms.reject(1, f"an edge lacks sub, pred or obj: {str(edge)[:60]}; complete it")
        return None
    word, subject = _text(edge["pred"]), _text(edge["sub"])
    if word in _PROPERTY_EDGES or word_of(subject) in names:
        return None
    predicate = IS_A if word == "is_a" else word_of(word)
    return Term(subject, links=[Link(predicate, _text(edge["obj"]), _sources(edge.get("meta")))])


def _equivalent(same: Any) -> Iterator[Term]:
    nodes = sorted({_text(node) for node in same.get("nodeIds") or ()}) if isinstance(same, dict) else []
    for other in nodes[1:]:
        yield Term(nodes[0], links=[Link("owl:equivalentClass", other)])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
