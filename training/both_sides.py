"""Train both sides: an encoder of questions and passages, after which a graph's texts are embedded anew.

It begins with the weights of the encoder and learns from the graph's own pairs: questions and what other sources say of
the same concept and kind, names and definitions, questions that people asked with short ones that they entail, and
questions that were made. A step ranks each question's own passage before all others of its batch, hard negatives among
them (`ranking`, `negatives`).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..embeddings.encoders import whole_model
from ..embeddings.encoders.bert import BertEncoder
from ..embeddings.encoders.bert_graph import read_config, unsupported
from ..errors import InputError
from . import corpus, matches, ranking
from .base import MEDQUAD, MEQSUM, RQE, Base, trained
from .dimensions import Held, held, is_held_back, measure, subject_is_held_back, table
from .encoder import MESSAGE_TOKENS, QUESTION_TOKENS
from .generated import Generator, Wanted, generate, sift
from .negatives import Drawn, Passage, Sections
from .questions import SOURCE, examples, read_subjects
from .steps import Steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..evaluation.messages import Message
    from ..evaluation.pairs import Pair
    from ..graph.database import Database
    from .matches import Match
    from .questions import Example

RISING: Final = 0.1
"""The share of steps in which the rate rises."""

SHARES: Final = {"generated": 0.15, "made": 0.15, "definitions": 0.1, "pairs": 0.1, "messages": 0.05}
"""The shares of steps on other texts than sections, where there are such; set by hand."""

_LONG: Final = frozenset({"pairs", "messages"})
"""Texts whose questions are long."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to train.

    Attributes:
        steps: Steps of the optimiser.
        batch: Questions a step.
        piece: Texts that are encoded at once; 0 for all of a step.
        negatives: Hard negatives of each question.
        tokens: Tokens of a passage that are read.
        dimensions: How much of the vectors, from their beginning, has to rank by itself; nothing stands for all of it.
        rate: The learning rate at its highest.
        temperature: What cosines are divided by.
        dropout: The share of numbers that are left out of a layer.
        seed: Of everything that is drawn.
    """

    steps: int = 1000
    batch: int = 64
    piece: int = 0
    negatives: int = 1
    tokens: int = 96
    dimensions: tuple[int, ...] = ()
    rate: float = 5e-5
    temperature: float = 0.05
    dropout: float = 0.05
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from.

    Attributes:
        examples: Sections and how they are asked for.
        passages: Chunks of MedQuAD.
        questions: Vectors of stored questions.
        others: What else belongs together, by a key of `SHARES`.
        held: What is held back to measure by.
        generated: What a seq2seq model made, for the card.
        sources: Where all of it is from, with licences.
    """

    examples: Sequence[Example]
    passages: corpus.Embedded
    questions: corpus.Vectors
    others: Mapping[str, Sequence[Match]]
    held: Held
    generated: Mapping[str, Any] = field(default_factory=dict)
    sources: Sequence[str] = (MEDQUAD,)


def gather(database: Database, pairs: Sequence[Pair] = (), messages: Sequence[Message] = ()) -> Material:
    """Read from the graph what is learned from.

    Args:
        database: The graph, indexed.
        pairs: Of RQE; those that do not entail are left out.
        messages: Of MeQSum, of the half to choose by.

    Returns:
        The material.

    Raises:
        InputError: The graph lacks MedQuAD or its vectors.
        DatabaseError: The database refused or went away.
    """
    known = read_subjects(database)
    every = examples(database, known)
    left_out = known.reported | {one for one in known.of.values() if subject_is_held_back(one)}
    passages = corpus.embedded(database, SOURCE)
    others = {
        "definitions": matches.definitions(database, known, left_out),
        "made": matches.made(database, known, left_out),
        "pairs": matches.pairs(pairs),
        "messages": matches.messages(messages),
    }
    mine = [one for one in every if not is_held_back(one)]
    if not mine:
        raise InputError("no section of MedQuAD is left to train on; load all of it")
    return Material(
        mine,
        passages,
        corpus.vectors(database, "question_vectors"),
        {kind: found for kind, found in others.items() if found},
        held([one for one in every if is_held_back(one)], passages),
        sources=[MEDQUAD, *([RQE] if pairs else []), *([MEQSUM] if messages else [])],
    )


