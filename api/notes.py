"""What a route notes on a request, for the log and the figures."""

from __future__ import annotations

from flask import g


def note_question(question: str) -> None:
    """Note what was asked; it is written down only where the options say so."""
    g.question = question


def note_answer(status: str) -> None:
    """Note what came of a question, to be counted."""
    g.answer_status = status
