"""A BERT encoder as an OpenVINO graph, built straight from its weights: no torch, no export, no conversion.

The graph takes the word vectors of a batch and the mask of its real tokens, and gives one unit vector a text. In the
int8 variant the weights of linear layers are rounded once and the activations as they come (OpenVINO's dynamic
quantisation), both in groups with a scale each, so no calibration data is needed. The value projections are not
rounded: attention rests on [CLS] where it has nothing to say, the value of [CLS] is nearly zero, and rounding it would
move every token the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import EncoderError
from .model_files import NAMING, WEIGHTS, read_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray
    from openvino import Model, Node

    Weights = Mapping[str, NDArray[np.float32]]

MASKED = -10_000.0
TOKENS = "tokens"  # no pooling: the states of all tokens, as they are
GROUP_SIZES = (128, 64, 32)  # of weights and activations that share a scale; the largest that fits


@dataclass(frozen=True, slots=True)
class BertConfig:
    """What the graph needs to know about a model; pooling is `mean`, `cls` (the first token's) or `tokens` (all)."""

    hidden: int
    heads: int
    layers: int
    intermediate: int
    epsilon: float
    max_tokens: int
    pooling: str

    @property
    def group(self) -> int | None:
        """How many numbers share a scale in int8, or None if no size fits the model's layers."""
        fitting = (size for size in GROUP_SIZES if self.hidden % size == 0 and self.intermediate % size == 0)
        return next(fitting, None)


def unsupported(folder: Path) -> str | None:
    """Say why a model folder needs sentence-transformers; None if the model can be built here."""
    config = read_json(folder / "config.json")
    steps = [str(module.get("type", "")).rpartition(".")[2] for module in _optional(folder / "modules.json", [])]
    pooling = _pooling(folder)
    reasons = {
        f"model type {config.get('model_type')!r}": config.get("model_type") != "bert",
        f"activation {config.get('hidden_act')!r}": config.get("hidden_act", "gelu") != "gelu",
        "relative positions": config.get("position_embedding_type", "absolute") != "absolute",
        "a decoder": bool(config.get("is_decoder")),
        f"the steps {steps}": bool(steps)
        and steps not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]),
        f"pooling {pooling!r}": pooling not in {"mean", "cls"},
        "a default prompt": bool(
            _optional(folder / "config_sentence_transformers.json", {}).get("default_prompt_name")
        ),
        "lower-casing of its own": bool(_optional(folder / "sentence_bert_config.json", {}).get("do_lower_case")),
        f"no {WEIGHTS}": not (folder / WEIGHTS).is_file(),
        "no tokenizer.json": not (folder / "tokenizer.json").is_file(),
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


def read_config(folder: Path) -> BertConfig:
    """Read the configuration of a model folder that is not `unsupported`; EncoderError where a value is missing."""
    config = read_json(folder / "config.json")
    limits = (
        _optional(folder / "sentence_bert_config.json", {}).get("max_seq_length"),
        _optional(folder / "tokenizer_config.json", {}).get("model_max_length"),
    )
    try:
        return BertConfig(
            hidden=config["hidden_size"],
            heads=config["num_attention_heads"],
            layers=config["num_hidden_layers"],
            intermediate=config["intermediate_size"],
            epsilon=config.get("layer_norm_eps", 1e-12),
            max_tokens=min(next(filter(None, limits), 512), config["max_position_embeddings"]),
            pooling=_pooling(folder),
        )
    except KeyError as error:
        raise EncoderError(f"{folder / 'config.json'}: {error} is missing; correct {NAMING}") from error


def _optional(path: Path, default: Any) -> Any:
    return read_json(path) if path.is_file() else default


def _pooling(folder: Path) -> str:
    config = _optional(folder / "1_Pooling" / "config.json", {"pooling_mode": "mean"})
    if "pooling_mode" in config:
        return str(config["pooling_mode"])
    modes = [name for name, used in config.items() if name.startswith("pooling_mode_") and used]
    return {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}.get("+".join(modes), "+".join(modes))


def build_model(config: BertConfig, weights: Weights, group: int | None) -> Model:
    """Build a graph of tensors without a `bert.` prefix; of int8, `group` numbers share a scale.

    Its inputs are `words` (texts, tokens, hidden) and `mask` (texts, tokens), and its output unit vectors, or (texts,
    tokens, hidden) where there is no pooling.
    """
    return _Graph(config, weights, group).build()


