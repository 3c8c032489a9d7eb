"""The graph that the gate asks: a part of the data, loaded and indexed as a user does it.

Vectors that an earlier run made of the same texts are used again where the code that encodes is the same, and the
encoder gives texts that are tried the same vectors as it did then, so that another model or precision makes all of them
anew.
"""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from medgraph.embeddings import encoders
from medgraph.embeddings.index import index
from medgraph.errors import InputError, SourceFileError
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.loaders.commands import load_all

from .gate_sets import PAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database
    from medgraph.settings import Settings


TRIED: Final = 64  # texts that are encoded anew to tell whether vectors are the same
# How far the same number may be off where texts are encoded in other batches; other precisions are off by more.
CLOSE: Final = 1e-5

# Files that are loaded whole, below the folder of data: names that questions and abstracts are linked by.
WHOLE: Final = ("doid/NCIthesaurus.obo", "doid/DO_rare_slim.obo", "symp/symp.obo", "hpo/layperson-synonyms.tsv")
# All that the gate reads of the folder of data.
NEEDED: Final = (*PAGES.values(), *WHOLE, "questions/meqsum.csv", "ncbi-disease/devel.txt")


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


def check(data: Path) -> None:
    """Make sure that the data is there."""
    if missing := [name for name in NEEDED if not (data / name).is_file()]:
        raise InputError(f"{data} lacks {', '.join(missing)}; name the folder of data with --data or MEDGRAPH_DATA")


def fill(
    database: Database, settings: Settings, data: Path, files: Mapping[str, Sequence[str]], encoder: TextEncoder
) -> None:
    """Load and index the part of the data."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in WHOLE:
            shutil.copyfile(data / name, folder / Path(name).name)
        _write_archive(data / PAGES["medquad"], files["medquad"], folder / "medquad.zip")
        _write_abstracts(data / PAGES["pubmedqa"], files["pubmedqa"], folder / "pqal_dev.json")
        _write_table(data / PAGES["disease-tables"], files["disease-tables"], folder / "format_dataset.csv")
        for loaded in load_all(database, settings, folder):
            if loaded.report is None or loaded.report.rejected:
                raise InputError(f"{loaded.path.name} was not loaded whole: {loaded.reason or 'records were rejected'}")
    kept = KeptVectors(encoder, settings.cache / "gate")
    index(database, cast("TextEncoder", kept), "all")
    kept.keep()
    index_links(database, *names_in_use(settings, database))


def _write_archive(path: Path, names: Sequence[str], part: Path) -> None:
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(part, "w") as archive:
        known = set(whole.namelist())
        for name in names:
            if name not in known:
                raise SourceFileError(f"lacks {name}; freeze the gate anew", path)
            archive.writestr(name, whole.read(name))


def _write_abstracts(path: Path, names: Sequence[str], part: Path) -> None:
    whole = json.loads(path.read_text(encoding="utf-8"))
    if missing := [name for name in names if name not in whole]:
        raise SourceFileError(f"lacks {missing[0]}; freeze the gate anew", path)
    part.write_text(json.dumps({name: whole[name] for name in names}), encoding="utf-8")


def _write_table(path: Path, names: Sequence[str], part: Path) -> None:
    with path.open(encoding="utf-8", newline="") as whole, part.open("w", encoding="utf-8", newline="") as table:
        rows, wanted = csv.DictReader(whole), {*names}
        written = csv.DictWriter(table, rows.fieldnames or ())
        written.writeheader()
        written.writerows(row for row in rows if row["disease"] in wanted)
