"""Terms of ontologies, whatever file they were written in: what each word of theirs becomes in the graph.

The readers of OBO, RDF and OBO Graphs fill a `Term` with what their file says; `Terms` turns it into records. So the
same ontology gives the same records from each of its files. Values come sorted, since RDF keeps no order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ...errors import InputError, RecordError
from ...schema import prefixes
from ...schema.checks import check_id
from ...schema.records import RESERVED, Entity, Relation
from ...schema.vocabulary import ENTITY_LABELS
from ..base import Reject, Remark, Row
from ..remarks import unknown_prefix
from .predicates import ANNOTATIONS, MATCHES, relation_type

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ...schema.records import Properties, Value
    from ..base import Item

IS_A: Final = "is_a"
IMPORTED: Final = "the file imports {}, which is not followed; load it as a source of its own"

_CUI = re.compile(r"UMLS:(C[0-9]{7})")
_PREFIXED = re.compile(r"([A-Za-z_][\w.+-]*):(?!//).")
_OBO = re.compile(r"https?://purl\.obolibrary\.org/obo/(?:([A-Za-z][A-Za-z0-9]*)_(\S+)|[^\s#]*#(\S+))")
_ADDRESS = re.compile(r"(?:url:)?([a-z][a-z0-9+.-]*://\S+)", re.IGNORECASE)
_GO: Final = {"cellular_component": "CellularComponent", "molecular_function": "MolecularFunction"}
_MERGED: Final = "IAO:0000227"
_REASON: Final = "IAO:0000231"


@dataclass(slots=True)
class Synonym:
    """Another name of a term.

    Attributes:
        text: The name.
        scope: `EXACT`, `NARROW`, `BROAD` or `RELATED`.
        kind: The id of its synonym type, such as that of acronyms.
        xrefs: Where it comes from.
    """

    text: str
    scope: str
    kind: str = ""
    xrefs: tuple[str, ...] = ()


@dataclass(slots=True)
class Link:
    """A relation of a term.

    Attributes:
        predicate: `is_a`, or the id of the property.
        target: The id of the other term, as written.
        sources: What the statement rests on, as written.
    """

    predicate: str
    target: str
    sources: tuple[str, ...] = ()


@dataclass(slots=True)
class Term:
    """What a file says of one term, ids as they are written there.

    Attributes:
        id: Its id, a CURIE or a URI.
        line: Where it stands in the file.
        names: Its preferred name; more than one where the file gives more.
        definitions: What it is.
        definition_xrefs: Where the definition comes from.
        synonyms: Other names.
        xrefs: The same thing elsewhere, each with what says so.
        values: Whatever else, by the name of the attribute or property it goes to.
        obsolete: Whether it was given up.
        links: Its relations.
    """

    id: str
    line: int = 1
    names: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    definition_xrefs: list[str] = field(default_factory=list)
    synonyms: list[Synonym] = field(default_factory=list)
    xrefs: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    obsolete: bool = False
    links: list[Link] = field(default_factory=list)

    def add(self, key: str, value: str) -> None:
        """Note a value.

        Args:
            key: Where it goes.
            value: The value.
        """
        if value := value.strip():
            self.values.setdefault(key, []).append(value)

    def say(self, predicate: str, value: str, xrefs: tuple[str, ...] = (), kind: str = "") -> None:
        """Note what an annotation says.

        Args:
            predicate: The CURIE of the annotation property, or its URI or word where it has none.
            value: A text, an id or a URI.
            xrefs: Where the statement comes from.
            kind: The type of a synonym.
        """
        value = value.strip()
        role, _, scope = ANNOTATIONS.get(predicate, "").partition(" ")
        if not value or role == "ignored":
            return
        if role == "name":
            self.names.append(value)
        elif role == "definition":
            self.definitions.append(value)
            self.definition_xrefs.extend(xrefs)
        elif role == "synonym":
            self.synonyms.append(Synonym(value, scope, kind, xrefs))
        elif role == "xref":
            self.xrefs.append((value, xrefs))
        elif role == "obsolete":
            self.obsolete = self.obsolete or value.lower() in {"true", "1"}
        else:
            self.add(role or predicate, value)


class Terms:
    """Turns the terms of one file into records, and remembers which remarks it has made."""

    def __init__(self, file: str, label: str = "") -> None:
        if label and label not in ENTITY_LABELS:
            raise InputError(f"the label {label!r} is not one of {', '.join(ENTITY_LABELS)}")
        self._file = file
        self._label = label
        self._said: set[str] = set()
        self._items: list[Item] = []
        self._prefixes: set[str] = set()

    def remark(self, about: str, line: int, text: str) -> None:
        """Note something that a curator should look at, once.

        Args:
            about: What it is about; a second remark on the same is left out.
            line: The line, counted from one.
            text: What was noticed.
        """
        if about not in self._said:
            self._said.add(about)
            self._items.append(Remark(self._file, line, text))

    def reject(self, line: int, reason: str) -> None:
        """Note something that cannot become a record.

        Args:
            line: The line, counted from one.
            reason: What is wrong, and what mends it.
        """
        self._items.append(Reject(self._file, line, reason))

    def noted(self) -> Iterator[Item]:
        """Hand out remarks and rejects noted since the last call.

        Yields:
            Each once.
        """
        items, self._items = self._items, []
        yield from items

    def id_of(self, text: str, line: int = 1) -> str:
        """Give the id of a term or property.

        Args:
            text: A CURIE or URI, as written.
            line: Where it stands.

        Returns:
            The standard CURIE; what is written, where the prefix is unknown.
        """
        if known := prefixes.standard(text):
            return known
        text = word_of(text)
        if "://" in text or _PREFIXED.match(text):
            about, said = unknown_prefix(text)
            self.remark(about, line, said)
        return text

    def _reference(self, text: str, line: int) -> str:
        """Give the id of something elsewhere, where any address will do; a reject, and empty, where it cannot be."""
        found = _ADDRESS.fullmatch(text.strip())
        text = found[1] if found else text.strip()
        curie = prefixes.standard(text) or (text if found else self.id_of(text, line))
        try:
            return check_id(curie)
        except RecordError as error:
            self.reject(line, f"a cross-reference is left out: {error}")
            return ""

    def _references(self, texts: Collection[str], line: int) -> tuple[str, ...]:
        if not texts:
            return ()
        return tuple(sorted({found for text in texts if text.strip() and (found := self._reference(text, line))}))

    def entity(self, term: Term) -> Iterator[Item]:
        """Turn a term into an entity.

        Args:
            term: The term.

        Yields:
            Remarks and rejects, and the entity; nothing for a term of which the file gives the id alone, and for an id
            that was merged into another term, which lists it.
        """
        line = term.line
        if not term.names and (_is_bare(term) or _is_merged(term)):
            return
        try:
            record = self._entity(check_id(self.id_of(term.id, line)), term)
        except RecordError as error:
            self.reject(line, f"the term {term.id[:60]!r} is left out: {error}")
        else:
            self._items.append(Row(record, self._file, line))
            self._prefixes.add(_prefix(record.id))
        yield from self.noted()

    def _entity(self, term_id: str, term: Term) -> Entity:
        name, synonyms = self._names(term_id, term)
        xrefs = self._references([text for text, _ in term.xrefs], term.line)
        exact = self._references(term.values.get(MATCHES["skos:exactMatch"], ()), term.line)
        concepts = {found[1] for text in (*xrefs, *exact) if (found := _CUI.fullmatch(text))}
        return Entity(
            id=term_id,
            label=self._label or _GO.get("".join(term.values.get("namespace", ())[:1]), prefixes.label_of(term_id)),
            name=name,
            synonyms=synonyms["EXACT"],
            definition="\n".join(sorted(set(term.definitions))),
            concepts=tuple(sorted(concepts)),
            narrow_synonyms=synonyms["NARROW"],
            broad_synonyms=synonyms["BROAD"],
            related_synonyms=synonyms["RELATED"],
            xrefs=tuple(text for text in xrefs if not _CUI.fullmatch(text)),
            alternative_ids=self._references(term.values.get("alternative_ids", ()), term.line),
            obsolete=term.obsolete,
            replaced_by=self._references(term.values.get("replaced_by", ()), term.line),
            properties=self._properties(term),
        )

    def _names(self, term_id: str, term: Term) -> tuple[str, dict[str, tuple[str, ...]]]:
        names = sorted(set(term.names), key=term.names.index)
        if not names and not term.obsolete:
            raise RecordError("it has no name; give it one")
        name = names[0] if names else term_id
        texts: dict[str, set[str]] = {scope: set() for scope in _SCOPES}
        for synonym in term.synonyms:
            texts[synonym.scope].add(synonym.text)
        texts["EXACT"].update(names[1:])
        if names[1:]:
            self.remark(
                f"names of {term_id}", term.line, f"{term_id} has {len(names)} names; {name!r} is taken for the first"
            )
        return name, {scope: tuple(sorted(found - {name, ""})) for scope, found in texts.items()}

    def _properties(self, term: Term) -> Properties:
        line = term.line
        said: dict[str, set[str]] = {}
        for key, values in term.values.items():
            if key in MATCHES.values() or key == "consider":
                said.setdefault(key, set()).update(self._references(values, line))
            elif key == "subsets":
                said[key] = {self.id_of(text, line) for text in values}
            elif key not in {"alternative_ids", "replaced_by"}:
                said.setdefault(_key(key), set()).update(map(_value, values))
        said["definition_xrefs"] = set(self._references(term.definition_xrefs, line))
        for synonym in term.synonyms:
            if synonym.kind:
                said.setdefault("synonym_types", set()).add(f"{self.id_of(synonym.kind, line)} {synonym.text}")
            for xref in self._references(synonym.xrefs, line):
                said.setdefault("synonym_xrefs", set()).add(f"{xref} {synonym.text}")
        for text, sources in term.xrefs:
            for source in self._references(sources, line):
                said.setdefault("xref_sources", set()).add(f"{source} {word_of(text)}")
        return tuple((key, _single(key, said[key])) for key in sorted(said) if said[key])

    def relations(self, term: Term, names: Mapping[str, str]) -> Iterator[Item]:
        """Turn what a term points to into relations; entities come first, those of the whole file.

        Args:
            term: The term.
            names: Names of properties by their ids.

        Yields:
            Remarks and rejects, and a relation for each link.
        """
        links: dict[tuple[str, str], set[str]] = {}
        for link in term.links:
            links.setdefault((link.predicate, link.target), set()).update(link.sources)
        for match, key in MATCHES.items():
            for target in map(word_of, term.values.get(key, ())):
                if _prefix(target) in self._prefixes:  # others are of other ontologies, and stay a property
                    links.setdefault((match, target), set())
        for (predicate, target), sources in sorted(links.items(), key=lambda item: item[0]):
            self._relation(term, predicate, target, sources, names.get(predicate, ""))
        yield from self.noted()

    def _relation(self, term: Term, predicate: str, target: str, sources: set[str], name: str) -> None:
        kind, exact = relation_type(predicate, name)
        try:
            record = Relation(
                subject=self.id_of(term.id, term.line),
                type=kind,
                object=self.id_of(target, term.line),
                predicate="" if exact else predicate,
                evidence=self._references(sources, term.line),
                properties=(("predicate_name", name),) if name and not exact and name != predicate else (),
            )
        except RecordError as error:
            self.reject(term.line, f"a relation of {term.id[:60]!r} is left out: {error}")
        else:
            self._items.append(Row(record, self._file, term.line))


_SCOPES: Final = ("EXACT", "NARROW", "BROAD", "RELATED")
_SINGLE: Final = {"namespace", "created_by", "creation_date"}


def _is_bare(term: Term) -> bool:
    said = (term.definitions, term.synonyms, term.xrefs, term.links, term.obsolete, set(term.values) - {"namespace"})
    return not any(said)


def _is_merged(term: Term) -> bool:
    return term.obsolete and any(prefixes.standard(text) == _MERGED for text in term.values.get(_REASON, ()))


def _prefix(text: str) -> str:
    return re.sub(r"[^/#]*$", "", text) if "://" in text else text.partition(":")[0]


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    """Make the name of a property from the CURIE, URI or word of an annotation."""
    word = re.sub(r"[^/#]*[/#]", "", text) if "://" in text else text
    word = re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_")[:60]
    return word if word and word[0].isalpha() and word not in RESERVED else f"said_{word}"[:60]


def word_of(text: str) -> str:
    """Give the id that OBO files use for a URI.

    Args:
        text: Any id.

    Returns:
        The standard CURIE; what the rules of OBO make of a URI of theirs; otherwise the same text.
    """
    if known := prefixes.standard(text):
        return known
    found = _OBO.fullmatch(text)
    return (found[3] or f"{found[1]}:{found[2]}") if found else text


def _value(text: str) -> str:
    return word_of(text) if _ADDRESS.fullmatch(text) else text


def _single(key: str, values: set[str]) -> Value:
    return min(values) if key in _SINGLE else tuple(sorted(values))
