"""Identifies an ontology and its release from the header of its file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...files import table_cells
from ...schema import licences
from ...schema.prefixes import prefix

if TYPE_CHECKING:
    from ...schema.records import SourceInfo

# Options of every reading of ontologies, each with what it means.
OPTIONS: Final = {
    "label": "label of all terms, such as Disease; without it, what the prefix of each implies",
    "language": "language of names and texts, such as en; names in others are kept as translations",
}
_TITLES: Final = {"dc:title", "dcterms:title", "rdfs:label", "skos:prefLabel"}
_LICENCES: Final = {"dcterms:license", "dcterms:rights", "dc:rights", "cc:license"}
# What is read of an ontology's header.
FACTS: Final = {"owl:versionInfo", "owl:versionIRI", "oboInOwl:date", *_TITLES, *_LICENCES}
_DATE = re.compile(r"(?<![0-9])([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])")
_HEADER_DATE = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{4})(?:\s.*)?")
_RELEASE = re.compile(r"(?:^|/)releases/([^/]+)/")
_SUFFIX = re.compile(r"\.(?:obo|owl|json|jsonld|ttl|nt|rdf|xml)(?:\.gz)?$", re.IGNORECASE)

# First part of an ontology's id → title, licence and home page, for files that leave them out.
_KNOWN: Final = {
    name: tuple(facts)
    for _, (name, *facts) in table_cells(Path(__file__).with_name("known.tsv"), 4, "ID, TITLE, LICENCE and HOME PAGE")
}


@dataclass(slots=True)
class Facts:
    """What a header says; the id is the ontology's own, such as `symp` or its URI, the date as OBO writes it."""

    id: str = ""
    versions: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    licences: list[str] = field(default_factory=list)
    date: str = ""

    def annotate(self, predicate: str, value: str) -> None:
        """Note what an annotation of the ontology says."""
        if predicate == "owl:versionInfo":
            self.versions.insert(0, value)
        elif predicate == "owl:versionIRI":
            self.versions.append(value)
        elif predicate in _TITLES:
            self.titles.append(value)
        elif predicate in _LICENCES:
            self.licences.append(value)
        elif predicate == "oboInOwl:date":
            self.date = value


def source_info(base: SourceInfo, facts: Facts, path: Path) -> SourceInfo:
    """Say which source a file is, with the release and the licence that it states, or that are known of it."""
    name = re.sub(r"^https?://purl\.obolibrary\.org/obo/", "", facts.id.strip().rstrip("/#"))
    word = _SUFFIX.sub("", re.split(r"[/#:]", name)[-1] or path.name.lower())
    word = re.sub(r"[^a-z0-9_-]+", "-", word.lower()).strip("-_")[:60]
    title, licence, url = _KNOWN.get(_SUFFIX.sub("", name.partition("/")[0].lower()), ("", "", ""))
    if name and not url:
        url = facts.id if "://" in facts.id else f"http://purl.obolibrary.org/obo/{_SUFFIX.sub('', name)}.owl"
    part = f"{title}: {word}" if title and "/" in name else title
    return replace(
        base,
        id=word or base.id,
        title=(min(facts.titles) if facts.titles else part or word or base.title).strip()[:500],
        version=_version(facts)[:500] or base.version,
        licence=next(filter(None, map(licences.identifier, sorted(facts.licences))), licence) or base.licence,
        url=url[:500],
        prefixes=(_prefix(name),) if name else (),
    )


def _prefix(name: str) -> str:
    """Give the prefix of the ids that an ontology coins, which its name begins with: doid, hp/imports/nbo_import."""
    word = _SUFFIX.sub("", re.split(r"[/#]", name)[-1 if "://" in name else 0])
    return prefix(word) or word.upper()


def _version(facts: Facts) -> str:
    said = [text.strip() for text in facts.versions if text.strip()]
    for text in said:
        if found := _DATE.search(text):
            return found[1]
    for text in said:
        if found := _RELEASE.search(text):
            return found[1]
        if "/" not in text:
            return text
    if found := _HEADER_DATE.fullmatch(facts.date.strip()):
        return f"{found[3]}-{found[2]}-{found[1]}"
    # In a version's URI, the release is the last part but the file's name.
    parts = [part for text in said for part in text.split("/")[:-1] if any(letter.isdigit() for letter in part)]
    return parts[-1] if parts else ""
