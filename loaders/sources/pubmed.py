"""PubMed: the baseline and update files of the National Library of Medicine (ftp.ncbi.nlm.nih.gov/pubmed).

XML, one file (`pubmed26n0001.xml.gz`) of up to 30,000 citations, or a folder of such files, read in the order of their
names: a later citation replaces an earlier one of the same PMID, and what a file deletes is withdrawn. Each is read
once; MeSH headings become entities that come before the citations that have them, two thousand citations at a time.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...files import word_table
from ...schema.languages import stored_tag
from ...schema.records import Document, Entity, Section, SourceInfo, Value, Withdrawal
from ...schema.vocabulary import part_type
from .. import mending
from ..base import INFOS, Files, Item, Reject, Remark, Row, Source, made
from ..files import xml_stream
from ..files.texts import files_of
from ..files.xml_stream import child, inside, text
from ..mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Read = tuple[dict[str, str], Item]

INFO: Final = INFOS["pubmed"]

BLOCK: Final = 2000  # citations whose headings are gathered before them
BLOCK_CHARACTERS: Final = 16_000_000
# Headings that are remembered: MeSH has 31,000 descriptors; a file that makes up more of them repeats some.
MAX_KNOWN: Final = 200_000

_ROOT: Final = "PubmedArticleSet"
_NAME: Final = re.compile(r"(pubmed\d\dn\d{4})\.xml(\.gz)?")
_BYTES: Final = {".xml": 9000, ".gz": 1300}  # of a citation, on average, plain and packed

_DESCRIPTOR: Final = re.compile(r"MESH:[CD]\d{6,9}")
_PMID: Final = re.compile(r"[1-9]\d{0,9}")
_NAMES: Final = ("LastName", "ForeName", "Initials", "Suffix", "CollectiveName")
_TABLE: Final = word_table(Path(__file__).with_suffix(".tsv"))
_HEADINGS: Final = {listed: name for listed, (name,) in _TABLE["heading"].items()}
_NOTICES: Final = {kind: " ".join(words) for kind, words in _TABLE["notice"].items()}
_READ: Final = frozenset(_TABLE["read"]["-"])
_DEEP: Final = ("AffiliationInfo", "Identifier", "QualifierName")  # which nobody reads either
_RETRACTED: Final = "Retracted Publication"


def describe(path: Path) -> SourceInfo:
    """Take the name of the last file as the release, such as `pubmed26n1274`."""
    names = [found[1] for file in _files(path) if (found := _NAME.fullmatch(file.name))]
    return replace(INFO, version=names[-1]) if names else INFO


def _files(path: Path) -> list[Path]:
    return files_of(path, (".xml", ".xml.gz"), "a file of PubMed")


def _blocks(items: Iterable[Item]) -> Iterator[Item]:
    """Put entities before what needs them, in blocks, so that batches of one kind come out and memory stays flat."""
    entities: list[Item] = []
    others: list[Item] = []
    size = 0
    fault = None
    try:
        for item in items:
            record = item.record if isinstance(item, Row) else None
            (entities if isinstance(record, Entity) else others).append(item)
            size += sum(len(section.text) for section in record.sections) if isinstance(record, Document) else 0
            if len(others) >= BLOCK or size > BLOCK_CHARACTERS:
                yield from entities
                yield from others
                entities, others, size = [], [], 0
    except SourceFileError as error:
        fault = error
    yield from entities
    yield from others
    if fault:
        raise fault


def file_items(path: Path) -> Iterator[Read]:
    """Read a file by itself: each item with the headings that are new with it in this file."""
    file, known, left_out = str(path), dict[str, str](), LeftOut()
    for element in xml_stream.elements(path, _ROOT, ["PubmedArticle", "PubmedBookArticle", "DeleteCitation"]):
        line = element.sourceline
        if element.tag == "DeleteCitation":
            yield from (({}, _withdrawal(pmid, file)) for pmid in element.iterchildren("PMID"))
        elif element.tag == "PubmedBookArticle":
            reason = "is a book or a chapter of one, which is not read; PubMed's own files hold articles"
            yield {}, Reject(file, line, reason)
        else:
            notes: list[str] = []
            try:
                about, new = _headings(element, known, notes)
                record = _document(element, about, notes)
            except RecordError as error:
                yield {}, Reject(file, line, f"{_name(element)}: {error}")
                continue
            _remember(known, new)
            yield new, Row(record, file, line)
            yield from (({}, remark) for remark in mending.remarks(notes, _name(element), file, line))
            for what in _unread(element):
                left_out.add(f"{what} of citations are not read", record.id, file, line)
    yield from (({}, remark) for remark in left_out.remarks())


def _unread(article: Any) -> Iterator[str]:
    citation = child(article, "MedlineCitation")
    for element in (article, citation, child(citation, "Article"), child(article, "PubmedData")):
        yield from (part.tag for part in (element if element is not None else ()) if part.tag not in _READ)
    yield from (part.tag for part in article.iter(*_DEEP))
    for note in inside(citation, "CommentsCorrectionsList"):
        if (kind := note.get("RefType", "")) != "RetractionIn" and kind not in _NOTICES:
            yield f"notices {kind}"


def join(files: Iterable[Iterable[Read]]) -> Iterator[Item]:
    """Put headings before the citations that have them, each once, and count together what all files leave unread."""
    known, left_out = dict[str, str](), LeftOut()
    for file in files:
        yield from _blocks(_items(file, known, left_out))
    yield from left_out.remarks()


FILES: Final = Files(_files, file_items, join)
records = FILES.records

SOURCE: Final = Source(
    INFO,
    records,
    lambda path: sum(file.stat().st_size // _BYTES.get(file.suffix, 9000) for file in _files(path)),
    order=41,
    describe=describe,
    recognise=lambda path: all(xml_stream.prolog(file).root == _ROOT for file in _files(path)),
    unit="document",
    last_wins=True,
    files=FILES,
)


def _items(read_items: Iterable[Read], known: dict[str, str], left_out: LeftOut) -> Iterator[Item]:
    for new, item in read_items:
        if isinstance(item, Remark) and item.count:
            left_out.add(item.what, item.example, item.file, item.line, item.count)
            continue
        fresh = {identifier: name for identifier, name in new.items() if known.get(identifier) != name}
        _remember(known, fresh)
        for identifier, name in fresh.items():
            yield made(item.file, item.line, Entity, identifier, "Topic", name, before=f"heading {identifier}: ")
        yield item


def _remember(known: dict[str, str], new: dict[str, str]) -> None:
    if len(known) + len(new) > MAX_KNOWN:
        known.clear()
    known.update(new)


def _withdrawal(pmid: Any, file: str) -> Item:
    number = text(pmid)
    if not _PMID.fullmatch(number):
        return Reject(file, pmid.sourceline, f"deletes {number!r}, which is no PMID (a number)")
    return Row(Withdrawal(f"PMID:{number}"), file, pmid.sourceline)


def _name(article: Any) -> str:
    return f"citation {(article.findtext('MedlineCitation/PMID') or 'without PMID')[:20]}"


def _headings(article: Any, known: dict[str, str], notes: list[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Give the descriptors, supplementary concepts and chemicals of a citation, and the names of those that are new."""
    citation = child(article, "MedlineCitation")
    found: dict[str, None] = {}
    new: dict[str, str] = {}
    for tag, name in _HEADINGS.items():
        listed = child(citation, tag)
        for heading in listed.iter(name) if listed is not None else ():
            identifier = f"MESH:{heading.get('UI')}"
            if known.get(identifier) != heading.text or not heading.text:
                if not _DESCRIPTOR.fullmatch(identifier) or not text(heading):
                    notes.append(f"its heading {text(heading)[:60]!r} has no UI such as D001249, or no name; left out")
                    continue
                new[identifier] = text(heading)
            found[identifier] = None
    return tuple(found), new


