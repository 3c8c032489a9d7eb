"""MedlinePlus: its health topics in English and Spanish (medlineplus.gov/xml.html).

XML, `mplus_topics_2026-11-21.xml`, packed or in its zip archive, read twice: for the topics, which become entities, and
then for their pages. A summary in HTML is parted at its headings. A page in Spanish is about the topic of its page in
English, and is kept as a translation. What it links to on other sites is not read, and counted.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema.records import Document, Entity, Relation, Section, SourceInfo
from ...schema.vocabulary import GENERAL, page_heading_type
from .. import mending
from ..base import INFOS, Item, Reject, Row, Source
from ..files import archives, lines, xml_stream
from ..files.xml_stream import child, text
from .medquad import names_condition

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["medlineplus"]

_ROOT: Final = "health-topics"
_BYTES: Final = {".xml": 15_000, ".gz": 2500, ".zip": 2500}  # of a topic, on average
_NUMBER: Final = re.compile(r"[1-9]\d{0,8}")
_DATED: Final = re.compile(r"\d{4}-\d\d-\d\d")
_DESCRIPTOR: Final = re.compile(r"[CD]\d{6,9}")
_DAY: Final = re.compile(r"(\d\d)/(\d\d)/(\d{4})")
_LANGUAGES: Final = {"English": "en", "Spanish": "es"}
_LONGEST: Final = 300  # characters of a paragraph that may name who wrote a summary


@dataclass(slots=True)
class _Topics:
    """What the first reading finds out, by the number of a topic in English."""

    entities: dict[str, tuple[Entity, int]] = field(default_factory=dict)
    headings: dict[str, dict[str, str]] = field(default_factory=dict)
    alone: dict[str, list[str]] = field(default_factory=dict)  # topics by the only heading that they have
    translations: dict[str, dict[str, None]] = field(default_factory=dict)
    related: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def learn(self, element: Any) -> None:
        number, language, title = _number(element), _language(element), _titled(element, [])
        names, mapped = _names(element, "also-called"), child(element, "language-mapped-topic")
        if language != "en":
            if mapped is not None:
                said = self.translations.setdefault(mapped.get("id") or "", {})
                said.update(dict.fromkeys(f"{name}@{language}" for name in (title, *names)))
            return
        label = "Disease" if names_condition(title, "") else "Topic"
        seen = _names(element, "see-reference")
        entity = Entity(f"medlineplus:{number}", label, title, names, related_synonyms=seen)
        self.entities.setdefault(number, (entity, element.sourceline))
        self.headings[number] = _descriptors(element, [])
        self.related[number] = tuple(other.get("id") or "" for other in element.iterchildren("related-topic"))
        if len(self.headings[number]) == 1 and next(element.iter("qualifier"), None) is None:
            self.alone.setdefault(next(iter(self.headings[number])), []).append(number)

    def items(self, file: str) -> Iterator[Item]:
        for number, (entity, line) in self.entities.items():
            same, said = self._same_as(number), tuple(self.translations.get(number, ()))
            yield Row(replace(entity, xrefs=same, translations=said), file, line)
        named = {heading: name for headings in self.headings.values() for heading, name in headings.items()}
        yield from (Row(Entity(heading, "Topic", name), file) for heading, name in named.items())
        for number, others in self.related.items():
            for other in dict.fromkeys(others):
                if other in self.entities and other != number:
                    relation = Relation(f"medlineplus:{number}", "RELATED_TO", f"medlineplus:{other}", "related-topic")
                    yield Row(relation, file, self.entities[number][1])

    def _same_as(self, number: str) -> tuple[str, ...]:
        """Give the heading that means the same: its only one, and of other topics' at most if they are called else."""
        for heading, name in self.headings[number].items():
            rivals = self.alone.get(heading, [])
            named = [one for one in rivals if name.casefold() in self._called(one)]
            if (named or rivals) == [number]:
                return (heading,)
        return ()

    def _called(self, number: str) -> set[str]:
        entity = self.entities[number][0]
        return {name.casefold() for name in (entity.name, *entity.synonyms)}


def records(path: Path) -> Iterator[Item]:
    """Read topics, MeSH headings and relations between topics, then a document a topic."""
    topics, left = _Topics(), mending.LeftOut()
    for element in _elements(path):
        with suppress(RecordError):  # the second reading says of each topic what is wrong with it
            topics.learn(element)
    file = str(path)
    yield from topics.items(file)
    for element in _elements(path):
        line, name, notes = element.sourceline, f"topic {element.get('id', 'without id')[:20]}", list[str]()
        try:
            document = _document(element, topics, notes)
        except RecordError as error:
            yield Reject(file, line, f"{name}: {error}")
            continue
        yield Row(document, file, line)
        yield from mending.remarks(notes, name, file, line)
        if not (document.sections or document.translations):
            left.add("topics without a summary, of which the address is kept", name, file, line)
        links = sum(1 for _ in element.iterchildren("site", "other-language"))
        left.add("links to pages of others, which are not read", name, file, line, links)
    yield from left.remarks()


