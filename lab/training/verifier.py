"""Makes what a verifier learns from: sentences of MedQuAD with and without faults, and claims that people labelled.

To such sentences is fitted what says how likely a claim is supported, or contradicted.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from medgraph.answers.answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED
from medgraph.answers.verify.claims import LEVELS, SIGNS, signs_of
from medgraph.answers.verify.reader import VERDICTS
from medgraph.answers.verify.rules import compare
from medgraph.errors import InputError
from medgraph.logistic import write_models

from ..evaluation.logistic import train_named
from ..evaluation.sets.claims import LABELS, SCIFACT, evidence_of, read_scifact
from ..evaluation.verification import MADE_BY, ChangedSentence, faulty, quoted, reworded
from .library import MEDQUAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database

    from ..evaluation.sets.claims import LabelledClaim
    from ..evaluation.verification import QuotedSentence

CLAIMS_FROM: Final = "SciFact's train set (github.com/allenai/scifact; claims CC BY 4.0, abstracts ODC-By 1.0)"

SEED: Final = 7
# Faults that turn a sentence into one that its source contradicts; others into one that it does not speak of.
OPPOSITE: Final = frozenset(("negation", "number", "unit", "direction"))
# Sentences that are read for each that is made, at most: not every fault can be put into every sentence.
POOL: Final = 3
_RIDGE: Final = 1.0


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """Evidence and a claim, with what the one says of the other."""

    evidence: str
    claim: str
    label: int  # its place in `VERDICTS`
    group: str  # what pairs have in common that are held out together


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from."""

    made: Sequence[ClaimPair]
    claims: Sequence[ClaimPair] = ()

    @property
    def all(self) -> list[ClaimPair]:
        """Both."""
        return [*self.made, *self.claims]

    @property
    def named(self) -> list[str]:
        """Where they are from, as a card says it."""
        return [MEDQUAD, *([CLAIMS_FROM] if self.claims else [])]


def gather(database: Database, sample: int, folder: Path | None, encoder: Callable[[], TextEncoder]) -> Material:
    """Gather what a cross-encoder learns from."""
    pairs = made(quoted(database, "dev", POOL * sample), sample)
    if {one.label for one in pairs} != set(range(len(VERDICTS))):
        raise InputError("too few sentences of MedQuAD's half dev are in the graph to learn from; load all of it")
    if folder is None:
        return Material(pairs)
    vectors = encoder()
    return Material(pairs, labelled(read_scifact(folder / SCIFACT, vectors), vectors))


def made(sentences: Sequence[QuotedSentence], sample: int) -> list[ClaimPair]:
    """Make pairs of sentences: as they are, reworded, with a fault on either side, and beside others."""
    supported = VERDICTS.index(SUPPORTED)
    pairs = dict.fromkeys(_made(sentences, sample))
    return [one for one in pairs if one.label == supported or one.claim not in one.evidence]


def _made(sentences: Sequence[QuotedSentence], sample: int) -> Iterator[ClaimPair]:
    chance = Random(SEED)  # noqa: S311 # not for secrets
    known = {one.text: one for one in sentences}
    for one in material(sentences, sample):
        cited = known[one.cited]
        verdict = SUPPORTED if one.right else CONTRADICTED if one.kind in OPPOSITE else NO_EVIDENCE
        yield ClaimPair(_among(one.cited, cited, chance), one.text, VERDICTS.index(verdict), cited.section)
        if verdict == CONTRADICTED:
            yield ClaimPair(_among(one.text, cited, chance), one.cited, VERDICTS.index(verdict), cited.section)
    for cited in sentences[:sample]:
        if cited.around:
            yield ClaimPair(cited.around[0], cited.text, VERDICTS.index(NO_EVIDENCE), cited.section)


def _among(text: str, cited: QuotedSentence, chance: Random) -> str:
    """Put a sentence beside one of those that stand around it, or leave it alone."""
    others = chance.sample(cited.around, chance.randint(0, min(1, len(cited.around))))
    others.insert(chance.randint(0, len(others)), text)
    return " ".join(others)


def labelled(claims: Sequence[LabelledClaim], encoder: TextEncoder) -> list[ClaimPair]:
    """Make pairs of labelled claims."""
    texts = evidence_of(claims, encoder)
    return [
        ClaimPair(text, one.claim, LABELS.index(one.label), one.topic) for text, one in zip(texts, claims, strict=True)
    ]


def material(sentences: Sequence[QuotedSentence], sample: int) -> list[ChangedSentence]:
    """Make what to learn from: sentences as they are, reworded, with a fault, and beside what says something else."""
    chance = random.Random(SEED)  # noqa: S311 # not for secrets
    plain = [ChangedSentence("as quoted", one.text, one.text, right=True) for one in sentences[:sample]]
    apart = [
        ChangedSentence("another", one.text, other.text, right=False)
        for one, other in itertools.pairwise(sentences[: sample + 1])
    ]
    return [*plain, *apart, *reworded(sentences, sample, chance), *faulty(sentences, sample, chance)]


def train(examples: Sequence[ChangedSentence]) -> dict[str, dict[str, float]]:
    """Fit both models: level → sign, or `intercept`, → weight."""
    signs = [signs_of(compare(one.text, one.cited)) for one in examples]
    wanted = {
        "supports": [float(one.right) for one in examples],
        "contradicts": [float(one.kind in OPPOSITE) for one in examples],
    }
    return {level: train_named(SIGNS, signs, wanted[level], _RIDGE) for level in LEVELS}


def train_file(database: Database, sample: int, path: Path) -> dict[str, dict[str, float]]:
    """Fit both models to MedQuAD's half dev, as many sentences of each kind, at most, and write them."""
    examples = material(quoted(database, "dev", POOL * sample), sample)
    if not any(one.kind in OPPOSITE for one in examples):
        raise InputError("too few sentences of MedQuAD's half dev are in the graph to learn from; load all of it")
    weights = train(examples)
    write_models(
        weights, path, f"by `medgraph train verifier FILE`, from {len(examples):,} sentences made of {MADE_BY}"
    )
    return weights
