"""Text classifier: trained upper layers of the default encoder, and a linear layer over their vector."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from . import layers
from .bert import BertEncoder
from .model_files import read_json, read_weights
from .named import default_model
from .precision import precision_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...settings import Settings

# The layers that tell emergencies, which come with medgraph; `medgraph train emergencies` makes them.
EMERGENCIES: Final = Path(__file__).with_name("emergencies")
HEAD: Final = "head."  # what the names of the linear layer's weights begin with, in the file of the trained layers
SCALE: Final = 20.0  # what unit vectors are multiplied by before the linear layer, so that weights of usual size decide


class TextClassifier:
    """Tells how likely a text is of each kind.

    Args:
        base: The folder of the encoder that the layers were trained from.
        folder: The trained layers, with a card that names the `kinds` in order.

    Raises:
        EncoderError: A file is missing, or the layers were trained from another encoder.
        ChecksumError: The weights are cut off or damaged.
    """

    def __init__(self, base: Path, folder: Path, threads: int = 0, precision: str = "f32") -> None:
        self._encoder = BertEncoder(base, folder.name, threads, precision, folder)
        weights = read_weights(folder / layers.WEIGHTS)
        self._weight = weights[f"{HEAD}weight"].astype(np.float32) * SCALE
        self._bias = weights[f"{HEAD}bias"].astype(np.float32)
        self._kinds: Sequence[str] = read_json(folder / layers.CARD)["kinds"]

    def kinds(self, texts: Sequence[str]) -> list[Mapping[str, float]]:
        """Give the probability of each kind, for each text; several threads may do so at once."""
        logits = self._encoder.encode(texts) @ self._weight.T + self._bias
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return [dict(zip(self._kinds, row, strict=True)) for row in shares.tolist()]


def load_emergencies(settings: Settings, report: Callable[[str], None] = lambda _: None) -> TextClassifier:
    """Load what tells emergencies, fetching the default encoder on first use, whichever one the settings name.

    Raises:
        EncoderError: Its files are damaged.
        DownloadError: The default encoder cannot be fetched.
    """
    return TextClassifier(default_model(settings, report), EMERGENCIES, settings.threads, precision_of(settings))
