"""RxNorm: names of drugs of the National Library of Medicine, and how ingredients, products and forms hang together.

The files in Rich Release Format of a release (`rrf/RXNCONSO.RRF`, `RXNREL.RRF`, `RXNSTY.RRF`), or the free part of it
that is called prescribable content. What RxNorm itself says is read (SAB RXNORM), not the vocabularies that it quotes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema.records import Entity, Relation, SourceInfo
from ..base import Reject, Row, Source
from ..files.on_disk import Shelf
from ..mending import LeftOut
from .umls import rrf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = SourceInfo(
    id="rxnorm",
    title="RxNorm",
    version="unversioned",
    licence="LicenseRef-UMLS",
    url="https://www.nlm.nih.gov/research/umls/rxnorm/",
    citation=(
        "Nelson SJ, Zeng K, Kilbourne J, Powell T, Moore R. Normalized names for clinical drugs: RxNorm at 6 years. "
        "JAMIA 18(4), 441-448 (2011). doi:10.1136/amiajnl-2011-000116"
    ),
    rank=1,
    prefixes=("RXNORM",),
)

_COLUMNS: Final = {
    "RXNCONSO": "RXCUI LAT TS LUI STT SUI ISPREF RXAUI SAUI SCUI SDUI SAB TTY CODE STR SRL SUPPRESS CVF".split(),
    "RXNREL": "RXCUI1 RXAUI1 STYPE1 REL RXCUI2 RXAUI2 STYPE2 RELA RUI SRUI SAB SL DIR RG SUPPRESS CVF".split(),
    "RXNSTY": "RXCUI TUI STN STY ATUI CVF".split(),
}
# Types of names that are a concept's own, the best first; the others (PSN, SY, TMSY) are synonyms.
_KINDS: Final = "IN PIN MIN BN SCDC SBDC SCDF SBDF SCDG SBDG SCD SBD GPCK BPCK DF DFG ET".split()
_FORMS: Final = {"DF", "DFG"}
# RELA → relation; of each pair of inverses the one that is read.
_RELATIONS: Final = {
    "isa": "IS_A",
    "has_ingredient": "HAS_PART",
    "has_precise_ingredient": "HAS_PART",
    "has_ingredients": "HAS_PART",
    "consists_of": "HAS_PART",
    "contains": "HAS_PART",
    "has_part": "HAS_PART",
    "has_dose_form": "RELATED_TO",
    "has_doseformgroup": "RELATED_TO",
    "tradename_of": "RELATED_TO",
    "form_of": "RELATED_TO",
    "quantified_form_of": "RELATED_TO",
    "reformulated_to": "RELATED_TO",
}
_INVERSES: Final = frozenset(
    "inverse_isa ingredient_of precise_ingredient_of ingredients_of constitutes contained_in part_of dose_form_of "
    "doseformgroup_of has_tradename has_form has_quantified_form reformulated_from".split()
)
_RELEASE: Final = re.compile(r"(?:full|prescribe)_(\d\d)(\d\d)(\d{4})")


def records(path: Path) -> Iterator[Item]:
    """Read the folder with the files, or the one that `rrf` is in: concepts, then their relations."""
    left = LeftOut()
    with Shelf() as taken:
        yield from _concepts(path, taken)
        # Read relationships, which go from the second concept to the first.
        file = str(_find(path, "RXNREL") or path)
        for item in _rows(path, "RXNREL"):
            if isinstance(item, Reject):
                yield item
                continue
            line, row = item
            one, two, word = row["RXCUI1"], row["RXCUI2"], row["RELA"]
            is_pair = bool(one and two and one != two)
            if row["SAB"] != "RXNORM" or not is_pair or row["SUPPRESS"] not in {"N", ""} or word in _INVERSES:
                continue
            said = f"RXNORM:{two} {word} RXNORM:{one}"
            if taken.get(one) is None or taken.get(two) is None:
                left.add("rows of RXNREL left out: one of their concepts was left out", said, file, line)
            elif taken.add(f"{two} {word} {one}"):
                kind = _RELATIONS.get(word, "RELATED_TO")
                yield Row(Relation(f"RXNORM:{two}", kind, f"RXNORM:{one}", "" if word == "isa" else word), file, line)
    yield from left.remarks()


def describe(path: Path) -> SourceInfo:
    """Read the release from the name of the folder, as `RxNorm_full_01062025`."""
    found = _RELEASE.search(str(path.resolve()))
    return replace(INFO, version=f"{found[3]}-{found[1]}-{found[2]}") if found else INFO


def recognise(path: Path) -> bool:
    """Tell whether a folder has RxNorm's files."""
    return path.is_dir() and _find(path, "RXNCONSO") is not None


SOURCE: Final = Source(INFO, records, order=13, describe=describe, recognise=recognise)


def _find(path: Path, name: str) -> Path | None:
    return rrf.find(path, name) or rrf.find(path / "rrf", name)


def _rows(path: Path, name: str) -> Iterator[tuple[int, dict[str, str]] | Reject]:
    file, columns = _find(path, name), _COLUMNS[name]
    if file is None:
        if name == "RXNCONSO":
            raise SourceFileError("has no RXNCONSO.RRF; give the folder rrf of a release of RxNorm", path)
        return
    for item in rrf.rows(file, columns):
        yield item if isinstance(item, Reject) else (item[0], dict(zip(columns, item[1], strict=False)))


def _concepts(path: Path, taken: Shelf) -> Iterator[Item]:
    """Make an entity of the names of each concept, which stand together."""
    found: dict[str, tuple[str, ...]] = {}
    for item in _rows(path, "RXNSTY"):
        if not isinstance(item, Reject):
            rxcui = item[1]["RXCUI"]
            found[rxcui] = (*found.get(rxcui, ()), item[1]["TUI"])
    file, types = str(_find(path, "RXNCONSO") or path), found
    rows: list[tuple[str, int, int, str, str]] = []
    for item in _rows(path, "RXNCONSO"):
        if isinstance(item, Reject):
            yield item
        elif item[1]["SAB"] == "RXNORM" and item[1]["SUPPRESS"] in {"N", ""}:
            line, row = item
            kind = row["TTY"]
            place = _KINDS.index(kind) if kind in _KINDS else len(_KINDS)
            rows.append((row["RXCUI"], place, line, kind, row["STR"]))
    for rxcui, named in groupby(sorted(rows), key=itemgetter(0)):
        several = list(named)
        names, line = [(kind, name) for *_, kind, name in several], several[0][2]
        try:
            entity = _entity(rxcui, names, types.get(rxcui, ()))
        except RecordError as error:
            yield Reject(file, line, str(error))
            continue
        taken.add(rxcui)
        yield Row(entity, file, line)


def _entity(rxcui: str, names: list[tuple[str, str]], types: tuple[str, ...]) -> Entity:
    kind, name = names[0]
    return Entity(
        f"RXNORM:{rxcui}",
        "Topic" if kind in _FORMS else "Drug",
        name,
        tuple(dict.fromkeys(other for _, other in names if other.lower() != name.lower())),
        semantic_types=types,
        properties=(("term_type", kind),),
    )