def _document(article: Any, about: tuple[str, ...], notes: list[str]) -> Document:
    citation = _children(child(article, "MedlineCitation"))
    core = _children(citation.get("Article"))
    number = text(citation.get("PMID"))
    if not core or not _PMID.fullmatch(number):
        raise RecordError("it has no PMID (a number) or no article; get the file again")
    ids = {i.get("IdType"): text(i) for i in inside(child(article, "PubmedData"), "ArticleIdList")}
    kinds = tuple(map(text, core.get("PublicationTypeList", ())))
    told, retracting = _notices(citation.get("CommentsCorrectionsList", ()))
    retracted = _RETRACTED in kinds or retracting is not None
    return Document(
        id=f"PMID:{number}",
        title=mending.title(text(core.get("ArticleTitle")) or text(core.get("VernacularTitle")), notes),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{number}/",
        published=_published(core, notes),
        sections=() if retracted else tuple(_sections(f"PMID:{number}", citation, core)),
        about=about,
        authors=tuple(_authors(core.get("AuthorList", ()))),
        journal=text(child(core.get("Journal"), "Title"))
        or text(child(citation.get("MedlineJournalInfo"), "MedlineTA")),
        doi=_doi(citation["Article"]) or ids.get("doi", ""),
        translations=() if retracted else tuple(_translations(citation, core)),
        notices=told,
        retracted=retracted,
        revision=_revision(citation["PMID"], citation.get("DateRevised")),
        properties=_properties(
            copyright=text(child(core.get("Abstract"), "CopyrightInformation")),
            keywords=tuple(said for one in _every(citation, "KeywordList") for word in one if (said := text(word))),
            languages=tuple(map(text, citation["Article"].iterchildren("Language"))),
            pmc=ids.get("pmc", ""),
            publication_types=kinds,
            retraction_notices=retracting or (),
        ),
    )


def _properties(**values: Value) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted((name, value) for name, value in values.items() if value))


