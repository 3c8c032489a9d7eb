"""Collects a request's details (question, stages, tokens, verdicts) for logs and metrics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from flask import g

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Response

    from ..answers.answer import Answer


def note_question(question: str) -> None:
    """Note what was asked; it is written down only where the options say so."""
    g.noted["question"] = question


def note_stages(timing_ms: Mapping[str, float]) -> None:
    """Note how long each step took."""
    g.noted["stages_ms"] = timing_ms


def note_answer(answer: Answer, noted: dict[str, Any] | None = None) -> None:
    """Note what came of a question and what it cost; `noted` is the request's, where that is not at hand."""
    paid = [one for one in (answer.generation, *answer.readings) if one]
    (g.noted if noted is None else noted).update(
        answer=answer.status,
        tokens={
            "prompt": sum(one.prompt_tokens for one in paid),
            "reply": sum(one.reply_tokens for one in paid),
        },
        dropped=dict(Counter(one.why for one in answer.generation.dropped) if answer.generation else {}),
        verdicts=dict(Counter(one.verdict for one in answer.sentences)),
        stages_ms=answer.timing_ms,
    )


def once_sent(response: Response, work: Callable[[], None]) -> None:
    """Do what takes all that was noted: now or, of an answer that is sent event by event, after the last one."""
    if response.is_streamed:
        response.call_on_close(work)
    else:
        work()
