"""References with abstracts, as programs that manage them and PubMed give out: RIS, nbib, PubTator and BioC.

A record becomes a document of its abstract. Mentions of PubTator and BioC tell which entities it is about.
`references.tsv` says what a tag means; others are counted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema.records import Document, Section
from ...schema.vocabulary import part_type
from .. import mending
from ..base import INFOS, Item, Reject, Remark, Row, Source, each
from ..files import texts
from ..files.cell_values import slug
from ..files.texts import head
from ..mending import LeftOut
from . import bioc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["references"]

_TAGS: Final = {form: {tag: said[0] for tag, said in bioc.TABLE[form].items()} for form in ("ris", "nbib")}
_BEGINNINGS: Final = {
    "ris": re.compile(rb"\s*TY  - "),
    "nbib": re.compile(rb"\s*PMID- "),
    "pubtator": re.compile(rb"\s*[\w.-]+\|t\|"),
    "bioc": bioc.BEGINS,
}
_TAG: Final = {
    "ris": re.compile(r"(?P<tag>[A-Z][A-Z0-9])  - ?(?P<text>.*)"),
    "nbib": re.compile(r"(?=.{4}-)(?P<tag>[A-Z]{2,4}) *- ?(?P<text>.*)"),
}
# What a record begins with, and ends with; None for an empty line.
_ENDS: Final[dict[str, tuple[str, str | None]]] = {"ris": ("TY", "ER"), "nbib": ("PMID", None)}
_PASSAGE: Final = re.compile(r"([^|\s]+)\|([ta])\|(.*)")
_DOI: Final = re.compile(r"10\.\d{4,9}/\S+")
_LABELLED: Final = re.compile(r"(?:^|(?<=[.?!] ))([A-Z][A-Z ,/&'-]{3,60}): (?=\S)")
_RETRACTED: Final = re.compile(r"retracted\b(?: publication| article)?", re.IGNORECASE)
_Fields = dict[str, list[str]]


def records(path: Path, name: str = INFO.id) -> Iterator[Item]:
    """Read the records of a file in its order; `name` begins the ids of their documents."""
    form, left_out, file = _form(path), LeftOut(), str(path)
    read = {"pubtator": _pubtator, "bioc": bioc.records}.get(form, _tagged)

    def make(line: int, said: _Fields) -> Iterator[Row | Remark]:
        notes: list[str] = []
        document = _document(name, said, notes)
        yield Row(document, file, line)
        yield from mending.remarks(notes, document.id, file, line)

    yield from each(file, read(path, form, left_out), make)
    yield from left_out.remarks()


SOURCE: Final = Source(
    INFO, records, order=46, unit="document", describe=lambda _: INFO, names_parts=True, needs_licence=True
)


def _form(path: Path) -> str:
    start = head(path, 4096)
    if found := next((form for form, begins in _BEGINNINGS.items() if begins.match(start)), ""):
        return found
    raise SourceFileError("begins as none of RIS, nbib, PubTator and BioC; save BibTeX as RIS", path)


def _tagged(path: Path, form: str, left_out: LeftOut) -> Iterator[tuple[int, _Fields] | Reject | Remark]:
    """Read records of lines with a tag each, of which the first begins it."""
    tags, (first, _) = _TAGS[form], _ENDS[form]
    for piece in _pieces(path, form):
        if not isinstance(piece, list):
            yield piece
            continue
        begun, start, _ = piece[0]
        if start != first:
            yield Reject(str(path), begun, f"{start} stands outside of a record, which {first} begins; add that line")
            continue
        said: _Fields = {}
        for line, tag, text in piece:
            said.setdefault(tags.get(tag, ""), []).append(text)
            if tag not in {first, *tags}:
                left_out.add(f"lines of {tag} are not read", text, str(path), line)
        yield begun, said


def _pieces(path: Path, form: str) -> Iterator[list[tuple[int, str, str]] | Reject | Remark]:
    """Part a file into records: lines with tag and text, which may go on in the lines behind."""
    first, last = _ENDS[form]
    piece: list[tuple[int, str, str]] = []
    for item in texts.lines(path):
        if isinstance(item, Reject):
            yield item
            continue
        line, text = item[0], item[1].strip()
        found = _TAG[form].fullmatch(item[1].rstrip())
        tag = found["tag"] if found else ""
        if piece and (tag in {first, last} if text else last is None):
            yield piece
            piece = []
        if found and tag != last:
            piece.append((line, tag, found["text"].strip()))
        elif piece and text:
            piece[-1] = (*piece[-1][:2], f"{piece[-1][2]} {text}")
    if piece:
        yield piece
        if last:
            said = f"the last record has no {last} at its end; is the file cut off?"
            yield Remark(str(path), piece[0][0], said, loud=True)


def _pubtator(path: Path, _: str, left_out: LeftOut) -> Iterator[tuple[int, _Fields] | Reject]:
    said: _Fields = {}
    begun, number = 0, ""
    for item in texts.lines(path):
        if isinstance(item, Reject):
            yield item
            continue
        line, text = item
        if passage := _PASSAGE.fullmatch(text):
            if passage[1] != number:
                if begun:
                    yield begun, said
                said, begun, number = {"pmid": [passage[1]]}, line, passage[1]
            said["title" if passage[2] == "t" else "abstract"] = [passage[3].strip()]
        elif text.strip():
            cells = text.split("\t")
            if cells[0] != number or len(cells) < 4:
                yield Reject(str(path), line, f"{text[:60]!r} is no line of PubTator on {number or 'any record'}")
            elif len(cells) < 6 or not (ids := bioc.mentioned(cells[4], cells[5])):
                left_out.add("mentions and relations without an id that is known are not read", text, str(path), line)
            else:
                said.setdefault("about", []).extend(ids)
    if begun:
        yield begun, said


def _document(name: str, said: _Fields, notes: list[str]) -> Document:
    one = {field: next(filter(None, values), "") for field, values in said.items()}
    title, number = one.get("title", ""), one.get("accession", "")
    indexed = not bioc.DATABASES.isdisjoint(one.get("database", "").lower().split())
    pmid = one.get("pmid", "") or (number if indexed else "")
    doi = next((found[0] for text in said.get("doi", ()) if (found := _DOI.search(text))), "")
    notes += [f"{text[:60]!r} is no DOI; left out" for text in said.get("doi", ()) if not doi and text[-1:] != "]"]
    address = f"https://doi.org/{doi}" if doi else ""
    if pmid.isdecimal():
        address = f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
    elif pmid:
        notes.append(f"{pmid[:60]!r} is no PMID; left out")
        pmid = ""
    local = pmid or doi or one.get("id", "") or number or (slug(title) if title else "")
    if not local:
        raise RecordError("has neither a PMID, a DOI, an id nor a title")
    retracted = any(map(_RETRACTED.match, [title, *said.get("type", ())]))
    document = f"{name}:{local}"
    return Document(
        document,
        mending.title(title, notes),
        url=one.get("url", "") or address,
        published=mending.dated(one.get("date", ""), notes),
        sections=() if retracted else tuple(_sections(document, one.get("abstract", ""))),
        about=tuple(dict.fromkeys(said.get("about", ()))),
        authors=tuple(filter(None, said.get("full_author") or said.get("author") or ())),
        journal=one.get("journal", ""),
        doi=doi,
        retracted=retracted,
        properties=(("pmid", pmid),) if pmid else (),
    )


def _sections(document: str, abstract: str) -> Iterator[Section]:
    """Part an abstract at its labels, `METHODS:` and the like."""
    start, *parts = _LABELLED.split(abstract)
    found = [("", start), *zip(parts[::2], parts[1::2], strict=True)]
    for number, (label, text) in enumerate(((label, text) for label, text in found if text.strip()), 1):
        yield Section(f"{document}#{number}", text.strip(), part_type(label), label.capitalize())
