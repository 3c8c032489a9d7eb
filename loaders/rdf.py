"""Ontologies and vocabularies in RDF: OWL, RDFS and SKOS, as RDF/XML, Turtle, N-Triples or JSON-LD.

Classes and concepts become entities; superclasses, `someValuesFrom` restrictions, broader and related concepts become relations;
annotations of annotations (types of synonyms, where a reference comes from) go with what they annotate. Logical definitions
(`equivalentClass` of an expression), individuals and what holds of properties are not read. An OWL file and the OBO file of the
same ontology give the same records.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..errors import SourceFileError
from ..schema import prefixes
from ..schema.records import SourceInfo
from . import triples
from .base import Source
from .ontology import IS_A, Link, Term, Terms, word_of
from .opening import head
from .rdf_parsers import BASE
from .releases import LABEL_OPTION, Facts, source_info
from .triples import OWL, RDF, RDFS, SKOS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .base import Item
    from .rdf_parsers import Row
    from .triples import Triples

INFO: Final = SourceInfo(
    id="rdf",
    title="An ontology or vocabulary in RDF",
    version="unversioned",
    licence="LicenseRef-unstated",
    url="",
    rank=1,
)

_OIO: Final = "http://www.geneontology.org/formats/oboInOwl#"
_KINDS: Final = {f"{OWL}Class", f"{RDFS}Class", f"{SKOS}Concept"}
_ENDS: Final = {f"{OWL}Thing", f"{OWL}Nothing"}
_LINKS: Final = {f"{OWL}equivalentClass", f"{SKOS}broader", f"{SKOS}broaderTransitive", f"{SKOS}related"}
_PASSED: Final = {
    f"{SKOS}narrower",
    f"{SKOS}narrowerTransitive",
    f"{SKOS}semanticRelation",
    f"{OWL}disjointWith",
    f"{OWL}disjointUnionOf",
    f"{OWL}hasKey",
}
_SOURCES: Final = {f"{_OIO}source", f"{_OIO}hasDbXref", f"{_OIO}xref"}
_HEADS: Final = {f"{OWL}Ontology", f"{SKOS}ConceptScheme"}
_QUIET: Final = 1000

_Notes = dict[tuple[str, str], tuple[tuple[str, ...], str]]
"""What annotations of annotations say: property and value → sources and type of synonym."""


def records(path: Path, label: str = "", language: str = "en") -> Iterator[Item]:
    """Read an RDF file: its classes and concepts, then their relations, each in the order of their addresses.

    Args:
        path: The file, packed by gzip or not.
        label: The label of all its terms; without it, the one that the prefix of each implies.
        language: Texts in other languages are left out; what has no language is kept.

    Yields:
        Entities, relations, remarks and rejects.

    Raises:
        SourceFileError: The file cannot be read or is broken, or holds no class and no concept.
    """
    terms = Terms(str(path), label)
    with triples.read(path) as store:
        for ontology in store.typed(f"{OWL}Ontology"):
            for address in sorted({row[2] for row in store.of(ontology) if row[1] == f"{OWL}imports"}):
                terms.remark(address, 1, f"the file imports {address}, which is not followed; load it as a source of its own")
        if store.typed(f"{OWL}NamedIndividual"):
            terms.remark("individuals", 1, "individuals are passed over: only classes and concepts are read")
        yield from terms.noted()
        found = False
        for term in _terms(store, terms, language):
            found = True
            yield from terms.entity(term)
        if not found:
            raise SourceFileError("holds no class and no concept; is it an ontology or a vocabulary, and whole?", path)
        names = _names(store, language)
        for term in _terms(store, Terms(str(path)), language):  # what is wrong with them was said
            yield from terms.relations(term, names)


def describe(path: Path) -> SourceInfo:
    """Read which ontology or vocabulary a file holds, and which release.

    Args:
        path: The file.

    Returns:
        What its header says; it is looked for until nothing of it has come for a while.

    Raises:
        SourceFileError: The file cannot be read.
    """
    heads: dict[str, bool] = {}
    said: dict[str, Facts] = {}
    quiet = 0
    for subject, predicate, target, _, _ in triples.stream(path):
        if predicate == f"{RDF}type" and target in _HEADS and not subject.startswith("_:"):
            heads[subject] = target == f"{OWL}Ontology"
            quiet = 0
        elif subject in heads or not heads:
            said.setdefault(subject, Facts(subject)).say(word_of(predicate), target)
            quiet = 0
        quiet += 1
        if heads and quiet > _QUIET:
            break
        if len(said) > _QUIET:
            said = {key: facts for key, facts in said.items() if key in heads}
    best = min(heads, key=lambda subject: (not heads[subject], subject), default="")
    return source_info(INFO, said.get(best, Facts(best)), path)


def recognise(path: Path) -> bool:
    """Tell whether a file is of this format.

    Args:
        path: The file.

    Returns:
        Whether its name ends like one in RDF, and it begins like one.
    """
    name = path.name.lower().removesuffix(".gz")
    start = head(path)
    if name.endswith((".owl", ".rdf")):
        return b"http://www.w3.org/1999/02/22-rdf-syntax-ns#" in start
    if name.endswith(".jsonld"):
        return b'"@' in start
    return name.endswith((".ttl", ".nt")) and (b"<" in start or b"@prefix" in start)


SOURCE: Final = Source(
    INFO,
    records,
    describe=describe,
    recognise=recognise,
    options={"label": LABEL_OPTION, "language": "language of names and texts, such as en"},
)


def _terms(store: Triples, terms: Terms, language: str) -> Iterator[Term]:
    for subject, rows in store.groups():
        if not any(row[2] in _KINDS if row[1] == f"{RDF}type" else row[1] == f"{RDFS}subClassOf" for row in rows):
            continue
        if subject.startswith(BASE):
            relative = subject.removeprefix(BASE)
            terms.reject(1, f"{relative[:60]!r} is relative, and the file does not say to what; add xml:base or @base")
        elif subject not in _ENDS:
            yield _term(store, subject, rows, terms, language)


def _term(store: Triples, subject: str, rows: list[Row], terms: Terms, language: str) -> Term:
    term = Term(subject)
    notes = _notes(store, subject)
    concept = any(row[2] == f"{SKOS}Concept" for row in rows if row[1] == f"{RDF}type")
    for _, predicate, target, literal, spoken in sorted(set(rows), key=lambda row: _order(row, concept=concept)):
        if spoken and not _speaks(spoken, language):
            terms.remark(
                f"language {spoken}", 1, f"texts in the language {spoken!r} are left out; the option language={spoken} takes them"
            )
        elif literal:
            term.say(_word(predicate), target, *notes.get((predicate, target), ()))
        elif predicate == f"{RDFS}subClassOf":
            _superclass(store, term, target, notes)
        elif predicate in _LINKS and not target.startswith("_:"):
            term.links.append(Link(_word(predicate), target))
        elif not target.startswith("_:") and predicate not in _PASSED and predicate not in _LINKS:
            term.say(_word(predicate), target, *notes.get((predicate, target), ()))
    term.links.extend(Link("skos:broader", wider) for wider in store.pointing("narrower", subject))
    return term


def _order(row: Row, *, concept: bool) -> tuple[bool, bool, Row]:
    """Sort so that the name that is meant comes first: prefLabel for a concept, label for a class, its language before none."""
    preferred = f"{SKOS}prefLabel" if concept else f"{RDFS}label"
    return row[1] != preferred, not row[4], row


def _superclass(store: Triples, term: Term, target: str, notes: _Notes) -> None:
    if target == f"{_OIO}ObsoleteClass":
        term.obsolete = True
    elif not target.startswith("_:"):
        if target not in _ENDS:
            sources, _ = notes.get((f"{RDFS}subClassOf", target), ((), ""))
            term.links.append(Link(IS_A, target, sources))
    elif restriction := _restriction(store, target):
        predicate, filler = restriction
        sources, _ = notes.get((f"{RDFS}subClassOf", f"{predicate} {filler}"), ((), ""))
        term.links.append(Link(_word(predicate), filler, sources))


def _restriction(store: Triples, node: str) -> tuple[str, str] | None:
    """Read property and class of a `someValuesFrom` restriction; None for any other expression."""
    said = {row[1]: row[2] for row in store.of(node)}
    predicate, filler = said.get(f"{OWL}onProperty", "_:"), said.get(f"{OWL}someValuesFrom", "_:")
    return None if predicate.startswith("_:") or filler.startswith("_:") else (predicate, filler)


def _notes(store: Triples, subject: str) -> _Notes:
    notes: _Notes = {}
    for axiom in store.pointing("annotatedSource", subject):
        rows = store.of(axiom)
        said = {row[1]: row[2] for row in rows}
        predicate, target = said.get(f"{OWL}annotatedProperty", ""), said.get(f"{OWL}annotatedTarget", "")
        if target.startswith("_:") and (restriction := _restriction(store, target)):
            target = " ".join(restriction)
        sources, kind = notes.get((predicate, target), ((), ""))
        sources = (*sources, *sorted({row[2] for row in rows if row[1] in _SOURCES}))
        notes[predicate, target] = sources, said.get(f"{_OIO}hasSynonymType", kind)
    return notes


def _names(store: Triples, language: str) -> dict[str, str]:
    names = {}
    for subject in store.typed(f"{OWL}ObjectProperty"):
        labels = [row for row in store.of(subject) if row[1] == f"{RDFS}label"]
        said = sorted((row for row in labels if not row[4] or _speaks(row[4], language)), key=lambda row: not row[4])
        if said:
            names[_word(subject)] = said[0][2]
    return names


def _speaks(spoken: str, language: str) -> bool:
    return spoken.lower().partition("-")[0] == language.lower().partition("-")[0]


@lru_cache(maxsize=4096)
def _word(address: str) -> str:
    return prefixes.standard(address) or word_of(address)
