"""Train the encoder of questions against the vectors of all passages at once.

Passages keep their vectors, and only the side that encodes questions learns to meet them: query-side fine-tuning of
dense retrieval (Lee et al., "Learning Dense Representations of Phrases at Scale", ACL 2021). That suits a small machine
and a stored graph: a step encodes short questions only, every passage of the graph is a negative (so that those of the
same disease and another kind, and of another disease and the same kind, are always among them), and nothing must be
embedded anew.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from ..embeddings.encoders.model_files import find_model
from ..errors import InputError
from ..progress import note, progress
from . import corpus
from .base import MEDQUAD, MEQSUM, RQE, Base, trained
from .questions import asked, examples
from .steps import Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from ..evaluation.messages import Message
    from ..evaluation.pairs import Pair
    from ..graph.database import Database
    from ..queries.retriever import Retriever
    from ..settings import Settings
    from .questions import Example

RISING: Final = 100
"""Steps in which the rate rises; set by hand."""

QUESTION_TOKENS: Final = 64
MESSAGE_TOKENS: Final = 128
SHORT_SEARCH: Final = 10
"""Results of a message's short question that the message should find."""

QUESTIONS_SHARE: Final = 0.5
"""How much the stored questions count beside the passages."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to train.

    Attributes:
        pairs: The share of steps on pairs of questions, where a file of them is given.
        messages: The share of steps on messages, where a file of them is given.
        dropout: The share of numbers that are left out of a layer.
    """

    steps: int = 1000
    batch: int = 64
    rate: float = 5e-5
    temperature: float = 0.05
    pairs: float = 0.25
    messages: float = 0.10
    dropout: float = 0.05
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from.

    Attributes:
        messages: Messages and their short questions, with the sections that the short one finds.
    """

    examples: Sequence[Example]
    passages: corpus.Vectors
    questions: corpus.Vectors
    pairs: Sequence[Pair] = ()
    messages: Sequence[tuple[Message, Sequence[str]]] = ()
    sources: Sequence[str] = (MEDQUAD,)


def base_of(settings: Settings) -> Path:
    """Find the encoder to begin with: the one that made the vectors."""
    folder = find_model(settings, note)
    if folder is None:
        raise InputError(f"{settings.encoder} is no folder; training needs one: set MEDGRAPH_ENCODER to it")
    return folder


def gather(
    database: Database, retriever: Retriever, pairs: Sequence[Pair] = (), messages: Sequence[Message] = ()
) -> Material:
    """Read from the graph what is learned from."""
    taught = []
    with progress("searching for short questions", "question", len(messages)) as bar:
        for message in messages:
            hits = retriever.search(message.short, mode="linked", top_k=SHORT_SEARCH)
            taught.append((message, [hit.section for hit in hits if hit.section]))
            bar.update(1)
    return Material(
        examples(database),
        corpus.vectors(database, "chunk_vectors"),
        corpus.vectors(database, "question_vectors"),
        [pair for pair in pairs if pair.entails],
        [pair for pair in taught if pair[1]],
        [MEDQUAD, *([RQE] if pairs else []), *([MEQSUM] if messages else [])],
    )


def train(base: Path, material: Material, folder: Path, options: Options) -> dict[str, Any]:
    """Train, and write the encoder's weights and card; what was interrupted goes on where it stopped."""
    card = {
        "encodes": "questions; passages keep the vectors of the base",
        "base": base.name,
        "options": asdict(options),
        "examples": len(material.examples),
        "passages": len(material.passages.sections),
        "questions": len(material.questions.sections),
        "pairs": len(material.pairs),
        "messages": len(material.messages),
        "trained on": list(material.sources),
    }
    return trained(lambda: _Trainer(base, material, options), base, folder, card)


