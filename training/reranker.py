"""Train the reranker: a cross-encoder that reads a question and a passage together and says how well the one answers.

It begins with the weights of the encoder. Most of what it learns is made from MedQuAD: a question as its source or as
people ask it, a passage of a section that answers it, and passages that do not, of the same subject and another kind
and of other subjects that search takes for it (hard negatives; Xiong et al., "Approximate Nearest Neighbor Negative
Contrastive Learning for Dense Text Retrieval", ICLR 2021). The last part is real: questions and messages of consumers,
with sections that people graded by reading them. A step compares the passages of each question with one another, and
asks of each whether it answers, so that a score means the same for every question.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..embeddings.rerankers.cross import HEAD, MAX_TOKENS, QUESTION_TOKENS, passage_of
from ..queries.message import asking_first
from .base import MEDQUAD, MEQSUM, Base, trained
from .graded import GRADES
from .questions import asked
from .steps import Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from random import Random

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from .corpus import Passages
    from .graded import Graded
    from .questions import Example

RISING: Final = 60
"""Steps in which the rate rises; set by hand."""

NEAREST: Final = 40
"""Passages nearest to a question, of which wrong ones are drawn."""

SAME_SUBJECT: Final = 2
"""Passages of each question that are about its subject and tell something else, at most."""

HEAD_RATE: Final = 20.0
"""How much faster the last layer learns, which begins with nothing."""

SCALE: Final = 10.0
"""What the last layer's product is multiplied by, as the vectors that it reads have the length one."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to train.

    Attributes:
        real: The share of steps, the last ones, half of which are on graded questions, where there are any.
        dropout: The share of numbers that are left out of a layer.
    """

    steps: int = 1200
    questions: int = 4
    passages: int = 6
    frozen: int = 2
    rate: float = 5e-5
    real: float = 0.4
    dropout: float = 0.05
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from."""

    examples: Sequence[Example]
    passages: Passages
    graded: Sequence[Graded] = ()


