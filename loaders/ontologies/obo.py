"""Ontologies in OBO format (owlcollab.github.io/oboformat/doc/obo-syntax.html): DOID, SYMP, HP, MONDO, GO, ChEBI.

A relation that says what is not so (`lacks_part`, `never_in_taxon`), or whose qualifiers say that there is none, that
there need not be one, or that it holds for a part of the term only, is left out; other qualifiers go with what they
qualify. A relation whose type is a metadata tag is an annotation, as it is in OWL. Logical definitions
(`intersection_of`, `union_of`), instances, and what holds of relations are not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ..base import INFOS, Item, Source
from ..files.texts import ends_whole, head, open_source
from .obo_syntax import Clause, Stanza, pair, plain, quoted, reference, stanzas
from .releases import FACTS, OPTIONS, Facts, source_info
from .term import ANNOTATIONS, IS_A, SAME, TAGS, WORDS, Link, StatementSource, Term
from .terms import DEFINITIONS, DISJOINT, IMPORTED, INDIVIDUALS, NONE, PERHAPS, SOME_ONLY, UNREAD, Terms

if TYPE_CHECKING:
    from pathlib import Path

    from ...schema.records import SourceInfo

INFO: Final = INFOS["obo"]

_SCOPES: Final = {scope.upper(): f"oboInOwl:has{scope}Synonym" for scope in ("Exact", "Narrow", "Broad", "Related")}
_OLD_SYNONYMS: Final = {f"{scope.lower()}_synonym": scope for scope in _SCOPES}
_XREFS: Final = {"xref", "xref_analog", "xref_unk"}
_DEFINING: Final = {"intersection_of", "union_of"}
_PASSED: Final = _DEFINING | set(WORDS["passed"]["-"])
_READ: Final = {False: set(WORDS["read"]["header"]), True: set(WORDS["read"]["Typedef"])}
_SOURCES: Final = ("source", "xref")
_LANGUAGE: Final = "xml:lang"
_MACRO: Final = "the header says {}: {}, which is not followed; the cross-references stay as they are"

_Qualifiers = Mapping[str, list[str]]


@dataclass(slots=True)
class _Context:
    """What the header and the types of relations say, which the terms refer to."""

    namespace: str = ""
    spaces: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    scopes: dict[str, str] = field(default_factory=dict)  # those of synonyms that name none, by type
    tags: set[str] = field(default_factory=set)
    imports: list[tuple[int, str]] = field(default_factory=list)
    macros: list[tuple[int, str, str]] = field(default_factory=list)
    unread: list[tuple[str, Clause]] = field(default_factory=list)

    def id_of(self, text: str) -> str:
        """Give the URI of an id whose prefix the file itself explains, and any other as it is."""
        start, colon, local = text.partition(":")
        return self.spaces[start] + local if colon and start in self.spaces else text

    def property_of(self, text: str) -> str:
        text = self.properties.get(text, text)
        full = self.id_of(text)
        return prefixes.standard(full) or full


def records(path: Path, label: str = "", language: str = "en") -> Iterator[Item]:
    """Read an OBO file, packed or not: its terms, then their relations; `OPTIONS` says what the options are."""
    context = _context(path)
    terms = Terms(str(path), label, language, context.spaces)
    _look_over(context, terms)
    yield from terms.noted()
    found, stanza = False, Stanza("", 1)
    for stanza in _stanzas(path, {"Term", "Instance"}):
        if stanza.kind == "Instance":
            terms.leave_out(INDIVIDUALS, stanza.first("id"), stanza.line)
        elif (term := _term(stanza, context, terms)) is not None:
            found = True
            yield from terms.entity(term)
        yield from terms.noted()
    if not ends_whole(path):
        said = "the file does not end with a line end: it may be cut off; compare it with its publisher's"
        terms.remark("end", stanza.line, said, loud=True)
        yield from terms.noted()
    if not found:
        raise SourceFileError("has no term that can be read: is it an OBO file, and whole?", path)
    yield from terms.counterparts(_again(path, context, language))
    for term in _again(path, context, language):
        yield from terms.relations(term, context.names)
    yield from terms.summary()


def _look_over(context: _Context, terms: Terms) -> None:
    for line, address in context.imports:
        terms.remark(address, line, IMPORTED.format(address))
    for line, tag, value in context.macros:
        terms.remark(f"{tag} {value}", line, _MACRO.format(tag, value))
    for what, clause in context.unread:
        name = clause.tag if clause.tag != "property_value" else context.property_of(pair(clause.value).first)
        if name not in FACTS:
            terms.leave_out(UNREAD.format(name, what), clause.value, clause.line)


def _again(path: Path, context: _Context, language: str) -> Iterator[Term]:
    silent = Terms(str(path), language=language)
    found = (_term(stanza, context, silent) for stanza in _stanzas(path, {"Term"}))
    return (term for term in found if term is not None)


def describe(path: Path) -> SourceInfo:
    """Read which ontology a file holds, and which release."""
    header = next(_stanzas(path, {""}))
    facts = Facts(header.first("ontology"), [header.first("data-version")], date=header.first("date"))
    context = _Context(spaces=_spaces(header))
    for clause in header.clauses:
        if clause.tag == "property_value":
            said = pair(clause.value)
            facts.annotate(context.property_of(said.first), said.second)
    return replace(source_info(INFO, facts, path), namespaces=prefixes.own(context.spaces))


def recognise(path: Path) -> bool:
    """Tell whether a file is named `.obo`, or `.obo.gz`, and starts like one."""
    start = b"\n" + head(path) if path.name.lower().endswith((".obo", ".obo.gz")) else b""
    return any(mark in start for mark in (b"\nformat-version:", b"\nontology:", b"\n[Term]", b"\n[Typedef]"))


def _estimate(path: Path) -> int:
    with open_source(path) as file:
        return sum(line.startswith((b"[Term]", b"is_a:", b"relationship:")) for line in file)


SOURCE: Final = Source(INFO, records, _estimate, order=10, describe=describe, recognise=recognise, options=OPTIONS)


def _stanzas(path: Path, kinds: set[str]) -> Iterator[Stanza]:
    with open_source(path) as file:
        yield from stanzas(file, kinds)


def _context(path: Path) -> _Context:
    context = _Context()
    for stanza in _stanzas(path, {"", "Typedef"}):
        what = "relations (Typedef)" if stanza.kind else "the header"
        context.unread.extend((what, c) for c in stanza.clauses if c.tag not in _READ[bool(stanza.kind)])
        if not stanza.kind:
            # Refuse what is no text in UTF-8, or no OBO file, before anything of it is read as terms.
            if stanza.clauses and (trouble := stanza.clauses[0].trouble):
                said = f"is no OBO file: the line {trouble.removesuffix('; mend it')}"
                raise SourceFileError(said, path, stanza.clauses[0].line)
            context.namespace = stanza.first("default-namespace")
            context.scopes = _scopes(stanza)
            context.spaces = _spaces(stanza)
            context.imports = [(c.line, plain(c.value)[0]) for c in stanza.clauses if c.tag == "import"]
            macros = (clause for clause in stanza.clauses if clause.tag.startswith("treat-xrefs-as-"))
            context.macros = [(clause.line, clause.tag, plain(clause.value)[0]) for clause in macros]
            # Read which property a word of the file stands for, as old files say it in the header.
            parts = (plain(clause.value)[0].split() for clause in stanza.clauses if clause.tag == "id-mapping")
            context.properties = {part[0]: prefixes.standard(part[1]) or part[1] for part in parts if len(part) > 1}
        elif word := stanza.first("id"):
            curie = prefixes.standard(context.id_of(word))
            others = [prefixes.standard(reference(c.value)[0]) for c in stanza.clauses if c.tag == "xref"]
            known = curie or (next((c for c in others if c), None) if ":" not in word else None)
            known = known or context.properties.get(word) or context.id_of(word)
            context.properties[word] = known
            context.names[known] = stanza.first("name")
            if stanza.first("is_metadata_tag") == "true":
                context.tags.add(known)
    return context


def _scopes(header: Stanza) -> dict[str, str]:
    """Read which scope synonyms of a type have, as the header says: `synonymtypedef: BRAND "brand name" EXACT`."""
    found = {}
    for clause in header.clauses:
        word, _, rest = clause.value.partition(" ")
        if clause.tag == "synonymtypedef":
            with suppress(RecordError):
                found[word] = next((one for one in map(str.upper, quoted(rest)[1]) if one in _SCOPES), "RELATED")
    return found


def _spaces(header: Stanza) -> dict[str, str]:
    parts = (plain(clause.value)[0].split() for clause in header.clauses if clause.tag == "idspace")
    return {part[0]: part[1] for part in parts if len(part) > 1 and prefixes.is_base(part[1])}


def _term(stanza: Stanza, context: _Context, terms: Terms) -> Term | None:
    term_id = stanza.first("id")
    if not term_id:
        terms.reject(stanza.line, "a term has no id, or one that cannot be read; give it one")
        return None
    if term_id.startswith("_:"):
        terms.leave_out(DEFINITIONS, term_id, stanza.line)
        return None
    term = Term(context.id_of(term_id), stanza.line)
    defined = [clause for clause in stanza.clauses if clause.tag in _DEFINING][:1]
    for clause in defined:
        terms.leave_out(DEFINITIONS, term_id, clause.line)
    for clause in stanza.clauses:
        try:
            if clause.trouble:
                raise RecordError(clause.trouble)
            if not _take(term, clause, context, terms):
                said = f"{clause.tag!r} is no tag of OBO; it is passed over"
                terms.leave_out(said, f"{term.id} {clause.value}", clause.line)
        except RecordError as error:
            terms.reject(clause.line, f"the line {error}. The rest of {term_id[:60]} is kept")
    if "namespace" not in term.values:
        term.add("namespace", context.namespace)
    return term


def _take(term: Term, clause: Clause, context: _Context, terms: Terms) -> bool:
    """Note what a clause says; false for a tag that nobody knows."""
    tag, value = clause.tag, clause.value
    if predicate := TAGS.get(tag):
        text, qualifiers = plain(value)
        term.annotate(predicate, text, _statement_source(qualifiers, context, terms))
    elif tag == "def":
        text, _, references, qualifiers = quoted(value)
        term.annotate("IAO:0000115", text, _statement_source(qualifiers, context, terms, references))
    elif tag == "synonym" or tag in _OLD_SYNONYMS:
        _synonym(term, clause, context, terms)
    elif tag in _XREFS:
        text, description, qualifiers = reference(value)
        qualifiers = qualifiers | ({"name": [description]} if description else {})
        term.annotate("oboInOwl:hasDbXref", text, _statement_source(qualifiers, context, terms))
    elif tag in {"is_a", "relationship", "equivalent_to"}:
        _link(term, clause, context, terms)
    elif tag == "property_value":
        _property(term, value, context, terms)
    elif tag == "disjoint_from":
        terms.leave_out(DISJOINT, f"{term.id} {tag}: {value}", clause.line)
    elif tag in _PASSED:
        if tag != "id" and tag not in _DEFINING:
            terms.leave_out(UNREAD.format(tag, "terms"), f"{term.id} {value}", clause.line)
    else:
        return False
    return True


def _statement_source(
    qualifiers: Mapping[str, list[str]],
    context: _Context,
    terms: Terms,
    references: tuple[str, ...] = (),
    kind: str = "",
) -> StatementSource:
    """Read qualifiers that do no harm: where a statement comes from, its language, and what else is said of it."""
    sources = (text for key in _SOURCES for text in qualifiers.get(key, ()))
    notes = tuple(
        (TAGS.get(key) or context.property_of(key), text)
        for key, texts in qualifiers.items()
        for text in texts
        if key not in {*_SOURCES, _LANGUAGE}
    )
    language = terms.elsewhere("".join(qualifiers.get(_LANGUAGE, ())[:1]))
    return StatementSource((*references, *sources), kind, notes, language)


def _synonym(term: Term, clause: Clause, context: _Context, terms: Terms) -> None:
    text, words, references, qualifiers = quoted(clause.value)
    own = words.pop(0).upper() if words and words[0].upper() in _SCOPES else _OLD_SYNONYMS.get(clause.tag)
    scope = own or context.scopes.get(words[0] if words else "", "RELATED")
    kind = context.id_of(words[0]) if words else ""
    term.annotate(_SCOPES[scope], text, _statement_source(qualifiers, context, terms, references, kind))


def _property(term: Term, value: str, context: _Context, terms: Terms) -> None:
    said = pair(value)
    if not said.second:
        raise RecordError("gives a property no value; add one")
    text = said.second if said.is_text else context.id_of(said.second)
    text = text if said.is_text else prefixes.standard(text) or text
    qualifiers = said.qualifiers | ({_LANGUAGE: [said.language]} if said.language else {})
    predicate, about = context.property_of(said.first), _statement_source(qualifiers, context, terms)
    if said.is_text or predicate not in context.names or predicate in context.tags or predicate in ANNOTATIONS:
        term.annotate(predicate, text, about)
    else:  # of an object property
        term.links.append(Link(predicate, text, about.xrefs, about.notes))


def _link(term: Term, clause: Clause, context: _Context, terms: Terms) -> None:
    if clause.tag == "relationship":
        found = pair(clause.value)
        target, qualifiers = found.second, found.qualifiers
        if not target:
            raise RecordError(f"names the relation {found.first[:60]!r} and nothing that it points to; add an id")
        predicate = context.property_of(found.first)
    else:
        target, qualifiers = plain(clause.value)
        predicate = IS_A if clause.tag == "is_a" else SAME
    if "{" in target:
        raise RecordError('ends in {…} that is no list of name="value", and may say that nothing is related; mend it')
    if what := _harm(qualifiers):
        terms.leave_out(what, f"{term.id} {clause.tag}: {clause.value}", clause.line)
        return
    said, target = _statement_source(qualifiers, context, terms), context.id_of(target)
    if predicate in context.tags:  # an annotation in OWL
        term.annotate(predicate, prefixes.standard(target) or target, said)
    else:
        term.links.append(Link(predicate, target, said.xrefs, said.notes, clause.line))


def _harm(qualifiers: _Qualifiers) -> str:
    """Tell why a relation with these qualifiers does not hold of the class as a whole; empty where it does."""
    first = {key: texts[0].strip() for key, texts in qualifiers.items()}
    if any(key.startswith("gci_") for key in first):
        return SOME_ONLY
    if "0" in {first.get("cardinality"), first.get("maxCardinality")}:
        return NONE
    if "cardinality" in first or first.get("minCardinality", "0") != "0":
        return ""
    if first.keys() & {"minCardinality", "maxCardinality"}:
        return PERHAPS
    return PERHAPS if first.get("all_only") == "true" and first.get("all_some") != "true" else ""
