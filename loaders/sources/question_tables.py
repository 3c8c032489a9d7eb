"""Tables of questions on diseases and their answers, a question a row (CSV, TSV, JSONL or Parquet).

Columns `question`, `answer` and `q_type` (what it is about, in the words of section types); `disease` or `topic`, `id`,
`url` and `collection` may be there. The questions on a disease become a document with a section an answer; a table that
names no diseases gives a document a question. A question without an answer is kept where there is a url that has it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from ...errors import RecordError
from ...schema.records import Document, Entity, Question, Section
from ...schema.vocabulary import section_type
from ..base import INFOS, Item, Reject, Remark, Row, Source, made
from ..files import cell_values, marks
from ..files.on_disk import Part, Shelf, grouped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["question-tables"]

_WHAT: Final = cell_values.columns("questions")
_NUMBERS: Final = {"id", *cell_values.columns("numbers")}


@dataclass(frozen=True, slots=True)
class _QuestionRow:
    document: str
    title: str
    about: Entity | None
    url: str
    collection: str
    part: Section | Question


def records(path: Path, prefix: str = "") -> Iterator[Item]:
    """Read a table of questions: diseases or topics, where it names them, then the documents."""
    prefix = cell_values.own_prefix(prefix, cell_values.stem(path))
    yield from cell_values.unread(path, (*_WHAT, *_NUMBERS))
    with Shelf() as seen:
        for line, asked in _questions(path, prefix):
            if isinstance(asked, Reject):
                yield asked
            elif asked.about and seen.add(asked.about.id):
                yield Row(asked.about, str(path), line)
    for item in grouped(_parts(path, prefix)):
        if not isinstance(item, Reject | Remark):
            yield from _document(str(path), *item)


def _recognise(path: Path) -> bool:
    header = {cell_values.plain_header(name) for name in cell_values.first_row(path)}
    return {"question", "answer"} <= header and bool(header & {"q type", "qtype", "question type"})


SOURCE: Final = Source(
    INFO,
    records,
    order=45,
    describe=lambda path: replace(INFO, id=cell_values.stem(path)),
    recognise=_recognise,
    options={"prefix": "what comes before the ids of documents; by default the name of the file"},
)


def _questions(path: Path, prefix: str) -> Iterator[tuple[int, _QuestionRow | Reject]]:
    needs = "the columns 'question' and 'answer'"
    return cell_values.rows(path, _WHAT, {"question", "answer"}, needs, partial(_row, prefix))


def _row(prefix: str, row: dict[str, str], columns: dict[str, str]) -> _QuestionRow:
    cells = {what: "" if cell_values.is_nothing(row[name]) else row[name].strip() for what, name in columns.items()}
    said = {what: marks.written(cell) for what, cell in cells.items()}
    question, url = " ".join(said["question"].split()), said.get("url", "")
    if not question:
        raise RecordError("the row asks nothing; fill the column 'question'")
    if not said["answer"] and not url:
        raise RecordError(f"{question[:80]!r} has no answer, and no url where the answer stands")
    name = " ".join((said.get("disease") or said.get("topic") or "").split())
    label = "Disease" if said.get("disease") else "Topic"
    about = Entity(f"{prefix}:{cell_values.slug(name)}", label, name) if name else None
    document = about.id if about else f"{prefix}:{_short(question.casefold())}"
    document = f"{document}-{_short(url)}" if about and url else document
    kind, collection = section_type(said.get("type", "")), said.get("collection", "")
    part = _part(document, question, kind, said["answer"])
    # The document is made when all that it holds is there; a row that would spoil it is rejected here.
    Document(document, question, url, collection, questions=(Question(part.id, question),))
    return _QuestionRow(document, name or question, about, url, collection, part)


def _part(document: str, question: str, kind: str, answer: str) -> Section | Question:
    """Make a section, or a question without its answer, whose id follows from what it says."""
    part_id = f"{document}#{_short(f'{kind} {question} {answer}')}"
    if answer:
        return Section(part_id, answer, kind, kind.capitalize(), question)
    return Question(part_id, question, kind)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _parts(path: Path, prefix: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    for line, row in _questions(path, prefix):
        if not isinstance(row, Reject):
            about, part = row.about.id if row.about else "", row.part
            said = (part.question, part.text) if isinstance(part, Section) else (part.text, "")
            yield row.document, line, (row.title, about, row.url, row.collection, part.type, *said)


def _document(file: str, document: str, parts: list[Part]) -> Iterator[Item]:
    first, (title, about, url, collection, *_) = parts[0]
    said: dict[str, Section | Question] = {}
    for line, (*_, kind, question, answer) in parts:
        part = _part(document, question, kind, answer)
        if part.id in said:
            yield Remark(file, line, f"{question[:80]!r} with this answer stands twice in the file; it was read once")
        said.setdefault(part.id, part)
    sections = tuple(part for part in said.values() if isinstance(part, Section))
    questions = tuple(part for part in said.values() if isinstance(part, Question))
    links = (about,) if about else ()
    yield made(file, first, Document, document, title, url, collection, "", sections, questions, links)
