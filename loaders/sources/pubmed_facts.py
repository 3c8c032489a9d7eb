"""Facts of PubMed's citations: dates, authors, DOI and revision, notices, and what is said in other languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema.languages import stored_tag
from .. import mending
from ..files.xml_stream import child, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PMID: Final = re.compile(r"[1-9]\d{0,9}")
_NAMES: Final = ("LastName", "ForeName", "Initials", "Suffix", "CollectiveName")
_NOTICES: Final = {
    "ExpressionOfConcernIn": "expression of concern",
    "PartialRetractionIn": "partial retraction",
    "RetractedandRepublishedIn": "retracted and republished",
    "CorrectedandRepublishedIn": "corrected and republished",
    "ErratumIn": "erratum",
}
"""What PubMed's RefType says of the citation that has it."""


def children(element: Any) -> dict[str, Any]:
    """Give the children of an element by their tags; of those with the same tag, the last one."""
    return {child.tag: child for child in element} if element is not None else {}


def every(found: dict[str, Any], tag: str) -> Iterator[Any]:
    """Yield each child of a tag, which may stand several times, beside those that `children` gives."""
    if tag in found:
        yield from found[tag].getparent().iterchildren(tag)


def notices(notes: Iterable[Any]) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Read what was made known of a citation later.

    Returns:
        Notices, each as its kind and the PMID or place where it stands; and those that retract the citation, by PMID
        where they have one, None when there is none.
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


def translations(citation: dict[str, Any], article: dict[str, Any]) -> Iterator[str]:
    """Give title and abstracts in other languages, each with its language."""
    if "OtherAbstract" not in citation and "VernacularTitle" not in article:
        return
    other = [abstract for abstract in every(citation, "OtherAbstract") if abstract.get("Language", "eng") != "eng"]
    spoken = [text(language) for language in every(article, "Language")]
    languages = [*(language for language in spoken if language != "eng"), *(one.get("Language") for one in other)]
    if title := text(article.get("VernacularTitle")):
        yield f"{title}@{stored_tag(languages[0]) if languages else 'und'}"
    for abstract in other:
        parts = [(part.get("Label", ""), text(part)) for part in abstract.iterchildren("AbstractText")]
        if said := "\n".join(f"{label}: {part}" if label else part for label, part in parts if part):
            yield f"{said}@{stored_tag(abstract.get('Language'))}"


def authors(listed: Iterable[Any]) -> Iterator[str]:
    """Give the names of authors."""
    for author in listed:
        if author.get("ValidYN") == "N":  # a misspelling, with its correction beside it
            continue
        said = {part.tag: text(part) for part in author.iterchildren(*_NAMES)}
        first, last = said.get("ForeName") or said.get("Initials", ""), said.get("LastName", "")
        if suffix := said.get("Suffix"):
            first = f"{first} {suffix}".lstrip()
        if name := said.get("CollectiveName") or (f"{last}, {first}" if last and first else last or first):
            yield name


def doi(article: Any) -> str:
    """Give the DOI that an article states."""
    found = (e for e in article.iterchildren("ELocationID") if e.get("EIdType") == "doi" and e.get("ValidYN") != "N")
    return text(next(found, None))


def revision(pmid: Any, revised: Any) -> str:
    """Give what sorts by version and then by date: a later version stands above every revision of an earlier one."""
    version = pmid.get("Version") or "1"
    if not version.isdecimal() or len(version) > 4:
        raise RecordError(f"its version {version!r} is not a number of at most four digits")
    return f"{int(version):04d} {date(revised, [])}".rstrip()


def published(core: dict[str, Any], notes: list[str]) -> str:
    """Give the date of the issue, or of the article."""
    issue = child(child(core.get("Journal"), "JournalIssue"), "PubDate")
    period = text(child(issue, "MedlineDate"))
    found = mending.partial_date(period) if period else date(issue, notes)
    if period and not found:
        notes.append(f"{period[:60]!r} is no date; left out")
    return found or date(core.get("ArticleDate"), notes)


def date(element: Any, notes: list[str]) -> str:
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
