"""MEDIQA 2019, task 3: questions of consumers with answers that experts graded; for development figures only.

`alexa.xml` asks simple questions, `validation.xml` holds messages as people wrote them. Grades go from 4 (excellent)
over 3 (incomplete) and 2 (related) to 1 (incorrect). Several questions may have the same text among their answers;
it is one document here, with a grade for each of them, since nothing could tell such twins apart.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import SourceFileError
from ..loaders.files import xml_stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

FILES: Final = {
    "simple": ("alexa.xml", "MEDIQA2019-Task3-QA-TrainingSet2-Alexa"),
    "message": ("validation.xml", "MEDIQA2019-Task3-QA-ValidationSet"),
}
"""How questions are asked → file and its outermost element."""

_LONGEST_TITLE: Final = 200


@dataclass(frozen=True, slots=True)
class Judged:
    """A question and how well answers answer it.

    Attributes:
        style: A key of `FILES`.
        grades: Section → its grade, 1 to 4, for those that experts looked at.
    """

    id: str
    text: str
    style: str
    grades: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, as a document with one section.

    Attributes:
        title: What stands before the text's first colon: the page and its part.
    """

    id: str
    title: str
    url: str
    text: str

    @property
    def section(self) -> str:
        """The id of its section."""
        return f"{self.id}#1"


def read(folder: Path) -> tuple[list[Judged], list[Answer]]:
    """Read the questions and the answers to all of them."""
    questions, answers = [], {}
    for style, (name, root) in FILES.items():
        for number, element in enumerate(xml_stream.elements(folder / name, root, ["Question"]), 1):
            grades: dict[str, int] = defaultdict(int)
            for part in element.iter("Answer"):
                answer = _answer(part)
                answers[answer.id] = answer
                grades[answer.section] = max(grades[answer.section], _grade(part, folder / name))
            text = xml_stream.text(xml_stream.child(element, "QuestionText"))
            if not text or not grades:
                raise SourceFileError(f"question {number} lacks its text or its answers: wrong file", folder / name)
            questions.append(Judged(f"{style}-{element.get('QID') or number}", text, style, dict(grades)))
    return questions, list(answers.values())


def write_documents(answers: Iterable[Answer], path: Path) -> None:
    """Write answers as documents in the form that `medgraph load documents` reads."""
    with path.open("w", encoding="utf-8") as file:
        for one in answers:
            document = {"id": one.id, "title": one.title, "url": one.url, "sections": [{"text": one.text}]}
            file.write(json.dumps(document, ensure_ascii=False) + "\n")


def _grade(element: Any, path: Path) -> int:
    given = element.get("ReferenceScore", "")
    if given not in {"1", "2", "3", "4"}:
        raise SourceFileError(f"an answer has the grade {given!r} where 1 to 4 belong", path)
    return int(given)


def _answer(element: Any) -> Answer:
    text = xml_stream.text(xml_stream.child(element, "AnswerText"))
    name = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    title, colon, rest = text.partition(": ")
    if not colon or not rest or len(title) > _LONGEST_TITLE:
        title, rest = text[:_LONGEST_TITLE], text
    return Answer(f"mediqa:{name}", title, xml_stream.text(xml_stream.child(element, "AnswerURL")), rest)
