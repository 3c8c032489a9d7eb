"""Learning by comparison: a concept and a relation beside many concepts in one product of matrices, by PyKEEN's loop.

PyKEEN's own way lays the numbers of every pair beside those of every concept, which for ConvE are 0.6 GB a step, and
hands out what is right as rows of as many numbers as there are concepts. This module imports torch: import it late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from pykeen.training import LCWATrainingLoop
from torch.utils.data import DataLoader

from .vectors import DISTANCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .triples import Rows


def with_biases(model: Any, name: str) -> Any:
    """Give a model of PyKEEN's a number a concept that is added to its score, where that is no distance."""
    if name not in DISTANCES and len(model.entity_representations) == 1:  # ConvE has such numbers
        model.biases = torch.nn.Parameter(torch.zeros(model.num_entities, device=model.device))
    return model


class Comparing(LCWATrainingLoop):  # type: ignore[misc] # PyKEEN has no types that mypy reads
    """PyKEEN's loop over pairs of a concept and a relation, each with all tails that it leads to.

    A step compares with what is right for any of its pairs and with some concepts that are `drawn`. Each counts as
    often as it stands for others that were not drawn, so that on the whole the loss is that of comparing with all. The
    `penalty` is what the cubes of all numbers count in the loss (N3).
    """

    def __init__(self, *, name: str, drawn: int, penalty: float, **options: Any) -> None:
        super().__init__(**options)
        self._by_distance = name in DISTANCES
        self._drawn, self._penalty = drawn, penalty

    def _create_training_data_loader(self, triples_factory: Any, sampler: str | None, **options: Any) -> Any:
        del sampler
        rows = triples_factory._add_inverse_triples_if_necessary(triples_factory.mapped_triples)  # noqa: SLF001
        known = _Pairs(rows.numpy(), self.model.num_entities)
        everything = self.model.num_entities
        share = min(1.0, self._drawn / everything)
        seen = 1 - (1 - min(1.0, options["batch_size"] / len(known))) ** known.times
        likely = 1 - (1 - share) * (1 - seen)
        self._rare = torch.as_tensor(-np.log(likely), dtype=torch.float32, device=self.model.device)
        return DataLoader(known, collate_fn=known.batch, **options)

    def _process_batch(self, batch: Any, start: int, stop: int, label_smoothing: float = 0, **_: Any) -> Any:
        """Give the loss of a batch, which is never cut: the mean over triples of what is right beside the rest."""
        del start, stop, label_smoothing
        model = self.model
        pairs, times, lines, tails = (part.to(model.device) for part in batch.values())
        concepts, places = self._draw(tails)
        scores = self._scores(_questions(model, pairs), concepts) + self._rare[concepts]
        right = scores[lines, places] - self._rare[tails]
        loss = ((times * scores.logsumexp(dim=1)).sum() - right.sum()) / len(tails)
        return loss + self._penalty * self._cubes(pairs, times, tails) if self._penalty else loss

    def _draw(self, tails: Any) -> tuple[Any, Any]:
        """Draw what is compared: all that is right for any, some others, and where of these each that is right is."""
        drawn = torch.randperm(self.model.num_entities, device=tails.device)[: self._drawn]
        concepts, places = torch.unique(torch.cat([tails, drawn]), return_inverse=True)
        return concepts, places[: len(tails)]

    def _scores(self, questions: Any, concepts: Any) -> Any:
        """Score concepts; distances are squared, and shortened by what is the same for all concepts of a question."""
        numbers = _numbers(self.model, concepts)
        if self._by_distance:
            return torch.addmm(-(numbers**2).sum(dim=1), 2 * questions, numbers.T)
        return torch.addmm(_biases(self.model, concepts), questions, numbers.T)

    def _cubes(self, pairs: Any, times: Any, tails: Any) -> Any:
        """Sum cubes of the moduli of all that a triple has, and give their mean over triples."""
        ends, kinds = self.model.entity_representations[0], self.model.relation_representations[0]
        given = ends(indices=pairs[:, 0]).abs() ** 3 + kinds(indices=pairs[:, 1]).abs() ** 3
        return ((times[:, None] * given).sum() + (ends(indices=tails).abs() ** 3).sum()) / len(tails)


def _questions(model: Any, pairs: Any) -> Any:
    """Make a vector of each pair, to be multiplied with those of concepts."""
    given = model.entity_representations[0](indices=pairs[:, 0])
    with_what = model.relation_representations[0](indices=pairs[:, 1])
    if torch.is_complex(given):
        return torch.view_as_real(given * with_what).flatten(1)
    if not hasattr(model.interaction, "hr2d"):
        return given + with_what
    shape = model.interaction.shape_info
    image = [part.view(-1, shape.input_channels, shape.image_height, shape.image_width) for part in (given, with_what)]
    return model.interaction.hr1d(model.interaction.hr2d(torch.cat(image, dim=-2)).flatten(1))


def _numbers(model: Any, which: Any) -> Any:
    found = model.entity_representations[0](indices=which)
    return torch.view_as_real(found).flatten(1) if torch.is_complex(found) else found


def _biases(model: Any, which: Any) -> Any:
    own = getattr(model, "biases", None)
    return model.entity_representations[1](indices=which).ravel() if own is None else own[which]


class _Pairs:
    """Pairs of a concept and a relation, with the tails of each."""

    def __init__(self, rows: Rows, size: int) -> None:
        self._pairs, lines = np.unique(rows[:, :2], axis=0, return_inverse=True)
        order = np.argsort(lines.ravel(), kind="stable")
        self._tails = rows[order, 2]
        self._ends = np.cumsum(np.bincount(lines.ravel()))
        self.times: NDArray[np.int64] = np.bincount(rows[:, 2], minlength=size)

    def __len__(self) -> int:
        return len(self._pairs)

    def __getitem__(self, line: int) -> int:
        return line

    def batch(self, lines: Sequence[int]) -> dict[str, Any]:
        """Put some together: the pairs, how many tails each has, and all tails with the line of their pair."""
        begins = [self._ends[line - 1] if line else 0 for line in lines]
        tails = [self._tails[begin : self._ends[line]] for begin, line in zip(begins, lines, strict=True)]
        times = torch.as_tensor([len(part) for part in tails])
        return {
            "pairs": torch.as_tensor(self._pairs[np.asarray(lines)]),
            "times": times.float(),
            "lines": torch.repeat_interleave(torch.arange(len(lines)), times),
            "tails": torch.as_tensor(np.concatenate(tails)),
        }
