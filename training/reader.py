"""Tune what reads sentences on sentences that were graded by reading, by LoRA (Hu et al., "LoRA", ICLR 2022).

The adapter changes the reader's layers; a linear head over the means of its states and `helping.FEATURES` tells how
likely a sentence is about what is asked, helps, and answers. Both are learned together; the head is written as the
table that `answers.helping` reads.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..answers.helping import DIMENSION, FEATURES, LEVELS
from ..embeddings.encoders import layers
from ..embeddings.encoders.model_files import WEIGHTS
from ..embeddings.encoders.pairs import FIRST, SECOND, read, sides_of
from ..embeddings.rerankers.sentence_reader import HIDDEN, MAX_TOKENS
from ..errors import InputError
from ..evaluation.halves import number
from ..logistic import INTERCEPT
from .library import arguments, by_length, library, place_of, run, tidy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Batch = dict[str, Any]

HEAD_RATE: Final = 1e-3
"""The rate of learning of the head, which begins at nothing; set by hand."""

DROPOUT: Final = 0.1
LORA_DROPOUT: Final = 0.05
_ADAPTED: Final = ("query", "key", "value", "dense")
_LEAST_SPREAD: Final = 1e-6


class GradedSentence(NamedTuple):
    """A sentence with its grade for a question.

    Attributes:
        group: The id of the question as it was typed: all that it asks is on one side.
        question: What is asked.
        text: The sentence, under its page's title and its section's heading.
        features: By `FEATURES`, in order.
        grade: From 0 to 3.
    """

    group: str
    question: str
    text: str
    features: tuple[float, ...]
    grade: int


@dataclass(frozen=True, slots=True)
class Options:
    """How to train.

    Attributes:
        batch: Sentences a step.
        rank: The rank of the adapter; its changes count twofold.
        held: One of so many questions is held out, to measure by; 0 for none.
    """

    epochs: int = 2
    batch: int = 32
    rank: int = 16
    rate: float = 4e-4
    seed: int = 7
    held: int = 7


def train(
    base: Path, graded: Sequence[GradedSentence], folder: Path, options: Options
) -> tuple[dict[str, Any], dict[str, dict[str, float]]]:
    """Train, and write the adapter with its card; what was interrupted goes on where it stopped.

    Args:
        base: The folder of the reader as it comes.

    Returns:
        The card, and the head: one of `helping.LEVELS` → feature, `intercept`, or `helping.DIMENSION` and a place →
        weight.

    Raises:
        InputError: The extra is not installed, or no sentence is left to learn from.
    """
    with library():
        import peft  # noqa: F401 # what follows needs it
        import torch
    began = monotonic()
    held = [one for one in graded if options.held and not number(one.group) % options.held]
    groups = {one.group for one in held}
    learned = [one for one in graded if one.group not in groups]
    if not learned:
        raise InputError("no graded sentence was found to learn from; load what the grades are of")
    torch.manual_seed(options.seed)
    values = np.array([one.features for one in learned])
    middle, spread = values.mean(axis=0), values.std(axis=0) + _LEAST_SPREAD
    tokens = _Tokens(base, middle, spread)
    model = _model(base, options)
    place = place_of(folder, base.name, asdict(options), [tuple(one) for one in graded])
    run(_trainer(model, tokens, learned, place, options), place)
    card = {
        "reads": "a question and a sentence; gives what the head in answers/reading.tsv weighs",
        "base": base.name,
        "options": asdict(options),
        layers.RANK: options.rank,
        "sentences": len(learned),
        "questions": len({one.group for one in learned}),
        "held out": _measured(model, tokens, held),
        "seconds": round(monotonic() - began),
    }
    whole = layers.write(_adapter(model), base / WEIGHTS, folder, card)
    tidy(folder)
    return whole, _head(model, middle, spread)


class _Tokens:
    """Makes batches of graded sentences."""

    def __init__(self, base: Path, middle: NDArray[np.float64], spread: NDArray[np.float64]) -> None:
        from ..embeddings.encoders.bert import load_tokenizer

        self._tokenizer = load_tokenizer(base, MAX_TOKENS)
        self._middle, self._spread = middle, spread

    def __call__(self, chosen: Sequence[GradedSentence]) -> Batch:
        import torch

        rows = read(self._tokenizer, [(one.question, one.text) for one in chosen])
        shape = (len(rows), max(map(len, rows)))
        found = {name: np.zeros(shape, dtype=np.int64) for name in ("words", "kinds", "mask", "sides")}
        for line, row in enumerate(rows):
            each = row.ids, row.type_ids, [1] * len(row), sides_of(row)
            for name, values in zip(found, each, strict=True):
                found[name][line, : len(row)] = values
        features = (np.array([one.features for one in chosen]) - self._middle) / self._spread
        labels = np.array([[one.grade >= least for least in range(1, len(LEVELS) + 1)] for one in chosen])
        reals = {"features": features.astype(np.float32), "labels": labels.astype(np.float32)}
        return {name: torch.from_numpy(values) for name, values in (found | reals).items()}


def _model(base: Path, options: Options) -> Any:
    """Make the reader with its adapter and its head."""
    import torch
    from peft import LoraConfig, get_peft_model
    from torch import nn
    from transformers import BertModel

    body = BertModel.from_pretrained(base, local_files_only=True, add_pooling_layer=False)
    adapter = LoraConfig(
        r=options.rank, lora_alpha=2 * options.rank, lora_dropout=LORA_DROPOUT, target_modules=list(_ADAPTED)
    )

    class Reader(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = get_peft_model(body, adapter)
            self.states = nn.Linear(2 * HIDDEN, len(LEVELS))
            self.signs = nn.Linear(len(FEATURES), len(LEVELS), bias=False)
            for head in (self.states, self.signs):
                for weights in head.parameters():
                    nn.init.zeros_(weights)

        def forward(self, words: Any, kinds: Any, mask: Any, sides: Any, features: Any, labels: Any) -> dict[str, Any]:
            found = self.body(input_ids=words, token_type_ids=kinds, attention_mask=mask).last_hidden_state.float()
            of = [(sides == side).float()[..., None] for side in (FIRST, SECOND)]
            means = torch.cat([(found * one).sum(1) / one.sum(1).clamp(min=1) for one in of], dim=1)
            logits = self.states(nn.functional.dropout(means, DROPOUT, self.training)) + self.signs(features)
            return {"loss": nn.functional.binary_cross_entropy_with_logits(logits, labels), "logits": logits}

    return Reader()


def _trainer(model: Any, tokens: _Tokens, learned: Sequence[GradedSentence], place: Path, options: Options) -> Any:
    import torch
    import transformers

    more = {"num_train_epochs": options.epochs, "remove_unused_columns": False, "label_names": ["labels"]}
    heads = [*model.states.parameters(), *model.signs.parameters()]
    body = [weights for weights in model.body.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": options.rate}, {"params": heads, "lr": HEAD_RATE}], weight_decay=0.01
    )
    batches = by_length([len(one.question) + len(one.text) for one in learned], options.batch, options.seed)

    class Trainer(transformers.Trainer):  # type: ignore[misc, name-defined] # the library is not typed here
        def get_train_dataloader(self) -> Any:
            return torch.utils.data.DataLoader(learned, batch_sampler=batches, collate_fn=tokens)

    return Trainer(
        model=model,
        args=transformers.TrainingArguments(**arguments(place, options.rate, options.seed, **more)),
        train_dataset=learned,
        optimizers=(optimizer, None),
    )


def _adapter(model: Any) -> dict[str, NDArray[np.float32]]:
    """Give the two factors of what is added to each matrix, the second one scaled."""
    found = {}
    for name, module in model.body.base_model.model.named_modules():
        if hasattr(module, "lora_A"):
            first, second = module.lora_A["default"].weight, module.lora_B["default"].weight
            found[f"{name}.weight{layers.FIRST}"] = first.detach().float().numpy()
            found[f"{name}.weight{layers.SECOND}"] = module.scaling["default"] * second.detach().float().numpy()
    return found


def _head(model: Any, middle: NDArray[np.float64], spread: NDArray[np.float64]) -> dict[str, dict[str, float]]:
    """Write the head for features as they are, not standardised."""
    states, signs, constant = (
        values.detach().double().numpy() for values in (model.states.weight, model.signs.weight, model.states.bias)
    )
    found = {}
    for place, level in enumerate(LEVELS):
        weights = signs[place] / spread
        dimensions = {f"{DIMENSION}{number}": float(value) for number, value in enumerate(states[place])}
        shifted = {INTERCEPT: float(constant[place] - weights @ middle)}
        found[level] = dict(zip(FEATURES, weights.tolist(), strict=True)) | dimensions | shifted
    return found


def _measured(model: Any, tokens: _Tokens, held: Sequence[GradedSentence]) -> dict[str, float]:
    """Say how well each level is told apart in what was held out, by the area under the curve."""
    import torch
    from sklearn.metrics import roc_auc_score

    model.eval()
    order = sorted(held, key=lambda one: len(one.text))
    logits = []
    for start in range(0, len(order), 64):
        with torch.no_grad():
            logits.append(model(**tokens(order[start : start + 64]))["logits"].numpy())
    if not logits:
        return {"sentences": 0}
    found = np.concatenate(logits)
    told = {"sentences": len(order), "questions": len({one.group for one in order})}
    for place, level in enumerate(LEVELS):
        labels = [one.grade > place for one in order]
        if len({*labels}) > 1:
            told[level] = round(float(roc_auc_score(labels, found[:, place])), 4)
    return told
