"""Confidence of an answer: logistic models over the features of a section (`signs.FEATURES`).

One says how likely a section answers, one how likely it is at least about what is asked. Their weights stand in
`confidence.tsv`; they are fitted to sections that were graded by reading (`medgraph evaluate graded … --fit FILE`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..logistic import LogisticModel, read_models, sigmoid
from .signs import FEATURES, things_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from ..queries.question import Question

FILE: Final = Path(__file__).with_name("confidence.tsv")
LEVELS: Final = ("answers", "related")

# Long messages are judged by weights of their own: their cosines are lower, and their words tell less.
KINDS: Final = ("question", "message")

# How likely a section must answer a question of a kind for it to be quoted as an answer; chosen on the half dev.
ANSWERS: Final = {"question": 0.55, "message": 0.65}

# How likely the best sentence must help to answer for it to be quoted as an answer, where sentences are read together
# with the question; chosen on graded sentences of the half dev and of everyday questions.
READ: Final = 0.62

# How likely a section must be about what is asked for it to be quoted as related; chosen on the half dev.
RELATED: Final = 0.5

# How likely the best section answers, below which a short question is shown nothing that is related: of 99 such
# questions 5 had anything that helps, and 35 anything of what is asked about; chosen by graded ones of both halves.
FAR: Final = 0.02

# The same for a message: of 30 sentences that were shown below 2 helped, and 13 did not belong.
MESSAGE_NEAR: Final = 0.1

# How likely the best sentence of a section helps, where sentences are read, below which it is not shown as related to a
# short question: of 42 everyday ones that were shown less 15 had anything that helps, and 7 would be misled.
NEAR_READ: Final = 0.2

# The same, of the likeliest section alone, where several things are asked about: what is known of each is told.
APART_READ: Final = 0.1


def kind_of(question: Question) -> str:
    """Tell by which of `KINDS` of weights a question is judged."""
    return "message" if question.is_message else "question"


def least_near(question: Question, *, reads: bool) -> float:
    """Give how likely the best of what was found must help, for anything to be shown as related."""
    if question.is_message:
        return MESSAGE_NEAR
    if not reads:
        return FAR
    return APART_READ if len(things_of(question)) > 1 else NEAR_READ


def likely(kind: str, level: str, features: Mapping[str, float]) -> float:
    """Tell how likely a section with `signs.FEATURES` answers, or is related (`LEVELS`), to a question of a kind."""
    return models()[f"{kind} {level}"].likely(features)


@cache
def models(path: Path = FILE) -> dict[str, LogisticModel]:
    """Read the models: kind and level, with a space between, → what weighs `signs.FEATURES`."""
    names = {f"{kind} {level}": FEATURES for kind in KINDS for level in LEVELS}
    return read_models(path, "medgraph evaluate graded MEQSUM GRADES --fit FILE", names)


# What it is made of, each from 0 (cosines from -1) to 1: how near the sentence is to the question; whether it tells
# such things as are asked for; the shares that it has of what is named, and of the words; whether it only says that
# there is something to say, leans on the one before, or tells of studies; how early it stands (1 for a section's first,
# half for the second); its length in 400 characters; how likely its section answers, whether that is the likeliest one,
# and of the kind asked for on a page about exactly what is named; and whether it tells nothing such in a section of
# another kind.
SENTENCE_FEATURES: Final = (
    "near", "told", "names", "words", "vague", "leans", "lead", "length", "research", "section", "best section",
    "exact", "apart",
)  # fmt: skip

HELPING: Final = Path(__file__).with_name("helping.tsv")
READING: Final = Path(__file__).with_name("reading.tsv")
PROMISING: Final = Path(__file__).with_name("promising.tsv")

# What the names of the numbers that describe a question and a sentence begin with, in `reading.tsv`.
DIMENSION: Final = "dimension "


def helps(features: Mapping[str, float]) -> float:
    """Tell how likely a sentence helps, by `SENTENCE_FEATURES`."""
    return model(HELPING, "helps").likely(features)


def promises(features: Mapping[str, float]) -> float:
    """Weigh what speaks for a sentence before it is read: any number, by which sentences are ordered."""
    return model(PROMISING, "promises").logit(features)


def reads(features: Mapping[str, float], vector: NDArray[np.float32]) -> float:
    """Tell how likely a sentence helps that was read together with the question, which `vector` describes."""
    signs, of_vector = reading()
    return sigmoid(signs.logit(features) + float(vector @ of_vector))


@cache
def model(path: Path, name: str) -> LogisticModel:
    """Read what weighs `SENTENCE_FEATURES`, and perhaps the numbers that describe a question and a sentence."""
    remedy = "medgraph evaluate sentences MEQSUM GRADES --fit FILE (or --fit-reading, --fit-promising)"
    return read_models(path, remedy, {name: SENTENCE_FEATURES}, DIMENSION)[name]


@cache
def reading() -> tuple[LogisticModel, NDArray[np.float32]]:
    """Read what weighs `SENTENCE_FEATURES` and the numbers that describe question and sentence, which were read."""
    import numpy as np

    weights = model(READING, "reads").weights
    named = {name: value for name, value in weights.items() if not name.startswith(DIMENSION)}
    numbers = [weights[f"{DIMENSION}{place}"] for place in range(len(weights) - len(named))]
    return LogisticModel(named), np.array(numbers, dtype=np.float32)
