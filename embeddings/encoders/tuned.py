"""An encoder whose questions are encoded by layers of their own, trained to meet the vectors of passages.

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

    from .bert import BertEncoder


class TunedEncoder:
    """Encodes passages as the base does, and questions by layers of their own.

    Args:
        base: Encodes passages.
        asking: Loads what encodes questions; it is called when the first question comes.
    """

    def __init__(self, base: BertEncoder, asking: Callable[[], BertEncoder]) -> None:
        self._base = base
        self._load = asking

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

    @cached_property
    def _asking(self) -> BertEncoder:
        return self._load()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts as the base does.

        Args:
            texts: Any texts.

        Returns:
            `(texts, dimension)` float32 of unit length, in the order of the texts.
        """
        return self._base.encode(texts)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode questions that passages are searched for.

        Args:
            texts: Any texts.

        Returns:
            `(texts, dimension)` float32 of unit length, in the order of the texts.
        """
        return self._asking.encode(texts)

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find the tokens of texts, special tokens apart, without cutting anything off.

        Args:
            texts: Any texts.

        Returns:
            For each text, where each token starts and ends, in characters.
        """
        return self._base.token_offsets(texts)
