"""RDF files into a table of triples on disk, by the parsers of pyoxigraph.

The table is a temporary SQLite file that goes with the process, so that memory stays flat for a file of any size.
Nothing is fetched: DTDs and contexts elsewhere are not read, imports not followed.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from ....errors import InputError, SourceFileError
from ....schema.prefixes import is_base
from ...files import xml_stream
from ...files.texts import BOM, open_source
from ..term import IS_A, Link, Notes, word_of
from ..terms import NONE, PERHAPS
from . import skos
from .contexts import open_with_contexts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path


# Subject, predicate, object, 1 for a literal, its language; blank nodes start with `_:`.
Row = tuple[str, str, str, int, str]
# Where relative addresses lead in a file that does not say what they are relative to.
BASE: Final = "https://relative.invalid/"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"

_PARTS: Final = {
    *(f"{OWL}{word}" for word in ("Axiom", "Annotation", "Class", "Restriction", "NegativePropertyAssertion")),
    *(f"http://www.geneontology.org/formats/oboInOwl#{word}" for word in ("Synonym", "Definition", "DbXref")),
    "http://www.w3.org/2008/05/skos-xl#Label",
    f"{RDF}List",
}
_BAD: Final = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_GRAPHS: Final = 1000  # names of graphs that are told apart
_HEAD: Final = 1 << 16  # bytes that tell the syntax
_OWL_XML: Final = (OWL, "Ontology")
# By syntax, what pyoxigraph calls it, and how the names of its files end.
_FORMATS: Final = {
    "xml": ("RDF_XML", ".owl .rdf .xml"),
    "turtle": ("TURTLE", ".ttl"),
    "nt": ("N_TRIPLES", ".nt"),
    "json-ld": ("JSON_LD", ".jsonld"),
    "nq": ("N_QUADS", ".nq .nquads"),
    "trig": ("TRIG", ".trig"),
}
_SYNTAX: Final = {suffix: syntax for syntax, (_, suffixes) in _FORMATS.items() for suffix in suffixes.split()}
# The beginning of N-Quads, with the name of a graph in the first line.
_QUAD: Final = re.compile(
    rb'(?:\s|#.*\n)*(?:[<_]\S*\s+){2}(?:[<_]\S*|"(?:[^"\\\n]|\\.)*"\S*)[ \t]+[<_]\S*[ \t]*\.[ \t]*$', re.MULTILINE
)
_OTHER: Final = {
    **dict.fromkeys((b"Prefix(", b"Ontology("), "the functional syntax of OWL"),
    **dict.fromkeys((b"Prefix:", b"Ontology:"), "Manchester syntax"),
    b"format-version:": "OBO format, which is loaded as `obo`",
}


class Triples:
    """The triples of one file, on disk; `unsound` are subject and address of statements whose address is none."""

    def __init__(self) -> None:
        import sqlite3

        self.unsound: list[tuple[str, str]] = []
        self.graphs: set[str] = set()  # names of graphs that statements stand in, which are read as one
        self.classes: set[str] = set()  # whose instances are concepts of SKOS
        self.schemed: list[str] = []  # what is a concept since it is in a scheme
        self._narrower = False
        self._database = sqlite3.connect("", isolation_level=None)  # a temporary file, kept in memory while it is small
        self._database.executescript(
            "pragma cache_size = -65536; pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file;"
            "create table triple (s text, p text, o text, literal integer, language text)"
        )
        self._database.execute("begin")

    def add(self, rows: Iterable[Row]) -> None:
        """Store triples."""
        self._database.executemany("insert into triple values (?, ?, ?, ?, ?)", rows)

    def add_sound(self, rows: Iterable[Row]) -> None:
        """Store triples but those with an address that is none."""
        self.add(row for row in rows if self._is_sound(row))

    def _is_sound(self, row: Row) -> bool:
        addresses = row[:2] if row[3] else row[:3]
        if bad := next((address for address in addresses if _BAD.search(address)), None):
            self.unsound.append((row[0], bad))
        return bad is None

    def clear(self) -> None:
        """Forget everything."""
        self._database.execute("delete from triple")

    def finish(self) -> None:
        """Get ready for reading, after the last triple."""
        self._database.execute("commit")
        self._database.execute("create index by_subject ON triple (s)")
        for vocabulary, name in ((OWL, "annotatedSource"), (SKOS, "narrower")):
            self._database.execute(f"create index {name} on triple (o) where p = '{vocabulary}{name}'")
        self.classes, self.schemed = skos.entail(self._database)
        self._narrower = self._holds(f"indexed by narrower where p = '{SKOS}narrower'")

    def _holds(self, condition: str, *values: str) -> bool:
        return self._database.execute(f"select 1 from triple {condition} limit 1", values).fetchone() is not None  # noqa: S608

    def groups(self, predicates: Collection[str] = ()) -> Iterator[tuple[str, list[Row]]]:
        """Read triples (of these properties, if any) by subject, those with an address, in their order."""
        some = f"AND p IN ({', '.join('?' * len(predicates))})" if predicates else ""
        statement = f"select * from triple where (s < '_:' or s >= '_;') {some} order by s"  # noqa: S608
        found = self._database.execute(statement, tuple(predicates))
        for subject, rows in groupby(found, key=itemgetter(0)):
            yield subject, list(rows)

    def annotations(self) -> Iterator[tuple[str, list[Row]]]:
        """Read the triples of all axioms that annotate statements, by the address these are about, in order."""
        found = self._database.execute(
            "select axiom.o, said.* from triple AS axiom join triple AS said ON said.s = axiom.s "
            "where axiom.p = ? order by axiom.o, axiom.s".replace("?", f"'{OWL}annotatedSource'")
        )
        for subject, rows in groupby(found, key=itemgetter(0)):
            yield subject, [row[1:] for row in rows]

    def of(self, subject: str) -> list[Row]:
        """Read the triples of one subject."""
        return self._database.execute("select * from triple where s = ?", (subject,)).fetchall()

    def wider(self, subject: str) -> list[str]:
        """Find the subjects of statements of narrower terms."""
        if not self._narrower:
            return []
        # The property stands in the text, so that SQLite sees that the index holds it.
        found = self._database.execute(f"select s from triple where o = ? and p = '{SKOS}narrower'", (subject,))  # noqa: S608
        return [row[0] for row in found]

    def typed(self, kind: str) -> list[str]:
        """Find the subjects of a type in order, which reads all triples."""
        statement = "select distinct s from triple where p = ? and o = ? order by s"
        return [row[0] for row in self._database.execute(statement, (f"{RDF}type", kind))]

    def predicates(self) -> set[str]:
        """Find everything that is used as a property, which reads all triples."""
        return {row[0] for row in self._database.execute("select distinct p from triple")}

    def relating(self) -> set[str]:
        """Find the object properties that are stated of something itself, which reads all triples."""
        of_type = "select s from triple where p = ? and o = ?"
        statement = f"select distinct p from triple where literal = 0 and p in ({of_type})"  # noqa: S608
        return {row[0] for row in self._database.execute(statement, (f"{RDF}type", f"{OWL}ObjectProperty"))}

    def unnamed(self, predicate: str) -> int:
        """Count the triples of a property whose subject has no address, which reads all triples."""
        statement = "select count(*) from triple where p = ? and s >= '_:' and s < '_;'"
        return int(self._database.execute(statement, (predicate,)).fetchone()[0])

    def loose(self) -> dict[str, tuple[str, int]]:
        """Find types of nodes without address that no term is made of, with the first and how many there are."""
        statement = "select o, min(s), count(*) from triple where p = ? and s >= '_:' and s < '_;' group by o"
        found = self._database.execute(statement, (f"{RDF}type",))
        return {row[0]: (row[1], row[2]) for row in found if row[0] not in _PARTS}

    def annotated(self, predicates: Collection[str]) -> bool:
        """Tell whether anything is said of statements of these properties, which may read all triples."""
        some = f"and o in ({', '.join('?' * len(predicates))})" if predicates else ""
        return self._holds(f"where p = '{OWL}annotatedProperty' {some}", *predicates)

    def close(self) -> None:
        """Delete the file."""
        self._database.close()


@contextmanager
def load(path: Path, base: str = "", context: str = "") -> Iterator[Triples]:
    """Read RDF/XML, Turtle, TriG, N-Triples, N-Quads or JSON-LD, packed or not; nothing outside of the file is fetched.

    Relative addresses are relative to the `base`, where the file does not say; the file `context` has the contexts that
    JSON-LD names by address.
    """
    if base and not is_base(base):
        raise InputError(f"the base {base[:80]!r} is no address, such as https://terms.example/")
    triples = Triples()
    how: dict[str, Any] = {"base": base or BASE, "context": context, "graphs": triples.graphs}
    try:
        syntax = syntax_of(path)
        trusted = syntax != "json-ld"
        try:
            (triples.add if trusted else triples.add_sound)(_quads(path, syntax, **how))
        except SourceFileError:
            if not trusted:
                raise
            triples.clear()  # and once more, slower, without the statements whose addresses are none
            triples.add_sound(_quads(path, syntax, lenient=True, **how))
        triples.finish()
        yield triples
    finally:
        triples.close()


def stream(path: Path, declared: dict[str, str] | None = None, context: str = "") -> Iterator[Row]:
    """Read triples in the order of the file, as far as asked for; `declared` gets the prefixes in front of them."""
    yield from _quads(path, syntax_of(path, whole=False), lenient=True, declared=declared, context=context)


def _quads(
    path: Path,
    syntax: str,
    *,
    lenient: bool = False,
    declared: dict[str, str] | None = None,
    base: str = BASE,
    context: str = "",
    graphs: set[str] | None = None,
) -> Iterator[Row]:
    """Read triples in the order of the file, with addresses that are none where it is lenient."""
    from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, RdfFormat, parse

    lenient = lenient or syntax == "json-ld"  # whose reader leaves statements out otherwise, and does not tell
    kinds = getattr(RdfFormat, _FORMATS[syntax][0])
    if syntax == "xml":
        opened: AbstractContextManager[BinaryIO] = xml_stream.opened_as_utf_8(path)
    else:
        opened = open_with_contexts(path, context) if syntax == "json-ld" else open_source(path)
    with opened as file, _broken(path):
        found = parse(file, format=kinds, base_iri=base, lenient=lenient)
        for number, quad in enumerate(found):
            if declared is not None and not number:
                declared.update(found.prefixes)
            if graphs is not None and len(graphs) < _GRAPHS and type(quad.graph_name) is not DefaultGraph:
                graphs.add(str(quad.graph_name))
            subject, target = quad.subject, quad.object
            kind = type(target)
            start = subject.value if type(subject) is NamedNode else str(subject)
            if kind is Literal:
                yield start, quad.predicate.value, target.value, 1, target.language or ""
            elif kind is NamedNode:
                yield start, quad.predicate.value, target.value, 0, ""
            elif kind is BlankNode:
                yield start, quad.predicate.value, str(target), 0, ""


@contextmanager
def _broken(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError, MemoryError, SourceFileError):
        raise
    except Exception as error:
        line = getattr(error, "lineno", None)
        message = " ".join(str(error).split())[:300]
        said = f"is not whole RDF in UTF-8 ({message}); mend it there, or fetch it again"
        raise SourceFileError(said, path, line if isinstance(line, int) else None) from error


def syntax_of(path: Path, *, whole: bool = True) -> str:
    """Tell the syntax of a file, and refuse what must not be read; if `whole`, all of it is looked through."""
    with open_source(path) as file:
        start = file.read(_HEAD).removeprefix(BOM).lstrip()
    name = path.name.lower().removesuffix(".gz")
    syntax = _SYNTAX.get(name[name.rfind(".") :], "nq" if _QUAD.match(start) else "trig")  # Turtle is TriG, too
    for mark, other in _OTHER.items():
        if start.startswith(mark):
            raise SourceFileError(f"is written in {other}; save it as RDF/XML or Turtle, with ROBOT or Protégé", path)
    if start.startswith((b"<?xml", b"<rdf:", b"<!")):
        syntax = "xml"
    elif syntax == "xml" and start.startswith((b"@prefix", b"@base", b"PREFIX", b"BASE", b"#")):
        syntax = "turtle"
    elif start[:1] in {b"{", b"["} and b'"@' in start and not name.endswith(".trig"):
        syntax = "json-ld"
    if syntax == "xml":
        found = xml_stream.prolog(path, whole=whole)
        if (found.namespace, found.root) == _OWL_XML:
            raise SourceFileError("is written in OWL/XML; save it as RDF/XML, with ROBOT or Protégé", path)
    return syntax


_OIO: Final = "http://www.geneontology.org/formats/oboInOwl#"
_XL: Final = "http://www.w3.org/2008/05/skos-xl#"
_URI: Final = f"{_OIO}hasURI"
_TEXT: Final = (f"{_XL}literalForm", f"{RDF}value", f"{RDFS}label", _URI)
_KINDS: Final = {*(f"{_OIO}{word}" for word in ("Synonym", "Definition", "DbXref")), f"{_XL}Label"}
_SOURCES: Final = {f"{_OIO}hasDbXref", f"{_OIO}xref", f"{_OIO}source", "http://purl.org/dc/terms/source"}
_DEPTH: Final = 50
_COUNTS: Final = {
    f"{OWL}qualifiedCardinality": "cardinality",
    f"{OWL}minQualifiedCardinality": "minCardinality",
    f"{OWL}maxQualifiedCardinality": "maxCardinality",
}


@dataclass(frozen=True, slots=True)
class Label:
    """What a node says: its text and language, where it comes from, the type of a synonym, and notes."""

    text: str
    language: str
    xrefs: tuple[str, ...]
    kind: str
    notes: Notes


def label_of(store: Triples, node: str) -> Label | None:
    """Read the node that an annotation points to in place of a text; None where it is no text."""
    rows = store.of(node)
    is_text = node.startswith("_:") or any(row[2] in _KINDS for row in rows)
    texts = [row for row in rows if row[1] in (_TEXT if is_text else _TEXT[:2]) and (row[3] or row[1] == _URI)]
    if not texts:
        return None
    first = min(texts, key=lambda row: (_TEXT.index(row[1]), row[2]))
    kind, xrefs, notes = "", [], []
    for row in sorted(rows):
        if row[1] == f"{_OIO}hasSynonymType":
            kind = row[2]
        elif row[1] in _SOURCES:
            xrefs.append(text_of(store, row))
        elif row[3] and row != first and row[1] != _URI:
            notes.append((word_of(row[1]), row[2]))
    return Label(first[2], first[4], tuple(filter(None, xrefs)), kind, tuple(notes))


def text_of(store: Triples, row: Row) -> str:
    """Give what a statement says, be it in a node of its own; nothing for a node without a text."""
    found = None if row[3] else label_of(store, row[2])
    return found.text if found else "" if row[2].startswith("_:") and not row[3] else row[2]


def links_of(store: Triples, node: str, depth: int = 0) -> tuple[list[Link], str]:
    """Give what a superclass without a name states, and why some of it states nothing; empty if all does."""
    said = {row[1]: row[2] for row in store.of(node)}
    if f"{OWL}intersectionOf" in said and depth < _DEPTH:
        return _all_of(store, said[f"{OWL}intersectionOf"], depth)
    if found := restriction(store, node):
        return [found], ""
    if f"{OWL}complementOf" in said or "0" in {said.get(f"{OWL}{word}ualifiedCardinality") for word in ("q", "maxQ")}:
        return [], NONE
    return [], PERHAPS


def restriction(store: Triples, node: str) -> Link | None:
    """Read a restriction that says that there is something, with how many as notes; None for others."""
    said = {row[1]: row[2] for row in store.of(node)}
    predicate = said.get(f"{OWL}onProperty", "_:")
    filler = said.get(f"{OWL}someValuesFrom") or said.get(f"{OWL}onClass", "_:")
    counts = tuple((word, said[address]) for address, word in _COUNTS.items() if address in said)
    some = any(word != "maxCardinality" and count != "0" for word, count in counts)
    there_is = some or f"{OWL}someValuesFrom" in said
    if predicate.startswith("_:") or filler.startswith("_:") or not there_is:
        return None
    return Link(word_of(predicate), filler, notes=counts)


def _all_of(store: Triples, node: str, depth: int) -> tuple[list[Link], str]:
    links, reasons = [], []
    for part in _list(store, node):
        found, why = links_of(store, part, depth + 1) if part.startswith("_:") else ([Link(IS_A, part)], "")
        links.extend(found)
        reasons.append(why)
    return links, max(reasons, default="")


def _list(store: Triples, node: str) -> Iterator[str]:
    seen = set()
    while node != f"{RDF}nil" and node not in seen:
        seen.add(node)
        said = {row[1]: row[2] for row in store.of(node)}
        if f"{RDF}first" in said:
            yield said[f"{RDF}first"]
        node = said.get(f"{RDF}rest", f"{RDF}nil")
