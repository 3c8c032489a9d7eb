"""Judges values of every source by kind: ids, numbers that have a range, dates, languages, licences, addresses.

A value that cannot be stays where its source said it, but what the graph would reckon with becomes a property beside.
A remark tells for each kind how many there are, with the first, and `medgraph audit --check impossible_values` lists
them. So does one for each prefix of ids that nobody knows.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from ..errors import RecordError
from ..files import word_table
from ..schema import licences, prefixes
from ..schema.checks import IMPOSSIBLE, check_date
from ..schema.records import Document, Entity, Properties, Question, Record, Relation, Section, SourceInfo
from ..schema.rows import identity
from ..schema.vocabulary import CATEGORIES, SECTION_TYPES
from .base import Item, Remark, Row
from .mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    # The kind, in the plural, the value with where it stands, and the attribute that the graph would reckon with
    Doubt = tuple[str, str] | tuple[str, str, str]

_WORDS: Final = word_table(Path(__file__).with_suffix(".tsv"))
_KINDS: Final = {name: kind for kind, words in _WORDS.items() for name in words.get("property", ())}
_LANGUAGES: Final = frozenset(_WORDS["language"]["code"])
_TYPES: Final = frozenset({*SECTION_TYPES, *CATEGORIES})
_NOTHING: Final = frozenset(_WORDS["nothing"]["name"])  # `na` is sodium, too
_NUMBER: Final = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PERCENT: Final = re.compile(rf"({_NUMBER})\s*%")
_OF: Final = re.compile(rf"({_NUMBER})\s*(?:/|of|out of)\s*({_NUMBER})")
_DAY: Final = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:[T ].*)?")
_DOI: Final = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_WEB: Final = {"http", "https", "ftp"}


def judged_values(items: Iterable[Item], info: SourceInfo, *own: str) -> Iterator[Item]:
    """Give a source's items, and after them a remark on each kind of value that cannot be.

    Prefixes of the source's `own`, beside those that its facts name, need no remark.
    """
    found, bases = LeftOut(), prefixes.bases(info.namespaces)
    met = {info.id, *info.prefixes, *bases, *bases.values(), *own}
    for item in items:
        if not isinstance(item, Row):
            yield item
            continue
        yield from _new_prefixes(item, met)
        record = item.record
        for kind, said, *unsound in _doubts(record):
            found.add(IMPOSSIBLE + kind, said, item.file, item.line)
            for name in unsound:
                record = _without(record, name)
        yield item if record is item.record else replace(item, record=record)
    yield from found.remarks()


def _new_prefixes(row: Row, met: set[str]) -> Iterator[Remark]:
    """Remark on each prefix that nobody knows, the first time; addresses that are only referred to have none."""
    record = row.record
    if isinstance(record, SourceInfo | Document):
        met.add(record.id.partition(":")[0])
    for text in _references(record):
        start, colon, _ = text.partition(":")
        if (start if colon else ":") in met:
            continue
        if "://" in text:
            start = re.sub(r"[^/#]*$", "", text) if text in identity(record) else ""
        if start and start not in met and " " not in text:
            met.add(start if colon else ":")
            if said := _unknown(text, start):
                yield Remark(row.file, row.line, said)


def _references(record: Record) -> tuple[str, ...]:
    if isinstance(record, Relation):
        return (record.subject, record.object, *record.evidence)
    if isinstance(record, Entity):
        return (record.id, *record.xrefs, *record.alternative_ids, *record.replaced_by)
    return record.about if isinstance(record, Document) else ()


def _unknown(text: str, start: str) -> str:
    if prefixes.standard(text) is not None:
        return ""
    if known := prefixes.short_form(text):
        return f"ids like {text[:60]!r} are kept as they are written; the step curie of a mapping makes {known} of it"
    mended = f"write it with what it stands for into {prefixes.OWN} in the data folder"
    if "://" in text:
        said = f"addresses like {text[:60]!r} stand for themselves, for no prefix is known for {start[:60]!r}"
        return f"{said}; if there is one, {mended}"
    if ":" not in text:
        return f"an id has no prefix: ids like {text[:60]!r} are kept as they are written; write them as PREFIX:ID"
    said = f"the prefix {start[:60]!r} is unknown: ids like {text[:60]!r} are kept as they are written"
    return f"{said}; check the spelling, or {mended}, or under prefixes: of a mapping or of sources.yaml"


def _without(record: Any, name: str) -> Any:
    """Make a property of what a record says in one of its attributes, if it can do without that."""
    said = (*record.properties, (f"said_{name}", getattr(record, name)))
    with suppress(RecordError):
        return replace(record, **{name: None if name == "score" else ""}, properties=tuple(sorted(said)))
    return record


def _doubts(record: Record) -> Iterator[Doubt]:
    if isinstance(record, Entity):
        yield from _ids(_references(record))
        yield from _tags(record.translations)
        yield from _properties(record.properties)
        for name in (record.name, *record.synonyms):
            if name.lower() in _NOTHING or name == record.id:
                yield "names that say nothing", f"{name!r} of {record.id}"
    elif isinstance(record, Relation):
        yield from _ids(_references(record))
        if record.type == "IS_A" and record.subject == record.object:
            yield "things that are below themselves", record.subject
        if record.score is not None and not 0 <= record.score <= 1:
            yield "scores outside 0 to 1", f"{record.score:g}", "score"
        yield from _properties(record.properties)
    elif isinstance(record, Document):
        yield from _of_document(record)
    elif isinstance(record, SourceInfo) and not licences.identifier(record.licence):
        yield "licences that are no SPDX expression", f"{record.licence} ({record.id})"


def _of_document(record: Document) -> Iterator[Doubt]:
    yield from _ids(_references(record))
    yield from _tags(record.translations)
    yield from _properties(record.properties)
    parts: tuple[Section | Question, ...] = (*record.sections, *record.questions)
    for part in parts:
        if part.type and part.type not in _TYPES:
            yield "types of sections that the graph does not know", f"{part.type} ({part.id})"
    if record.published and not 1450 <= int(record.published[:4]) <= date.today().year + 1:
        yield "dates of publication that cannot be", record.published, "published"
    if record.doi and not _DOI.fullmatch(record.doi):
        yield "DOIs that are none", record.doi, "doi"
    if record.url and not _is_address(record.url):
        yield "addresses that are none", record.url, "url"


def _ids(curies: Iterable[str]) -> Iterator[Doubt]:
    for curie in curies:
        if misfit := prefixes.misfit(curie):
            prefix, mended = misfit
            yield f"ids that none of {prefix} is like", f"{curie}; {mended} may be meant" if mended else curie
        elif " " in curie:
            yield "ids with a blank in them", curie


def _tags(translations: Iterable[str]) -> Iterator[Doubt]:
    for said in translations:
        language = said.rpartition("@")[2].partition("-")[0].lower()
        # Of three letters there are thousands, and longer ones are no codes of languages.
        if len(language) > 3 or (len(language) == 2 and language not in _LANGUAGES):
            yield "languages that no code is of", said


def _properties(properties: Properties) -> Iterator[Doubt]:
    for name, value in properties:
        if kind := _KINDS.get(name):
            for one in value if isinstance(value, tuple) else (value,):
                if not _CAN_BE[kind](one):
                    yield f"{name} outside what a {kind} can be", f"{one}"


def _within(value: Any, most: float) -> bool:
    """Tell whether a number is within its range; other values always pass."""
    with suppress(ValueError, TypeError):
        number = float(value)
        return 0 <= number <= most or number != number  # noqa: PLR0124 # nan is not itself
    return True


def _is_frequency(value: Any) -> bool:
    said = str(value).strip()
    if found := _PERCENT.fullmatch(said):
        return _within(found[1], 100)
    if found := _OF.fullmatch(said):
        return float(found[2]) > 0 and _within(found[1], float(found[2]))
    return _within(said, 100)


def _is_date(value: Any) -> bool:
    if found := _DAY.fullmatch(str(value).strip()):
        try:
            check_date("-".join(found.groups()))
        except RecordError:
            return False
    return True


def _is_word(known: frozenset[str], value: Any) -> bool:
    return ":" in str(value) or str(value).lower() in known


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in _WEB and bool(host) and not re.search(r"\s", url)


_CAN_BE: Final[dict[str, Callable[[Any], bool]]] = {
    "share": lambda value: _within(value, 1),
    "percent": lambda value: _within(str(value).strip().removesuffix("%"), 100),
    "frequency": _is_frequency,
    "date": _is_date,
    "truth": lambda _: False,  # one that is clear is no property
    "uuid": lambda value: re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", str(value)) is not None,
    **{kind: partial(_is_word, frozenset(words["word"])) for kind, words in _WORDS.items() if "word" in words},
}
