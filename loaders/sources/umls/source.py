"""UMLS Metathesaurus in Rich Release Format: the folder META that MetamorphoSys writes (nlm.nih.gov/research/umls).

`MRCONSO`, `MRSTY` and `MRSAB` are needed; `MRDEF`, `MRREL`, `MRRANK`, `MRDOC` and `MRFILES` are read where they are,
each as `.RRF` or `.RRF.gz`. They are sorted by concept, as released, and read side by side, so that memory stays flat.

Each vocabulary is a part of the source, such as `umls-msh`, named after what `--as` calls the source, with its version
and its licence level (SRL), and states its own names, definitions and relations. The source `umls` itself states a
concept's semantic types and preferred name, and that only out of vocabularies of level 0. By default no others are
taken: what levels 1 to 4 and 9 allow depends on who asks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ....errors import SourceFileError
from ....schema.records import SourceInfo
from ...base import Reject, Remark, Source
from . import parts
from .concepts import Concepts
from .parts import DEFAULT_LANGUAGES, DEFAULT_LEVELS
from .relations import Relations
from .rrf import Meta

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...base import Item

INFO: Final = SourceInfo(
    id="umls",
    title="UMLS Metathesaurus",
    version="unversioned",
    licence="LicenseRef-UMLS-level-0",
    url="https://www.nlm.nih.gov/research/umls/",
    citation=(
        "Bodenreider O. The Unified Medical Language System (UMLS): integrating biomedical terminology. "
        "Nucleic Acids Research 32, D267-D270 (2004). doi:10.1093/nar/gkh061"
    ),
    rank=1,
)

_RELEASE: Final = re.compile(r"umls\.release\.name=(\d{4}[A-Z]{2})")
# Of the rows of which one record comes: about two names an entity, and every relation twice.
_ROW_BYTES: Final = {"MRCONSO": 260, "MRREL": 450}


def records(
    path: Path,
    *,
    languages: str = DEFAULT_LANGUAGES,
    vocabularies: str = "all",
    levels: str = DEFAULT_LEVELS,
    name: str = INFO.id,
) -> Iterator[Item]:
    """Read the folder `META`, or the one that it is in; `SOURCE` says what the options are.

    Yields:
        The facts of each part; entities, for a concept first what `umls` and then what each vocabulary says; relations;
        rejects for what cannot be used, and remarks on what was left out.
    """
    choice = parts.choose(languages, vocabularies, levels, name)
    meta = Meta(path)
    yield from meta.whole()
    yield from parts.parts(meta, choice, _release(meta))
    concepts = Concepts(meta, choice)
    yield from concepts.records()
    yield from Relations(meta, choice, concepts.seen).records()
    for table in ("MRDEF", "MRREL"):
        if (file := meta.file(table)) is None or not file.stat().st_size:
            yield Remark(str(meta.folder), 1, f"has no {table}.RRF, or an empty one; what it would say is missing")
    yield from choice.remarks(str(meta.folder))
    yield from meta.unread()


def describe(path: Path) -> SourceInfo:
    """Read the release, such as `2026AA`, of a folder of the Metathesaurus."""
    return replace(INFO, version=_release(Meta(path)))


def recognise(path: Path) -> bool:
    """Tell whether a folder has the files of the Metathesaurus that are needed."""
    try:
        return path.is_dir() and bool(Meta(path))
    except SourceFileError:
        return False


def _release(meta: Meta) -> str:
    """Give the release that MetamorphoSys notes, or the last one in which a vocabulary came in."""
    for note in (meta.folder / "release.dat", meta.folder.parent / "release.dat"):
        if note.is_file() and (found := _RELEASE.search(note.read_text(encoding="utf-8", errors="replace"))):
            return found[1]
    rows = (item for item in meta.rows("MRSAB", "RSAB IMETA") if not isinstance(item, Reject))
    return max((cells[1] for _, cells in rows), default="") or INFO.version


def _estimate(path: Path) -> int:
    meta = Meta(path)
    files = {name: file for name in _ROW_BYTES if (file := meta.file(name))}
    packed = {name: 8 if file.suffix == ".gz" else 1 for name, file in files.items()}
    return sum(file.stat().st_size * packed[name] // _ROW_BYTES[name] for name, file in files.items())


SOURCE: Final = Source(
    INFO,
    records,
    _estimate,
    order=13,
    describe=describe,
    recognise=recognise,
    names_parts=True,
    options={
        "languages": f"languages of names as in LAT, the preferred one first, or all (default {DEFAULT_LANGUAGES})",
        "vocabularies": "vocabularies as in SAB, such as MSH,RXNORM, or all (default all)",
        "levels": f"licence levels as in SRL, 0 to 4 and 9, or all (default {DEFAULT_LEVELS})",
    },
)
