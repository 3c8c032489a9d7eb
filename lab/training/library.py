"""Shared parts of trainings by sentence-transformers: dependencies, arguments, and resuming from checkpoints."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any, Final

from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.encoders.named import find_model
from medgraph.errors import InputError, install_line
from medgraph.files import write_whole
from medgraph.progress import note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from medgraph.settings import Settings

MEDQUAD: Final = "MedQuAD (github.com/abachaa/MedQuAD, CC BY 4.0)"
RQE: Final = "RQE (github.com/abachaa/RQE_Data_AMIA2016, CC BY 4.0)"
MEQSUM: Final = "MeQSum (github.com/abachaa/MeQSum, CC BY 4.0)"
LEFT_OUT: Final = "subjects of MedQuAD of the half `held`, and whatever a concept connects them with"

CHECKPOINTS: Final = "checkpoints"
SAVE_EVERY: Final = 50  # steps between two checkpoints


@contextmanager
def library() -> Iterator[None]:
    """Import what the extra `train` installs; where it is missing, say what to install."""
    try:
        yield
    except ImportError as error:
        raise InputError(f"training needs torch ({error}); {install_line('train')}") from error


def base_of(settings: Settings) -> Path:
    """Find the folder of the encoder to begin with: the one that made the vectors."""
    folder = find_model(settings, note)
    if folder is None:
        raise InputError(f"{settings.encoder} is no folder; training needs one: set MEDGRAPH_ENCODER to it")
    return folder


def place_of(folder: Path, *told: Any) -> Path:
    """Give the folder of a training's checkpoints by what it is of, so that none goes on from those of another."""
    digest = hashlib.blake2b(json.dumps(told).encode(), digest_size=8).hexdigest()
    return folder / CHECKPOINTS / digest


def arguments(place: Path, rate: float, seed: int, **more: Any) -> dict[str, Any]:
    """Give what all trainings tell their trainer; a tenth of the steps raises the rate."""
    import torch

    on_gpu = torch.cuda.is_available()
    return {
        "output_dir": str(place),
        "learning_rate": rate,
        "warmup_steps": 0.1,
        "bf16": on_gpu or "AVX512" in torch.backends.cpu.get_cpu_capability(),  # elsewhere a hundred times slower
        "use_cpu": not on_gpu,
        "optim": "adamw_torch_fused",
        "seed": seed,
        "save_steps": SAVE_EVERY,
        "save_total_limit": 1,
        "logging_strategy": "no",
        "report_to": "none",
        **more,
    }


def run(trainer: Any, place: Path) -> None:
    """Train, going on from the last whole checkpoint where there is one; one whose writing was cut goes."""
    from transformers.trainer import TRAINER_STATE_NAME
    from transformers.trainer_utils import get_last_checkpoint

    for checkpoint in place.glob("checkpoint-*"):
        if not (checkpoint / TRAINER_STATE_NAME).is_file():  # which is written last
            shutil.rmtree(checkpoint)
    with redirect_stdout(sys.stderr):  # it says there how long it took
        trainer.train(resume_from_checkpoint=get_last_checkpoint(str(place)) if place.is_dir() else None)


def freeze(body: Any, layers: int) -> None:
    """Leave a BERT's words and its lowest layers as they are: what is learned is how words are joined."""
    for module in (body.embeddings, *body.encoder.layer[:layers]):
        module.requires_grad_(requires_grad=False)


def write_model(model: Any, tokenizer: Any, folder: Path, card: Mapping[str, Any]) -> None:
    """Write a model of transformers with its card."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    write_whole(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())


def tidy(folder: Path) -> None:
    """Take checkpoints away."""
    shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
