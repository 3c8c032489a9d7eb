"""Text encoder interface, loaders of what the settings name, models that torch runs (an extra), and a classifier."""

from __future__ import annotations

import hashlib
import importlib
import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from ...errors import EncoderError, install_line
from ...settings import DEFAULT_ENCODER
from . import layers
from .bert import BertEncoder, clean, precision_of
from .bert_graph import unsupported
from .layers import SHIPPED
from .model_files import WEIGHTS, read_json, read_weights
from .named import CARDS, default_model, find_model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from ...logistic import Calibration
    from ...schema.migrate import Model
    from ...settings import Settings
    from ..reranking import CrossEncoder

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

    def passage_logits(self, question: str, passages: Sequence[str]) -> NDArray[np.float32] | None:
        """Read a question with passages (`passage_of` writes them): `(passages,)` logits; None if nothing can tell."""

    @property
    def calibration(self) -> Calibration | None:
        """Turns `passage_logits` into probabilities; None without a reranker, or one that was calibrated."""

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find where each token of texts starts and ends, special tokens apart, without cutting anything off."""


def load_encoder(settings: Settings, report: Callable[[str], None] = lambda _: None) -> TextEncoder:
    """Load the settings' encoder, fetching the default one; EncoderError or DownloadError where it is not to be had."""
    card, folder = CARDS.get(settings.encoder), find_model(settings, report)
    if folder is None:
        return TorchEncoder(settings.encoder, settings.encoder, settings.threads)
    name = settings.encoder if card or settings.encoder == DEFAULT_ENCODER else _folder_name(folder)
    if reason := unsupported(folder):
        return TorchEncoder(str(folder), name, settings.threads, reason)
    from ..reranking import CrossEncoder

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
    """Tell name and dimension of the encoder that is set, the default one unloaded; EncoderError if it is of no use."""
    from ...schema.migrate import Model

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
    """Encodes passages as the base does, and questions by layers of their own, loaded when the first question comes."""

    def __init__(
        self, base: BertEncoder, asking: Callable[[], BertEncoder], reading: Callable[[], CrossEncoder] | None = None
    ) -> None:
        self._base, self.folder, self.name, self.dimension = base, base.folder, base.name, base.dimension
        self.max_tokens, self.precision = base.max_tokens, base.precision
        self._load = asking
        self._load_reading = reading

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

    def passage_logits(self, question: str, passages: Sequence[str]) -> NDArray[np.float32] | None:
        """Read a question together with passages: (passages,) logits; None where nothing was trained to tell."""
        return self._reading.scores(question, passages) if self._reading else None

    @property
    def calibration(self) -> Calibration | None:
        """Turns `passage_logits` into probabilities; None without a reranker, or one that was calibrated."""
        return self._reading.calibration if self._reading else None

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find where each token of texts starts and ends, as the base cuts them."""
        return self._base.token_offsets(texts)


class TorchEncoder:
    """A sentence encoder that sentence-transformers runs, and why if it is missing; EncoderError if it fails."""

    precision, calibration = "f32", None  # torch takes 32 bits, and nothing is read

    def __init__(self, model: str, name: str, threads: int = 0, reason: str = "a model by name") -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise EncoderError(
                f"encoder {model}: {reason} needs sentence-transformers ({error});"
                f" {install_line('sentence-transformers')}, or unset MEDGRAPH_ENCODER for the default encoder"
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
        self.name = name
        self._lock = threading.Lock()  # its tokenizer's settings change between calls

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self._model.encode(["dimension"]).shape[1])

    @property
    def max_tokens(self) -> int:
        """The longest input, special tokens included; what is over is cut off."""
        return int(self._model.max_seq_length or 512)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length; threads do so one after the other."""
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

    def passage_logits(self, _question: str, _passages: Sequence[str]) -> None:
        """Read nothing: an encoder by itself was not trained to tell what answers."""

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find where tokens of texts start and end, special ones apart, nothing cut; EncoderError if unknown."""
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
                f"encoder {self.name}: its tokenizer gives no offsets, which chunking needs; choose another encoder"
            ) from error
        return [[(start, end) for start, end in offsets] for offsets in encoded["offset_mapping"]]


# The layers that tell emergencies, which come with medgraph; `medgraph train emergencies` makes them.
EMERGENCIES: Final = Path(__file__).with_name("emergencies")
HEAD: Final = "head."  # what the names of the linear layer's weights begin with, in the file of the trained layers
SCALE: Final = 20.0  # what unit vectors are multiplied by before the linear layer, so that weights of usual size decide


class TextClassifier:
    """Tells how likely a text is of each kind, by layers trained from a base encoder, whose card names the `kinds`."""

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
    """Load what tells emergencies, for the default encoder, whichever is set; errors are those of `load_encoder`."""
    return TextClassifier(default_model(settings, report), EMERGENCIES, settings.threads, precision_of(settings))
