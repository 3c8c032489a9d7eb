"""Vectors of texts that come again, such as the sentences of much-read sections."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from .encoder import TextEncoder

MOST: Final = 8192
"""Texts; their vectors take about 16 MB."""


class RememberedVectors:
    """Encodes texts, and keeps the vectors of those that were used last."""

    def __init__(self, encoder: Callable[[], TextEncoder], most: int = MOST) -> None:
        self._encoder = encoder
        self._most = most
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts, one at least, as `TextEncoder.encode` does; several threads may do so at once."""
        with self._lock:
            known = {text: vector for text in texts if (vector := self._kept.get(text)) is not None}
        unknown = [text for text in dict.fromkeys(texts) if text not in known]
        if unknown:
            # Copied, so that a row does not keep the whole array alive.
            known |= {text: row.copy() for text, row in zip(unknown, self._encoder().encode(unknown), strict=True)}
        with self._lock:
            for text in texts:
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return np.stack([known[text] for text in texts])
