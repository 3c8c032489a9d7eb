"""Which sentences decide a question that wants a yes or a no: what says of the very thing whether it is so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..queries.lucene import all_words
from ..queries.salience import stem
from .naming import things_of
from .signs import ALL_NAMED

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..queries.question import Question
    from .comparing import Said

    Decides = Callable[[Said], bool]

_YES_OR_NO: Final = re.compile(
    r"\W*(?:and |but |or )?(?:is|are|am|was|were|can|could|does|do|did|will|would|should|may|might|has|have)\b"
    r"(?! (?:you|anyone|somebody|someone|there (?:any )?(?:information|info|literature|material)))",
    re.IGNORECASE,
)

_VERDICTS: Final = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE))
    for asked, said in (
        (
            r"\bcur(?:e|es|ed|able)\b|\bgo(?:es)? away\b|\bdisappear",
            r"\b(?:in)?cur(?:e|es|ed|able)\b|\bgo(?:es)? away\b|\bdisappear\w*|\bpermanent(?:ly)?\b|\blifelong\b",
        ),
        (
            r"\binherit|\bhereditary\b|\bruns? in\b|\bgenetic\b|\bpass(?:ed)? (?:it )?(?:on|down)\b",
            r"\binherit\w*|\bhereditary\b|\bruns? in\b|\bsporadic|\bpassed (?:on|down|from)\b|\bnot genetic\b",
        ),
        (
            r"\bcontagious\b|\bcatch\b|\bspread\b|\binfectious\b|\btransmi",
            r"\bcontagious\b|\bcatch\b|\bspreads?\b|\binfectious\b|\btransmi\w+|\bperson[- ]to[- ]person\b",
        ),
        (r"\bprevent|\bavoid", r"\bprevent\w*|\bavoid\w*|\blower\w* (?:your|the) risk\b"),
        (
            r"\bfatal\b|\bdie\b|\bdeadly\b|\bkill|\bdangerous\b",
            r"\bfatal\b|\bdie[sd]?\b|\bdeaths?\b|\bdeadly\b|\blife[- ]threatening\b|\bdangerous\b",
        ),
    )
)
"""What a question wants to know of something, and words of sentences that tell it."""


def decides_of(question: Question) -> Decides | None:
    """Give what tells whether a sentence decides a question.

    Args:
        question: The question.

    Returns:
        A test of sentences, read under their document's title; None where no yes or no is asked for.
    """
    if question.is_message or not _YES_OR_NO.match(question.text):
        return None
    if len(things_of(question)) > 1:
        return lambda said: said.named >= ALL_NAMED
    if told := [answer for asked, answer in _VERDICTS if asked.search(question.text)]:
        return lambda said: any(answer.search(said.candidate.text) for answer in told)
    named = {stem(word) for one in question.about for word in all_words(one.surface)}
    wanted = {stem(word) for word in question.particular} - named
    if not wanted:
        return None
    return lambda said: not wanted.isdisjoint(stem(word) for word in all_words(said.candidate.text))
