"""Vectors that an earlier run of the gate made of the same texts, so that most of its time is spent once a machine.

They are used only where the code that encodes is the same, and the encoder gives texts that are tried the same vectors
as it did then, so that another model or precision makes all of them anew.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.embeddings import encoders

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.encoder import TextEncoder

TRIED: Final = 64  # texts that are encoded anew to tell whether vectors are the same
# How far the same number may be off where texts are encoded in other batches; other precisions are off by more.
CLOSE: Final = 1e-5


class KeptVectors:
    """Encodes passages as an encoder does, or takes their vectors from a file; all else is the encoder's."""

    def __init__(self, encoder: TextEncoder, folder: Path) -> None:
        self._encoder = encoder
        self._file = folder / f"{_fingerprint(encoder)}.npz"
        self._known: dict[bytes, NDArray[np.float32]] = {}
        if self._file.is_file():
            with np.load(self._file) as kept:
                self._known = dict(zip(map(bytes, kept["texts"]), kept["vectors"], strict=True))
        self._tried = not self._known

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts: `(texts, dimension)` float32 of unit length, in the order of the texts."""
        keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        found = [place for place, key in enumerate(keys) if key in self._known][:TRIED]
        if found and not self._tried:
            made = self._encoder.encode([texts[place] for place in found])
            self._tried = True
            if not np.allclose(made, [self._known[keys[place]] for place in found], rtol=0, atol=CLOSE):
                self._known = {}
        lacking = [place for place, key in enumerate(keys) if key not in self._known]
        made = self._encoder.encode([texts[place] for place in lacking])
        self._known |= {keys[place]: vector for place, vector in zip(lacking, made, strict=True)}
        return np.array([self._known[key] for key in keys], dtype=np.float32).reshape(
            len(texts), self._encoder.dimension
        )

    def keep(self) -> None:
        """Write the file."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        texts = np.frombuffer(b"".join(self._known), dtype=np.uint8).reshape(len(self._known), -1)
        part = self._file.with_suffix(".part.npz")
        np.savez(part, texts=texts, vectors=np.array(list(self._known.values())))
        part.replace(self._file)


def _fingerprint(encoder: TextEncoder) -> str:
    """Tell apart code that encodes."""
    code = hashlib.sha256(encoder.name.encode())
    for path in sorted(Path(str(encoders.__file__)).parent.glob("*.py")):
        code.update(path.read_bytes())
    return code.hexdigest()[:16]
