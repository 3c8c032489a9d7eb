"""Learning vectors by PyKEEN: step by step with checkpoints, until the MRR gets no better; and presets."""

from __future__ import annotations

import logging
import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import InputError, install_line
from ...progress import Progress, note, progress
from .triples import Split, Triples
from .vectors import SharedParameters, Vectors, figures, ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from .triples import Rows
    from .vectors import Floats

MODELS: Final = ("TransE", "ConvE", "RotatE", "ComplEx")  # models that can be trained
KINDS: Final = ("tuned", "plain")  # presets of each model: `plain` is what PyKEEN does where nothing is said


@dataclass(frozen=True, slots=True)
class Preset:
    """How a model is trained."""

    model: str
    dimension: int  # how many numbers a vector has; of RotatE and ComplEx twice as many, as theirs are complex
    epochs: int
    batch: int  # triples a step; with `all_at_once`, pairs of a concept and a relation
    rate: float
    loss: str  # PyKEEN's name of what is made small
    loss_options: Mapping[str, Any] = field(default_factory=dict)
    negatives: int = 1  # wrong triples beside each right one
    all_at_once: bool = False  # whether all concepts are compared in each step, instead of a few wrong ones (LCWA)
    model_options: Mapping[str, Any] = field(default_factory=dict)
    smoothing: float = 0.0  # share of what is right that is given to everything else
    drawn: int = 0  # with `all_at_once`, how many concepts are drawn a step to be compared, instead of all; 0 for all
    penalty: float = 0.0  # with `drawn`, what the cubes of all numbers count in the loss (N3)
    falling: bool = False  # whether the rate falls in a line, to nearly nothing in the last epoch
    patience: int = 2  # how often the MRR may get no better before the training stops
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


CHECKPOINT: Final = "checkpoint.pt"
BEST: Final = "best.pt"
SAVE_EVERY: Final = 1  # minutes between two checkpoints, at least; 0 for one after each epoch
LOOKED_AT: Final = 1000  # triples by which a training is watched, at most


def require_pykeen() -> None:
    """Make sure that vectors can be learned; InputError where PyKEEN is not installed."""
    try:
        import pykeen  # noqa: F401
    except ImportError as error:
        raise InputError(f"vectors of relations need PyKEEN ({error}); {install_line('kge')}") from error


def learn(
    parts: Split, preset: Preset, folder: Path, seed: int, *, minutes: float | None = None, threads: int = 0
) -> tuple[Vectors, dict[str, Any]]:
    """Train a model in a folder of its own, or go on there; InputError without PyKEEN, or if the checkpoint is damaged.

    After so many minutes it ends with the next epoch. The model has its vectors as they were when the MRR was best.
    """
    require_pykeen()
    import torch

    if threads:
        torch.set_num_threads(threads)
    with _quiet():
        loop, stopper, factory = _prepared(parts, preset, folder, seed)
        began = time.monotonic()
        losses = _run(loop, stopper, factory, preset, folder, minutes)
        told = {
            "epochs": len(losses),
            "best epoch": stopper.best_epoch,
            "mrr while training": [round(float(result), 4) for result in stopper.results],
            "loss": round(float(losses[-1]), 4),
            "seconds": round(time.monotonic() - began),
            "processor": str(loop.model.device),
        }
        vectors = _vectors(loop.model, parts.triples, preset)
    if not np.isfinite(vectors.entities).all():
        raise InputError(f"{preset.model} came to numbers without end; take the other preset")
    for name in (CHECKPOINT, BEST):
        (folder / name).unlink(missing_ok=True)
    return vectors, told


