"""Train the verifier that reads a claim together with its evidence: supports, contradicts, or neither.

It begins with the weights of the encoder; its words and lower layers stay as they are, so that what they make of a pair
is computed once. What it concludes from are the means of both texts' tokens, each read in sight of the other, what they
have in common, and how far they are apart (Conneau et al., "Supervised Learning of Universal Sentence Representations
from Natural Language Inference Data", EMNLP 2017).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..answers.verify.reader import LABELLED, VERDICTS
from ..embeddings.encoders.bert import load_tokenizer
from ..embeddings.encoders.layers import CARD, WEIGHTS
from ..embeddings.encoders.model_files import read_json, read_weights
from ..embeddings.encoders.pairs import FIRST, MAX_TOKENS, SECOND, read, sides_of
from ..embeddings.rerankers.cross import HEAD
from ..evaluation.questions import number
from ..evaluation.verification import macro_f1
from ..files import write_whole
from .base import MEDQUAD, Base, trained
from .claim_pairs import Material, Pair
from .steps import CHECKPOINT, Steps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ..evaluation.verification import Learn, Read

ROUNDS: Final = 2
"""How often each labelled claim is learned from, where figures are measured; set by hand."""

RISING: Final = 30
"""Steps in which the rate rises; set by hand."""

HEAD_RATE: Final = 5.0
"""How much faster the last layer learns, which begins with nothing."""

HELD_OUT: Final = "on pairs held out"
"""What a card calls the figures of calibration."""

TEMPERATURES: Final = tuple(float(one) for one in np.geomspace(0.25, 8, 61))

_JUDGED: Final = "judged.json"

_SORTED: Final = 16
"""Batches whose pairs are sorted by length together."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to train.

    Attributes:
        steps: Steps of the optimiser.
        batch: Pairs a step.
        frozen: Layers, the lowest ones, that stay as they are.
        rate: The learning rate at its highest.
        real: The share of steps, the last ones, that are on labelled claims, where there are any.
        dropout: The share of numbers that are left out of a layer.
        seed: Of everything that is drawn.
        held: One of so many groups of pairs is held out, for the temperature; 0 holds out none.
    """

    steps: int = 500
    batch: int = 16
    frozen: int = 3
    rate: float = 1e-4
    real: float = 0.5
    dropout: float = 0.1
    seed: int = 7
    held: int = 10


def train(base: Path, material: Material, folder: Path, options: Options) -> dict[str, Any]:
    """Train, and write weights and card; what was interrupted goes on where it stopped.

    Args:
        base: The folder of the encoder to begin with.
        material: What is learned from.
        folder: Where the weights go.
        options: How to train.

    Returns:
        The card: what the weights were made from, how, and how well they do on what was held out.

    Raises:
        InputError: torch and transformers are not installed, or the folder has a checkpoint of another training.
        OSError: The folder cannot be written.
    """
    card: dict[str, Any] = {
        "reads": "evidence and a claim; gives how likely the one supports the other, contradicts it, or neither",
        LABELLED: list(VERDICTS),
        "base": base.name,
        "options": asdict(options),
        "made pairs": len(material.made),
        "labelled claims": len(material.claims),
        "trained on": [MEDQUAD, *material.named],
    }
    return trained(
        lambda: Learner(base, material, options), base, folder, card, lambda learner: {HELD_OUT: learner.held}
    )


def learner_of(base: Path, begin: Path, folder: Path, options: Options, rounds: int = ROUNDS) -> Learn:
    """Give what goes on training a cross-encoder, for figures.

    Args:
        base: The folder of the encoder that it was trained from.
        begin: The folder that `train` wrote.
        folder: Where what was begun is kept, so that it goes on there, and what was judged.
        options: How to train, but for the steps.
        rounds: How often each pair is learned from.

    Returns:
        What learns from pairs, and judges others.
    """

    def learn(known: Sequence[Read], asked: Sequence[Read]) -> NDArray[np.float64]:
        steps = max(1, rounds * len(known) // options.batch)
        chosen = replace(options, steps=steps, held=0)
        told = json.dumps([asdict(chosen), read_json(begin / CARD)["sha256"], known, asked])
        place = folder / hashlib.blake2b(told.encode(), digest_size=8).hexdigest()
        kept = place / _JUDGED
        if not kept.is_file():
            learner = Learner(base, Material([Pair(*one, "") for one in known]), chosen, begin)
            learner.steps().run(place)
            rows = learner.logits([Pair(*one, "") for one in asked]).tolist()
            write_whole(kept, json.dumps(rows).encode())
            (place / CHECKPOINT).unlink(missing_ok=True)
        return chances_of(np.array(json.loads(kept.read_bytes())))

    return learn


class Learner:
    """The model and what it learns from, as torch has them.

    Args:
        base: The folder of the encoder to begin with.
        material: What is learned from.
        options: How to train.
        begin: A folder of trained weights to begin with; None begins with those of the encoder.
    """

    def __init__(self, base: Path, material: Material, options: Options, begin: Path | None = None) -> None:
        import torch

        self._torch = torch
        self._options = options
        self._material = material
        self._tokenizer = load_tokenizer(base, MAX_TOKENS)
        self._base = Base(base, options.dropout, options.seed, options.frozen)
        self._lower = self._base.model.encoder.layer[: options.frozen]
        self._upper = self._base.model.encoder.layer[options.frozen :]
        self._head = torch.nn.Linear(4 * self._base.model.config.hidden_size, len(VERDICTS)).to(self._base.device)
        torch.nn.init.zeros_(self._head.weight)
        if begin is not None:
            self._begin(read_weights(begin / WEIGHTS))
        self._optimizer = torch.optim.AdamW(
            [
                {"params": self._base.learned(), "times": 1.0, "weight_decay": 0.01},
                {"params": list(self._head.parameters()), "times": HEAD_RATE, "weight_decay": 0.01},
            ]
        )
        self._kept: dict[Pair, Any] = {}

    def _begin(self, weights: dict[str, NDArray[np.float32]]) -> None:
        tensors = {name: self._torch.tensor(np.array(value)) for name, value in weights.items()}
        head = {name.removeprefix(HEAD): value for name, value in tensors.items() if name.startswith(HEAD)}
        self._head.load_state_dict(head)
        self._base.model.load_state_dict(
            {name: value for name, value in tensors.items() if not name.startswith(HEAD)}, strict=False
        )

    @cached_property
    def _parted(self) -> tuple[list[list[Pair]], list[Pair]]:
        """Part what is learned from what is held out: made pairs and labelled claims, and of the last ones the held."""
        parts = [list(part) for part in (self._material.made, self._material.claims) if part]
        each = self._options.held
        if not each:
            return parts, []
        held = [one for one in parts[-1] if not number(one.group) % each]
        return [[one for one in part if number(one.group) % each] for part in parts], held

    def loss(self, step: int, _chance: Random) -> Any:
        """Give the loss of a step.

        Args:
            step: Its number.
            _chance: Not needed, as pairs come in an order that is drawn once for all.

        Returns:
            A tensor with one number.
        """
        parts, _ = self._parted
        begins = round(self._options.steps * (1 - self._options.real)) if len(parts) > 1 else 0
        part = parts[0] if len(parts) == 1 or step < begins else parts[1]
        batch = self._batch(part, step if part is parts[0] and len(parts) > 1 else step - begins)
        counts = np.bincount([one.label for one in part], minlength=len(VERDICTS))
        weights = self._torch.tensor(len(part) / np.maximum(counts, 1) / len(VERDICTS), dtype=self._torch.float32)
        wanted = self._torch.tensor([one.label for one in batch], device=self._base.device)
        each = self._torch.nn.functional.cross_entropy(self._logits(batch), wanted, reduction="none")
        return (each * weights.to(self._base.device)[wanted]).mean()

    def _batch(self, pairs: Sequence[Pair], step: int) -> list[Pair]:
        """Give the pairs of a step: all once before any comes again, those together that are about as long."""
        size = self._options.batch
        chance = Random(f"{self._options.seed} {step * size // len(pairs)}")  # noqa: S311 # not for secrets
        order = chance.sample(range(len(pairs)), len(pairs))
        runs = [order[start : start + _SORTED * size] for start in range(0, len(order), _SORTED * size)]
        by_length = [place for run in runs for place in sorted(run, key=lambda at: _length(pairs[at]))]
        batches = [by_length[start : start + size] for start in range(0, len(order), size)]
        chance.shuffle(batches)
        each = max(1, len(pairs) // size)
        return [pairs[place] for place in batches[step % each]]

    def _logits(self, batch: Sequence[Pair]) -> Any:
        torch = self._torch
        lower, sides = self._below(batch)
        states, mask = self._joined(lower), self._joined(sides)
        blocked = torch.where(torch.arange(states.shape[1]) < torch.tensor([[len(one)] for one in sides]), 0.0, -1e4)
        blocked = blocked[:, None, None, :].to(self._base.device)
        for layer in self._upper:
            states = _only(layer(states, attention_mask=blocked))
        first, second = (self._mean(states, mask == side) for side in (FIRST, SECOND))
        return self._head(torch.cat([first, second, first * second, (first - second).abs()], dim=1))

    def _mean(self, states: Any, mine: Any) -> Any:
        share = mine.to(states.dtype)[..., None]
        return (states * share).sum(1) / share.sum(1).clamp(min=1)

    def _joined(self, rows: Sequence[Any]) -> Any:
        return self._torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).to(self._base.device)

    def _below(self, batch: Sequence[Pair]) -> tuple[list[Any], list[Any]]:
        """Give what words and lower layers make of pairs, computed once, and of which text each token is."""
        torch = self._torch
        for one in batch:
            if one not in self._kept:
                (row,) = read(self._tokenizer, [(one.evidence, one.claim)])
                ids, kinds = (torch.tensor([row], device=self._base.device) for row in (row.ids, row.type_ids))
                learning = self._base.model.training
                self._base.model.eval()
                with torch.no_grad():
                    states = self._base.model.embeddings(input_ids=ids, token_type_ids=kinds)
                    for layer in self._lower:
                        states = _only(layer(states))
                self._base.model.train(learning)
                self._kept[one] = states[0].half().cpu(), torch.tensor(sides_of(row))
        return [self._kept[one][0].float() for one in batch], [self._kept[one][1] for one in batch]

    def logits(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Judge pairs by what was learned up to now.

        Args:
            pairs: The pairs.

        Returns:
            (pairs, verdicts) logits.
        """
        found = np.zeros((len(pairs), len(VERDICTS)))
        order = sorted(range(len(pairs)), key=lambda place: _length(pairs[place]))
        self._base.model.eval()
        with self._torch.no_grad():
            for start in range(0, len(order), self._options.batch):
                places = order[start : start + self._options.batch]
                batch = [pairs[place] for place in places]
                found[places] = self._logits(batch).cpu().numpy()
        return found

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """Give the weights that were learned, calibrated.

        Returns:
            Name → weights; the last layer's are divided by the temperature.
        """
        head = {f"{HEAD}{name}": value / self.held["temperature"] for name, value in self._head.state_dict().items()}
        return self._base.layers() | {name: value.float().cpu().numpy() for name, value in head.items()}

    @cached_property
    def held(self) -> dict[str, float]:
        """How well it does on what was held out; the first is what the logits have to be divided by."""
        _, held = self._parted
        return calibrated(self.logits(held), np.array([one.label for one in held], dtype=np.int64))

    def steps(self) -> Steps:
        """Give the steps of the training, none of them taken.

        Returns:
            The steps.
        """
        modules = {"model": self._base.model, "head": self._head}
        return Steps(modules, self._optimizer, self.loss, self._options, kind=self._kind(), rising=RISING)

    def _kind(self) -> str:
        return json.dumps([asdict(self._options), len(self._material.made), len(self._material.claims)])


