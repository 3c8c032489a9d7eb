"""Encode texts with a BERT model in OpenVINO on the processor.

What makes it fast, each measured by benchmarks/encode.py:

- int8, bf16 or f32, whichever the processor has the fastest instructions for;
- texts sorted by length in batches small enough for a core's own cache, one stream a core, padded to few lengths (each
  new shape costs milliseconds and a megabyte the first time);
- a second compiled model for little text, such as one question, in which all cores share one request;
- word vectors looked up in the memory-mapped weights, so that only rows in use are ever read.

The processor's features decide on the precision, so that a machine computes the same each time. OpenVINO's
`OPTIMIZATION_CAPABILITIES` do not tell enough: they name INT8 on every processor and BF16 on every one with AVX-512,
whether it has instructions for it or not, and they take no notice of `ONEDNN_MAX_CPU_ISA`.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections import deque
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import EncoderError, SettingsError, install_line
from ...graph.imports import absent
from ...settings import AUTO, Settings
from . import layers as trained_layers
from .bert_graph import TOKENS, BertConfig, build_model, read_config, unsupported
from .model_files import NAMING, WEIGHTS, read_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from openvino import CompiledModel, Core, InferRequest, Model
    from tokenizers import Tokenizer

BATCH_TOKENS = 512
REQUESTS_AT_ONCE = "OPTIMAL_NUMBER_OF_INFER_REQUESTS"
REQUEST_TOKENS = 64  # a request takes about as long as so many tokens, beside its own
SURROGATES = re.compile("[\ud800-\udfff]")


class BertEncoder:
    """A sentence encoder: BERT, mean or first-token pooling, unit vectors; EncoderError for what cannot be built here.

    Of precisions, `bf16`, `int8` and `f32`, every processor has the last, and a model of an odd size has it for int8.
    """

    calibration = None  # as nothing is read
    most_tokens = sys.maxsize  # of a text that are read, where the model takes more

    def __init__(
        self,
        folder: Path,
        name: str,
        threads: int = 0,
        precision: str = "f32",
        layers: Path | None = None,
        pooling: str | None = None,
        instruction: str = "",
    ) -> None:
        if reason := unsupported(folder):
            raise EncoderError(f"{folder}: {reason}; {install_line('sentence-transformers')}")
        self.folder, self.name, self._instruction = folder, name, instruction
        found = read_config(folder)
        self._config = replace(found, pooling=pooling or found.pooling)
        self.dimension, self.max_tokens = found.hidden, found.max_tokens
        self._cutting = _tokenizer(folder, min(self.most_tokens, found.max_tokens))
        self._core: Core = openvino().Core()
        self._threads = threads
        group = self._config.group if precision == "int8" else None
        self.precision = "f32" if precision == "int8" and group is None else precision
        self._model = _build(folder, self._config, group, layers)
        # Mapped anew, so that the pages that building has read are given back.
        self._words = weights_of(folder)["embeddings.word_embeddings.weight"]
        self._lock = threading.Lock()
        self._single: InferRequest | None = None
        self._bulk: CompiledModel | None = None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length; several threads may do so at once."""
        rows = [one.ids for one in self._cutting.encode_batch_fast([clean(text) for text in texts])]
        vectors = np.empty((len(rows), self.dimension), dtype=np.float32)
        if len(rows) * self._width(max(map(len, rows), default=0)) <= BATCH_TOKENS:
            if rows:
                self._encode_together(rows, vectors)
        else:
            self._encode_sorted(rows, vectors)
        return vectors

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode questions as any text, behind the instruction."""
        return self.encode([self._instruction + text for text in texts])

    def passage_logits(self, _question: str, _passages: Sequence[str]) -> None:
        """Read nothing: an encoder by itself was not trained to tell what answers."""

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Find where each token of texts starts and ends, special tokens apart, without cutting anything off."""
        whole = _tokenizer(self.folder, None)
        encodings = whole.encode_batch([clean(text) for text in texts], add_special_tokens=False)
        return [encoding.offsets for encoding in encodings]

    def _encode_together(self, rows: list[list[int]], vectors: NDArray[np.float32]) -> None:
        with self._lock:
            if self._single is None:
                self._single = self._compile("LATENCY").create_infer_request()
            for places in self._parts([len(row) for row in rows]):
                vectors[places] = self._single.infer(self._inputs([rows[place] for place in places]))[0]

    def _parts(self, lengths: list[int]) -> list[list[int]]:
        """Part long texts from short ones where that saves more padding than a second request costs."""
        order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
        widths = [self._width(lengths[place]) for place in order]

        def padded(cut: int) -> int:
            return cut * widths[0] + (len(order) - cut) * widths[cut]

        cut = min(range(1, len(order)), key=padded, default=0)
        if cut and padded(cut) + REQUEST_TOKENS < len(order) * widths[0]:
            return [order[:cut], order[cut:]]
        return [order]

    def _encode_sorted(self, rows: list[list[int]], vectors: NDArray[np.float32]) -> None:
        with self._lock:
            if self._bulk is None:
                self._bulk = self._compile("THROUGHPUT")
        # Not OpenVINO's queue: its threads call back into Python, and abort a process that ends just then.
        idle = [self._bulk.create_infer_request() for _ in range(self._bulk.get_property(REQUESTS_AT_ONCE))]
        busy: deque[tuple[InferRequest, list[int]]] = deque()

        def collect() -> None:
            request, places = busy.popleft()
            request.wait()
            vectors[places] = request.get_output_tensor(0).data
            idle.append(request)

        for places in self._batches([len(row) for row in rows]):
            if not idle:
                collect()
            request = idle.pop()
            request.start_async(self._inputs([rows[place] for place in places]))
            busy.append((request, places))
        while busy:
            collect()

    def _batches(self, lengths: list[int]) -> Iterator[list[int]]:
        """Cut the texts, longest first, into batches; all batches of a width but the last have the same shape."""
        order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
        while order:
            size = max(1, BATCH_TOKENS // self._width(lengths[order[0]]))
            yield order[:size]
            order = order[size:]

    def _inputs(self, rows: list[list[int]]) -> list[NDArray[np.float32]]:
        ids = np.zeros((len(rows), self._width(max(map(len, rows)))), dtype=np.intp)
        mask = np.zeros(ids.shape, dtype=np.float32)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        return [self._words[ids], mask]

    def _width(self, length: int) -> int:
        step = 4 if length <= 32 else 8
        return min(-(-length // step) * step, self.max_tokens)

    def _compile(self, hint: str) -> CompiledModel:
        config: dict[str, str] = {
            "PERFORMANCE_HINT": hint,
            "ENABLE_CPU_PINNING": "NO",  # pinned, processes on one machine would share the first core
            "INFERENCE_PRECISION_HINT": "bf16" if self.precision == "bf16" else "f32",
            "DYNAMIC_QUANTIZATION_GROUP_SIZE": str(self._config.group or 0),
        }
        if self._threads:
            config["INFERENCE_NUM_THREADS"] = str(self._threads)
        return self._core.compile_model(self._model, "CPU", config)


@cache
def _tokenizer(folder: Path, limit: int | None) -> Tokenizer:
    """Load a model's tokenizer, without padding, and with so many tokens at most, or raise EncoderError; once."""
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises Exception itself
        raise EncoderError(f"{path}: {error}; correct {NAMING}") from error
    tokenizer.no_padding()
    if limit is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(limit)
    return tokenizer


def clean(text: str) -> str:
    """Replace what UTF-8 cannot express, each lone surrogate, by U+FFFD."""
    return SURROGATES.sub("\ufffd", text)


def openvino() -> Any:
    """Import OpenVINO without its telemetry, which otherwise tells a server elsewhere of each import."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type] # how an import is made to fail
    with absent("openvino.tools.ovc"):  # converts models, and takes longer to import than the rest
        import openvino

    return openvino


def _build(folder: Path, config: BertConfig, group: int | None, layers: Path | None) -> Model:
    weights = weights_of(folder)
    trained = trained_layers.load(layers, weights) if layers else {}
    try:
        return build_model(config, weights | trained, group)
    except (KeyError, IndexError, ValueError, RuntimeError) as error:
        raise EncoderError(
            f"{folder / WEIGHTS}: the weights do not fit config.json: {error}; correct {NAMING}"
        ) from error


def weights_of(folder: Path) -> dict[str, NDArray[np.float32]]:
    """Map a model's weights into memory, by name without a `bert.` prefix, as `read_weights` does."""
    return {name.removeprefix("bert."): value for name, value in read_weights(folder / WEIGHTS).items()}


# Tokens of both texts that are read, at most, special ones included; set by hand, as what is quoted has fewer.
MAX_TOKENS: Final = 256
NEITHER, FIRST, SECOND = range(3)  # of which text a token is


class PairEncoder(BertEncoder):
    """Reads `[CLS] first [SEP] second [SEP]`, the second text as BERT's second segment, and so many tokens at most."""

    def __init__(self, folder: Path, threads: int = 0, precision: str = "f32", most: int = MAX_TOKENS) -> None:
        self.most_tokens = most
        super().__init__(folder, folder.name, threads, precision, None, TOKENS)
        kinds = weights_of(folder)["embeddings.token_type_embeddings.weight"]
        self._second = kinds[1] - kinds[0] if len(kinds) > 1 else np.zeros_like(kinds[0])

    def states(
        self, pairs: Sequence[tuple[str, str]]
    ) -> Iterator[tuple[list[int], NDArray[np.float32], NDArray[np.int64]]]:
        """Read pairs in batches, the longest first; several threads may do so at once.

        Of what is over the limit the longer text loses its end.

        Yields:
            Places of pairs, `(pairs, tokens, hidden)` float32, and which of `NEITHER`, `FIRST` and `SECOND` each token
            is of.
        """
        rows = self._cutting.encode_batch([(clean(first), clean(second)) for first, second in pairs])
        for places in self._batches([len(row) for row in rows]):
            words, mask = self._inputs([rows[place].ids for place in places])
            sides = np.zeros(mask.shape, dtype=np.int64)
            for line, place in enumerate(places):
                row = rows[place]
                sides[line, : len(row)] = [
                    NEITHER if side is None else (FIRST, SECOND)[side] for side in row.sequence_ids
                ]
                words[line, : len(row)] += np.array(row.type_ids, dtype=np.float32)[:, None] * self._second
            with self._lock:
                if self._single is None:
                    self._single = self._compile("LATENCY").create_infer_request()
                found = self._single.infer([words, mask])[0].copy()
            yield places, found, sides


EXACT: Final = "f32"  # what every processor computes in
# A precision, the feature it needs, and the values of `ONEDNN_MAX_CPU_ISA` that leave that feature; fastest first.
# Without AMX bf16 takes longer than f32 does, so that it is used only if it is asked for. OpenVINO has no bf16 for
# ARM.
_TABLE: Final = (
    ("bf16", "amx_bf16", r"avx.*_amx.*"),
    ("int8", "avx512_vnni", r"avx512_core_.+|avx10.*"),
    ("int8", "avx_vnni", r"avx2_vnni.*"),
    ("bf16", "avx512_bf16", r"avx512_core_(bf16|fp16|amx).*|avx10.*"),
)
_NO_LIMIT: Final = frozenset(("", "default", "all"))
_FLAGS: Final = re.compile(r"^flags\s*:(.*)$", re.MULTILINE)


def precision_of(settings: Settings) -> str:
    """Tell in what encoders compute: `f32`, `bf16`, `int8`; SettingsError where the processor cannot do so."""
    usable = usable_precisions()
    if settings.precision == AUTO:
        return usable[0]
    if settings.precision not in usable:
        raise SettingsError(
            f"MEDGRAPH_PRECISION is {settings.precision!r}, which this processor has no instructions for;"
            f" set it to {' or '.join((AUTO, *usable))}, or unset it"
        )
    return settings.precision


def usable_precisions() -> tuple[str, ...]:
    """List what this processor has instructions for, the one to choose first; at least `f32`."""
    limit, found = os.environ.get("ONEDNN_MAX_CPU_ISA", "").lower(), _features()
    rows = (
        precision
        for precision, feature, limits in _TABLE
        if feature in found and (limit in _NO_LIMIT or re.fullmatch(limits, limit))
    )
    return tuple(dict.fromkeys((*rows, EXACT)))


def _features() -> frozenset[str]:
    """Read the names that Linux has for the features of an x86 processor; none elsewhere."""
    try:
        told = _FLAGS.search(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        return frozenset()
    return frozenset(told[1].split()) if told else frozenset()
