"""Common form of an ontology term for the readers of OBO, RDF and OBO Graphs, with ids as the file has them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ...schema import prefixes
from ...schema.records import RESERVED
from .predicates import ANNOTATIONS, PREFIXES

IS_A: Final = "is_a"
SAME: Final = "owl:equivalentClass"

_SPACE = r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z]+(?=_[0-9]+$))?"  # such as A_B of A_B_0001
_OBO = re.compile(rf"https?://purl\.obolibrary\.org/obo/(?:({_SPACE})_(\S+)|[^\s#]*#(\S+))")
_OLD_OBO = re.compile(r"https?://(?:purl\.org/obo/owl|www\.obofoundry\.org/ro)/([^\s#]+)#(?:\1_(\S+)|(\S+))")
_MERGED: Final = "IAO:0000227"
_REASON: Final = "IAO:0000231"
_LISTS: Final = {"name", "definition", "xref", "obsolete", "ignored"}  # roles that are no names of properties

Place = int | str  # A line, counted from one; or where something stands in a file without lines
Notes = tuple[tuple[str, str], ...]  # what else is said of a statement: pairs of a property and a value


@dataclass(slots=True)
class Synonym:
    """Another name: its scope is `EXACT`, `NARROW`, `BROAD` or `RELATED`, its kind the id of a synonym type."""

    text: str
    scope: str
    kind: str = ""
    xrefs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatementSource:
    """What is said of a statement: where it comes from, a synonym's type, notes, and another language of its text."""

    xrefs: tuple[str, ...] = ()
    kind: str = ""
    notes: Notes = ()
    language: str = ""


NOTHING: Final = StatementSource()


@dataclass(slots=True)
class Link:
    """A relation of a term, target and sources as written; the place, if that is known better than its term's."""

    predicate: str
    target: str
    sources: tuple[str, ...] = ()
    notes: Notes = ()
    place: Place = 0


@dataclass(slots=True)
class Term:
    """What a file says of one term, ids as they are written there.

    Attributes:
        id: Its id, a CURIE or a URI.
        place: Where it stands.
        names: Its preferred name; more than one where the file gives more.
        definitions: What it is.
        definition_xrefs: Where the definition comes from.
        synonyms: Other names.
        xrefs: The same thing elsewhere, each with what says so.
        values: Whatever else, by the name of the attribute or property it goes to.
        obsolete: Whether it was given up.
        links: Its relations.
        translations: Its names in other languages, each with `@` and the language behind.
        unread: Languages of texts that are no names, and are left out.
    """

    id: str
    place: Place = 0
    names: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    definition_xrefs: list[str] = field(default_factory=list)
    synonyms: list[Synonym] = field(default_factory=list)
    xrefs: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    obsolete: bool = False
    links: list[Link] = field(default_factory=list)
    translations: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def add(self, key: str, value: str) -> None:
        """Note a value."""
        if value := value.strip():
            self.values.setdefault(key, []).append(value)

    def say(self, predicate: str, value: str, said: StatementSource = NOTHING) -> None:
        """Note what an annotation says: a text, an id or a URI, with what is said of the statement."""
        value = value.strip()
        role, _, scope = ANNOTATIONS.get(predicate, "").partition(" ")
        if not value or role == "ignored":
            return
        if predicate in PREFIXES and ":" not in value:
            value = f"{PREFIXES[predicate]}:{value}"
        if said.language:
            self._say_elsewhere(role, value, said.language)
        elif role == "name":
            self.names.append(value)
        elif role == "definition":
            self.definitions.append(value)
            self.definition_xrefs.extend(said.xrefs)
        elif role == "synonym":
            self.synonyms.append(Synonym(value, scope, said.kind, said.xrefs))
        elif role == "xref":
            self.xrefs.append((value, said.xrefs))
        elif role == "obsolete":
            self.obsolete = self.obsolete or value.lower() in {"true", "1"}
        else:
            self.add(role or predicate, value)
        if not said.language:
            self.note(role or predicate, value, said)

    def _say_elsewhere(self, role: str, value: str, language: str) -> None:
        """Note a text in another language: a name of whatever kind is a translation."""
        if role in {"name", "synonym"}:
            self.translations.append(f"{value}@{language}")
        else:
            self.unread.append(language)

    def note(self, role: str, value: str, said: StatementSource) -> None:
        """Note what is said of a statement of a role, but where the sources of its kind are kept."""
        if not said.xrefs and not said.notes:
            return
        about = "" if role in {"name", "definition", "obsolete"} else f" {word_of(value)}"
        kept = role in {"definition", "synonym", "xref"}
        sources = () if kept else (("source", text) for text in said.xrefs)
        for predicate, text in (*sources, *said.notes):
            word = key_of("label" if predicate == "rdfs:label" else predicate)
            self.add(key_of(f"{role}_notes"), f"{word.removeprefix('said_')}={text}{about}")


@lru_cache(maxsize=4096)
def key_of(text: str) -> str:
    """Make the name of a property, of small letters, digits and `_`, from a CURIE, URI or word."""
    role = ANNOTATIONS.get(text, "")
    word = role if role.isidentifier() and role not in _LISTS else text.removeprefix("oboInOwl:")
    word = re.sub(r"[^/#]*[/#]", "", word) if "://" in word else word
    word = re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_")[:60]
    return word if word and word[0].isalpha() and word not in RESERVED else f"said_{word}"[:60]


def word_of(text: str) -> str:
    """Give the standard CURIE of a URI, what the rules of OBO make of it, or else the same text."""
    if known := prefixes.standard(text):
        return known
    found = _OBO.fullmatch(text) or _OLD_OBO.fullmatch(text)
    return (found[3] or f"{found[1]}:{found[2]}") if found else text


def is_nothing(term: Term) -> bool:
    """Tell whether a file only refers to a term, or lists it as merged into another."""
    said = (term.definitions, term.synonyms, term.xrefs, term.links, term.obsolete, term.translations)
    bare = not any(said) and term.values.keys() <= {"namespace"}
    return not term.names and (bare or is_merged(term))


def is_merged(term: Term) -> bool:
    """Tell whether a term is an id that was merged into another, which lists it."""
    return term.obsolete and any(prefixes.standard(text) == _MERGED for text in term.values.get(_REASON, ()))
