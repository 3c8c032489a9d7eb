"""A question, taken apart once: its words, what it asks for, the entities that it names, its vector and its filters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..linking.words import MEASURES
from . import lucene
from .intent import find_intents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from .entities import Alternative, Mention
    from .filters import Restriction

MAX_QUESTION: Final = 10_000
"""Characters of a question, at most."""

_EVERYDAY: Final = frozenset(
    "adult advanced affect affects any anyone anything avoid avoided because behind born boy brother can cause caused "
    "causes checked child children common complication complications could curable cure cured daughter day days deal "
    "dealing define definition detail details diagnose diagnosed diagnosis die different disease diseases disorder "
    "doctor doctors does done else ever everyone everything explain family far father feel feels find friend future "
    "get gets getting girl give going good happen happens hear heard help helped hospital husband important "
    "information inherit inherited join keep kid kids kind kinds know known lead like likely live living long look "
    "looks man many medication medications medicine medicines men mentioned might month months more mother much need "
    "never new old out patient patients people person physician possible prevent prevented problem problems prognosis "
    "question really recommend risk run runs said see serious sign signs sister someone something son start stop "
    "surgery symptom symptoms syndrome take taking tell test tests therapies therapy thing things think treat treated "
    "treatment treatments trial trials understand use used want week weeks wife woman women worried year years "
    "young".split()
)
_MEASURE: Final = re.compile(f"{MEASURES}|a")


@dataclass(frozen=True)
class Question:
    """A question that can be searched for; what takes time to find out is found out when first asked for, once.

    Attributes:
        text: What a user typed.
        words: Its words in lower case, in order, repeated ones too.
        restriction: What results may be; None where everything passes.
        linker: Finds the entities that a text names.
        encoder: Gives the encoder of the graph's vectors.
    """

    text: str
    words: Sequence[str]
    restriction: Restriction | None = field(repr=False)
    linker: Callable[[str], Sequence[Mention]] = field(repr=False, compare=False)
    encoder: Callable[[], TextEncoder] = field(repr=False, compare=False)

    @cached_property
    def intent(self) -> str:
        """The section type that it asks for first; empty when it does not say."""
        return next(iter(self.intents), "")

    @cached_property
    def intents(self) -> tuple[str, ...]:
        """All section types that it asks for, the plainest first."""
        return find_intents(self.text)

    @cached_property
    def content(self) -> Sequence[str]:
        """Its words without those that every question has, each once."""
        return lucene.content_words(self.words)

    @cached_property
    def particular(self) -> Sequence[str]:
        """Its content words without those that just any question about health has."""
        return [word for word in self.content if word not in _EVERYDAY]

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its numbers and single letters that tell one disease from another, not ages and doses."""
        return frozenset(
            word
            for word, following in zip(self.words, [*self.words[1:], ""], strict=True)
            if (any(c.isdigit() for c in word) or (len(word) == 1 and word not in "ai"))
            and not _MEASURE.fullmatch(following)
        )

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The entities that it names, the longest and surest first."""
        return tuple(self.linker(self.text))

    @cached_property
    def meant(self) -> tuple[Mention | Alternative, ...]:
        """All that it may mean by what it names, as surely as anything else."""
        return tuple(meant for mention in self.mentions for meant in mention.level())

    @cached_property
    def vector(self) -> NDArray[np.float32]:
        """Its vector: (dimension,) float32, unit length."""
        vector: NDArray[np.float32] = self.encoder().encode([self.text])[0]
        return vector


def words_of(text: str) -> list[str]:
    """Cut a question into words.

    Args:
        text: What a user typed.

    Returns:
        Its words in lower case, in order, repeated ones too.

    Raises:
        InputError: It has no word in it, or is too long.
    """
    if len(text) > MAX_QUESTION:
        raise InputError(f"the question has {len(text):,} characters; {MAX_QUESTION:,} are the most")
    if not (words := lucene.all_words(text)):
        raise InputError("the question has no word in it; ask in words, such as: What are the symptoms of asthma?")
    return words
