"""What a text is when it is no question in English: another language, a greeting, thanks, a kind of section, a number.

The words that tell stand in `schema/languages.tsv`. In doubt a text is a question: names of diseases are often Latin.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..schema.languages import KINDS, WEIGHTS, foreign_language, weights, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOW: Final = re.compile(
    r"(?<!\s)(?<!read)(?<!say)(?<!speak)(?<!talk)(?<!understand)(?<!write),?\s+in\s+"
    r"(?:easy|everyday|lay|layman['\u2019]?s?|non-?medical|plain|simple)\s+(?:english|language|terms|words)"
    r"(?=[\s?.!]*\Z)",
    re.IGNORECASE,
)
"""How an answer should be worded, which asks for nothing else."""

_AND_TOO: Final = re.compile(
    r"\?\s*(?P<joined>and|or)\s+"
    r"(?!(?:are|can|could|do|does|how|if|in|is|should|what|when|where|which|who|why|will|would)\b)"
    r"(?P<thing>[a-z][\w'\u2019-]*(?:\s+[\w'\u2019-]+){0,3})\s*\?",
    re.IGNORECASE,
)
"""What is asked of one thing more, as an afterthought: `Can it cause a rash? And hives?`"""

_GREETING, _THANKS, _ASSENT, _KIND, _REPLY = KINDS
_SURE: Final = WEIGHTS["sure"]

_NUMBER: Final = re.compile(r"\W*\d+\W*")

EXAMPLE: Final = "\u201cWhat are the symptoms of gout?\u201d"
"""A question, as one could be asked."""

_REMARKS: Final = {
    _THANKS: f"You are welcome! Ask what else you want to know about health, such as {EXAMPLE}.",
    _REPLY: f"This chooses nothing that was offered, and asks nothing. Ask in words, such as {EXAMPLE}.",
    _ASSENT: f"All right. Ask what else you want to know about health, such as {EXAMPLE}.",
    _GREETING: f"Hello! Ask a question about health, such as {EXAMPLE}.",
    _KIND: f"This does not say of what. Name the disease, the drug or the symptom, too, such as {EXAMPLE}.",
}
"""What is said of a text that is no more than that."""


def plainly(text: str) -> str:
    """Leave out of a question how it should be answered, and take what is asked as an afterthought into it.

    `What is gout in simple words?` is `What is gout?`, and `Can it cause a rash? Or hives?` is `… a rash or hives?`.
    """
    asked = _HOW.sub("", text)
    asked = asked if asked.strip(" ?.!") else text
    return _AND_TOO.sub(lambda found: f" {found['joined'].lower()} {found['thing']}?", asked)


def remark_on(text: str) -> str:
    """Say why a text is not answered, where it is no question in English about something; empty in doubt."""
    if foreign := foreign_to(text):
        return foreign
    words = words_of(text)
    if _NUMBER.fullmatch(text):
        return _REMARKS[_REPLY]
    return next((remark for kind, remark in _REMARKS.items() if _is_only(kind, words)), "")


def foreign_to(text: str) -> str:
    """Say that a text is in another language than English, where it is; empty in doubt."""
    language = foreign_language(text)[0]
    if not language:
        return ""
    return f"This seems to be written in {language}, and medgraph reads English only: please ask in English."


def _is_only(kind: str, words: Sequence[str]) -> bool:
    """Tell whether all words of a text are of a kind, and one at least is so for sure."""
    known = weights()[kind]
    return all(word in known for word in words) and any(known[word] == _SURE for word in words)
