"""Models that remember what they computed: a text that was encoded by the same code before is not encoded again.

The memory is a file in the cache, shared by workers and by runs of the tests. Its name stands for the code and the
weights that computed what it holds: after a change of either it begins empty. Tests of the models themselves load
their own, which remember nothing.
"""

import hashlib
import sqlite3
from importlib.metadata import version
from threading import Lock

import numpy as np

from tests.support.paths import ROOT

PARTS = 500
"""Keys in one question to the memory."""


class Memory:
    """Arrays of float32 by what they were computed from."""

    def __init__(self, cache):
        made = hashlib.blake2b(repr([version(name) for name in ("numpy", "openvino", "tokenizers")]).encode())
        for file in sorted((ROOT / "embeddings").rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                made.update(file.read_bytes())
        cache.mkdir(parents=True, exist_ok=True)
        self._lock = Lock()
        self._rows = sqlite3.connect(
            cache / f"tests-{made.hexdigest()[:16]}.vectors", timeout=60, check_same_thread=False
        )
        self._rows.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;")
        self._rows.execute("CREATE TABLE IF NOT EXISTS made (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    def known(self, keys):
        """Give what is known of these keys."""
        found = {}
        for start in range(0, len(keys), PARTS):
            part = keys[start : start + PARTS]
            marks = ",".join("?" * len(part))
            with self._lock:
                found |= self._rows.execute(f"SELECT key, vector FROM made WHERE key IN ({marks})", part).fetchall()
        return {key: np.frombuffer(vector, np.float32) for key, vector in found.items()}

    def keep(self, made):
        with self._lock, self._rows:
            rows = [(key, vector.astype(np.float32).tobytes()) for key, vector in made.items()]
            self._rows.executemany("INSERT OR REPLACE INTO made VALUES (?, ?)", rows)


class Remembered:
    """A model with a memory; all but what it computes of texts is the model's own."""

    def __init__(self, model, name, memory):
        self._model, self._name, self._memory = model, name, memory

    def __getattr__(self, name):
        return getattr(self._model, name)

    def encode(self, texts):
        return self._recall("encode", self._model.encode, texts)

    def encode_questions(self, texts):
        return self._recall("encode_questions", self._model.encode_questions, texts)

    def describe(self, question, sentences):
        return self._recall(f"describe {question}", lambda new: self._model.describe(question, new), sentences)

    def _recall(self, how, compute, texts):
        if not texts:
            return compute(texts)
        keys = [digest(f"{self._name}\0{how}\0{text}") for text in texts]
        known = self._memory.known(list(set(keys)))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            made = dict(zip(new, compute(list(new.values())), strict=True))
            self._memory.keep(made)
            known |= made
        return np.stack([known[key] for key in keys])


def digest(text):
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
