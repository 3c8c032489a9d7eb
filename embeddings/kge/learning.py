"""Learning vectors by PyKEEN: step by step with checkpoints, until the MRR gets no better; and PyKEEN's baselines."""

from __future__ import annotations

import logging
import time
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import InputError
from ...progress import note, progress
from .vectors import Shared, Vectors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from ...progress import Progress
    from .presets import Preset
    from .ranks import Floats
    from .triples import Rows, Split, Triples

CHECKPOINT: Final = "checkpoint.pt"
BEST: Final = "best.pt"

SAVE_EVERY: Final = 1
"""Minutes between two checkpoints, at least; 0 for one after each epoch."""

LOOKED_AT: Final = 500
"""Triples by which a training is watched, at most."""

_MRR: Final = "both.realistic.inverse_harmonic_mean_rank"


def require_pykeen() -> None:
    """Make sure that vectors can be learned.

    Raises:
        InputError: PyKEEN is not installed.
    """
    try:
        import pykeen  # noqa: F401
    except ImportError as error:
        raise InputError(f"vectors of relations need PyKEEN ({error}): pip install 'medgraph[kge]'") from error


def learn(
    parts: Split, preset: Preset, folder: Path, seed: int, *, minutes: float | None = None, threads: int = 0
) -> tuple[Vectors, dict[str, Any]]:
    """Train a model; what was interrupted goes on where it stopped.

    Args:
        parts: What is learned from and looked at meanwhile.
        preset: How.
        folder: Where checkpoints go, which are of this training alone.
        seed: Of everything that is drawn.
        minutes: After which it ends with the next epoch; None for whenever the preset says.
        threads: Threads of the processor; 0 for all.

    Returns:
        The model with its vectors as they were when the MRR was best, and how the training went.

    Raises:
        InputError: PyKEEN is not installed, or the checkpoint is damaged.
        OSError: The folder cannot be written.
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
    """A baseline of PyKEEN's, which has no vectors.

    Args:
        parts: What it counts.
        name: Its class.
    """

    def __init__(self, parts: Split, name: str) -> None:
        require_pykeen()
        from pykeen.models import baseline

        with _quiet():
            self._model: Any = getattr(baseline, name)(triples_factory=_factory(parts.triples, parts.train))

    def tails(self, heads: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as tails.

        Args:
            heads: Numbers of concepts.
            relations: Numbers of relations.

        Returns:
            A row a question.
        """
        import torch

        found: Floats = self._model.score_t(torch.as_tensor(np.stack([heads, relations], axis=1))).numpy()
        return found

    def heads(self, tails: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as heads.

        Args:
            tails: Numbers of concepts.
            relations: Numbers of relations.

        Returns:
            A row a question.
        """
        import torch

        found: Floats = self._model.score_h(torch.as_tensor(np.stack([relations, tails], axis=1))).numpy()
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
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.stoppers import EarlyStopper
    from pykeen.training import LCWATrainingLoop, SLCWATrainingLoop

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
    optimizer = torch.optim.Adam(model.get_grad_params(), lr=preset.rate)
    loop: Any = LCWATrainingLoop(model=model, triples_factory=factory, optimizer=optimizer)
    if not preset.all_at_once:
        loop = SLCWATrainingLoop(
            model=model,
            triples_factory=factory,
            optimizer=optimizer,
            negative_sampler_kwargs={"num_negs_per_pos": preset.negatives},
        )
    stopper = EarlyStopper(
        model=model,
        evaluator=RankBasedEvaluator(filtered=True),
        training_triples_factory=_factory(parts.triples, np.concatenate([parts.train, parts.valid])),  # what is known
        evaluation_triples_factory=_factory(parts.triples, parts.valid[:LOOKED_AT]),
        evaluation_batch_size=64,
        frequency=preset.every,
        patience=preset.patience,
        relative_delta=0.002,
        metric=_MRR,
        best_model_path=folder / BEST,
    )
    return loop, stopper, factory


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
    """Take the numbers out of a model."""
    model.eval()
    numbers = {name: value.detach().cpu().numpy() for name, value in model.state_dict().items()}
    entities, *biases = (_numbers(one) for one in model.entity_representations)
    relations = _numbers(model.relation_representations[0])
    if preset.inverses:
        relations = np.concatenate([relations[::2], relations[1::2]])  # PyKEEN puts each beside its inverse
    weights = {"relations": relations}
    if preset.model == "ConvE":
        weights |= _layers(numbers, model.interaction.shape_info)
    shared = Shared(preset.model, triples.relations, preset.inverses, weights)
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
