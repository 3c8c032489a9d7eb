"""Terms of ontologies, whatever file they were written in: what each word of theirs becomes in the graph.

The readers of OBO, RDF and OBO Graphs fill a `Term` with what their file says; `Terms` turns it into records. So the
same ontology gives the same records from each of its files. Values come sorted, since RDF keeps no order.
"""

from __future__ import annotations

import re
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ...errors import InputError, RecordError
from ...schema import prefixes
from ...schema.checks import check_id
from ...schema.records import UMLS, Entity, Properties, Relation, Value
from ...schema.vocabulary import ENTITY_LABELS
from .. import polarity
from ..base import Item, Reject, Remark, Row
from ..mending import LeftOut, salvaged
from .term import MATCHES, SAME, TURNED, Link, Place, Term, is_merged, is_nothing, key_of, relation_type, word_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping


IMPORTED: Final = "the file imports {}, which is not followed; load it as a source of its own"
INDIVIDUALS: Final = "individuals are passed over, for only terms are read"
DEFINITIONS: Final = "logical definitions are passed over, for they are neither relations nor texts"
DISJOINT: Final = "statements that classes have nothing in common are passed over"
SOME_ONLY: Final = "what holds for a part of the term only is left out (gci_relation, axioms on expressions)"
NONE: Final = "relations that say that there is none are left out (cardinality 0, a complement)"
ASTRAY: Final = "annotations of statements that the file does not make are passed over"
UNREAD: Final = "statements of {} on {} are not read"
UNREAD_NODES: Final = "nodes without an address of the type {} are not read"
PERHAPS: Final = "relations that do not say that there is one are left out (at most, all, only, or)"

_ADDRESS = re.compile(r"(?:(?:url|ref):\s*)*([a-z][a-z0-9+.-]*://\S+)", re.IGNORECASE)
_GO: Final = {"cellular_component": "CellularComponent", "molecular_function": "MolecularFunction"}
# Prefixes of what ontologies are written with: `owl:Thing` is no term of theirs.
_LANGUAGES: Final = ("owl:", "rdf:", "rdfs:", "xsd:", "oboInOwl:", "skos:")
_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


