"""Consultations that a generator learns from: what the pipeline `consult` asks a model, with the wanted reply."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..answers.composers.drafts import schema_of
from ..answers.composers.numbered import NumberedEvidence, fenced
from ..answers.pipelines.consult import PROMPT
from ..answers.pipelines.ending import sentences_in
from ..answers.pipelines.rouge import rouge_l
from ..answers.pipelines.state import escaped
from ..answers.prompting import prompt
from ..errors import InputError
from ..models.protocol import Request
from ..models.structured import with_schema

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..models.protocol import Message


@dataclass(frozen=True, slots=True)
class Consultation:
    """A question with the answer that is wanted.

    Attributes:
        told: What the person says.
        turns: What the model reads: a system turn and a user turn.
        reply: What the model should write: the JSON of the prompt.
        cites: Whether a sentence of the reply cites evidence.
    """

    told: str
    turns: tuple[Message, ...]
    reply: str
    cites: bool


def read(path: Path) -> list[Consultation]:
    """Read consultations.

    Args:
        path: A file of JSON lines, each with `question`, `message` or both, `answer`, and where there is some
            `evidence`, a list of texts. An answer is a text, or a list of sentences as `{"text": …, "ids": ["S1"]}`.

    Raises:
        InputError: A line is no such object, or the file has none; the message names file and line.
    """
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except ValueError as error:
        raise InputError(f"{path} is no text in UTF-8: {error}") from None
    for place, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append(_consultation(json.loads(line)))
            except (ValueError, TypeError, KeyError) as error:
                raise InputError(f"{path}:{place}: this is no consultation: {error}") from None
    if not found:
        raise InputError(f"{path} has no consultation; give a line of JSON with question and answer for each")
    return found


def _consultation(told: Any) -> Consultation:
    if not isinstance(told, dict):
        raise TypeError("a line is an object with question and answer")
    whole = _text(told, "message") or _text(told, "question")
    if not whole:
        raise ValueError("it has neither question nor message")
    texts = told.get("evidence") or []
    if not isinstance(texts, list) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise TypeError("evidence is a list of texts")
    items = [NumberedEvidence(f"S{number}", text) for number, text in enumerate(texts, start=1)]
    sentences = _sentences(told.get("answer"), items)
    question = _text(told, "question") or whole
    turns = prompt(PROMPT).fill(whole=escaped(whole), question=escaped(question), evidence=fenced(items))
    # As a model in this process is asked, which nothing but these words holds to the schema.
    asked = with_schema(Request(turns, schema_of([item.id for item in items])))
    reply = json.dumps({"sentences": sentences}, ensure_ascii=False)
    return Consultation(whole, asked.messages, reply, any(one["ids"] for one in sentences))


def _text(told: dict[str, Any], key: str) -> str:
    value = told.get(key) or ""
    if not isinstance(value, str):
        raise TypeError(f"{key} is a text")
    return " ".join(value.split())


def _sentences(answer: Any, items: Sequence[NumberedEvidence]) -> list[dict[str, Any]]:
    """Give the sentences of an answer; of a text, each cites the evidence that is nearest to it by ROUGE-L."""
    if isinstance(answer, str) and answer.strip():
        return [{"text": text, "ids": _nearest(text, items)} for text in sentences_in(answer)]
    if not isinstance(answer, list) or not all(isinstance(one, dict) for one in answer):
        raise TypeError("answer is a text, or a list of sentences with text and ids")
    known = {item.id for item in items}
    for one in answer:
        if not _text(one, "text") or not isinstance(one.get("ids"), list):
            raise TypeError("a sentence of the answer has text and ids")
        if unknown := [name for name in one["ids"] if name not in known]:
            raise ValueError(f"the answer cites {unknown[0]!r}, and evidence is {', '.join(sorted(known)) or 'none'}")
    return [{"text": _text(one, "text"), "ids": one["ids"]} for one in answer]


def _nearest(text: str, items: Sequence[NumberedEvidence]) -> list[str]:
    scores = {item.id: rouge_l(text, item.text) for item in items}
    best = max(scores, key=scores.__getitem__, default="")
    return [best] if scores.get(best) else []
