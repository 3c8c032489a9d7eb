"""Consultations that a generator learns from: what the pipeline `consult` asks a model, with the wanted reply."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import msgspec

from medgraph.answers.generated import schema_of
from medgraph.answers.pipelines.papers import rouge_l
from medgraph.answers.pipelines.stages import sentences_in
from medgraph.answers.prompting import NumberedEvidence, escaped, fenced, prompt
from medgraph.errors import InputError
from medgraph.files import json_lines
from medgraph.models.protocol import Request
from medgraph.models.wire import with_schema

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medgraph.models.protocol import Message

_Text = Annotated[str, msgspec.Meta(min_length=1)]


@dataclass(frozen=True, slots=True)
class Consultation:
    """A question with the answer that is wanted."""

    told: str  # what the person says
    turns: tuple[Message, ...]  # what the model reads: a system turn and a user turn
    reply: str  # what the model should write: the JSON of the prompt
    cites: bool  # whether a sentence of the reply cites evidence


class _Sentence(msgspec.Struct):
    text: _Text
    ids: list[str]


class _Line(msgspec.Struct):
    answer: _Text | list[_Sentence]
    question: str = ""
    message: str = ""
    evidence: list[_Text] = []  # msgspec copies it


def read(path: Path) -> list[Consultation]:
    """Read consultations.

    Args:
        path: A file of JSON lines, each with `question`, `message` or both, `answer`, and where there is some
            `evidence`, a list of texts. An answer is a text, or a list of sentences as `{"text": …, "ids": ["S1"]}`.

    Raises:
        InputError: A line is no such object, or the file has none; the message names file and line.
    """
    found = []
    for place, line in json_lines(path, _Line, "consultation"):
        try:
            found.append(_consultation(line))
        except ValueError as error:
            raise InputError(f"{path}:{place}: this is no consultation: {error}") from None
    if not found:
        raise InputError(f"{path} has no consultation; give a line of JSON with question and answer for each")
    return found


def _consultation(line: _Line) -> Consultation:
    whole, question = (" ".join(text.split()) for text in (line.message, line.question))
    if not whole and not question:
        raise ValueError("it has neither question nor message")
    items = [NumberedEvidence(f"S{number}", text) for number, text in enumerate(line.evidence, start=1)]
    known = [item.id for item in items]
    if isinstance(line.answer, str):
        sentences = [_Sentence(text, _nearest(text, items)) for text in sentences_in(line.answer)]
    else:
        sentences = line.answer
    for name in (name for one in sentences for name in one.ids if name not in known):
        raise ValueError(f"the answer cites {name!r}, and evidence is {', '.join(known) or 'none'}")
    told = {"whole": escaped(whole or question), "question": escaped(question or whole)}
    # As a model in this process is asked, which nothing but these words holds to the schema.
    asked = with_schema(Request(prompt("consult").fill(**told, evidence=fenced(items)), schema_of(known)))
    reply = json.dumps({"sentences": msgspec.to_builtins(sentences)}, ensure_ascii=False)
    return Consultation(whole or question, asked.messages, reply, any(one.ids for one in sentences))


def _nearest(text: str, items: Sequence[NumberedEvidence]) -> list[str]:
    """Give the evidence that is nearest to a sentence by ROUGE-L, where any has a word of it."""
    scores = {item.id: rouge_l(text, item.text) for item in items}
    best = max(scores, key=scores.__getitem__, default="")
    return [best] if scores.get(best) else []
