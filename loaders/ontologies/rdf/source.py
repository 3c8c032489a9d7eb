"""Ontologies and vocabularies in RDF: OWL, RDFS and SKOS, as RDF/XML, Turtle, TriG, N-Triples, N-Quads or JSON-LD.

Classes and concepts become entities, and so does what the file gives no type but says something about; superclasses,
restrictions that say that there is something, broader and related concepts become relations; annotations of annotations
(types of synonyms, where a reference comes from) go with what they annotate. Logical definitions (`equivalentClass` of
an expression), individuals and what holds of properties are not read. An OWL file and the OBO file of the same ontology
give the same records.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ....errors import SourceFileError
from ....schema import prefixes
from ....schema.exchange.nquads import VOCABULARY
from ...base import INFOS, Item, Source
from ...files import json_items
from ...files.texts import head
from ..releases import FACTS, OPTIONS, Facts, source_info
from ..term import ANNOTATIONS, IS_A, MATCHES, NOTHING, TEXTS, Link, StatementSource, Term, word_of
from ..terms import ASTRAY, DEFINITIONS, DISJOINT, IMPORTED, INDIVIDUALS, SOME_ONLY, UNREAD, UNREAD_NODES, Terms
from . import triples
from .contexts import addresses
from .triples import BASE, OWL, RDF, RDFS, SKOS, Row, Triples, label_of, links_of, restriction, text_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from ....schema.records import SourceInfo

INFO: Final = INFOS["rdf"]

_NEGATIVE: Final = "assertions that something has not a property are left out"
_TYPE: Final = f"{RDF}type"
_SUPER: Final = f"{RDFS}subClassOf"
_NAMES: Final = {f"{RDFS}label", f"{SKOS}prefLabel"}
_OIO: Final = "http://www.geneontology.org/formats/oboInOwl#"
_KINDS: Final = {f"{OWL}Class", f"{RDFS}Class", f"{SKOS}Concept"}
_ENDS: Final = {f"{OWL}Thing", f"{OWL}Nothing"}
_LINKS: Final = {f"{OWL}equivalentClass", f"{SKOS}broader", f"{SKOS}broaderTransitive", f"{SKOS}related"}
_RELATING: Final = {_TYPE, _SUPER, *_LINKS, *(f"{SKOS}{m.partition(':')[2]}" for m in MATCHES)}
_PASSED: Final = {
    *(f"{SKOS}{word}" for word in ("narrower", "narrowerTransitive", "semanticRelation")),
    *(f"{OWL}{word}" for word in ("disjointWith", "disjointUnionOf", "hasKey")),
}
_SOURCES: Final = {f"{_OIO}source", f"{_OIO}hasDbXref", f"{_OIO}xref"}
_HEADS: Final = {f"{OWL}Ontology", f"{SKOS}ConceptScheme"}
_MAPPINGS: Final = b"https://w3id.org/sssom/"
_QUIET: Final = 1000
_SCHEMED: Final = "{} without a type are concepts, since they have a preferred label and are in a scheme"
_GRAPHED: Final = "statements stand in {} named graphs, which are read as one"
_OPTIONS: Final = {
    **OPTIONS,
    "base": "what relative addresses are relative to, where the file does not say; --url by default",
    "context": "the file with the contexts that JSON-LD names by address; one beside it is found",
}

_AXIOM: Final = {_TYPE, f"{_OIO}hasSynonymType", *(f"{OWL}annotated{end}" for end in ("Source", "Property", "Target"))}
_COUNTED: Final = {
    **{f"{OWL}{word}": DEFINITIONS for word in ("equivalentClass", "intersectionOf", "unionOf")},
    **{f"{OWL}{word}": DISJOINT for word in ("disjointWith", "disjointUnionOf")},
}
# What annotations say of a term, so that what has no type is one.
_SAYING: Final = frozenset("name definition synonym xref alternative_ids obsolete exact_matches close_matches".split())
_SHARED: Final = {"rdf:type", "rdfs:isDefinedBy"}
_USUAL: Final = _KINDS | {f"{OWL}NamedIndividual", f"{RDFS}Resource", f"{OWL}Thing"}  # types that say nothing of a term
_TAKEN: Final = {f"{SKOS}narrower", f"{SKOS}semanticRelation"}
# What is read of what is no term, by its type.
_READ: Final = {
    f"{OWL}Ontology": FACTS | {"owl:imports"},
    f"{SKOS}ConceptScheme": FACTS,
    f"{OWL}ObjectProperty": {"rdfs:label"},
    **{f"{_OIO}{word}": {"rdfs:label", "oboInOwl:hasURI"} for word in ("Synonym", "Definition", "DbXref")},
    "http://www.w3.org/2008/05/skos-xl#Label": {"http://www.w3.org/2008/05/skos-xl#literalForm"},
}
_READ_OF: Final = frozenset(_READ)
_NO_TERMS: Final = tuple("owl: rdf: rdfs: xsd: oboInOwl: skos: dc: dcterms: foaf: prov: pav: schema:".split())
_RELATIVE: Final = "add xml:base or @base, or give --url or --option base= as the base"

# What annotations of annotations say, by the property and value that they annotate.
_Notes = dict[tuple[str, str], StatementSource]


def records(path: Path, label: str = "", language: str = "en", base: str = "", context: str = "") -> Iterator[Item]:
    """Read classes and concepts, then their relations, each by address; `_OPTIONS` says what the options are."""
    with triples.load(path, base, context) as store:
        terms = Terms(str(path), label, language, _spaces(path, context))
        for ontology in store.typed(f"{OWL}Ontology"):
            for address in sorted({row[2] for row in store.of(ontology) if row[1] == f"{OWL}imports"}):
                terms.remark(address, 0, IMPORTED.format(address))
        for subject, address in store.unsound:
            why = f"{address[:200]!r} is no address; encode its blanks"
            terms.reject(subject, f"the statement of {subject[:200]!r} is left out: {why}")
        if triples.syntax_of(path, whole=False) == "json-ld":
            terms.leave_out(json_items.LEFT_OUT, "", 0, json_items.count(path))
        individuals = store.typed(f"{OWL}NamedIndividual")
        terms.leave_out(INDIVIDUALS, "".join(individuals[:1]), 0, len(individuals))
        terms.leave_out(SOME_ONLY, "", 0, store.unnamed(_SUPER))
        terms.leave_out(_NEGATIVE, "", 0, len(store.typed(f"{OWL}NegativePropertyAssertion")))
        for what, (example, count) in store.loose().items():
            terms.leave_out(UNREAD_NODES.format(word_of(what)), example, "", count)
        _remark(store, terms)
        yield from terms.noted()
        found = False
        relating = store.relating()
        reader = _Reader(store, terms, relating)
        for term in reader.subjects():
            found = True
            yield from terms.entity(term)
        yield from terms.noted()
        if not found:
            raise SourceFileError(reader.nothing(), path)
        names = _names(store, terms)
        silent = Terms(str(path), label, language)  # what is wrong with them was said
        yield from terms.counterparts(_Reader(store, silent, relating).subjects())
        for term in _Reader(store, silent, relating).subjects(_RELATING | relating):
            yield from terms.relations(term, names)
        yield from terms.summary()


def _remark(store: Triples, terms: Terms) -> None:
    """Say what was understood that no statement says."""
    if store.schemed:
        terms.remark("schemed", store.schemed[0], _SCHEMED.format(len(store.schemed)))
    if len(store.graphs) > 1:
        terms.remark("graphs", min(store.graphs), _GRAPHED.format(len(store.graphs)))


def describe(path: Path) -> SourceInfo:
    """Read from the header, looked for until nothing of it comes for a while, which ontology and release."""
    heads: dict[str, bool] = {}
    said: dict[str, Facts] = {}
    declared: dict[str, str] = {}
    quiet = 0
    # Nothing is read where the context stands elsewhere, which an option may give when the file is loaded.
    elsewhere = triples.syntax_of(path, whole=False) == "json-ld" and addresses(path)
    for subject, predicate, target, _, _ in () if elsewhere else triples.stream(path, declared):
        if predicate == f"{RDF}type" and target in _HEADS and not subject.startswith("_:"):
            heads[subject] = target == f"{OWL}Ontology"
            quiet = 0
        elif subject in heads or not heads:
            said.setdefault(subject, Facts(subject)).annotate(word_of(predicate), target)
            quiet = 0
        quiet += 1
        if heads and quiet > _QUIET:
            break
        if len(said) > _QUIET:
            said = {key: facts for key, facts in said.items() if key in heads}
    best = min(heads, key=lambda subject: (not heads[subject], subject), default="")
    return replace(source_info(INFO, said.get(best, Facts(best)), path), namespaces=prefixes.own(declared))


def _spaces(path: Path, context: str) -> dict[str, str]:
    """Read what prefixes of literals stand for that nobody but the file knows."""
    declared: dict[str, str] = {}
    next(triples.stream(path, declared, context), None)
    return {name: base for name, base in declared.items() if name and prefixes.prefix(name) is None}


def recognise(path: Path) -> bool:
    """Tell whether a file's name and beginning are those of RDF; mappings of SSSOM are another format's."""
    name = path.name.lower().removesuffix(".gz")
    start = head(path)
    if _MAPPINGS in start:
        return False
    if name.endswith((".owl", ".rdf")):
        return b"http://www.w3.org/1999/02/22-rdf-syntax-ns#" in start
    if name.endswith(".jsonld"):
        return b'"@' in start
    if name.endswith((".nq", ".nquads", ".trig")):  # those that medgraph wrote are the graph's
        return (b"<" in start or b"@prefix" in start) and VOCABULARY.encode() not in start
    return name.endswith((".ttl", ".nt")) and (b"<" in start or b"@prefix" in start)


SOURCE: Final = Source(INFO, records, order=12, describe=describe, recognise=recognise, options=_OPTIONS)


class _Following:
    """Goes through annotations beside the terms that they annotate: both come in the order of addresses."""

    def __init__(self, annotations: Iterator[tuple[str, list[Row]]]) -> None:
        self._annotations = annotations
        self._next: tuple[str, list[Row]] | None = ("", [])

    def of(self, subject: str) -> list[Row]:
        while self._next is not None and self._next[0] < subject:
            self._next = next(self._annotations, None)
        return self._next[1] if self._next is not None and self._next[0] == subject else []


@dataclass(slots=True)
class _Reader:
    store: Triples
    terms: Terms
    relating: set[str]
    properties: set[str] = field(default_factory=set)
    relative: list[str] = field(default_factory=list)  # ids that cannot be told

    def nothing(self) -> str:
        if self.relative:
            said = f"{len(self.relative):,} classes or concepts, all with relative ids such as {self.relative[0]!r}"
            return f"{said}; {_RELATIVE}"
        return "holds no class and no concept that can be read; is it an ontology or a vocabulary, and whole?"

    def subjects(self, predicates: Collection[str] = ()) -> Iterator[Term]:
        """Read every class and concept, of these properties alone where some are given."""
        annotations = _Following(self.store.annotations()) if self.store.annotated(predicates) else None
        for subject, rows in self.store.groups(predicates):
            kinds = {row[2] for row in rows if row[1] == _TYPE}
            declared = not kinds.isdisjoint(_KINDS) or any(row[1] == _SUPER for row in rows)
            if not declared and (kinds or not self._adds(subject, rows)):
                # Count what is said of what is no term, but for what a header or the name of a property is read for.
                words = {"properties" if kind.endswith("Property") else word_of(kind) for kind in kinds}
                what = " and ".join(sorted(words)) or "what has no type"
                read = _READ_OF.intersection(kinds)
                for _, predicate, target, _, _ in rows:
                    word = word_of(predicate)
                    if ANNOTATIONS.get(word) != "ignored" and not any(word in _READ[kind] for kind in read):
                        self.terms.leave_out(UNREAD.format(word, what[:100]), f"{subject} {target}", subject)
                continue
            if subject.startswith(BASE):
                relative = subject.removeprefix(BASE)
                self.relative.append(relative[:60])
                reason = f"{relative[:60]!r} is relative, and the file does not say to what; {_RELATIVE}"
                self.terms.reject(relative, reason)
            elif subject not in _ENDS and subject not in self.store.classes:
                preferred = f"{SKOS}prefLabel" if f"{SKOS}Concept" in kinds else f"{RDFS}label"
                said = annotations.of(subject) if annotations else []
                yield self._term(subject, rows, preferred, _notes(self.store, said) if said else {})

    def _adds(self, subject: str, rows: list[Row]) -> bool:
        """Tell whether what has no type is a term all the same, which the file adds to: a translation declares none."""
        says = any(row[1] in _LINKS or _meaning(row[1])[1] in _SAYING for row in rows)
        known = prefixes.standard(subject) if says else None
        if not known or known.startswith(_NO_TERMS):
            return False
        self.properties = self.properties or self.store.predicates()
        return subject not in self.properties

    def _term(self, subject: str, rows: list[Row], preferred: str, notes: _Notes) -> Term:
        term, names = Term(subject, subject), set()
        for row in rows:
            _, predicate, target, literal, spoken = row
            word, role, is_text = _meaning(predicate)
            said = notes.get((predicate, target), NOTHING) if notes else NOTHING
            if is_text and not literal and (node := label_of(self.store, target)):
                text, spoken, literal = node.text, node.language, 1
                said = replace(said, xrefs=(*said.xrefs, *node.xrefs), kind=node.kind, notes=(*said.notes, *node.notes))
            else:
                text = target
            if not literal:
                self._points(term, row, word, said, notes)
            elif (elsewhere := self.terms.elsewhere(spoken)) or role != "name":
                term.annotate(word, text, replace(said, language=elsewhere) if elsewhere else said)
            else:
                names.add((predicate != preferred, not spoken, text.strip()))
                term.note(role, text, said)
        for predicate, target in notes.keys() - {row[1:3] for row in rows} if notes else ():
            if predicate != _SUPER:
                self.terms.leave_out(ASTRAY, f"{subject} {word_of(predicate)} {target}", subject)
        term.names = [name for _, _, name in sorted(names) if name]
        term.links.extend(Link("skos:broader", wider) for wider in self.store.wider(subject))
        return term

    def _points(self, term: Term, row: Row, word: str, said: StatementSource, notes: _Notes) -> None:
        subject, predicate, target, _, _ = row
        if predicate == _SUPER:
            self._superclass(term, target, notes)
        elif word in _SHARED and target not in _USUAL:
            self.terms.leave_out(UNREAD.format(word, "terms"), f"{subject} {target}", subject)
        elif predicate in _COUNTED and (target.startswith("_:") or predicate in _PASSED):
            self.terms.leave_out(_COUNTED[predicate], subject, subject)
        elif target.startswith("_:") or predicate in _PASSED:
            if predicate not in _TAKEN:
                self.terms.leave_out(UNREAD.format(word, "terms"), f"{subject} {target}", subject)
        elif predicate in _LINKS or (predicate in self.relating and word not in ANNOTATIONS):
            term.links.append(Link(word, target, said.xrefs, said.notes))
        else:
            term.annotate(word, target, said)

    def _superclass(self, term: Term, target: str, notes: _Notes) -> None:
        if target == f"{_OIO}ObsoleteClass":
            term.obsolete = True
        elif not target.startswith("_:"):
            said = notes.get((_SUPER, target), NOTHING)
            term.links.append(Link(IS_A, target, said.xrefs, said.notes))
        else:
            found, why = links_of(self.store, target)
            if why:
                self.terms.leave_out(why, term.id, term.id)
            for link in found:
                said = notes.get((_SUPER, f"{link.predicate} {link.target}"), NOTHING)
                term.links.append(Link(link.predicate, link.target, said.xrefs, (*link.notes, *said.notes)))


@lru_cache(maxsize=4096)
def _meaning(predicate: str) -> tuple[str, str, bool]:
    """Give the CURIE of a property, what it says, and whether that is a text."""
    word = word_of(predicate)
    role = ANNOTATIONS.get(word, "").partition(" ")[0]
    return word, role, role in TEXTS


def _notes(store: Triples, annotations: list[Row]) -> _Notes:
    notes: _Notes = {}
    for _, found in groupby(annotations, key=itemgetter(0)):
        rows = list(found)
        said = {row[1]: row[2] for row in rows}
        predicate, target = said.get(f"{OWL}annotatedProperty", ""), said.get(f"{OWL}annotatedTarget", "")
        if target.startswith("_:") and (known := restriction(store, target)):
            target = f"{known.predicate} {known.target}"
        before = notes.get((predicate, target), NOTHING)
        sources = sorted({text for row in rows if row[1] in _SOURCES and (text := text_of(store, row))})
        others = sorted((word_of(row[1]), row[2]) for row in rows if row[1] not in _AXIOM and row[1] not in _SOURCES)
        kind = said.get(f"{_OIO}hasSynonymType", before.kind)
        notes[predicate, target] = StatementSource((*before.xrefs, *sources), kind, (*before.notes, *others))
    return notes


def _names(store: Triples, terms: Terms) -> dict[str, str]:
    names = {}
    for subject in store.typed(f"{OWL}ObjectProperty"):
        labels = [row for row in store.of(subject) if row[1] == f"{RDFS}label"]
        said = sorted((row for row in labels if not terms.elsewhere(row[4])), key=lambda row: not row[4])
        if said:
            names[word_of(subject)] = said[0][2]
    return names
