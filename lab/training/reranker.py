"""Train the reranker, a cross-encoder that says how well a passage answers a question, by sentence-transformers.

It begins with the weights of the encoder. Most of what it learns is made from MedQuAD: a question as its source or as
people ask it, a passage of a section that answers it, and passages that do not, of the same subject and another kind
and of other subjects that the graph's vectors take for it (hard negatives; Xiong et al., ICLR 2021). The rest is real:
questions and messages of consumers, with sections that people graded by reading them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.embeddings.reranking import MAX_TOKENS
from medgraph.progress import progress
from medgraph.queries.message import asking_first
from medgraph.text import passage_of

from .library import LEFT_OUT, MEDQUAD, MEQSUM, arguments, freeze, library, place_of, run, tidy, write_model
from .questions import GRADES, GradedQuestion, reworded

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.encoder import TextEncoder

    from .questions import Example, Passages

    Row = tuple[str, str, float]  # a question, a passage, and how much it answers

NEAREST: Final = 40  # passages nearest to a question, of which wrong ones are drawn
SAME_SUBJECT: Final = 2  # passages of each question that are about its subject and tell something else, at most
_AT_ONCE: Final = 256


@dataclass(frozen=True, slots=True)
class Options:
    """How to train."""

    steps: int = 1200
    questions: int = 4  # questions a step
    passages: int = 6  # passages of each question
    frozen: int = 2  # layers, the lowest ones, that stay as they are
    rate: float = 5e-5
    real: float = 0.2  # the share of graded questions, where there are any
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from: sections and how they are asked for, all chunks, and questions with graded sections."""

    examples: Sequence[Example]
    passages: Passages
    graded: Sequence[GradedQuestion] = ()


def train(
    base: Path,
    encoder: TextEncoder,
    material: Material,
    folder: Path,
    options: Options,
    then: Callable[[Path], dict[str, Any]] | None = None,  # calibrates what was written, and gives the card
) -> dict[str, Any]:
    """Train, and write a model that `MEDGRAPH_RERANKER` can name; what was interrupted goes on where it stopped."""
    began = monotonic()
    with library():
        from datasets import Dataset
        from sentence_transformers import cross_encoder
    rows = drawn(material, encoder, options)
    place = place_of(folder, base.name, asdict(options), rows)
    model = cross_encoder.CrossEncoder(str(base), num_labels=1, local_files_only=True)
    model.max_seq_length = MAX_TOKENS
    freeze(model.model.base_model, options.frozen)
    batch = options.questions * options.passages
    more = {"num_train_epochs": 1, "per_device_train_batch_size": batch}
    trainer = cross_encoder.CrossEncoderTrainer(
        model=model,
        args=cross_encoder.CrossEncoderTrainingArguments(**arguments(place, options.rate, options.seed, **more)),
        train_dataset=Dataset.from_list([{"query": one, "passage": two, "label": label} for one, two, label in rows]),
        loss=cross_encoder.losses.BinaryCrossEntropyLoss(model),
    )
    run(trainer, place)
    card = {
        "reads": "a question and a passage; gives the logit that the passage answers",
        "base": base.name,
        "options": asdict(options),
        "examples": len(material.examples),
        "passages": len(material.passages.sections),
        "graded questions": len(material.graded),
        "trained on": [MEDQUAD, *([MEQSUM] if material.graded else [])],
        "left out": LEFT_OUT,
        "seconds": round(monotonic() - began),
    }
    write_model(model.model, model.tokenizer, folder, card)
    card = then(folder) if then else card
    tidy(folder)
    return card


def drawn(material: Material, encoder: TextEncoder, options: Options) -> list[Row]:
    """Draw questions that are made and questions that people asked, each with passages of which one answers best."""
    chance = Random(options.seed)  # noqa: S311 # not for secrets
    many = options.steps * options.questions
    units, known = material.passages.units(), material.passages.rows()
    usable = [one for one in material.graded if not known.keys().isdisjoint(one.grades)]
    real = round(many * options.real) if usable else 0
    graded = [(one, chance.choice(one.texts)) for one in chance.choices(usable, k=real)] if real else []
    made = [(one, reworded(one, chance)) for one in chance.choices(material.examples, k=many - real)]
    every: list[tuple[GradedQuestion | Example, str]] = [*graded, *made]
    rows: list[Row] = []
    with progress("drawing passages", "question", many) as bar:
        for start in range(0, many, _AT_ONCE):
            some = every[start : start + _AT_ONCE]
            cosines = encoder.encode_questions([text for _, text in some]) @ units.T
            for (one, text), near in zip(some, cosines, strict=True):
                if isinstance(one, GradedQuestion):
                    wanted = _graded(one, options.passages, known, chance)
                else:
                    wanted = _made(one, near, material, options.passages, chance)
                for section, answers in wanted.items():
                    if section in known:
                        row = max(known[section], key=lambda place: float(near[place]))
                        told = passage_of(material.passages.titles[row], material.passages.texts[row])
                        rows.append((asking_first(text), told, answers))
            bar.update(len(some))
    return rows


def _made(
    example: Example, near: NDArray[np.float32], material: Material, many: int, chance: Random
) -> dict[str, float]:
    """Choose sections for a question that is made: one that answers, and others that seem to."""
    sections = material.passages.sections
    most = min(NEAREST, len(near))
    nearest = np.argpartition(-near, most - 1)[:most].tolist()
    others = list(dict.fromkeys(sections[row] for row in nearest if sections[row] not in example.near))
    same = sorted(example.near - example.answers)
    wrong = chance.sample(same, min(SAME_SUBJECT, len(same), many - 1))
    wrong += chance.sample(others, min(many - 1 - len(wrong), len(others)))
    return {chance.choice(sorted(example.answers)): 1.0, **dict.fromkeys(wrong, 0.0)}


def _graded(one: GradedQuestion, many: int, known: Container[str], chance: Random) -> dict[str, float]:
    """Choose sections for a question that people asked: the best one, and others that were graded."""
    there = sorted(section for section in one.grades if section in known)
    best = max(there, key=lambda section: (one.grades[section], section))
    chosen = list(dict.fromkeys([best, *chance.sample(there, min(many, len(there)))]))[:many]
    return {section: GRADES[one.grades[section]] for section in chosen}
