"""Training presets of each model: PyKEEN's from the model's own paper, and tuned ones that do better here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ...errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

MODELS: Final = ("TransE", "ConvE", "RotatE", "ComplEx")  # models that can be trained
KINDS: Final = ("tuned", "plain")  # presets of each model: `plain` is what PyKEEN does where nothing is said


@dataclass(frozen=True, slots=True)
class Preset:
    """How a model is trained.

    Attributes:
        dimension: How many numbers a vector has; of RotatE and ComplEx twice as many, as theirs are complex.
        batch: Triples a step; with `all_at_once`, pairs of a concept and a relation.
        loss: PyKEEN's name of what is made small.
        negatives: Wrong triples beside each right one.
        all_at_once: Whether all concepts are compared in each step, instead of a few wrong ones (LCWA).
        smoothing: Share of what is right that is given to everything else.
        drawn: With `all_at_once`, how many concepts are drawn a step to be compared, instead of all; 0 for all.
        penalty: With `drawn`, what the cubes of all numbers count in the loss (N3).
        falling: Whether the rate falls in a line, to nearly nothing in the last epoch.
        patience: How often the MRR may get no better before the training stops.
    """

    model: str
    dimension: int
    epochs: int
    batch: int
    rate: float
    loss: str
    loss_options: Mapping[str, Any] = field(default_factory=dict)
    negatives: int = 1
    all_at_once: bool = False
    model_options: Mapping[str, Any] = field(default_factory=dict)
    smoothing: float = 0.0
    drawn: int = 0
    penalty: float = 0.0
    falling: bool = False
    patience: int = 2
    every: int = 5

    @property
    def inverses(self) -> bool:
        """Whether each relation is learned the other way round as well, as one of its own: heads are tails of these."""
        return self.all_at_once

    @property
    def numbers(self) -> int:
        """How many numbers a vector has in the graph."""
        return self.dimension * (2 if self.model in {"RotatE", "ComplEx"} else 1)


_L2: Final = {"scoring_fct_norm": 2}  # the paper takes either; distances of this kind the database can compute
_NSSA: Final = {"margin": 6.0, "adversarial_temperature": 1.0}
_XAVIER: Final = {"entity_initializer": "xavier_normal"}
_CONVE: Final = {"output_channels": 12, "embedding_height": 8, "embedding_width": 12, "output_dropout": 0.2}
_COMPLEX: Final = {"regularizer": None, **_XAVIER, "relation_initializer": "xavier_normal"}
# Concepts drawn a step, of some twenty thousand: a fifth of the time, and no worse.
_COMPARED: Final[dict[str, Any]] = {"all_at_once": True, "drawn": 3000, "falling": True, "patience": 3, "every": 4}
_FREE: Final = {**_L2, "entity_constrainer": None}
_PRESETS: Final = {
    ("TransE", "plain"): Preset("TransE", 50, 100, 256, 1e-3, "MarginRanking", model_options=_L2),
    ("ConvE", "plain"): Preset("ConvE", 200, 100, 256, 1e-3, "BCEAfterSigmoid", all_at_once=True),
    ("RotatE", "plain"): Preset("RotatE", 200, 100, 256, 1e-3, "MarginRanking"),
    ("ComplEx", "plain"): Preset("ComplEx", 200, 100, 256, 1e-3, "Softplus"),
    ("TransE", "tuned"): Preset("TransE", 64, 60, 1024, 1e-2, "NSSA", _NSSA, 16, model_options=_FREE, every=3),
    ("RotatE", "tuned"): Preset(
        "RotatE", 64, 20, 512, 5e-3, "CrossEntropy", model_options=_XAVIER, penalty=0.3, **_COMPARED
    ),
    ("ConvE", "tuned"): Preset("ConvE", 96, 40, 512, 4e-3, "CrossEntropy", model_options=_CONVE, **_COMPARED),
    ("ComplEx", "tuned"): Preset(
        "ComplEx", 64, 28, 512, 1e-2, "CrossEntropy", model_options=_COMPLEX, penalty=0.05, **_COMPARED
    ),
}


def preset(model: str, kind: str) -> Preset:
    """Give a preset of `KINDS` for a model of `MODELS`; InputError where there is none of these names."""
    found = _PRESETS.get((model, kind))
    if found is None:
        raise InputError(
            f"there is no model {model} {kind!r}; models are {', '.join(MODELS)}, presets {' and '.join(KINDS)}"
        )
    return found
