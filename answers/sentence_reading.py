"""Evidence that is read: what was chosen is read together with the question, which tells what helps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..embeddings.rerankers.sentence_reader import headed
from .confidence import ANSWERS, READ
from .helping import reads
from .scored_sections import features_of, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from .scored_sections import ScoredSection
    from .scored_sentences import ScoredSentence

    Describe = Callable[[str, Sequence[str]], NDArray[np.float32]]
    """Gives (sentences, dimension) for a question and sentences."""

NEAR_MISS_READ: Final = 0.8
"""What is left of how likely a section answers of which something says that it does not; on graded sentences."""


def read(asked: str, evidence: Sequence[ScoredSection], describe: Describe) -> list[ScoredSection]:
    """Read sentences together with the question, and weigh sections by the best that they say.

    Args:
        evidence: Sections, best first.

    Returns:
        The sections, those that answer most likely first.
    """
    places = [(place, number) for place, item in enumerate(evidence) for number in range(len(item.sentences))]
    if not places:
        return list(evidence)
    found = describe(asked, [text_of(evidence[place], evidence[place].sentences[number]) for place, number in places])
    vectors = dict(zip(places, found, strict=True))
    gathered = []
    for place, item in enumerate(evidence):
        sentences = [
            replace(said, helps=reads(features_of(said, item, best=place == 0), vectors[place, number]))
            for number, said in enumerate(item.sentences)
        ]
        best = max((said.helps or 0.0 for said in sentences), default=0.0)
        answers = max(item.doubt * (NEAR_MISS_READ if item.near_miss else 1.0) * best, _plainly(item))
        gathered.append(replace(item, sentences=sentences, answers=answers))
    return in_order(gathered)


def _plainly(item: ScoredSection) -> float:
    """Say how likely a section of exactly the kind asked for answers, on a page about exactly what is named."""
    if not item.features["exact"] or item.features["rest"] < 1 or item.near_miss:
        return 0.0
    # What else speaks for it is enough, where it would be without reading; carried over so that thresholds meet.
    over = (item.answers - ANSWERS["question"]) / (1 - ANSWERS["question"])
    return READ + over * (1 - READ) if over >= 0 else 0.0


def text_of(item: ScoredSection, said: ScoredSentence) -> str:
    """Write a sentence as it is read.

    Returns:
        It, under its page's title and its section's heading.
    """
    return headed(item.section.title, item.section.heading, said.candidate.text)
