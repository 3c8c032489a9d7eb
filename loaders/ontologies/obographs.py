"""Ontologies as OBO Graphs JSON (github.com/geneontology/obographs), with the same records as their OBO and OWL files.

The file is read several times as a stream, for relations refer to properties and entities anywhere in it. Logical
definitions, individuals and what holds of properties are not read. JSON gives no lines: what is wrong names its path.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ..base import INFOS, Item, Source
from ..files import json_items
from ..files.texts import head, open_source
from .releases import FACTS, OPTIONS, Facts, source_info
from .term import ANNOTATIONS, IS_A, NOTHING, SAME, Link, Notes, Place, StatementSource, Term, key_of, word_of
from .terms import DEFINITIONS, IMPORTED, INDIVIDUALS, SOME_ONLY, UNREAD, Terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from ...schema.records import SourceInfo

INFO: Final = INFOS["obographs"]

_WORDS: Final = "subsets and types of synonyms are passed over, for they are no terms"

_SMALL: Final = 32 << 20
_START = re.compile(rb'\A\s*\{.*?"graphs"\s*:\s*\[', re.DOTALL)
_BEGIN: Final = {"start_map", "start_array", "string", "number", "boolean", "null"}
_GRAPH: Final = "graphs.item"
_PART: Final = re.compile(r"graphs\.item\.([^.]+)\.item")
_GRAPH_PROPERTIES: Final = f"{_GRAPH}.meta.basicPropertyValues.item.pred"
_NODE: Final = f"{_GRAPH}.nodes.item"
_VALUE: Final = ("meta.basicPropertyValues.item.pred", "meta.basicPropertyValues.item.val")
# Where something stands that must be known before the first term.
_PLACES: Final = {
    _GRAPH,
    _NODE,
    *(f"{_NODE}.{key}" for key in ("id", "lbl", "type", *_VALUE)),
    *(f"{_GRAPH}.{part}.item" for part in ("edges", "logicalDefinitionAxioms", "meta.imports")),
}
_META: Final = frozenset("deprecated synonyms definition xrefs comments subsets basicPropertyValues version".split())
_READ: Final = {"nodes", "edges", "logicalDefinitionAxioms", "equivalentNodesSets"}
_SOURCES: Final = {"oboInOwl:source", "oboInOwl:hasDbXref", "oboInOwl:xref"}
_SETS: Final = "equivalentNodesSets"
_PROPERTY_EDGES: Final = {"subPropertyOf", "inverseOf", "type"}


@dataclass(slots=True)
class _Outline:
    """What a file holds, before anything of it is read as a term.

    How many nodes and edges each graph has, names of properties, what else is the same as the first node of each set,
    the node at hand, prefixes as the context has them, objects by path, and statements on the graphs by property.
    """

    counts: dict[str, list[int]] = field(default_factory=lambda: {"nodes": [], "edges": []})
    names: dict[str, str] = field(default_factory=dict)
    same: dict[str, list[Link]] = field(default_factory=dict)
    imports: list[str] = field(default_factory=list)
    individuals: int = 0
    definitions: int = 0
    node: dict[str, str] = field(default_factory=dict)
    spaces: dict[str, str] = field(default_factory=dict)
    parts: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    scopes: dict[str, str] = field(default_factory=dict)  # properties of synonyms that name none, by their type

    def take(self, place: str, event: str, value: Any) -> None:
        kind, _, last = place.removeprefix("graphs.item.").partition(".")
        if last == "item" and event in _BEGIN and kind in self.counts:
            self.counts[kind][-1] += 1
        elif event == "string":
            if last == "imports.item":
                self.imports.append(value)
            else:
                self.node[last.removeprefix("item.")] = value
                if word_of(self.node.get(_VALUE[0], "")) == "oboInOwl:hasScope" and _VALUE[1] in self.node:
                    self.scopes[word_of(self.node.get("id", ""))] = word_of(self.node.pop(_VALUE[1]))
        elif place == _GRAPH and event in _BEGIN:
            for counts in self.counts.values():
                counts.append(0)
        elif place == _NODE and event == "end_map":
            if self.node.get("type") == "PROPERTY":
                self.names[word_of(self.node.get("id", ""))] = self.node.get("lbl", "")
            self.individuals += self.node.get("type") == "INDIVIDUAL"
            self.node.clear()
        elif kind == "logicalDefinitionAxioms" and event == "start_map":
            self.definitions += 1


def records(path: Path, label: str = "", language: str = "en") -> Iterator[Item]:
    """Read terms, then their relations, packed or not; `OPTIONS` says what the options are."""
    outline = _outline(path)
    terms = Terms(str(path), label, language, outline.spaces)
    _look_over(outline, terms)
    terms.leave_out(json_items.LEFT_OUT, "", 0, json_items.count(path))
    found, unseen = False, dict(outline.same)
    for place, node in _placed(path, "nodes", outline):
        if (term := _term(node, place, terms, outline)) is not None:
            found = True
            unseen.pop(term.id, None)
            yield from terms.entity(term)
        yield from terms.noted()
    for first, others in unseen.items():
        yield from terms.entity(Term(first, _SETS, links=others))
    if not found and not (any(outline.counts["edges"]) or outline.same or outline.definitions):
        raise SourceFileError("holds no term; is it OBO Graphs, and whole?", path)
    yield from terms.counterparts(_again(path, outline, language))
    for term in _again(path, outline, language):  # mappings to terms of the file are relations
        term.links = []  # they stand in the edges and sets
        yield from terms.relations(term, outline.names)
    for place, edge in _placed(path, "edges", outline):
        if (term := _edge(edge, place, outline.names, terms)) is not None:
            yield from terms.relations(term, outline.names)
        yield from terms.noted()
    for first, others in outline.same.items():
        term = Term(first, _SETS, links=others)
        yield from terms.relations(term, outline.names)
    yield from terms.summary()


def _look_over(outline: _Outline, terms: Terms) -> None:
    for address in outline.imports:
        terms.remark(address, 0, IMPORTED.format(address))
    terms.leave_out(INDIVIDUALS, "", 0, outline.individuals)
    terms.leave_out(DEFINITIONS, "", 0, outline.definitions)
    for place, count in outline.parts.items():
        if (found := _PART.fullmatch(place)) and found[1] not in _READ:
            terms.leave_out(UNREAD.format(found[1], "graphs"), place, "", count)
    for word in outline.said.keys() - FACTS:
        terms.leave_out(UNREAD.format(word, "graphs"), "", "", outline.said[word])


def _again(path: Path, outline: _Outline, language: str) -> Iterator[Term]:
    """Read the nodes again, without what is wrong with them, which was said."""
    silent = Terms(str(path), language=language)
    found = (_term(node, place, silent, outline) for place, node in _placed(path, "nodes", outline))
    return (term for term in found if term is not None)


def describe(path: Path) -> SourceInfo:
    """Read from the first graph which ontology a file holds, and which release."""
    facts = Facts(next(_items(path, "graphs.item.id"), ""))
    for meta in _items(path, "graphs.item.meta"):
        if isinstance(meta, dict):
            facts.versions.append(_text(meta.get("version")))
            for said in filter(lambda said: isinstance(said, dict), meta.get("basicPropertyValues") or ()):
                facts.annotate(word_of(_text(said.get("pred"))), _text(said.get("val")))
            break
    return replace(source_info(INFO, facts, path), namespaces=prefixes.own(_spaces(path)))


def recognise(path: Path) -> bool:
    """Tell whether a file is named `.json`, or `.json.gz`, and begins as an object with graphs of nodes."""
    if not path.name.lower().endswith((".json", ".json.gz")):
        return False
    start = head(path)
    return bool(_START.match(start)) and any(mark in start for mark in (b'"nodes"', b'"edges"', b'"lbl"', b'"meta"'))


SOURCE: Final = Source(INFO, records, order=11, describe=describe, recognise=recognise, options=OPTIONS)


def _items(path: Path, place: str) -> Iterator[Any]:
    import ijson

    with json_items.open_json(path) as file, _broken(path):
        yield from ijson.items(file, place)  # numbers of any size: none is a float


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


def _outline(path: Path) -> _Outline:
    """Look through the whole file, so that a broken one is refused at once."""
    import ijson

    outline = _Outline()
    with json_items.open_json(path) as file, _broken(path):
        for place, event, value in ijson.parse(file):
            if event == "start_map":
                outline.parts[place] += 1
            if place in _PLACES:
                outline.take(place, event, value)
            elif place == _GRAPH_PROPERTIES and value:
                outline.said[word_of(value)] += 1
    outline.spaces = _spaces(path)
    for same in _items(path, "graphs.item.equivalentNodesSets.item"):
        nodes = sorted({_text(node) for node in same.get("nodeIds") or ()}) if isinstance(same, dict) else []
        meta = same.get("meta") if nodes else None
        sources, notes = _notes(meta if isinstance(meta, dict) else None)
        outline.same.setdefault("".join(nodes[:1]), []).extend(Link(SAME, node, sources, notes) for node in nodes[1:])
    return outline


def _spaces(path: Path) -> dict[str, str]:
    context = next(_items(path, "@context"), None) if b'"@context"' in head(path) else None
    said = context.items() if isinstance(context, dict) else ()
    return {name: base for name, base in said if isinstance(base, str) and prefixes.is_base(base)}


def _placed(path: Path, kind: str, outline: _Outline) -> Iterator[tuple[str, Any]]:
    items = _items(path, f"graphs.item.{kind}.item")
    for graph, count in enumerate(outline.counts[kind]):
        for number, item in zip(range(count), items, strict=False):
            yield f"graphs[{graph}].{kind}[{number}]", item


def _term(node: Any, place: str, terms: Terms, outline: _Outline) -> Term | None:
    """Read a node; none for one that is no class, and a reject for one that cannot be read."""
    if isinstance(node, dict) and node.get("type", "CLASS") != "CLASS":
        read = {"basicPropertyValues"} if word_of(_text(node.get("id"))) in outline.scopes else {}
        _pass_over(terms, node.get("meta"), read, f"nodes of the type {node['type']}", place)
        return None
    if not isinstance(node, dict) or not _text(node.get("id")):
        terms.reject(place, f"a node has no id: {str(node)[:60]}; give it one")
        return None
    if "type" not in node and _names_a_word(node):
        terms.leave_out(_WORDS, _text(node["id"]), place)
        return None
    _pass_over(terms, node, {"id", "type", "lbl", "meta"}, "terms", place)
    term = Term(_text(node["id"]), place)
    if node.get("lbl") is not None:
        term.annotate("rdfs:label", _text_of(node, "lbl", term, terms))
    try:
        _meta(term, node.get("meta") or {}, terms, outline.scopes)
    except (RecordError, AttributeError, TypeError) as error:
        terms.reject(place, f"what is said of {term.id[:60]!r} is not of the form of OBO Graphs ({error}); mend it")
    if not term.names:
        term.links = outline.same.get(term.id, [])
    return term


def _names_a_word(node: dict[str, Any]) -> bool:
    """Tell whether a node without a type is a subset or a type of synonyms, such as `…/obo/go#goslim_plant`."""
    meta = node.get("meta")
    said = isinstance(meta, dict) and (meta.get("definition") or meta.get("synonyms"))
    return not said and ":" not in word_of(_text(node["id"]))


def _meta(term: Term, meta: Any, terms: Terms, scopes: Mapping[str, str]) -> None:
    _pass_over(terms, meta, _META, "terms", term.place)
    term.annotate("owl:deprecated", _text(meta.get("deprecated")))
    for synonym in meta.get("synonyms") or ():
        word = _text(synonym.get("pred"))
        kind = word_of(_text(synonym.get("synonymType")))
        known = word_of(word if "://" in word or ":" in word else f"oboInOwl:{word}") if word else scopes.get(kind, "")
        scope = known if ANNOTATIONS.get(known, "").startswith("synonym") else "oboInOwl:hasRelatedSynonym"
        if known != scope and word:
            terms.leave_out(f"synonyms of the kind {word[:60]} are taken as related", term.id, term.place)
        term.annotate(scope, _text_of(synonym, "val", term, terms), _statement_source(synonym, terms, kind))
    if definition := meta.get("definition"):
        term.annotate("IAO:0000115", _text_of(definition, "val", term, terms), _statement_source(definition, terms))
    for xref in meta.get("xrefs") or ():
        term.annotate("oboInOwl:hasDbXref", _text_of(xref, "val", term, terms), _statement_source(xref, terms))
    for comment in meta.get("comments") or ():
        term.annotate("rdfs:comment", _text(comment))
    for subset in meta.get("subsets") or ():
        term.annotate("oboInOwl:inSubset", _text(subset))
    for said in meta.get("basicPropertyValues") or ():
        term.annotate(word_of(_text(said.get("pred"))), _text(said.get("val")), _statement_source(said, terms))


def _statement_source(statement: Any, terms: Terms, kind: str = "") -> StatementSource:
    """Read what is said of a statement: its references, and its own `meta`."""
    if not (kind or statement.get("meta") or statement.get("xrefs") or statement.get("lang")):
        return NOTHING
    sources, notes = _notes(statement.get("meta"))
    references = tuple(map(_text, statement.get("xrefs") or ()))
    return StatementSource((*references, *sources), kind, notes, terms.elsewhere(_text(statement.get("lang"))))


def _notes(meta: Any) -> tuple[tuple[str, ...], Notes]:
    if not meta:
        return (), ()
    references = [_text(xref.get("val")) if isinstance(xref, dict) else _text(xref) for xref in meta.get("xrefs") or ()]
    values = [(word_of(_text(s.get("pred"))), _text(s.get("val"))) for s in meta.get("basicPropertyValues") or ()]
    comments = [("rdfs:comment", _text(comment)) for comment in meta.get("comments") or ()]
    sources = (*references, *(text for predicate, text in values if predicate in _SOURCES))
    return sources, tuple(note for note in (*values, *comments) if note[0] not in _SOURCES and note[1])


def _edge(edge: Any, place: str, names: dict[str, str], terms: Terms) -> Term | None:
    _pass_over(terms, edge, {"sub", "pred", "obj", "meta"}, "edges", place)
    if not isinstance(edge, dict) or not all(_text(edge.get(key)) for key in ("sub", "pred", "obj")):
        terms.reject(place, f"an edge lacks sub, pred or obj: {str(edge)[:60]}; complete it")
        return None
    word, subject = _text(edge["pred"]), _text(edge["sub"])
    if word in _PROPERTY_EDGES or word_of(subject) in names:
        terms.leave_out(UNREAD.format(word, "properties and individuals"), subject, place)
        return None
    predicate = IS_A if word == "is_a" else word_of(word)
    try:
        sources, notes = _notes(edge.get("meta"))
    except (AttributeError, TypeError) as error:
        terms.reject(place, f"what is said of an edge is not of the form of OBO Graphs ({error}); mend it")
        sources, notes = (), ()
    if any(key_of(what).startswith("gci_") for what, _ in notes):
        terms.leave_out(SOME_ONLY, subject, place)
        return None
    return Term(subject, place, links=[Link(predicate, _text(edge["obj"]), sources, notes)])


def _pass_over(terms: Terms, said: Any, known: Collection[str], what: str, place: Place) -> None:
    for name in sorted(said.keys() - known) if isinstance(said, dict) else ():
        terms.leave_out(UNREAD.format(str(name)[:60], what), f"{said[name]}", place)


def _text_of(holder: Any, name: str, term: Term, terms: Terms) -> str:
    """Give the text under a name; a reject, and nothing, where none stands there."""
    value = holder.get(name)
    if value is None or isinstance(value, list | dict):
        terms.reject(term.place, f"{name} is {str(value)[:60]}, and no text. The rest of {term.id[:60]} is kept")
    return _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None or isinstance(value, list | dict) else str(value)