def with_generated(material: Material, model: Path, wanted: Wanted, encoder: TextEncoder, folder: Path) -> Material:
    """Add questions that a seq2seq model makes.

    Args:
        material: What else is learned from.
        model: The model's folder.
        wanted: How many to make.
        encoder: Made the graph's vectors.
        folder: Where the weights go, and what is made.

    Returns:
        The material with those that pass.

    Raises:
        InputError: There is no such model, or the folder has questions of another one.
        OSError: The folder cannot be written.
    """
    generator = Generator(model)
    passages = material.passages.of({one.section for one in material.examples})
    texts = generate(generator, material.examples, passages, wanted, folder)
    found, made = sift(texts, material.examples, passages, encoder)
    others = {**material.others, **({"generated": found} if found else {})}
    told = {"generator": generator.name, "options": asdict(wanted), "questions": asdict(made)}
    sources = [*material.sources, f"questions that {generator.name} made"]
    return Material(material.examples, material.passages, material.questions, others, material.held, told, sources)


def train(base: Path, material: Material, folder: Path, options: Options) -> dict[str, Any]:
    """Train, and write an encoder's folder with its card; what was interrupted goes on where it stopped.

    Args:
        base: The folder of the encoder to begin with.
        material: What is learned from.
        folder: Where the encoder goes.
        options: How to train.

    Returns:
        The card: what the encoder was made from, how, how long that took, and what it reaches by dimension.

    Raises:
        InputError: torch and transformers are not installed, the base is no BERT, a dimension is none of its vectors,
            or the folder has a checkpoint of another training.
        OSError: The folder cannot be written.
    """
    if reason := unsupported(base):
        raise InputError(f"{base}: {reason}: both sides are trained of an encoder that runs without torch alone")
    dimensions = _dimensions(base, options)
    card = {
        "encodes": "questions and passages",
        "base": base.name,
        "options": asdict(options),
        "dimensions that rank by themselves": dimensions,
        "examples": len(material.examples),
        **{kind: len(found) for kind, found in material.others.items()},
        **({"generated questions": material.generated} if material.generated else {}),
        "trained on": list(material.sources),
    }

    def write(
        learned: Mapping[str, NDArray[np.float32]], weights: Path, into: Path, told: Mapping[str, Any]
    ) -> dict[str, Any]:
        written = whole_model.write(learned, weights, into, told)
        written["nDCG@10"] = _measured(base, into, material, dimensions)
        whole_model.write_card(into, written)
        return written

    return trained(lambda: _Trainer(base, material, options, dimensions), base, folder, card, write=write)


def _dimensions(base: Path, options: Options) -> list[int]:
    """Give the dimensions, largest first, the whole vector when nothing is asked for."""
    whole = read_config(base).hidden
    asked = sorted(set(options.dimensions or (whole,)), reverse=True)
    if wrong := [dimension for dimension in asked if not 0 < dimension <= whole]:
        raise InputError(
            f"--dimensions {wrong[0]}: vectors of {base.name} have {whole}; give numbers from 1 to {whole}"
        )
    return asked


def _measured(base: Path, folder: Path, material: Material, dimensions: Sequence[int]) -> dict[str, Any]:
    """Measure base and trained encoder as they run without torch, on what was held back."""
    if not material.held.questions:
        return {"by": "nothing: no subject was held back"}
    tried = sorted({read_config(base).hidden, *dimensions}, reverse=True)
    before, after = (measure(BertEncoder(one, one.name), material.held, tried) for one in (base, folder))
    return table(before, after, material.held)


