"""Text encoder interface, and the loader of the encoder that the settings name."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from ...schema.migrate import Model
from ...settings import DEFAULT_ENCODER
from .layers import SHIPPED
from .model_files import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ...settings import Settings
    from ..rerankers.cross import Calibration, CrossEncoder
    from .bert import BertEncoder

NO_LAYERS: Final = "none"  # set as the encoder of questions: questions are encoded as passages are
DEFAULT_DIMENSION: Final = 384  # how many numbers a vector of the default encoder has


class TextEncoder(Protocol):
    """Turns texts into vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """A name that stays the same as long as the vectors do; a graph records it."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    @property
    def max_tokens(self) -> int:
        """The longest input, special tokens included; what is over is cut off."""

    @property
    def precision(self) -> str:
        """In what it computes: `f32`, `bf16` or `int8`."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length; several threads may do so at once."""

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode questions that passages are searched for, as `encode` does."""

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32] | None:
        """Read a question, what it asks first, together with passages, as `passage_of` writes them.

        Returns:
            `(passages,)` float32, the logit that each answers; None where nothing was trained to tell.
        """

    @property
    def calibration(self) -> Calibration | None:
        """What turns logits of `read` into probabilities; None where nothing reads, or nothing was fitted for it."""

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find where each token of texts starts and ends, special tokens apart, without cutting anything off."""


def load_encoder(settings: Settings, report: Callable[[str], None] = lambda _: None) -> TextEncoder:
    """Load the encoder that the settings name, fetching the default one on first use.

    Raises:
        EncoderError: There is no such model, its files are damaged, or it needs the extra and that is not installed.
        DownloadError: The default model cannot be fetched.
    """
    from .named import CARDS, find_model

    card, folder = CARDS.get(settings.encoder), find_model(settings, report)
    if folder is None:
        from .torch_encoder import TorchEncoder

        return TorchEncoder(settings.encoder, settings.encoder, settings.threads)
    from .bert_graph import unsupported

    name = settings.encoder if card or settings.encoder == DEFAULT_ENCODER else _folder_name(folder)
    if reason := unsupported(folder):
        from .torch_encoder import TorchEncoder

        return TorchEncoder(str(folder), name, settings.threads, reason)
    from ..rerankers.cross import CrossEncoder
    from .bert import BertEncoder
    from .precision import precision_of

    asking = card.instruction if card else ""
    base = BertEncoder(folder, name, settings.threads, precision_of(settings), instruction=asking)
    layers, reranker = _layers(settings), Path(settings.reranker).expanduser() if settings.reranker else None
    if layers is None and reranker is None:
        return base

    def tuned(trained: Path) -> BertEncoder:
        return BertEncoder(folder, name, settings.threads, base.precision, trained)

    return TunedEncoder(
        base,
        (lambda: tuned(layers)) if layers else (lambda: base),
        (lambda: CrossEncoder(reranker, settings.threads, base.precision)) if reranker else None,
    )


def _layers(settings: Settings) -> Path | None:
    """Find the folder of the layers that encode questions; None where the encoder's own do."""
    if settings.question_encoder is not None:
        return None if settings.question_encoder == NO_LAYERS else Path(settings.question_encoder).expanduser()
    return SHIPPED if settings.encoder == DEFAULT_ENCODER and SHIPPED.is_dir() else None


def model_of(settings: Settings, report: Callable[[str], None] = lambda _: None) -> Model:
    """Tell name and dimension of the encoder that the settings name; the default one is not loaded for it.

    Raises:
        EncoderError: There is no such model, its files are damaged, or it needs the extra and that is not installed.
    """
    if settings.encoder == DEFAULT_ENCODER:
        return Model(DEFAULT_ENCODER, DEFAULT_DIMENSION)
    encoder = load_encoder(settings, report)
    return Model(encoder.name, encoder.dimension)


def _folder_name(folder: Path) -> str:
    candidates = (folder / WEIGHTS, folder / "pytorch_model.bin", folder / "config.json")
    path = next(path for path in candidates if path.is_file())
    with path.open("rb") as file:
        return f"{folder.name}-{hashlib.file_digest(file, 'sha256').hexdigest()[:8]}"


class TunedEncoder:
    """Encodes passages as the base does, and questions by layers of their own.

    Args:
        asking: Loads what encodes questions; it is called when the first question comes.
        reading: Loads what reads questions and passages together; None where there is no such thing.
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
        """Encode texts as the base does."""
        return self._base.encode(texts)

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode questions that passages are searched for: `(texts, dimension)` float32 of unit length."""
        return self._asking.encode(texts)

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32] | None:
        """Read a question together with passages: (passages,) logits; None where nothing was trained to tell."""
        return self._reading.scores(question, passages) if self._reading else None

    @property
    def calibration(self) -> Calibration | None:
        """What turns logits of `read` into probabilities; None where nothing reads, or nothing was fitted for it."""
        return self._reading.calibration if self._reading else None

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find where each token of texts starts and ends, as the base cuts them."""
        return self._base.token_offsets(texts)