class Terms:
    """Turns the terms of one file into records, and remembers which remarks it has made.

    Without a label each term has the one that its prefix implies; names in other languages are translations; `spaces`
    are prefixes with what their addresses begin with, as the file itself says.
    """

    def __init__(
        self, file: str, label: str = "", language: str = "en", spaces: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        if label and label not in ENTITY_LABELS:
            raise InputError(f"the label {label!r} is not one of {', '.join(ENTITY_LABELS)}")
        self._file = file
        self._label = label
        self._language = language.lower().partition("-")[0]
        self._spaces = spaces
        self._said: set[str] = set()
        self._items: list[Item] = []
        self._prefixes: set[str] = set()
        self._left_out = LeftOut()
        self._same: dict[str, dict[str, Place]] = {}
        self._bare: dict[str, Place] = {}

    def elsewhere(self, tag: str) -> str:
        """Give the BCP 47 tag of a text in another language than the one that was asked for; empty else."""
        if not tag or tag.lower().partition("-")[0] == self._language:
            return ""
        if not _TAG.fullmatch(tag):
            self.leave_out("tags of languages that are none, read as undetermined (und)", tag, "")
            return "und"
        first, *others = tag.lower().split("-")
        written = {2: str.upper, 4: str.title}
        return "-".join([first, *(written.get(len(part), str)(part) for part in others)])

    def remark(self, about: str, place: Place, text: str, *, loud: bool = False) -> None:
        """Note something that a curator should look at, once for what it is about."""
        if about not in self._said:
            self._said.add(about)
            self._items.append(Remark(*self._at(place), text, loud=loud))

    def reject(self, place: Place, reason: str) -> None:
        """Note something that cannot become a record, with what mends it."""
        self._items.append(Reject(*self._at(place), reason))

    def leave_out(self, what: str, example: str, place: Place, count: int = 1) -> None:
        """Count what is not read (in the plural, with the reason), which `summary` tells with the first."""
        self._left_out.add(what, example, *self._at(place), count)

    def summary(self) -> Iterator[Item]:
        """Tell what was left out, when the whole file is read."""
        yield from self._left_out.remarks()

    def _at(self, place: Place) -> tuple[str, int]:
        if isinstance(place, int):
            return self._file, place
        return (f"{self._file}: {place}" if place else self._file), 0

    def noted(self) -> Iterator[Item]:
        """Hand out remarks and rejects noted since the last call."""
        items, self._items = self._items, []
        yield from items

    def id_of(self, text: str) -> str:
        """Give the standard CURIE of a term or property; what is written, where the prefix is unknown."""
        return word_of(self._in_full(text))

    def _in_full(self, text: str) -> str:
        """Write an id in full whose prefix the file explains, and any other as it is."""
        start, colon, local = text.partition(":")
        return self._spaces[start] + local if colon and local and start in self._spaces else text

    def _reference(self, text: str, term: Term) -> str:
        """Give the id of something elsewhere, where any address will do; a reject, and empty, where it cannot be."""
        text = self._in_full(text.strip().replace("\\:", ":"))  # escapes of OBO that were left in other formats
        found = _ADDRESS.fullmatch(text)
        text = found[1] if found else text
        curie = word_of(text) if found else self.id_of(text)
        try:
            return check_id(curie)
        except RecordError as error:
            self.reject(term.place, f"a cross-reference of {term.id[:60]!r} is left out: {error}")
            return ""

    def _references(self, texts: Collection[str], term: Term) -> tuple[str, ...]:
        if not texts:
            return ()
        return tuple(sorted({found for text in texts if text.strip() and (found := self._reference(text, term))}))

    def entity(self, term: Term) -> Iterator[Item]:
        """Turn a term into an entity; nothing for what was merged, and for other classes, such as `owl:Thing`."""
        for language in term.unread:
            said = f"texts in the language {language!r} are left out; the option language={language} takes them"
            self.leave_out(said, term.id, term.place)
        if is_nothing(term):
            if not is_merged(term):
                self._bare.setdefault(term.id, term.place)
            return
        try:
            found = check_id(self.id_of(term.id))
            record = None if found.startswith(_LANGUAGES) else self._entity(found, term)
        except RecordError as error:
            self.reject(term.place, f"the term {term.id[:60]!r} is left out: {error}")
        else:
            if record:
                self._items.append(Row(record, *self._at(term.place)))
                self._prefixes.add(_prefix(record.id))
        yield from self.noted()

    def counterparts(self, again: Iterable[Term]) -> Iterator[Item]:
        """Give what terms without a name are the same as, so that this holds whichever is known.

        An entity without a name for each, if the file, read again, says nothing else of it, and for each bare id.
        """
        if self._same:
            for term in again:
                if not is_nothing(term):
                    self._same.pop(prefixes.standard(term.id) or word_of(term.id), None)
        for other, names in sorted(self._same.items()):
            matches = ((MATCHES["skos:exactMatch"], tuple(sorted(names))),)
            yield Row(Entity(other, "", "", properties=matches), *self._at(min(names.items())[1]))
        first = ""
        for written, place in self._bare.items():
            try:
                found = check_id(self.id_of(written))
            except RecordError as error:
                self.reject(place, f"the term {written[:60]!r} is left out: {error}")
                continue
            if found in self._same or found.startswith(_LANGUAGES):
                continue
            first = first or found
            self._prefixes.add(_prefix(found))
            yield Row(Entity(found), *self._at(place))
        if first:
            said = f"of terms such as {first} the file gives the id alone; they are stubs until a source names them"
            self.remark("bare", next(iter(self._bare.values())), said)
        yield from self.noted()

    def _entity(self, term_id: str, term: Term) -> Entity:
        name, synonyms = self._names(term_id, term)
        xrefs = self._references([text for text, _ in term.xrefs], term)
        exact = self._references(term.values.get(MATCHES["skos:exactMatch"], ()), term)
        concepts = {found[1] for text in (*xrefs, *exact) if (found := UMLS.fullmatch(text))}
        label = self._label or _GO.get("".join(term.values.get("namespace", ())[:1]), prefixes.label_of(term_id))
        said = {
            "id": term_id,
            "label": label if name else "",
            "name": name,
            "synonyms": synonyms["EXACT"],
            "definition": "\n".join(sorted(set(term.definitions or term.values.get("description", [])))),
            "concepts": tuple(sorted(concepts)),
            "narrow_synonyms": synonyms["NARROW"],
            "broad_synonyms": synonyms["BROAD"],
            "related_synonyms": synonyms["RELATED"],
            "xrefs": tuple(text for text in xrefs if not UMLS.fullmatch(text)),
            "alternative_ids": self._references(term.values.get("alternative_ids", ()), term),
            "obsolete": term.obsolete,
            "replaced_by": self._references(term.values.get("replaced_by", ()), term),
            "translations": tuple(sorted(set(term.translations))),
            "properties": self._properties(term_id, term),
        }
        entity, lost = salvaged(Entity, said)
        for what in lost:
            self.reject(term.place, f"{what}. The rest of {term.id[:60]} is kept")
        return entity

    def _names(self, term_id: str, term: Term) -> tuple[str, dict[str, tuple[str, ...]]]:
        names = sorted(set(term.names), key=term.names.index)
        name = names[0] if names else ""
        texts: dict[str, set[str]] = {scope: set() for scope in _SCOPES}
        for synonym in term.synonyms:
            texts[synonym.scope].add(synonym.text)
        texts["EXACT"].update(names[1:])
        if names[1:]:
            said = f"{term_id} has {len(names)} names; {name!r} is taken for the first"
            self.remark(f"names of {term_id}", term.place, said)
        return name, {scope: tuple(sorted(found - {name, ""})) for scope, found in texts.items()}

    def _properties(self, term_id: str, term: Term) -> Properties:
        said: dict[str, set[str]] = {}
        for key, values in term.values.items():
            if key in MATCHES.values() or key == "consider":
                said.setdefault(key, set()).update(self._references(values, term))
            elif key == "subsets":
                said[key] = {self.id_of(text) for text in values}
            elif key not in {"alternative_ids", "replaced_by"}:
                said.setdefault(key_of(key), set()).update(map(_value, values))
        if not term.names:  # whichever end is known, the equivalence is kept
            same = [link.target for link in term.links if link.predicate == SAME]
            found = self._references(same, term)
            said.setdefault(MATCHES["skos:exactMatch"], set()).update(found)
            for other in found:
                self._same.setdefault(other, {})[term_id] = term.place
        said |= self._sources(term)
        return tuple((key, _single(key, said[key])) for key in sorted(said) if said[key])

    def _sources(self, term: Term) -> dict[str, set[str]]:
        """Give what synonyms, cross-references and the definition come from, as properties of the term."""
        said: dict[str, set[str]] = {"definition_xrefs": set(self._references(term.definition_xrefs, term))}
        for synonym in term.synonyms:
            if synonym.kind:
                kind = self.id_of(synonym.kind)
                said.setdefault("synonym_types", set()).add(f"{kind} {synonym.text}")
            for xref in self._references(synonym.xrefs, term):
                said.setdefault("synonym_xrefs", set()).add(f"{xref} {synonym.text}")
        for text, sources in term.xrefs:
            for source in self._references(sources, term):
                said.setdefault("xref_sources", set()).add(f"{source} {word_of(text)}")
        return said

    def relations(self, term: Term, names: Mapping[str, str]) -> Iterator[Item]:
        """Turn what a term points to into relations; entities come first, those of the whole file."""
        links: dict[tuple[str, str], Link] = {}
        for link in term.links:
            name = names.get(link.predicate, "")
            if why := polarity.denial(link.predicate, dict(link.notes), name):
                said = f"{word_of(term.id)} {name or link.predicate} {word_of(link.target)}"
                self.leave_out(why, said, link.place or term.place)
                continue
            known = links.setdefault((link.predicate, link.target), link)
            if known is not link:
                known.sources, known.notes = (*known.sources, *link.sources), (*known.notes, *link.notes)
        for match, key in MATCHES.items():
            for target in map(word_of, term.values.get(key, ())):
                if _prefix(target) in self._prefixes:  # others are of other ontologies, and stay a property
                    links.setdefault((match, target), Link(match, target))
        for _, link in sorted(links.items(), key=itemgetter(0)):
            self._relation(term, link, names.get(link.predicate, ""))
        yield from self.noted()

    def _relation(self, term: Term, link: Link, name: str) -> None:
        kind, exact = relation_type(link.predicate, name)
        ends = self.id_of(term.id), self.id_of(link.target)
        if link.predicate in TURNED:
            ends = ends[1], ends[0]
        if any(end.startswith(_LANGUAGES) for end in ends):
            return
        said: dict[str, set[str]] = {}
        for predicate, text in link.notes:
            said.setdefault(key_of(predicate), set()).add(_value(text))
        properties: dict[str, Value] = {key: tuple(sorted(texts)) for key, texts in said.items()}
        if name and not exact and name != link.predicate:
            properties["predicate_name"] = name
        try:
            record = Relation(
                subject=ends[0],
                type=kind,
                object=ends[1],
                predicate="" if exact else link.predicate,
                evidence=self._references(set(link.sources), term),
                properties=tuple(sorted(properties.items())),
            )
        except RecordError as error:
            self.reject(term.place, f"a relation of {term.id[:60]!r} is left out: {error}")
        else:
            self._items.append(Row(record, *self._at(term.place)))


_SCOPES: Final = ("EXACT", "NARROW", "BROAD", "RELATED")
_SINGLE: Final = {"namespace", "created_by", "creation_date"}


def _prefix(text: str) -> str:
    return re.sub(r"[^/#]*$", "", text) if "://" in text else text.partition(":")[0]


def _value(text: str) -> str:
    return word_of(text) if _ADDRESS.fullmatch(text) else text


def _single(key: str, values: set[str]) -> Value:
    return min(values) if key in _SINGLE else tuple(sorted(values))