class _Trainer:
    """The model and what it learns from, as torch has them."""

    def __init__(self, base: Path, material: Material, options: Options, dimensions: Sequence[int]) -> None:
        import torch

        self._torch = torch
        self._options = options
        self._dimensions = dimensions
        # One text alone has nothing to be told from.
        self._others = {kind: found for kind, found in material.others.items() if len(found) > 1}
        self._sections = Sections(material.examples, material.passages, material.questions)
        self._base = Base(base, options.dropout, options.seed)
        self._optimizer = torch.optim.AdamW(self._base.learned(), lr=options.rate, weight_decay=0.01)

    def loss(self, _: int, chance: Random) -> Any:
        """Give the loss of a step.

        Args:
            chance: Draws what is learned from, and what is left out of layers.

        Returns:
            A tensor with one number.
        """
        self._torch.manual_seed(chance.getrandbits(62))  # so that what goes on leaves out what it would have left out
        batch, tokens = self.draw(chance)
        passages = [one.answer for one in batch] + [passage for one in batch for passage in one.wrong]
        asked = self._encoded([one.text for one in batch], tokens)
        told = self._encoded([passage.text for passage in passages], self._options.tokens)
        right = self._torch.tensor(also_right(batch, passages), device=self._base.device)
        return ranking.loss(asked, told, right, self._dimensions, self._options.temperature)

    def draw(self, chance: Random) -> tuple[list[Drawn], int]:
        """Draw the questions of a step, all of one kind.

        Args:
            chance: Draws.

        Returns:
            The questions, and how many tokens of them are read.
        """
        kind, size = self._kind(chance), self._options.batch
        if not kind:
            every = self._sections.examples
            batch = chance.sample(every, min(size, len(every)))
            return self._sections.draw(batch, self._options.negatives, chance), QUESTION_TOKENS
        found = self._others[kind]
        drawn = [(one, *one.drawn(chance)) for one in chance.sample(found, min(size, len(found)))]
        tokens = MESSAGE_TOKENS if kind in _LONG else QUESTION_TOKENS
        return [Drawn(asked, Passage(answer, one.tells)) for one, asked, answer in drawn], tokens

    def _kind(self, chance: Random) -> str:
        """Draw a key of `SHARES`; nothing stands for sections."""
        at = chance.random()
        for kind, share in SHARES.items():
            if kind in self._others:
                if at < share:
                    return kind
                at -= share
        return ""

    def _encoded(self, texts: Sequence[str], tokens: int) -> Any:
        def encode(piece: Sequence[str]) -> Any:
            return self._base.encode(piece, tokens, half=self._base.device == "cuda")

        return ranking.in_pieces(encode, texts, self._options.piece)

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """Give the weights that were learned.

        Returns:
            Name → weights.
        """
        return self._base.layers()

    def steps(self) -> Steps:
        """Give the steps of the training, none of them taken.

        Returns:
            The steps.
        """
        rising = max(1, round(self._options.steps * RISING))
        modules = {"model": self._base.model}
        return Steps(modules, self._optimizer, self.loss, self._options, kind=self._of(), rising=rising)

    def _of(self) -> str:
        sizes = {kind: len(found) for kind, found in self._others.items()}
        return json.dumps(["both sides", asdict(self._options), len(self._sections.examples), sizes])


def also_right(batch: Sequence[Drawn], passages: Sequence[Passage]) -> list[list[bool]]:
    """Tell which passages answer a question besides its own: of the same subject and kind, or the same text.

    Args:
        batch: The questions.
        passages: What they meet, their own answers first and in their order.

    Returns:
        A row a question, with whether each passage is right and not its own.
    """
    return [
        [
            place != own and bool(one.answer.tells & passage.tells or one.answer.text == passage.text)
            for place, passage in enumerate(passages)
        ]
        for own, one in enumerate(batch)
    ]