class Baseline:
    """A baseline of PyKEEN's, which has no vectors."""

    def __init__(self, parts: Split, name: str) -> None:
        require_pykeen()
        from pykeen.models import baseline

        with _quiet():
            self._model: Any = getattr(baseline, name)(triples_factory=_factory(parts.triples, parts.train))

    def tails(self, heads: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as tails."""
        return self._scores(self._model.score_t, heads, relations)

    def heads(self, tails: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as heads."""
        return self._scores(self._model.score_h, relations, tails)

    def _scores(self, score: Any, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        import torch

        found: Floats = score(torch.as_tensor(np.stack([first, second], axis=1))).numpy()
        return found


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what PyKEEN tells itself from people."""
    loggers = [logging.getLogger(name) for name in ("pykeen", "torch_max_mem")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _factory(triples: Triples, rows: Rows, *, inverses: bool = False) -> Any:
    import torch
    from pykeen.triples import CoreTriplesFactory

    return CoreTriplesFactory(
        mapped_triples=torch.as_tensor(rows),
        num_entities=len(triples.entities),
        num_relations=len(triples.relations),
        create_inverse_triples=inverses,
    )


def _prepared(parts: Split, preset: Preset, folder: Path, seed: int) -> tuple[Any, Any, Any]:
    import torch
    from pykeen import models
    from pykeen.stoppers import EarlyStopper

    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / CHECKPOINT).is_file():
        (folder / BEST).unlink(missing_ok=True)  # of a training that left nothing to go on from
    factory = _factory(parts.triples, parts.train, inverses=preset.inverses)
    model = getattr(models, preset.model)(
        triples_factory=factory,
        embedding_dim=preset.dimension,
        loss=preset.loss,
        loss_kwargs=dict(preset.loss_options),
        random_seed=seed,
        **preset.model_options,
    ).to("cuda" if torch.cuda.is_available() else "cpu")
    loop = _loop(model, factory, preset)
    stopper = EarlyStopper(
        model=model,
        evaluator=_Judge(parts, preset),
        training_triples_factory=factory,
        evaluation_triples_factory=factory,
        frequency=preset.every,
        patience=preset.patience,
        relative_delta=0.002,
        metric="mrr",
        best_model_path=folder / BEST,
    )
    return loop, stopper, factory


def _loop(model: Any, factory: Any, preset: Preset) -> Any:
    import torch
    from pykeen.training import LCWATrainingLoop, SLCWATrainingLoop

    kind, options = LCWATrainingLoop, {}
    if preset.drawn:
        from .compared import Comparing, with_biases

        kind, options = Comparing, {"name": preset.model, "drawn": preset.drawn, "penalty": preset.penalty}
        model = with_biases(model, preset.model)
    elif not preset.all_at_once:
        kind, options = SLCWATrainingLoop, {"negative_sampler_kwargs": {"num_negs_per_pos": preset.negatives}}
    optimizer = torch.optim.Adam(model.get_grad_params(), lr=preset.rate)
    if preset.falling:
        options["lr_scheduler"] = torch.optim.lr_scheduler.LinearLR(
            optimizer, 1.0, 1 / preset.epochs, total_iters=preset.epochs
        )
    return kind(model=model, triples_factory=factory, optimizer=optimizer, **options)


class _Judge:
    """Stands in for PyKEEN's evaluator, which takes longer than the training: the same ranks, by our own scores."""

    batch_size = None
    slice_size = None

    def __init__(self, parts: Split, preset: Preset) -> None:
        rows = np.concatenate([parts.train, parts.valid])
        self._known = Triples(parts.triples.entities, parts.triples.relations, rows)
        self._rows = parts.valid[:LOOKED_AT]
        self._preset = preset

    def evaluate(self, model: Any, **_: Any) -> _Judge:
        """Rank what is looked at."""
        self._mrr = figures(ranks(_vectors(model, self._known, self._preset), self._known, self._rows))["mrr"]
        return self

    def get_metric(self, name: str) -> float:
        """Give the MRR, in PyKEEN's words."""
        del name
        return float(self._mrr)


def _run(loop: Any, stopper: Any, factory: Any, preset: Preset, folder: Path, minutes: float | None) -> list[float]:
    from pykeen.training.training_loop import CheckpointMismatchError

    ends = time.monotonic() + 60 * minutes if minutes else None
    with progress(f"training {preset.model}", "epoch", preset.epochs) as bar:
        try:
            losses: list[float] = loop.train(
                triples_factory=factory,
                num_epochs=preset.epochs,
                batch_size=preset.batch,
                label_smoothing=preset.smoothing,
                stopper=stopper,
                use_tqdm=False,
                use_tqdm_batch=False,
                checkpoint_directory=folder,
                checkpoint_name=CHECKPOINT,
                checkpoint_frequency=SAVE_EVERY,
                callbacks=_watched(loop, preset.epochs, bar, ends),
            )
        except (CheckpointMismatchError, EOFError, KeyError) as error:
            path = folder / CHECKPOINT
            raise InputError(f"{path} is damaged ({type(error).__name__}); delete it to begin anew") from error
    return losses


def _watched(loop: Any, epochs: int, bar: Progress, ends: float | None) -> Any:
    """Make what counts epochs, and ends the training when its time is over."""
    from pykeen.training.callbacks import TrainingCallback

    class Watched(TrainingCallback):  # type: ignore[misc] # PyKEEN has no types that mypy reads
        """What PyKEEN calls."""

        begun = False

        def pre_batch(self, **_: Any) -> None:
            """Say where a training goes on."""
            if not self.begun and loop._epoch:  # noqa: SLF001 # nothing else tells
                note(f"going on after epoch {loop._epoch} of {epochs}")  # noqa: SLF001
                bar.update(loop._epoch)  # noqa: SLF001
            self.begun = True

        def post_epoch(self, epoch: int, epoch_loss: float, **_: Any) -> None:
            """Count one."""
            del epoch, epoch_loss
            bar.update(1)
            if ends and time.monotonic() > ends:
                loop._should_stop = True  # noqa: SLF001 # as PyKEEN's own stopper says it

    return Watched()


def _vectors(model: Any, triples: Triples, preset: Preset) -> Vectors:
    model.eval()
    numbers = {name: value.detach().cpu().numpy() for name, value in model.state_dict().items()}
    entities, *biases = (_numbers(one) for one in model.entity_representations)
    biases += [numbers["biases"]] if "biases" in numbers else []
    relations = _numbers(model.relation_representations[0])
    if preset.inverses:
        relations = np.concatenate([relations[::2], relations[1::2]])  # PyKEEN puts each beside its inverse
    weights = {"relations": relations}
    if preset.model == "ConvE":
        weights |= _layers(numbers, model.interaction.shape_info)
    shared = SharedParameters(preset.model, triples.relations, preset.inverses, weights)
    return Vectors(shared, entities, biases[0].ravel() if biases else None)


def _numbers(representation: Any) -> Floats:
    import torch

    with torch.no_grad():
        found = representation()
        found = torch.view_as_real(found).flatten(1) if torch.is_complex(found) else found
    return np.ascontiguousarray(found.detach().cpu().numpy(), dtype=np.float32)


def _layers(numbers: dict[str, Any], shape: Any) -> dict[str, Any]:
    """Give ConvE's layers the names by which they are read without torch."""

    def normal(layer: str) -> Any:
        names = ("weight", "bias", "running_mean", "running_var")
        return np.stack([numbers[f"interaction.{layer}.{name}"] for name in names])

    return {
        "shape": np.array([shape.image_height, shape.image_width], dtype=np.float32),
        "image_normal": normal("hr2d.0"),
        "filters": numbers["interaction.hr2d.2.weight"],
        "filters_bias": numbers["interaction.hr2d.2.bias"],
        "maps_normal": normal("hr2d.3"),
        "layer": numbers["interaction.hr1d.0.weight"],
        "layer_bias": numbers["interaction.hr1d.0.bias"],
        "lines_normal": normal("hr1d.2"),
    }
