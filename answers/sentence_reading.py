"""Evidence that is read: what was chosen is read together with the question, which tells what helps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..embeddings.rerankers.sentence_reader import headed
from .confidence import ANSWERS, BELONGS, READ
from .helping import belongs, reads
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
        sentences = []
        for number, said in enumerate(item.sentences):
            features, vector = features_of(said, item, best=place == 0), vectors[place, number]
            sentences.append(replace(said, helps=reads(features, vector), belongs=belongs(features, vector)))
        best = max((said.helps or 0.0 for said in sentences), default=0.0)
        answers = max(item.doubt * (NEAR_MISS_READ if item.near_miss else 1.0) * best, _plainly(item))
        gathered.append(replace(item, sentences=sentences, answers=answers))
    return in_order(gathered)


def belonging(evidence: Sequence[ScoredSection]) -> list[ScoredSection]:
    """Keep what is of what is asked, and not of a look-alike, a narrower kind, or other people.

    Args:
        evidence: Sections that were read.

    Returns:
        Those with a sentence that belongs, and of each such sentences alone.
    """
    kept = [replace(item, sentences=[one for one in item.sentences if one.belongs >= BELONGS]) for item in evidence]
    return [item for item in kept if item.sentences]


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