def train(
    base: Path,
    encoder: TextEncoder,
    material: Material,
    folder: Path,
    options: Options,
    then: Callable[[Path], dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Train, and write weights and card; what was interrupted goes on where it stopped."""
    card = {
        "reads": "a question and a passage; gives the logit that the passage answers",
        "base": base.name,
        "precision of what found passages": encoder.precision,
        "options": asdict(options),
        "examples": len(material.examples),
        "passages": len(material.passages.sections),
        "graded questions": len(material.graded),
        "trained on": [MEDQUAD, *([MEQSUM] if material.graded else [])],
    }
    return trained(lambda: _Trainer(base, encoder, material, options), base, folder, card, then=then)


class _Trainer:
    """The model and what it learns from, as torch has them."""

    def __init__(self, base: Path, encoder: TextEncoder, material: Material, options: Options) -> None:
        import torch

        self._torch = torch
        self._options = options
        self._material = material
        self._encoder = encoder
        self._base = Base(base, options.dropout, options.seed, options.frozen)
        self._head = torch.nn.Linear(self._base.model.config.hidden_size, 1).to(self._base.device)
        self._optimizer = torch.optim.AdamW(
            [
                {"params": self._base.learned(), "times": 1.0, "weight_decay": 0.01},
                {"params": list(self._head.parameters()), "times": HEAD_RATE, "weight_decay": 0.0},
            ]
        )
        self._values = material.passages.units()
        self._rows = material.passages.rows()

    def loss(self, step: int, chance: Random) -> Any:
        """Give the loss of a step."""
        begins = self._options.steps * (1 - self._options.real)
        real = bool(self._material.graded) and step >= begins and step % 2 == 0
        return self._loss(self._graded(chance) if real else self._made(chance))

    def _made(self, chance: Random) -> list[tuple[str, list[int], list[float]]]:
        """Draw questions that are made from MedQuAD: text, rows of passages, how much each answers."""
        batch = chance.choices(self._material.examples, k=self._options.questions)
        texts = [asked(example, chance) for example in batch]
        cosines = self._encoder.encode_questions(texts) @ self._values.T
        groups = []
        for example, text, near in zip(batch, texts, cosines, strict=True):
            sections = self._material.passages.sections
            right = chance.choice(sorted(example.answers))
            most = min(NEAREST, len(near))
            nearest = np.argpartition(-near, most - 1)[:most].tolist()
            others = list(dict.fromkeys(sections[row] for row in nearest if sections[row] not in example.near))
            same = sorted(example.near - example.answers)
            wrong = chance.sample(same, min(SAME_SUBJECT, len(same)))
            wrong += chance.sample(others, min(self._options.passages - 1 - len(wrong), len(others)))
            chosen = [section for section in (right, *wrong) if section in self._rows]
            rows = [self._nearest(section, near) for section in chosen]
            groups.append((text, rows, [float(section == right) for section in chosen]))
        return groups

    def _graded(self, chance: Random) -> list[tuple[str, list[int], list[float]]]:
        """Draw questions that people asked: text, rows of passages, how much each answers."""
        batch = chance.choices(self._material.graded, k=self._options.questions)
        texts = [chance.choice(one.texts) for one in batch]
        cosines = self._encoder.encode_questions(texts) @ self._values.T
        groups = []
        for one, text, near in zip(batch, texts, cosines, strict=True):
            known = sorted(one.grades.keys() & self._rows.keys())
            chosen = chance.sample(known, min(self._options.passages, len(known)))
            best = max(known, key=lambda section: (one.grades[section], section))
            chosen = list(dict.fromkeys([best, *chosen]))[: self._options.passages]
            rows = [self._nearest(section, near) for section in chosen]
            groups.append((text, rows, [GRADES[one.grades[section]] for section in chosen]))
        return groups

    def _nearest(self, section: str, cosines: NDArray[np.float32]) -> int:
        """Give the row of a section's passage that is nearest."""
        return max(self._rows[section], key=lambda row: float(cosines[row]))

    def _loss(self, groups: Sequence[tuple[str, Sequence[int], Sequence[float]]]) -> Any:
        torch, passages = self._torch, self._material.passages
        pairs = [
            (asking_first(text), passage_of(passages.titles[row], passages.texts[row]))
            for text, rows, _ in groups
            for row in rows
        ]
        scores = self._scores(pairs)
        losses, start = [], 0
        for _, rows, wanted in groups:
            mine, start = scores[start : start + len(rows)], start + len(rows)
            target = torch.tensor(wanted, device=self._base.device)
            alone = torch.nn.functional.binary_cross_entropy_with_logits(mine, target)
            if target.max() >= 0.5 and len(rows) > 1:
                alone = alone + torch.nn.functional.cross_entropy(mine[None], (target / target.sum())[None])
            losses.append(alone)
        return torch.stack(losses).mean()

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Score pairs, longest together, so that little is padding."""
        torch = self._torch
        rows = self._ids(pairs)
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        half = max(1, len(order) // 2)
        scores: Any = torch.zeros(len(rows), device=self._base.device)
        for places in (order[:half], order[half:]):
            if not places:
                continue
            width = max(len(rows[place]) for place in places)
            ids = torch.zeros((len(places), width), dtype=torch.long, device=self._base.device)
            mask = torch.zeros((len(places), width), device=self._base.device)
            for line, place in enumerate(places):
                ids[line, : len(rows[place])] = torch.tensor(rows[place], device=self._base.device)
                mask[line, : len(rows[place])] = 1
            with torch.autocast(self._base.device, dtype=torch.bfloat16):
                hidden = self._base.model(input_ids=ids, attention_mask=mask).last_hidden_state
            pooled = torch.nn.functional.normalize((hidden.float() * mask[..., None]).sum(1), dim=1)
            scores = scores.index_put(
                (torch.tensor(places, device=self._base.device),), self._head(pooled)[:, 0] * SCALE
            )
        return scores

    def _ids(self, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
        questions = self._base.tokenizer([one for one, _ in pairs], add_special_tokens=False)["input_ids"]
        passages = self._base.tokenizer([one for _, one in pairs], add_special_tokens=False)["input_ids"]
        start, end = self._base.tokenizer.cls_token_id, self._base.tokenizer.sep_token_id
        joined = []
        for question, passage in zip(questions, passages, strict=True):
            first = [start, *question[:QUESTION_TOKENS], end]
            joined.append([*first, *passage[: MAX_TOKENS - len(first) - 1], end])
        return joined

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """Give the weights that were learned.

        Returns:
            Name → weights.
        """
        head = {f"{HEAD}{name}": value * SCALE for name, value in self._head.state_dict().items()}
        return self._base.layers() | {name: value.float().cpu().numpy() for name, value in head.items()}

    def steps(self) -> Steps:
        """Give the steps of the training, none of them taken."""
        modules = {"model": self._base.model, "head": self._head}
        return Steps(modules, self._optimizer, self.loss, self._options, kind=self._kind(), rising=RISING)

    def _kind(self) -> str:
        return json.dumps([asdict(self._options), len(self._material.examples), len(self._material.passages.sections)])
