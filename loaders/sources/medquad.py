"""MedQuAD: questions and answers of twelve NIH sites (github.com/abachaa/MedQuAD).

One XML file a document, in one folder a collection; three collections come without the text of their answers, which
stay questions that point to their page. Four files of the NINDS collection and one of the CDC's use other tag names
than the rest and are read all the same. Dashes, blanks, apostrophes and letters that they lost are put back
(`lost_marks`). Lists that NIHSeniorHealth says twice, with marks and without, are kept once.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...patterns import read_patterns, small
from ...schema.records import Document, Entity, Question, Section
from ...text import repeated_lists
from ..base import INFOS, Item, Reject, Row, Source, made
from ..files import archives, marks, xml_stream
from ..files.cell_values import slug
from ..mending import LeftOut
from .lost_marks import lettered, mended, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from xml.etree.ElementTree import Element


INFO: Final = INFOS["medquad"]

_CATEGORIES: Final = ("Disease", "Drug", "Other", "")
_OF_DISEASES: Final = {"CancerGov", "GARD", "GHR", "NINDS"}  # collections that have pages on diseases only
_LISTS_TWICE: Final = "NIHSeniorHealth"  # the collection that says each list twice
_TITLES: Final = Path(__file__).with_name("titles.tsv")  # the words that tell what a title names
_LONGEST: Final = 300  # characters of a title that may name a condition; the longest here has half as many
_READ: Final = frozenset(
    "focus doctitle-focus focusannotations category synonyms synonym umls cuis cui semantictypes semantictype qapairs "
    "qapair pair question answer".split()
)
_UNFILLED = re.compile(r"\s{2,}\?|\s\?\s\?|^\W*$")


def records(path: Path) -> Iterator[Item]:
    """Read `medquad.zip`, or the folder it unpacks to: entities, then documents by file name."""
    foci: dict[str, _Focus] = {}
    counts: Counter[str] = Counter()
    left_out = LeftOut()
    for name, root in _parsed(path):
        if isinstance(root, Reject):
            continue
        _count_unread(root, name, left_out)
        counts.update(words(_answer(pair) for pair in _each_pair(root)))
        if focus := _focus(root):
            foci.setdefault(slug(focus), _Focus(lettered(focus), name)).add(root)
    for name in sorted(foci):
        yield _entity(name, foci[name])
    for name, root in _parsed(path):
        yield root if isinstance(root, Reject) else _document(name, root, counts)
    yield from left_out.remarks()
    if others := archives.others(path, ".xml"):
        yield from LeftOut.files(others, str(path))


def _count_unread(element: Element, name: str, left_out: LeftOut) -> None:
    for part in element:
        if (tag := part.tag.lower()) not in _READ:
            left_out.add(f"elements of {part.tag} are not read", "", name, 1)
        elif tag != "answer":  # which has texts in it
            _count_unread(part, name, left_out)


SOURCE: Final = Source(
    INFO,
    records,
    lambda path: archives.count(path, ".xml"),
    order=40,
    unit="document",
    recognise=lambda path: path.name.lower() == "medquad.zip",
)


@dataclass(slots=True)
class _Focus:
    name: str
    file: str
    category: str = ""
    synonyms: dict[str, None] = field(default_factory=dict)
    concepts: dict[str, None] = field(default_factory=dict)
    semantic_types: dict[str, None] = field(default_factory=dict)
    collections: dict[str, None] = field(default_factory=dict)

    def add(self, root: Element) -> None:
        self.collections[_collection(root)] = None
        self.category = self.category or _text(root.find(".//Category"))
        for tags, found in (
            (("Synonym",), self.synonyms),
            (("CUI", "cui"), self.concepts),
            (("SemanticType", "semanticType"), self.semantic_types),
        ):
            found.update((text, None) for tag in tags for node in root.iter(tag) if (text := _text(node)))


def _parsed(path: Path) -> Iterator[tuple[str, Element | Reject]]:
    for member in archives.members(path, ".xml"):
        if isinstance(member, Reject):
            yield member.file, member
        else:
            name, data = member
            yield name, xml_stream.parse(data, name)


def _entity(name: str, focus: _Focus) -> Item:
    if focus.category not in _CATEGORIES:
        return Reject(focus.file, 1, f"the category {focus.category!r} is not one of Disease, Drug, Other")
    synonyms = tuple(s for s in focus.synonyms if s.lower() != focus.name.lower())
    more: dict[str, Any] = {"concepts": tuple(focus.concepts), "semantic_types": tuple(focus.semantic_types)}
    return made(focus.file, 1, Entity, f"medquad:{name}", _label(focus), focus.name, synonyms, **more)


def _label(focus: _Focus) -> str:
    """Tell what a focus is: many of those that MedQuAD takes for diseases are about one, and some others are one."""
    if focus.category == "Drug":
        return "Drug"
    category = focus.category or "Disease"
    of_diseases = not _OF_DISEASES.isdisjoint(focus.collections)
    return "Disease" if names_condition(focus.name, category, of_diseases=of_diseases) else "Topic"


def _document(name: str, root: Element, counts: Counter[str]) -> Item:
    collection = _collection(root)
    if root.tag not in {"Document", "doc", "DiseaseFile"} or not collection:
        return Reject(name, 1, f"is not a MedQuAD document: <{root.tag}> without a source")
    stem = PurePosixPath(name.replace("\\", "/")).name.removesuffix(".xml")
    document_id = f"medquad:{collection}_{stem}"
    focus = _focus(root)
    try:
        sections, questions = _pairs(document_id, root, lambda text: _mended(text, collection, counts))
        record = Document(
            id=document_id,
            title=lettered(focus or _first_question(root)) or stem,
            url=root.get("url") or "",
            collection=collection,
            sections=tuple(sections),
            questions=tuple(questions),
            about=(f"medquad:{slug(focus)}",) if focus else (),
            aliases=tuple(dict.fromkeys(text for node in root.iter("Synonym") if (text := _text(node)))),
        )
    except RecordError as error:
        return Reject(name, 1, str(error))
    return Row(record, name)


def _mended(text: str, collection: str, counts: Counter[str]) -> str:
    """Put back what a text lost, and leave out what stands in it twice."""
    copies = list(repeated_lists(text)) if collection == _LISTS_TWICE else []
    for start, end in reversed(copies):
        text = f"{text[:start].rstrip()}\n\n{text[end:].lstrip()}"
    return mended(text.rstrip(), collection, counts)


def _collection(root: Element) -> str:
    return root.get("source") or root.get("corpus") or ""


def _pairs(document_id: str, root: Element, mend: Callable[[str], str]) -> tuple[list[Section], list[Question]]:
    sections, questions = [], []
    for pair in _each_pair(root):
        asked = next((e for e in pair if e.tag.lower() == "question"), None)
        if asked is None or not pair.get("pid"):
            raise RecordError("a question-answer pair has no question or no pid")
        pair_id = f"{document_id}#{pair.get('pid')}"
        kind = asked.get("qtype") or ""
        if text := _answer(pair):
            sections.append(Section(pair_id, mend(text), kind, kind.capitalize(), _text(asked)))
        else:
            questions.append(Question(pair_id, _text(asked), kind))
    return sections, questions


def _each_pair(root: Element) -> Iterator[Element]:
    return itertools.chain(root.iter("QAPair"), root.iter("pair"))


def _answer(pair: Element) -> str:
    answer = next((e for e in pair if e.tag.lower() == "answer"), None)
    return marks.text_of(answer).strip() if answer is not None else ""


def _focus(root: Element) -> str:
    return _as_written(root.find("Focus")) or _as_written(root.find("doctitle-focus"))


def _first_question(root: Element) -> str:
    """Give the first question that is not a template in which only blanks stand for the focus."""
    questions = [node.text or "" for node in root.iter() if node.tag.lower() == "question"]
    return next((" ".join(text.split()) for text in questions if not _UNFILLED.search(text)), "")


def _text(node: Element | None) -> str:
    return lettered(_as_written(node))


def _as_written(node: Element | None) -> str:
    return " ".join(marks.text_of(node).split()) if node is not None else ""


def names_condition(title: str, category: str, *, of_diseases: bool = False) -> bool:
    """Tell whether a title names one condition that people have, not a test, a treatment or what is about one."""
    title = small(title.strip())
    plain = _patterns()["form"].sub("", title)
    if not plain or len(title) > _LONGEST or _has("about", title) or _has("begins", title if of_diseases else plain):
        return False
    if of_diseases and category == "Disease":
        return True
    return _names_one(plain) and (_is_not_against_one(plain) if category == "Disease" else _is_condition(title, plain))


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TITLES)


def _has(kind: str, text: str) -> bool:
    return bool(_patterns()[kind].search(text))


def _names_one(title: str) -> bool:
    """Tell whether a title names one thing, and not two, nor only a quality."""
    if _has("two", title.partition(" - ")[0]) and not _has("one of two", title):
        return False
    return not _has("quality", title) or _has("condition", title)


def _is_not_against_one(title: str) -> bool:
    """Tell whether what a source takes for a disease is not rather something against it."""
    if not _has("means", title):
        return True
    for_what = " for " in title and _has("means", title.partition(" for ")[0])
    return not for_what and _has("condition", title.partition(" - ")[0].split()[-1])


def _is_condition(title: str, plain: str) -> bool:
    """Tell whether what a source does not take for a disease is one."""
    return (_has("condition", plain) or _has("state", title)) and not _has("means", plain)