class _Graph:
    def __init__(self, config: BertConfig, weights: Weights, group: int | None) -> None:
        from openvino import opset13

        self.op: Any = opset13
        self.config = config
        self.weights = weights
        self.group = group

    def build(self) -> Model:
        from openvino import Model

        op, config = self.op, self.config
        words = op.parameter([-1, -1, config.hidden], np.float32, name="words")
        mask = op.parameter([-1, -1], np.float32, name="mask")
        blocked = op.multiply(op.subtract(self.number(1.0), mask), self.number(MASKED))
        blocked = op.unsqueeze(blocked, self.axes([1, 2]))
        x = self.norm(op.add(words, self.positions(words)), "embeddings.LayerNorm")
        for number in range(config.layers):
            x = self.layer(x, blocked, f"encoder.layer.{number}.")
        if config.pooling != TOKENS:
            x = op.normalize_l2(self.pool(x, mask), self.axes([1]), 1e-12, "max")
        return Model([op.result(x)], [words, mask], "bert")

    def positions(self, words: Node) -> Node:
        table = self.weights["embeddings.position_embeddings.weight"]
        table = table + self.weights["embeddings.token_type_embeddings.weight"][0]
        length = self.op.gather(self.op.shape_of(words), self.axes([1]), self.axes(0))
        return self.op.slice(self.number(table), self.axes([0]), length, self.axes([1]), self.axes([0]))

    def layer(self, x: Node, blocked: Node, name: str) -> Node:
        op = self.op
        attended = self.linear(self.attend(x, blocked, f"{name}attention.self."), f"{name}attention.output.dense")
        x = self.norm(op.add(attended, x), f"{name}attention.output.LayerNorm")
        inner = op.gelu(self.linear(x, f"{name}intermediate.dense"), "ERF")
        return self.norm(op.add(self.linear(inner, f"{name}output.dense"), x), f"{name}output.LayerNorm")

    def attend(self, x: Node, blocked: Node, name: str) -> Node:
        op = self.op
        both = self.linear(x, f"{name}query", f"{name}key")
        query, key = (self.heads(part) for part in op.split(both, self.axes(2), 2).outputs())
        value = self.heads(self.linear(x, f"{name}value", exact=True))
        attended = op.scaled_dot_product_attention(query, key, value, blocked)
        joined = op.transpose(attended, self.axes([0, 2, 1, 3]))
        return op.reshape(joined, self.axes([0, 0, self.config.hidden]), special_zero=True)

    def heads(self, x: Node) -> Node:
        shape = self.axes([0, 0, self.config.heads, self.config.hidden // self.config.heads])
        return self.op.transpose(self.op.reshape(x, shape, special_zero=True), self.axes([0, 2, 1, 3]))

    def linear(self, x: Node, *names: str, exact: bool = False) -> Node:
        matrix = np.concatenate([self.weights[f"{name}.weight"] for name in names])
        bias = np.concatenate([self.weights[f"{name}.bias"] for name in names])
        factor = self.number(matrix) if exact or self.group is None else self.rounded(matrix, self.group)
        product = self.op.matmul(x, factor, transpose_a=False, transpose_b=True)
        return self.op.add(product, self.number(bias))

    def rounded(self, matrix: NDArray[np.float32], group: int) -> Node:
        """Round to int8 with a scale for each group of a row, in the form that the processor plugin keeps as int8."""
        op = self.op
        groups = matrix.reshape(len(matrix), -1, group)
        scale = np.maximum(np.abs(groups).max(axis=2, keepdims=True) / 127, np.float32(1e-12))
        levels = op.convert(op.constant(np.round(groups / scale).astype(np.int8)), np.float32)
        return op.reshape(op.multiply(levels, self.number(scale)), self.axes(matrix.shape), special_zero=False)

    def norm(self, x: Node, name: str) -> Node:
        op = self.op
        centred = op.mvn(x, self.axes([-1]), True, self.config.epsilon, "inside_sqrt")
        scaled = op.multiply(centred, self.number(self.weights[f"{name}.weight"]))
        return op.add(scaled, self.number(self.weights[f"{name}.bias"]))

    def pool(self, x: Node, mask: Node) -> Node:
        """Reduce tokens to a text; a sum does for a mean, as the vector is scaled to length one afterwards."""
        op = self.op
        if self.config.pooling == "cls":
            return op.gather(x, self.axes(0), self.axes(1))
        return op.reduce_sum(op.multiply(x, op.unsqueeze(mask, self.axes(2))), self.axes([1]), keep_dims=False)

    def number(self, value: Any) -> Node:
        return self.op.constant(np.asarray(value, dtype=np.float32, order="C"))

    def axes(self, value: Any) -> Node:
        return self.op.constant(np.asarray(value, dtype=np.int64))