def _sections(document: str, citation: dict[str, Any], core: dict[str, Any]) -> Iterator[Section]:
    abstracts = [core["Abstract"]] if "Abstract" in core else []
    abstracts += [one for one in _every(citation, "OtherAbstract") if one.get("Language", "eng") == "eng"]
    number = 0
    for abstract in abstracts:
        kind = abstract.get("Type", "").replace("-", " ").capitalize()
        for part in abstract.iterchildren("AbstractText"):
            if said := text(part):
                number += 1
                label = part.get("Label") or ""
                about = part_type(label, part.get("NlmCategory") or "")
                yield Section(f"{document}#{number}", said, about, label or kind)


def _children(element: Any) -> dict[str, Any]:
    """Give the children of an element by their tags; of those with the same tag, the last one."""
    return {child.tag: child for child in element} if element is not None else {}


def _every(found: dict[str, Any], tag: str) -> Iterator[Any]:
    """Yield each child of a tag, which may stand several times, beside those that `_children` gives."""
    if tag in found:
        yield from found[tag].getparent().iterchildren(tag)


def _notices(notes: Iterable[Any]) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Read what was made known of a citation later: notices, each as its kind and the PMID or place where it stands.

    Those that retract it come apart, by PMID where they have one; None when there is none.
    """
    told: dict[str, None] = {}
    retracting: list[str] | None = None
    for note in notes:
        kind = note.get("RefType", "")
        pmid = text(child(note, "PMID"))
        if kind == "RetractionIn":
            retracting = (retracting or []) + [f"PMID:{pmid}"] * bool(pmid)
        elif kind in _NOTICES:
            told[f"{_NOTICES[kind]} {f'PMID:{pmid}' if pmid else text(child(note, 'RefSource'))}".rstrip()] = None
    return tuple(told), None if retracting is None else tuple(retracting)


def _translations(citation: dict[str, Any], article: dict[str, Any]) -> Iterator[str]:
    """Give title and abstracts in other languages, each with its language."""
    if "OtherAbstract" not in citation and "VernacularTitle" not in article:
        return
    other = [abstract for abstract in _every(citation, "OtherAbstract") if abstract.get("Language", "eng") != "eng"]
    spoken = [text(language) for language in _every(article, "Language")]
    languages = [*(language for language in spoken if language != "eng"), *(one.get("Language") for one in other)]
    if title := text(article.get("VernacularTitle")):
        yield f"{title}@{stored_tag(languages[0]) if languages else 'und'}"
    for abstract in other:
        parts = [(part.get("Label", ""), text(part)) for part in abstract.iterchildren("AbstractText")]
        if said := "\n".join(f"{label}: {part}" if label else part for label, part in parts if part):
            yield f"{said}@{stored_tag(abstract.get('Language'))}"


def _authors(listed: Iterable[Any]) -> Iterator[str]:
    for author in listed:
        if author.get("ValidYN") == "N":  # a misspelling, with its correction beside it
            continue
        said = {part.tag: text(part) for part in author.iterchildren(*_NAMES)}
        first, last = said.get("ForeName") or said.get("Initials", ""), said.get("LastName", "")
        if suffix := said.get("Suffix"):
            first = f"{first} {suffix}".lstrip()
        if name := said.get("CollectiveName") or (f"{last}, {first}" if last and first else last or first):
            yield name


def _doi(article: Any) -> str:
    found = (e for e in article.iterchildren("ELocationID") if e.get("EIdType") == "doi" and e.get("ValidYN") != "N")
    return text(next(found, None))


def _revision(pmid: Any, revised: Any) -> str:
    """Give what sorts by version and then by date: a later version stands above every revision of an earlier one."""
    version = pmid.get("Version") or "1"
    if not version.isdecimal() or len(version) > 4:
        raise RecordError(f"its version {version!r} is not a number of at most four digits")
    return f"{int(version):04d} {_date(revised, [])}".rstrip()


def _published(core: dict[str, Any], notes: list[str]) -> str:
    issue = child(child(core.get("Journal"), "JournalIssue"), "PubDate")
    period = text(child(issue, "MedlineDate"))
    found = mending.partial_date(period) if period else _date(issue, notes)
    if period and not found:
        notes.append(f"{period[:60]!r} is no date; left out")
    return found or _date(core.get("ArticleDate"), notes)


def _date(element: Any, notes: list[str]) -> str:
    """Give a date as far as year, month and day are there and exist, in ISO's form."""
    if element is None:
        return ""
    said = {part.tag: text(part) for part in element}
    year, month, day = said.get("Year", ""), said.get("Month", ""), said.get("Day", "")
    written = "-".join(filter(None, (year, month, day if month else "")))
    found = mending.partial_date(written)
    if (written and not found) or found.count("-") < bool(month) + bool(month and day):
        notes.append(f"the date {written[:60]!r} is kept as {found}" if found else f"{written!r} is no date; left out")
    return found
