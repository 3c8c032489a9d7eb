"""Any other sentence-transformers model, in torch: an extra, as torch brings several gigabytes."""

from __future__ import annotations

import importlib
import threading
from typing import TYPE_CHECKING, Any

from ...errors import EncoderError
from .bert import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

EXTRA = "pip install 'medgraph[sentence-transformers]'"


class TorchEncoder:
    """A sentence encoder that sentence-transformers loads and runs.

    Args:
        model: A folder, or a name for sentence-transformers to look up.
        threads: Processor threads; 0 means as torch chooses.
        reason: Why the model needs sentence-transformers, for the message when that is not installed.

    Raises:
        EncoderError: The extra is not installed, or the model cannot be loaded.
    """

    def __init__(self, model: str, name: str, threads: int = 0, reason: str = "a model by name") -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise EncoderError(
                f"encoder {model}: {reason} needs sentence-transformers ({error}): run `{EXTRA}`,"
                " or unset MEDGRAPH_ENCODER for the default encoder"
            ) from error
        if threads:
            importlib.import_module("torch").set_num_threads(threads)
        try:
            self._model: Any = SentenceTransformer(model, device="cpu")
        except Exception as error:  # hub, file and configuration errors of several libraries
            what = next(iter(str(error).splitlines()), type(error).__name__)
            raise EncoderError(
                f"encoder {model} cannot be loaded: {what}; correct MEDGRAPH_ENCODER, or name a folder that holds it"
            ) from error
        self._name = name
        self._lock = threading.Lock()  # its tokenizer's settings change between calls

    @property
    def name(self) -> str:
        """The name that a graph records for its vectors."""
        return self._name

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self._model.encode(["dimension"]).shape[1])

    @property
    def max_tokens(self) -> int:
        """The longest input, special tokens included; what is over is cut off."""
        return int(self._model.max_seq_length or 512)

    @property
    def precision(self) -> str:
        """In what it computes: torch takes 32 bits."""
        return "f32"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length; threads do so one after the other."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        with self._lock:
            vectors = self._model.encode(
                [clean(text) for text in texts], normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode questions as any text."""
        return self.encode(texts)

    def read(self, _question: str, _passages: Sequence[str]) -> None:
        """Read nothing: an encoder by itself was not trained to tell what answers."""

    @property
    def calibration(self) -> None:
        """Nothing, as nothing is read."""

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find where each token of texts starts and ends, special tokens apart, without cutting anything off.

        Raises:
            EncoderError: The model's tokenizer does not say where its tokens are.
        """
        if not texts:
            return []
        try:
            with self._lock:
                encoded = self._model.tokenizer(
                    [clean(text) for text in texts],
                    add_special_tokens=False,
                    truncation=False,
                    return_offsets_mapping=True,
                    verbose=False,
                )
        except NotImplementedError as error:
            raise EncoderError(
                f"encoder {self._name}: its tokenizer gives no offsets, which chunking needs; choose another encoder"
            ) from error
        return [[(start, end) for start, end in offsets] for offsets in encoded["offset_mapping"]]
