"""Ontologies in OBO format (owlcollab.github.io/oboformat/doc/obo-syntax.html): DOID, SYMP, HP, MONDO, GO, ChEBI.

Logical definitions (`intersection_of`, `union_of`), instances, and what holds of relations are not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.records import SourceInfo
from ..base import Source
from ..files.opening import ends_whole, head, open_source
from .obo_syntax import Stanza, pair, plain, quoted, reference, stanzas
from .releases import LABEL_OPTION, Facts, source_info
from .terms import IMPORTED, IS_A, Link, Synonym, Term, Terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item
    from .obo_syntax import Clause

INFO: Final = SourceInfo(
    id="obo",
    title="An ontology in OBO format",
    version="unversioned",
    licence="LicenseRef-unstated",
    url="",
    rank=1,
)

_SAID: Final = {
    "name": "rdfs:label",
    "comment": "rdfs:comment",
    "namespace": "oboInOwl:hasOBONamespace",
    "alt_id": "oboInOwl:hasAlternativeId",
    "subset": "oboInOwl:inSubset",
    "is_obsolete": "owl:deprecated",
    "replaced_by": "IAO:0100001",
    "consider": "oboInOwl:consider",
    "use_term": "oboInOwl:consider",
    "created_by": "oboInOwl:created_by",
    "creation_date": "oboInOwl:creation_date",
}
_OLD_SYNONYMS: Final = {f"{scope.lower()}_synonym": scope for scope in ("EXACT", "NARROW", "BROAD", "RELATED")}
_SCOPES: Final = set(_OLD_SYNONYMS.values())
_XREFS: Final = {"xref", "xref_analog", "xref_unk"}
_PASSED: Final = set(
    "id intersection_of union_of disjoint_from is_anonymous builtin instance_of domain range inverse_of "
    "transitive_over is_cyclic is_reflexive is_symmetric is_anti_symmetric is_transitive is_metadata_tag "
    "is_class_level".split()
)


@dataclass(slots=True)
class _Context:
    """What the header and the types of relations say, which the terms refer to."""

    namespace: str = ""
    spaces: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    imports: list[tuple[int, str]] = field(default_factory=list)

    def id_of(self, text: str) -> str:
        """Give the URI of an id whose prefix the file itself explains, and any other as it is."""
        start, colon, local = text.partition(":")
        return self.spaces[start] + local if colon and start in self.spaces else text

    def property_of(self, text: str) -> str:
        text = self.properties.get(text, text)
        return prefixes.standard(self.id_of(text)) or text


def records(path: Path, label: str = "") -> Iterator[Item]:
    """Read an OBO file: its terms, then their relations.

    Args:
        path: The file, packed by gzip or not.
        label: The label of all its terms; without it, the one that the prefix of each implies.

    Yields:
        Entities, relations, remarks and rejects.

    Raises:
        SourceFileError: The file cannot be read, or is no OBO file.
    """
    terms = Terms(str(path), label)
    context = _context(path)
    for line, address in context.imports:
        terms.remark(address, line, IMPORTED.format(address))
    yield from terms.noted()
    found, stanza = False, Stanza("", 1)
    for stanza in _read(path, {"Term", "Instance"}):
        if stanza.kind == "Instance":
            terms.remark("[Instance]", stanza.line, "instances are passed over: only terms are read")
        elif (term := _term(stanza, context, terms)) is not None:
            found = True
            yield from terms.entity(term)
        yield from terms.noted()
    if not ends_whole(path):
        terms.remark(
            "end",
            stanza.line,
            "the file does not end with a line end: it may be cut off; compare it with its publisher's",
        )
        yield from terms.noted()
    if not found:
        raise SourceFileError("has no term that can be read: is it an OBO file, and whole?", path)
    silent = Terms(str(path), label)  # the clauses are read again, and what is wrong with them was said
    for stanza in _read(path, {"Term"}):
        if (term := _term(stanza, context, silent)) is not None:
            yield from terms.relations(term, context.names)


def describe(path: Path) -> SourceInfo:
    """Read which ontology a file holds, and which release.

    Args:
        path: The file.

    Returns:
        What its header says.

    Raises:
        SourceFileError: The file cannot be read.
    """
    header = next(_read(path, {""}))
    facts = Facts(header.first("ontology"), [header.first("data-version")], date=header.first("date"))
    context = _Context(spaces=_spaces(header))
    for clause in header.clauses:
        if clause.tag == "property_value":
            predicate, value, _, _ = pair(clause.value)
            facts.say(context.property_of(predicate), value)
    return source_info(INFO, facts, path)


def recognise(path: Path) -> bool:
    """Tell whether a file is of this format.

    Args:
        path: The file.

    Returns:
        Whether it is named `.obo`, or `.obo.gz`, and starts like one.
    """
    if not path.name.lower().endswith((".obo", ".obo.gz")):
        return False
    start = b"\n" + head(path)
    return any(mark in start for mark in (b"\nformat-version:", b"\nontology:", b"\n[Term]", b"\n[Typedef]"))


def _estimate(path: Path) -> int:
    with open_source(path) as file:
        return sum(line.startswith((b"[Term]", b"is_a:", b"relationship:")) for line in file)


SOURCE: Final = Source(
    INFO, records, _estimate, order=10, describe=describe, recognise=recognise, options={"label": LABEL_OPTION}
)


def _read(path: Path, kinds: set[str]) -> Iterator[Stanza]:
    with open_source(path) as file:
        yield from stanzas(file, kinds)


def _context(path: Path) -> _Context:
    context = _Context()
    for stanza in _read(path, {"", "Typedef"}):
        if not stanza.kind:
            _check_header(stanza, path)
            context.namespace = stanza.first("default-namespace")
            context.spaces = _spaces(stanza)
            context.imports = [(c.line, plain(c.value)[0]) for c in stanza.clauses if c.tag == "import"]
        elif word := stanza.first("id"):
            curie = prefixes.standard(context.id_of(word))
            others = [prefixes.standard(reference(c.value)[0]) for c in stanza.clauses if c.tag == "xref"]
            known = curie or (next((c for c in others if c), None) if ":" not in word else None) or word
            context.properties[word] = known
            context.names[known] = stanza.first("name")
    return context


def _check_header(header: Stanza, path: Path) -> None:
    """Refuse what is no text in UTF-8, or no OBO file, before anything of it is read as terms."""
    if header.clauses and (trouble := header.clauses[0].trouble):
        raise SourceFileError(f"is no OBO file: the line {trouble}", path, header.clauses[0].line)


def _spaces(header: Stanza) -> dict[str, str]:
    parts = (plain(clause.value)[0].split() for clause in header.clauses if clause.tag == "idspace")
    return {part[0]: part[1] for part in parts if len(part) > 1}


def _term(stanza: Stanza, context: _Context, terms: Terms) -> Term | None:
    term_id = stanza.first("id")
    if not term_id:
        terms.reject(stanza.line, "a term has no id, or one that cannot be read; give it one")
        return None
    term = Term(context.id_of(term_id), stanza.line)
    for clause in stanza.clauses:
        try:
            if clause.trouble:
                raise RecordError(clause.trouble)
            if not _take(term, clause, context):
                terms.remark(f"tag {clause.tag}", clause.line, f"{clause.tag!r} is no tag of OBO; it is passed over")
        except RecordError as error:
            terms.reject(clause.line, f"the line {error}. The rest of {term_id[:60]} is kept")
    if "namespace" not in term.values:
        term.add("namespace", context.namespace)
    return term


def _take(term: Term, clause: Clause, context: _Context) -> bool:
    """Note what a clause says; false for a tag that nobody knows."""
    tag, value = clause.tag, clause.value
    if predicate := _SAID.get(tag):
        term.say(predicate, plain(value)[0])
    elif tag == "def":
        text, _, references, _ = quoted(value)
        term.say("IAO:0000115", text, references)
    elif tag == "synonym" or tag in _OLD_SYNONYMS:
        _synonym(term, tag, value, context)
    elif tag in _XREFS:
        found, qualifiers = reference(value)
        term.say("oboInOwl:hasDbXref", found, tuple(qualifiers.get("source", ())))
    elif tag in {"is_a", "relationship", "equivalent_to"}:
        _link(term, tag, value, context)
    elif tag == "property_value":
        predicate, text, in_quotes, _ = pair(value)
        if not text:
            raise RecordError("gives a property no value; add one")
        text = text if in_quotes else context.id_of(text)
        term.say(context.property_of(predicate), text if in_quotes else prefixes.standard(text) or text)
    else:
        return tag in _PASSED
    return True


def _synonym(term: Term, tag: str, value: str, context: _Context) -> None:
    text, words, references, _ = quoted(value)
    scope = _OLD_SYNONYMS.get(tag, "RELATED")
    if words and words[0].upper() in _SCOPES:
        scope = words.pop(0).upper()
    if text:
        term.synonyms.append(Synonym(text, scope, context.id_of(words[0]) if words else "", references))


def _link(term: Term, tag: str, value: str, context: _Context) -> None:
    if tag == "relationship":
        word, target, _, qualifiers = pair(value)
        if not target:
            raise RecordError(f"names the relation {word[:60]!r} and nothing that it points to; add an id")
        predicate = context.property_of(word)
    else:
        target, qualifiers = plain(value)
        predicate = IS_A if tag == "is_a" else "owl:equivalentClass"
    sources = (*qualifiers.get("source", ()), *qualifiers.get("xref", ()))
    term.links.append(Link(predicate, context.id_of(target), sources))
