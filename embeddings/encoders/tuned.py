"""An encoder with trained layers of its own: some encode questions, others read a question and a passage together.

Passages have the base's vectors, and a graph records the base's name: whether questions are encoded by the base or by
trained layers can change at any time, without embedding anything anew.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..rerankers.calibration import Calibration
    from ..rerankers.cross import CrossEncoder
    from .bert import BertEncoder


class TunedEncoder:
    """Encodes passages as the base does, and questions by layers of their own.

    Args:
        asking: Loads what encodes questions; it is called when the first question comes.
        reading: Loads what reads questions and passages together; None where there is no such thing.

    Attributes:
        folder: The base's files.
    """

    def __init__(
        self, base: BertEncoder, asking: Callable[[], BertEncoder], reading: Callable[[], CrossEncoder] | None = None
    ) -> None:
        self._base, self.folder = base, base.folder
        self._load = asking
        self._load_reading = reading

    @property
    def name(self) -> str:
        """The name that a graph records for its vectors: the base's."""
        return self._base.name

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._base.dimension

    @property
    def max_tokens(self) -> int:
        """The longest input, special tokens included; what is over is cut off."""
        return self._base.max_tokens

    @property
    def precision(self) -> str:
        """In what all parts of it compute: `f32`, `bf16` or `int8`."""
        return self._base.precision

    @cached_property
    def _asking(self) -> BertEncoder:
        return self._load()

    @cached_property
    def _reading(self) -> CrossEncoder | None:
        return self._load_reading() if self._load_reading else None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts as the base does.

        Returns:
            `(texts, dimension)` float32 of unit length, in the order of the texts.
        """
        return self._base.encode(texts)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode questions that passages are searched for.

        Returns:
            `(texts, dimension)` float32 of unit length, in the order of the texts.
        """
        return self._asking.encode(texts)

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32] | None:
        """Read a question together with each of several passages.

        Args:
            question: The question, what it asks first.
            passages: The passages, as `rerankers.cross.passage_of` writes them.

        Returns:
            `(passages,)` float32, the logit that each answers; None where nothing was trained to tell.
        """
        return self._reading.scores(question, passages) if self._reading else None

    @property
    def calibration(self) -> Calibration | None:
        """What turns logits of `read` into probabilities; None where nothing reads, or nothing was fitted for it."""
        return self._reading.calibration if self._reading else None

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find the tokens of texts, special tokens apart, without cutting anything off.

        Returns:
            For each text, where each token starts and ends, in characters.
        """
        return self._base.token_offsets(texts)
