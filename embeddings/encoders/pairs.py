"""Read pairs of texts with a BERT model in OpenVINO: the states of their tokens, for a last layer to conclude from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .bert import BertEncoder, clean, weights_of
from .bert_graph import TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

# Tokens of both texts that are read, at most, special ones included; set by hand, as what is quoted has fewer.
MAX_TOKENS: Final = 256
NEITHER, FIRST, SECOND = range(3)  # of which text a token is


class PairEncoder(BertEncoder):
    """Reads `[CLS] first [SEP] second [SEP]`, the second text as BERT's second segment.

    Args:
        most: Tokens of both texts that are read, at most, special ones included.

    Raises:
        EncoderError: The folder is damaged, or the model is not one that can be built here.
    """

    def __init__(self, folder: Path, threads: int = 0, precision: str = "f32", most: int = MAX_TOKENS) -> None:
        super().__init__(folder, folder.name, threads, precision, None, TOKENS)
        self._cutting.enable_truncation(min(most, self.max_tokens))
        kinds = weights_of(folder)["embeddings.token_type_embeddings.weight"]
        self._second = kinds[1] - kinds[0] if len(kinds) > 1 else np.zeros_like(kinds[0])

    def states(
        self, pairs: Sequence[tuple[str, str]]
    ) -> Iterator[tuple[list[int], NDArray[np.float32], NDArray[np.int64]]]:
        """Read pairs in batches, the longest first; several threads may do so at once.

        Of what is over the limit the longer text loses its end.

        Yields:
            Places of pairs, `(pairs, tokens, hidden)` float32, and which of `NEITHER`, `FIRST` and `SECOND` each token
            is of.
        """
        rows = read(self._cutting, pairs)
        for places in self._batches([len(row) for row in rows]):
            words, mask = self._inputs([rows[place].ids for place in places])
            sides = np.zeros(mask.shape, dtype=np.int64)
            for line, place in enumerate(places):
                row = rows[place]
                sides[line, : len(row)] = sides_of(row)
                words[line, : len(row)] += np.array(row.type_ids, dtype=np.float32)[:, None] * self._second
            with self._lock:
                if self._single is None:
                    self._single = self._compile("LATENCY").create_infer_request()
                found = self._single.infer([words, mask])[0].copy()
            yield places, found, sides


def read(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Encoding]:
    """Cut pairs of texts into tokens."""
    return list(tokenizer.encode_batch([(clean(first), clean(second)) for first, second in pairs]))


def sides_of(row: Encoding) -> list[int]:
    """Tell of which text each token of a pair is: `NEITHER`, `FIRST` or `SECOND`."""
    return [NEITHER if side is None else (FIRST, SECOND)[side] for side in row.sequence_ids]