def _only(given: Any) -> Any:
    return given[0] if isinstance(given, tuple) else given


def _length(pair: Pair) -> int:
    return len(pair.evidence) + len(pair.claim)


def calibrated(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> dict[str, float]:
    """Find by what to divide logits, so that what they call likely is as often so.

    Args:
        logits: (pairs, verdicts).
        labels: (pairs,) what is right.

    Returns:
        The `temperature`, the mean logarithm of probability that right ones lose before and after, the error of
        calibration of both (how much the mean probability of what is judged differs from how often it is right, over
        ten bins of it), the macro-F1, and how many pairs they are of.
    """
    if not len(labels):
        return {"temperature": 1.0, "pairs": 0}
    best = min(TEMPERATURES, key=lambda one: _loss(logits / one, labels))
    return {
        "temperature": round(best, 3),
        "pairs": len(labels),
        "loss": round(_loss(logits, labels), 4),
        "loss calibrated": round(_loss(logits / best, labels), 4),
        "calibration error": round(_miscalibrated(logits, labels), 4),
        "calibration error calibrated": round(_miscalibrated(logits / best, labels), 4),
        "macro_f1": round(macro_f1(labels, logits.argmax(axis=1)), 4),
    }


def chances_of(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn logits into probabilities.

    Args:
        logits: (pairs, verdicts).

    Returns:
        The same, each row with the sum one.
    """
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
    return found


def _loss(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    return float(-np.log(chances_of(logits)[np.arange(len(labels)), labels] + 1e-12).mean())


def _miscalibrated(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    chances = chances_of(logits)
    sure, right = chances.max(axis=1), chances.argmax(axis=1) == labels
    bins = np.minimum((sure * 10).astype(int), 9)
    return sum(abs(float(sure[bins == one].sum() - right[bins == one].sum())) for one in range(10)) / len(labels)
