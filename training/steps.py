"""Training step by step: a rate that rises and falls, checkpoints, and going on where it was interrupted."""

from __future__ import annotations

import io
import random
import time
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from ..errors import InputError
from ..files import write_whole
from ..progress import note, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

CHECKPOINT: Final = "checkpoint.pt"
SAVE_EVERY: Final = 50
"""Steps between two checkpoints, at most."""

SAVE_AFTER: Final = 120.0
"""Seconds of training between two checkpoints, at most, but for the step that is being taken."""

_LAST: Final = 100
"""Steps whose mean loss a card tells."""


class StepOptions(Protocol):
    """How steps are taken."""

    @property
    def steps(self) -> int:
        """How many."""

    @property
    def rate(self) -> float:
        """The learning rate at its highest."""

    @property
    def seed(self) -> int:
        """Of everything that is drawn."""


class Steps:
    """The steps of a training."""

    def __init__(
        self,
        modules: Mapping[str, Any],
        optimizer: Any,
        loss: Callable[[int, random.Random], Any],
        options: StepOptions,
        *,
        kind: str,
        rising: int,
    ) -> None:
        self._modules = modules
        self._optimizer = optimizer
        self._loss = loss
        self._kind = kind
        self._rising = rising
        self._total, self._rate, self._seed = options.steps, options.rate, options.seed
        self.taken = 0
        self.seconds = 0.0
        self._losses: list[float] = []

    @property
    def loss(self) -> float:
        """The mean loss of the last steps."""
        return round(float(np.mean(self._losses[-_LAST:])), 4)

    def run(self, folder: Path) -> None:
        """Take all steps that are left."""
        folder.mkdir(parents=True, exist_ok=True)
        self._resume(folder / CHECKPOINT)
        saved = self.seconds
        with progress("training", "step", self._total) as bar:
            bar.update(self.taken)
            while self.taken < self._total:
                self.take()
                bar.update(1)
                due = self.taken % SAVE_EVERY == 0 or self.seconds - saved >= SAVE_AFTER
                if due or self.taken == self._total:  # what is done at the end may be interrupted, too
                    self._save(folder / CHECKPOINT)
                    saved = self.seconds

    def take(self) -> None:
        """Take one step."""
        import torch

        began = time.monotonic()
        # Drawn by step, so that what goes on after an interruption draws what it would have drawn.
        chance = random.Random(f"{self._seed} {self.taken}")  # noqa: S311 # not for secrets
        share = min(1.0, (self.taken + 1) / self._rising) * max(0.05, 1 - self.taken / self._total)
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate * share * group.get("times", 1.0)
        for module in self._modules.values():
            module.train()
        loss = self._loss(self.taken, chance)
        loss.backward()
        learned = [parameter for group in self._optimizer.param_groups for parameter in group["params"]]
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self._losses.append(float(loss.detach()))
        self.taken += 1
        self.seconds += time.monotonic() - began

    def _save(self, path: Path) -> None:
        import torch

        data = io.BytesIO()
        torch.save(
            {
                "of": self._kind,
                "step": self.taken,
                "seconds": self.seconds,
                "losses": self._losses,
                "modules": {name: module.state_dict() for name, module in self._modules.items()},
                "optimizer": self._optimizer.state_dict(),
            },
            data,
        )
        write_whole(path, data.getvalue())

    def _resume(self, path: Path) -> None:
        import torch

        if not path.is_file():
            return
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
        except Exception as error:  # torch raises errors of several libraries
            raise InputError(f"{path} is damaged ({type(error).__name__}); delete it to begin anew") from error
        if state["of"] != self._kind:
            raise InputError(f"{path} is of a training with other options or data; delete it, or choose another folder")
        for name, module in self._modules.items():
            module.load_state_dict(state["modules"][name])
        self._optimizer.load_state_dict(state["optimizer"])
        self.taken, self.seconds, self._losses = state["step"], state["seconds"], state["losses"]
        note(f"going on after step {self.taken} of {self._total}")
