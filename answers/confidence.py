"""How sure an answer is: logistic models over what speaks for a section (`signs.FEATURES`).

One says how likely a section answers, one how likely it is at least about what is asked. Their weights stand in
`confidence.tsv`; they are fitted to sections that were graded by reading (`medgraph evaluate graded … --fit FILE`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..logistic import read_models
from .naming import things_of
from .signs import FEATURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..logistic import LogisticModel
    from ..queries.question import Question

FILE: Final = Path(__file__).with_name("confidence.tsv")
LEVELS: Final = ("answers", "related")
KINDS: Final = ("question", "message")
"""Long messages are judged by weights of their own: their cosines are lower, and their words tell less."""

ANSWERS: Final = {"question": 0.55, "message": 0.65}
"""How likely a section must answer a question of a kind for it to be quoted as an answer; chosen on the half dev."""

READ: Final = 0.62
"""How likely the best sentence must help to answer for it to be quoted as an answer, where sentences are read together
with the question; chosen on graded sentences of the half dev and of everyday questions."""

RELATED: Final = 0.5
"""How likely a section must be about what is asked for it to be quoted as related; chosen on the half dev."""

FAR: Final = 0.02
"""How likely the best section answers, below which a short question is shown nothing that is related: of 99 such
questions 5 had anything that helps, and 35 anything of what is asked about; chosen by graded ones of both halves."""

MESSAGE_NEAR: Final = 0.1
"""The same for a message: of 30 sentences that were shown below 2 helped, and 13 did not belong."""

NEAR_READ: Final = 0.2
"""How likely the best sentence of a section helps, where sentences are read, below which it is not shown as related
to a short question: of 42 everyday ones that were shown less 15 had anything that helps, and 7 would be misled."""

APART_READ: Final = 0.1
"""The same, of the likeliest section alone, where several things are asked about: what is known of each is told."""


def kind_of(question: Question) -> str:
    """Tell by which weights a question is judged.

    Returns:
        One of `KINDS`.
    """
    return "message" if question.is_message else "question"


def least_near(question: Question, *, reads: bool) -> float:
    """Give how likely the best of what was found must help, for anything to be shown as related.

    Args:
        reads: Whether sentences are read together with it.
    """
    if question.is_message:
        return MESSAGE_NEAR
    if not reads:
        return FAR
    return APART_READ if len(things_of(question)) > 1 else NEAR_READ


def likely(kind: str, level: str, features: Mapping[str, float]) -> float:
    """Tell how likely a section answers, or is related.

    Args:
        kind: One of `KINDS`.
        level: One of `LEVELS`.
        features: By `signs.FEATURES`.
    """
    return models()[f"{kind} {level}"].likely(features)


@cache
def models(path: Path = FILE) -> dict[str, LogisticModel]:
    """Read the models: one for each kind of question and level.

    Returns:
        Kind and level, with a space between, → what weighs `signs.FEATURES`.
    """
    names = {f"{kind} {level}": FEATURES for kind in KINDS for level in LEVELS}
    return read_models(path, "medgraph evaluate graded MEQSUM GRADES --fit FILE", names)
