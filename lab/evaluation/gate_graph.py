"""The graph that the gate asks: a part of the data, loaded and indexed as a user does it."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from medgraph.embeddings.index import index
from medgraph.errors import InputError, SourceFileError
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.loaders.commands import load_all

from .gate_sets import PAGES
from .gate_vectors import KeptVectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database
    from medgraph.settings import Settings

# Files that are loaded whole, below the folder of data: names that questions and abstracts are linked by.
WHOLE: Final = ("doid/NCIthesaurus.obo", "doid/DO_rare_slim.obo", "symp/symp.obo", "hpo/layperson-synonyms.tsv")
# All that the gate reads of the folder of data.
NEEDED: Final = (*PAGES.values(), *WHOLE, "questions/meqsum.csv", "ncbi-disease/devel.txt")


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
