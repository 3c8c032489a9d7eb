"""The loss of questions against the vectors of all passages, which sentence-transformers lacks; it needs torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # Unit vectors, the rows of each section that answers each question, and how much these count.
    Targets = tuple[Any, Sequence[Sequence[Sequence[int]]], float]


class NearestAnswer(torch.nn.Module):  # type: ignore[misc] # torch is not there when types are checked
    """Prefers the best row of each section that answers to all rows of sections that do not; rows stay as they are."""

    def __init__(self, model: Any, targets: Sequence[Targets], temperature: float) -> None:
        super().__init__()
        self.model = model
        self._targets = [(torch.tensor(values), answers, share) for values, answers, share in targets]
        self._temperature = temperature

    def forward(self, features: Iterable[Any], labels: Any) -> Any:
        """Give the loss of a batch, whose labels are the numbers of its questions."""
        vectors = torch.nn.functional.normalize(self.model(next(iter(features)))["sentence_embedding"].float(), dim=1)
        chosen = labels.tolist()
        return sum(
            share * self._contrast(vectors @ values.to(vectors.device).T, [answers[one] for one in chosen])
            for values, answers, share in self._targets
        )

    def _contrast(self, cosines: Any, answers: Sequence[Sequence[Sequence[int]]]) -> Any:
        losses = []
        for row, sections in zip(cosines / self._temperature, answers, strict=True):
            if not sections:
                continue
            best = torch.stack([row[list(places)].max() for places in sections])
            right = torch.tensor([place for places in sections for place in places], device=row.device)
            others = row.index_fill(0, right, -torch.inf).logsumexp(0)
            losses.append((torch.logaddexp(best, others) - best).mean())
        return torch.stack(losses).mean() if losses else cosines.sum() * 0
