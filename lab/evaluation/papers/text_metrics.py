"""Metrics of a text beside a reference, none of which fetches anything."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.embeddings.encoders.bert import FIRST
from medgraph.queries.lucene import STOP, all_words
from medgraph.queries.salience import stem
from medgraph.text import sentences

from .bench import needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.bert import PairEncoder

    Floats = NDArray[np.float32]

_RUN: Final = re.compile(r"[a-z0-9'-]+")
_CUT: Final = re.compile(r"[.,;:!?()\n]| - ")
# Sentences that say nothing of the matter.
_POLITE: Final = re.compile(
    r"hello|hi\b|welcome|take care|for more information|i have (?:gone|read)|hope|understand your|thank|regards|"
    r"as an ai|language model|wish",
    re.IGNORECASE,
)
_VOWELS: Final = re.compile(r"[aeiouy]+")
_ENDS: Final = re.compile(r"[.!?]+")

_LONGEST: Final = 5  # words of a phrase, at most


def stems(text: str) -> set[str]:
    """Give the stems of the content words of a text."""
    return {stem(word) for word in all_words(text) if word not in STOP}


def plain_sentences(text: str) -> list[str]:
    """Give the sentences that say something of the matter; all where none does."""
    found = [text[start:end] for start, end in sentences(text)]
    long = [one for one in found if len(one.split()) > 2] or [text]
    return [one for one in long if not _POLITE.search(one)] or long


def phrases(text: str) -> list[str]:
    """Give the runs of content words of a text."""
    found: dict[str, None] = {}
    for part in _CUT.split(" ".join(plain_sentences(text)).lower()):
        run: list[str] = []
        for word in [*_RUN.findall(part), "the"]:
            if word not in STOP and (len(word) > 2 or word.isdigit()):
                run.append(word)
            elif run:
                found[" ".join(run[:_LONGEST])] = None
                run = []
    return list(found)


class Rarity:
    """How much a word tells, by how many of some texts have it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._having: Counter[str] = Counter()
        count = 0
        for text in texts:
            self._having.update(stems(text))
            count += 1
        self._count = count

    def of(self, word_stem: str) -> float:
        """Give the weight of a stem."""
        return math.log(self._count / (1 + self._having[word_stem]))

    def sum(self, some: Iterable[str]) -> float:
        """Give the weight of several, above 0."""
        return sum(map(self.of, some)) or 1e-9


def new_words(question: str, reference: str, text: str, rarity: Rarity) -> float:
    """Give the F1 of the words that the question has not, each weighing as much as it tells."""
    asked = stems(question)
    wanted, told = stems(reference) - asked, stems(text) - asked
    return 2 * rarity.sum(wanted & told) / (rarity.sum(wanted) + rarity.sum(told))


def beyond(question: Floats, vectors: Floats) -> Floats:
    """Give what vectors say beyond the question's: without their part along it, of unit length again."""
    rest = vectors - (vectors @ question)[:, None] * question
    found: Floats = rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-9)
    return found


def matched(reference: Floats, text: Floats) -> tuple[float, float]:
    """Give recall and precision of vectors by the nearest of the other side, as BERTScore does with tokens."""
    near = reference @ text.T
    return float(near.max(axis=1).mean()), float(near.max(axis=0).mean())


def token_states(encoder: PairEncoder, texts: Sequence[str]) -> Floats:
    """Give the states of the tokens of several sentences, each read by itself: (tokens, dimension) of unit length."""
    found = [states[sides == FIRST] for _, states, sides in encoder.states([(text, "") for text in texts])]
    states = np.concatenate(found) if found else np.zeros((0, encoder.dimension), dtype=np.float32)
    unit: Floats = states / np.linalg.norm(states, axis=1, keepdims=True)
    return unit


def bert_score(reference: Floats, text: Floats) -> float:
    """Give the F1 of tokens' states by the nearest of the other side, not rescaled (BERTScore)."""
    if not len(reference) or not len(text):
        return 0.0
    recall, precision = matched(reference, text)
    return 2 * recall * precision / max(recall + precision, 1e-9)


def rouge_2(text: str, reference: str) -> float:
    """Give the F1 of pairs of words that follow each other."""
    ours, theirs = (Counter(itertools.pairwise(all_words(one))) for one in (text, reference))
    return 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


class _NoSynonyms:
    """Stands for WordNet, which would have to be fetched."""

    def synsets(self, _word: str) -> tuple[()]:
        return ()


def meteor(text: str, reference: str) -> float:
    """Give METEOR by words and stems, without synonyms."""
    score = needed("nltk.translate.meteor_score").single_meteor_score
    return float(score(all_words(reference), all_words(text), wordnet=_NoSynonyms()))


def bleu_4(texts: Sequence[str], references: Sequence[str]) -> float:
    """Give BLEU-4 of all texts together, from 0 to 1."""
    return float(needed("sacrebleu").corpus_bleu(list(texts), [list(references)]).score) / 100


def flesch(text: str) -> float:
    """Give Flesch's reading ease, syllables being runs of vowels."""
    words = all_words(text)
    if not words:
        return 0.0
    syllables = sum(max(1, len(_VOWELS.findall(word.removesuffix("e")))) for word in words)
    ends = max(1, len(_ENDS.findall(text)))
    return 206.835 - 1.015 * len(words) / ends - 84.6 * syllables / len(words)


def overlap(first: Sequence[float], second: Sequence[float]) -> float:
    """Give what the densities of two samples have in common, by Gaussian kernels: 0 to 1, 0 where one has no spread."""
    kernels = needed("scipy.stats").gaussian_kde
    if min(len(set(first)), len(set(second))) < 2:
        return 0.0
    low, high = min(*first, *second), max(*first, *second)
    at = np.linspace(low - (high - low), high + (high - low), 2000)
    return float(np.minimum(kernels(first)(at), kernels(second)(at)).sum() * (at[1] - at[0]))


def matched_phrases(sides: Sequence[Sequence[str]], vectors: Mapping[str, Floats], rarity: Rarity) -> float:
    """Give the F1 of phrases of reference and text by the nearest, each weighing what it tells beyond the question."""
    if not all(sides):
        return 0.0
    reference, text, question = (np.array([vectors[one] for one in side]) for side in sides)
    near = reference @ text.T
    halves = []
    for side, own, best in ((sides[0], reference, near.max(axis=1)), (sides[1], text, near.max(axis=0))):
        told = np.array([sum(max(rarity.of(each), 0.1) for each in stems(one)) or 0.1 for one in side])
        told = told * (1 - np.clip((own @ question.T).max(axis=1), 0, 1)) + 1e-9
        halves.append(float((best * told).sum() / told.sum()))
    return 2 * halves[0] * halves[1] / max(sum(halves), 1e-9)
