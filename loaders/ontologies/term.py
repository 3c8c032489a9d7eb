"""Common form of an ontology term for the readers of OBO, RDF and OBO Graphs, with ids as the file has them.

What annotation and relation properties mean in the graph stands here too, by CURIE.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from ...files import word_table
from ...schema import prefixes
from ...schema.records import RESERVED

with Path(__file__).with_name("properties.tsv").open(encoding="utf-8", newline="") as _file:
    _ROWS: Final = list(csv.DictReader((line for line in _file if not line.startswith("#")), delimiter="\t"))
# Annotation property → what it says: a name, a definition, a synonym and its scope … or the property it goes to.
ANNOTATIONS: Final[dict[str, str]] = {row["property"]: row["meaning"] for row in _ROWS}
# Annotation property → prefix of the ids that its values are, where they stand without one.
PREFIXES: Final = {row["property"]: row["prefix"] for row in _ROWS if row["prefix"]}
# What annotations say in words, which old converters and SKOS-XL write as nodes of their own.
TEXTS: Final = frozenset("name definition description synonym xref comments".split())
# Mapping property of SKOS → the property that lists what a term maps to.
MATCHES: Final = {curie: role for curie, role in ANNOTATIONS.items() if role.endswith("_matches")}
WORDS: Final = word_table(Path(__file__).with_name("words.tsv"))
TAGS: Final = {tag: meant for tag, (meant,) in WORDS["tag"].items()}  # Tag of OBO → the property that it stands for


def _types(what: str) -> dict[str, str]:
    return {word: kind for kind, words in WORDS[what].items() for word in words}


_EXACT: Final = _types("exact")  # Property whose meaning the relation type has in full
_NARROWER: Final = _types("narrower")  # Property that says more than the relation type, which keeps it as predicate
TURNED: Final = _types("turned")  # Property whose meaning the relation type has in full, from the other end
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

    Of `names` the first is preferred; `xrefs` come with what says so; `values` are whatever else, by the attribute or
    property they go to; `translations` have `@` and the language behind; `unread` are languages of other texts.
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

    def annotate(self, predicate: str, value: str, said: StatementSource = NOTHING) -> None:
        """Note what an annotation says: a text, an id or a URI, with what is said of the statement."""
        value = value.strip()
        role, _, scope = ANNOTATIONS.get(predicate, "").partition(" ")
        if not value or role == "ignored":
            return
        if predicate in PREFIXES and ":" not in value:
            value = f"{PREFIXES[predicate]}:{value}"
        if said.language:
            self._note_translation(role, value, said.language)
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
            self._give_up(value.lower())
        else:
            self.add(role or predicate, value)
        if not said.language:
            self.note(role or predicate, value, said)

    def _give_up(self, said: str) -> None:
        """Note whether the term is obsolete; what is neither true nor false is kept as it was said."""
        self.obsolete = self.obsolete or said in {"true", "1"}
        if said not in {"true", "1", "false", "0"}:
            self.add("said_obsolete", said)

    def _note_translation(self, role: str, value: str, language: str) -> None:
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


def relation_type(predicate: str, name: str = "") -> tuple[str, bool]:
    """Find the relation type of a property (`TURNED` ones change ends), and whether it says all."""
    if kind := _EXACT.get(predicate) or TURNED.get(predicate):
        return kind, True
    word = re.sub(r"[\s_-]+", "_", name.strip().lower())
    kind = _NARROWER.get(predicate) or _EXACT.get(word) or _NARROWER.get(word)
    return kind or "RELATED_TO", False