class _Trainer:
    """The model and what it learns from, as torch has them."""

    def __init__(self, base: Path, material: Material, options: Options) -> None:
        import torch

        self._torch = torch
        self._options = options
        self._material = material
        self._base = Base(base, options.dropout, options.seed)
        self._optimizer = torch.optim.AdamW(self._base.learned(), lr=options.rate, weight_decay=0.01)
        self._passages, self._passages_of = self._targets(material.passages)
        self._questions, self._questions_of = self._targets(material.questions)
        self._shorts = {text: place for place, text in enumerate(dict.fromkeys(pair.short for pair in material.pairs))}
        self._short_vectors = self._as_they_are(list(self._shorts))

    def loss(self, _: int, chance: Random) -> Any:
        """Give the loss of a step."""
        kind = chance.random()
        pairs = self._options.pairs if self._material.pairs else 0.0
        messages = self._options.messages if self._material.messages else 0.0
        if kind < pairs:
            return self._loss_of_pairs(chance)
        if kind < pairs + messages:
            return self._loss_of_messages(chance)
        batch = chance.choices(self._material.examples, k=self._options.batch)
        vectors = self._base.encode([asked(example, chance) for example in batch], QUESTION_TOKENS)
        answers = [example.answers for example in batch]
        near = self._contrast(vectors, self._passages, self._passages_of, answers)
        return near + QUESTIONS_SHARE * self._contrast(vectors, self._questions, self._questions_of, answers)

    def _loss_of_pairs(self, chance: Random) -> Any:
        batch = chance.sample(self._material.pairs, min(self._options.batch, len(self._material.pairs)))
        vectors = self._base.encode([pair.asked for pair in batch], MESSAGE_TOKENS)
        wanted = self._torch.tensor([self._shorts[pair.short] for pair in batch], device=self._base.device)
        scores = vectors @ self._short_vectors.T / self._options.temperature
        return self._torch.nn.functional.cross_entropy(scores, wanted)

    def _loss_of_messages(self, chance: Random) -> Any:
        # Messages are long, so that fewer are as much work.
        batch = chance.sample(self._material.messages, min(self._options.batch // 3 + 1, len(self._material.messages)))
        texts = [chance.choice((message.text, message.text, message.short)) for message, _ in batch]
        found = [sections[: chance.choice((3, 5, 8))] for _, sections in batch]
        return self._contrast(self._base.encode(texts, MESSAGE_TOKENS), self._passages, self._passages_of, found)

    def _contrast(self, vectors: Any, targets: Any, rows_of: dict[str, Any], answers: Sequence[Any]) -> Any:
        """Prefer the best row of each section that answers to all rows of sections that do not."""
        torch = self._torch
        scores = vectors @ targets.T / self._options.temperature
        losses = []
        for row, sections in zip(scores, answers, strict=True):
            rows = [rows_of[section] for section in sections if section in rows_of]
            if not rows:
                continue
            best = torch.stack([row[places].max() for places in rows])
            others = row.index_fill(0, torch.cat(rows), -torch.inf).logsumexp(0)
            losses.append((torch.logaddexp(best, others) - best).mean())
        return torch.stack(losses).mean() if losses else scores.sum() * 0

    def _as_they_are(self, texts: list[str]) -> Any:
        """Encode texts as the base does; where there are none, give an empty matrix."""
        self._base.model.eval()
        with self._torch.no_grad():
            parts = [
                self._base.encode(texts[start : start + self._options.batch], MESSAGE_TOKENS)
                for start in range(0, len(texts), self._options.batch)
            ]
        return self._torch.cat(parts) if parts else self._torch.empty(0, self._base.model.config.hidden_size)

    def _targets(self, vectors: corpus.Vectors) -> tuple[Any, dict[str, Any]]:
        as_tensor: Callable[[Any], Any] = self._torch.tensor
        rows = {section: as_tensor(found).to(self._base.device) for section, found in vectors.rows().items()}
        return as_tensor(vectors.units()).to(self._base.device), rows

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """Give the weights that were learned.

        Returns:
            Name → weights.
        """
        return self._base.layers()

    def steps(self) -> Steps:
        """Give the steps of the training, none of them taken."""
        modules = {"model": self._base.model}
        return Steps(modules, self._optimizer, self.loss, self._options, kind=self._kind(), rising=RISING)

    def _kind(self) -> str:
        sizes = [len(self._material.examples), len(self._passages), len(self._questions), len(self._shorts)]
        return json.dumps([asdict(self._options), sizes, len(self._material.messages)])
