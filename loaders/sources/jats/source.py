"""Full texts of articles in JATS, the XML of journals: PubMed Central, PLOS, eLife, bioRxiv (jats.nlm.nih.gov).

A file (.xml, .nxml, packed or not) of one article or of many, a zip or tar archive of such files, or a folder of all
of these; read one article at a time. Each licence is a part of the source. What a notice in the same folder retracts
keeps its title only. Reviews and replies that are published with an article are not read, and counted.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ....errors import RecordError, SourceFileError
from ....schema.records import SourceInfo, Withdrawal
from ... import mending
from ...base import INFOS, UNSTATED, UNVERSIONED, Item, Reject, Row, Source
from ...files import archives, xml_stream
from ...files.cell_values import slug
from ...files.texts import all_files, files_of, has_any
from . import article as articles

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["jats"]

_NAMES: Final = (".xml", ".nxml")
_FILES: Final = (*_NAMES, *(f"{name}.gz" for name in _NAMES), ".zip", *archives.TARS)
_ROOTS: Final = frozenset({"article", "pmc-articleset", "articles"})
_BYTES: Final = 120_000  # of an article, on average
_NAMESPACE: Final = re.compile(r"\{https?://(?:jats|dtd)\.nlm\.nih\.gov[^}]*\}")
_SIGN: Final = articles.RETRACTED.encode()


@dataclass(frozen=True, slots=True)
class _File:
    """A file, or one inside an archive, whose `data` it is."""

    path: Path
    name: str
    data: bytes | None = None

    def articles(self) -> Iterator[Any]:
        found = xml_stream.prolog(self.path, self.data)
        if found.root not in _ROOTS:
            said = f"has the outermost element <{found.root}> where <article> belongs: no JATS"
            raise SourceFileError(said, self.path)
        for element in xml_stream.elements(self.path, found.root, ["{*}article"], data=self.data):
            for one in element.iter("{*}*") if found.namespace or "}" in element.tag else ():
                one.tag = _NAMESPACE.sub("", one.tag)
            yield element

    def retracts(self) -> bool:
        """Tell whether it has the word by which a notice names what it retracts."""
        return has_any(self.path, _SIGN) if self.data is None else _SIGN in self.data


@dataclass(slots=True)
class _Reading:
    """What is known while a source of a name is read; `notices` has who retracts, by what is retracted."""

    name: str
    licence: str
    notices: dict[str, str] = field(default_factory=dict)
    retracting: dict[str, str] = field(default_factory=dict)  # part of who retracts, by what is retracted
    parts: set[str] = field(default_factory=set)
    left: mending.LeftOut = field(default_factory=mending.LeftOut)

    def learn(self, element: Any) -> None:
        own = next(iter(articles.ids(element).values()), "")
        for _, curie in articles.related(element, (articles.RETRACTED,)):
            self.notices[curie], self.retracting[curie] = own, self.part(element)

    def part(self, element: Any) -> str:
        """Name the part of an article by its licence; the whole for one that a curator permits."""
        stated, words = articles.licence(element)
        if stated:
            return f"{self.name[:25]}-{slug(stated)}"[:60]
        if self.licence == UNSTATED:
            said = f"its licence {words[:120]!r} is none that permits" if words else "it states no licence that permits"
            raise RecordError(f"{said} reuse; leave it out, or name with --licence what you may use it under")
        return self.name

    def items(self, file: _File) -> Iterator[Item]:
        """Read a file into documents, with their parts before them, rejects and remarks."""
        for element in file.articles():
            line, notes, what = element.sourceline, list[str](), _what(element)
            try:
                part = self.part(element)
                inner = sum(1 for _ in element.iterchildren("sub-article", "response"))
                known = articles.ids(element)
                document = articles.document(element, self.notices, notes)
            except RecordError as error:
                yield Reject(file.name, line, f"{what}: {error}")
                continue
            if part not in {self.name, *self.parts}:
                self.parts.add(part)
                stated = articles.licence(element)[0]
                yield Row(SourceInfo(part, f"{INFO.title}, {stated}", UNVERSIONED, stated, INFO.url), file.name, line)
            yield Row(document, file.name, line, part)
            for curie in known.values():
                self.retracting.pop(curie, None)
            yield from mending.remarks(notes, what, file.name, line)
            about = "reviews, replies and translations inside articles, which are not read"
            self.left.add(about, what, file.name, line, inner)


def records(path: Path, name: str = INFO.id, licence: str = UNSTATED) -> Iterator[Item]:
    """Read the articles of a file, an archive or a folder into documents, after a look for notices of retraction.

    Args:
        name: The id that the source is loaded under.
        licence: What articles may be used under whose own licence does not permit it.
    """
    reading = _Reading(name, licence)
    for file in _files(path):
        if not isinstance(file, Reject):
            with suppress(SourceFileError):
                for element in file.articles() if file.retracts() else ():
                    with suppress(RecordError):
                        reading.learn(element)
    for file in _files(path):
        if isinstance(file, Reject):
            yield file
            continue
        try:
            yield from reading.items(file)
        except SourceFileError as error:
            if file.name == str(path):
                raise
            yield Reject(file.name, error.line or 1, error.message)
    for curie, part in reading.retracting.items():  # what was retracted and came with an earlier load
        if curie.startswith(("DOI:", "PMC:")) and part in {name, *reading.parts}:
            yield Row(Withdrawal(curie), str(path), source=part)
    yield from reading.left.remarks()


def _files(path: Path) -> Iterator[_File | Reject]:
    for file in files_of(path, _FILES, "articles in JATS", deep=True):
        if not file.name.lower().endswith((".zip", *archives.TARS)):
            yield _File(file, str(file))
            continue
        try:
            for member in archives.members(file, _NAMES):
                yield member if isinstance(member, Reject) else _File(file, *member)
        except SourceFileError as error:
            if file == path:
                raise
            yield Reject(str(file), 1, error.message)


def _recognise(path: Path) -> bool:
    if path.is_dir():
        return all_files(path, _recognise)
    with suppress(SourceFileError, OSError):
        file = next(_files(path), None)
        return isinstance(file, _File) and xml_stream.prolog(path, file.data).root in _ROOTS
    return False


def _what(element: Any) -> str:
    with suppress(RecordError):
        return f"article {next(iter(articles.ids(element).values()), 'without id')[:80]}"
    return "article without article-meta"


SOURCE: Final = Source(
    INFO,
    records,
    lambda path: path.stat().st_size // _BYTES if path.is_file() else None,
    order=42,
    describe=lambda _: INFO,
    recognise=_recognise,
    unit="document",
    last_wins=True,
    names_parts=True,
    licensed=True,
)
