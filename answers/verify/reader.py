"""A cross-encoder that reads evidence and a claim together: how likely the one supports the other, or contradicts it.

Its folder is that of a BERT model for natural language inference as transformers lays one out, which
`medgraph train verifier FOLDER --cross` does, too. It runs in OpenVINO as the encoder does.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from ...embeddings.encoders.bert import PairEncoder, precision_of, weights_of
from ...embeddings.encoders.bert_graph import unsupported
from ...embeddings.encoders.model_files import read_json
from ...errors import EncoderError
from ..answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ...settings import Settings

    Floats = NDArray[np.float32]

VERDICTS: Final = (SUPPORTED, CONTRADICTED, NO_EVIDENCE)  # what a pair can be, in the order of what is read of it

# How the labels of models for natural language inference begin.
_NAMES: Final = {"entail": SUPPORTED, "contradict": CONTRADICTED, "neutral": NO_EVIDENCE}
_REMEDY: Final = "correct MEDGRAPH_VERIFIER or unset it"


class ClaimReader(Protocol):
    """Reads evidence and claims together."""

    def chances(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Judge pairs, (pairs, 3): how likely each is what `VERDICTS` says; several threads may do so at once."""


@dataclass(frozen=True, eq=False)
class CrossReader:
    """Judges by the state of a pair's first token, and two layers."""

    encoder: PairEncoder
    pooled: Floats  # (features, hidden) of the layer that describes a pair
    shift: Floats  # (features,) of it
    weight: Floats  # (verdicts, features) of the last layer
    bias: Floats  # (verdicts,) of it

    def chances(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Judge pairs, (pairs, 3): how likely each is what `VERDICTS` says; several threads may do so at once."""
        features = np.zeros((len(pairs), self.weight.shape[1]), dtype=np.float32)
        for places, states, _ in self.encoder.states(pairs):
            features[places] = np.tanh(states[:, 0] @ self.pooled.T + self.shift)
        logits = features @ self.weight.T + self.bias
        found = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
        shares: Floats = found / found.sum(axis=1, keepdims=True)
        return shares


def load_reader(settings: Settings) -> CrossReader | None:
    """Load the cross-encoder that the settings name; None if they name none, EncoderError if it cannot be used."""
    if settings.verifier is None:
        return None
    folder = Path(settings.verifier).expanduser()
    if not (folder / "config.json").is_file():
        raise EncoderError(
            f"{folder} has no config.json, which `medgraph train verifier FOLDER --cross` and transformers write;"
            f" {_REMEDY}"
        )
    config = read_json(folder / "config.json")
    given = config.get("id2label")
    names = [given.get(str(place), "") for place in range(len(given))] if isinstance(given, dict) else []
    order = _order(folder / "config.json", [_verdict(str(name)) for name in names])
    if reason := unsupported(folder) or _unsupported(config):
        raise EncoderError(
            f"{folder}: {reason}: only BERT models for natural language inference can read pairs here (model type"
            f" 'bert', activation 'gelu', absolute positions, model.safetensors and tokenizer.json); {_REMEDY}"
        )
    encoder = PairEncoder(folder, settings.threads, precision_of(settings))
    weights, path, size = weights_of(folder), folder / "model.safetensors", encoder.dimension
    pooled, shift = _last(path, weights, "pooler.dense.", (size, size))
    weight, bias = _last(path, weights, "classifier.", (len(order), size))
    return CrossReader(encoder, pooled, shift, weight[order], bias[order])


def _unsupported(config: Mapping[str, object]) -> str | None:
    made = config.get("architectures") or ["BertForSequenceClassification"]
    return None if made == ["BertForSequenceClassification"] else f"architecture {made}"


def _verdict(name: str) -> str:
    return next((verdict for begins, verdict in _NAMES.items() if name.lower().startswith(begins)), name)


def _order(path: Path, labels: Sequence[str]) -> list[int]:
    if sorted(labels) != sorted(VERDICTS):
        told = ", ".join(map(str, labels)) or "none"
        raise EncoderError(
            f"{path}: the labels are {told}; a verifier has three, for entailment, contradiction and neutral; {_REMEDY}"
        )
    return [labels.index(verdict) for verdict in VERDICTS]


def _last(path: Path, weights: Mapping[str, Floats], prefix: str, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    weight, bias = weights.get(f"{prefix}weight"), weights.get(f"{prefix}bias")
    if weight is None or bias is None:
        raise EncoderError(f"{path} has no layer {prefix.rstrip('.')!r}, so that it is no verifier; {_REMEDY}")
    if weight.shape != shape or bias.shape != shape[:1]:
        raise EncoderError(f"{path}: the layer {prefix.rstrip('.')!r} is {weight.shape} and not {shape}; {_REMEDY}")
    return np.array(weight), np.array(bias)