def _describe(path: Path) -> SourceInfo:
    found = _DATED.search(path.name)
    return replace(INFO, version=found[0]) if found else INFO


def _recognise(path: Path) -> bool:
    if path.name.endswith((".xml", ".xml.gz")):
        return xml_stream.prolog(path).root == _ROOT
    return path.suffix == ".zip" and path.name.startswith("mplus_topics")


SOURCE: Final = Source(
    INFO,
    records,
    lambda path: path.stat().st_size // _BYTES.get(path.suffix, 15_000),
    order=41,
    describe=_describe,
    recognise=_recognise,
    unit="document",
)


def _elements(path: Path) -> Iterator[Any]:
    if path.suffix != ".zip":
        yield from xml_stream.elements(path, _ROOT, ["health-topic"])
        return
    for member in archives.members(path, ".xml"):
        if isinstance(member, Reject):
            raise SourceFileError(member.reason, member.file)
        yield from xml_stream.elements(path, _ROOT, ["health-topic"], data=member[1])


def _number(element: Any) -> str:
    if not _NUMBER.fullmatch(number := element.get("id") or ""):
        raise RecordError(f"its id {number[:60]!r} is no number; get the file again")
    return str(number)


def _language(element: Any) -> str:
    if (said := element.get("language") or "English") not in _LANGUAGES:
        raise RecordError(f"its language {said[:60]!r} is neither English nor Spanish")
    return _LANGUAGES[said]


def _titled(element: Any, notes: list[str]) -> str:
    return mending.title(" ".join((element.get("title") or "").split()), notes)


def _names(element: Any, *tags: str) -> tuple[str, ...]:
    title = _titled(element, []).casefold()
    found = dict.fromkeys(filter(None, map(text, element.iterchildren(*tags))))
    return tuple(name for name in found if name.casefold() != title)


def _descriptors(element: Any, notes: list[str]) -> dict[str, str]:
    """Give the MeSH headings of a topic with their names; what narrows one is left out."""
    found = {}
    for heading in element.iterchildren("mesh-heading"):
        descriptor = child(heading, "descriptor")
        identifier, name = (descriptor.get("id") or "" if descriptor is not None else ""), text(descriptor)
        if _DESCRIPTOR.fullmatch(identifier) and name:
            found[f"MESH:{identifier}"] = name
        else:
            notes.append(f"its heading {text(heading)[:60]!r} has no id such as D001249, or no name; left out")
    return found


def _document(element: Any, topics: _Topics, notes: list[str]) -> Document:
    number, language = _number(element), _language(element)
    parts, attribution = _summary(element)
    mapped = child(element, "language-mapped-topic")
    other = mapped.get("id") or "" if mapped is not None else ""
    topic = number if language == "en" else other
    document, institute = f"medlineplus:{number}", child(element, "primary-institute")
    whole = "\n\n".join(filter(None, chain.from_iterable(parts)))
    properties: dict[str, str | tuple[str, ...]] = {
        "attribution": attribution,
        "institute": text(institute),
        "mapped_topic": f"medlineplus:{other}" if _NUMBER.fullmatch(other) else "",
        "topic_groups": tuple(map(text, element.iterchildren("group"))),
    }
    return Document(
        id=document,
        title=_titled(element, notes),
        url=element.get("url") or "",
        published=mending.date(_DAY.sub(r"\3-\1-\2", element.get("date-created") or ""), notes),
        sections=tuple(_sections(document, parts)) if language == "en" else (),
        about=((f"medlineplus:{topic}",) if topic in topics.entities else ()) + tuple(_descriptors(element, notes)),
        aliases=_names(element, "also-called", "see-reference"),
        translations=(f"{whole}@{language}",) if whole and language != "en" else (),
        properties=tuple((name, value) for name, value in properties.items() if value),
    )


def _sections(document: str, parts: list[tuple[str, str]]) -> Iterator[Section]:
    for number, (heading, said) in enumerate(parts, 1):
        kind = page_heading_type(heading) if heading else GENERAL
        yield Section(f"{document}#{number}", said, kind, heading, heading if heading.endswith("?") else "")


def _summary(element: Any) -> tuple[list[tuple[str, str]], str]:
    """Give the parts of a summary with their headings, and who wrote it: a last paragraph that has a class."""
    summary = child(element, "full-summary")
    if summary is None:
        return [], ""
    root = summary if len(summary) else lines.html(summary.text or "")
    paragraphs = [one for one in root.iter("p") if one.get("class") is not None]
    attribution = text(last := paragraphs[-1]) if paragraphs else ""
    if not attribution or len(attribution) > _LONGEST or text(root)[-len(attribution) :] != attribution:
        return lines.parts(root), ""
    last.getparent().remove(last)
    return lines.parts(root), attribution
