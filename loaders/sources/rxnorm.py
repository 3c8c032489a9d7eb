"""RxNorm: names of drugs of the National Library of Medicine, and how ingredients, products and forms hang together.

The files in Rich Release Format of a release (`rrf/RXNCONSO.RRF`, `RXNREL.RRF`, `RXNSTY.RRF`), or the free part of it
that is called prescribable content, in a folder or the zip archive that they come in. What RxNorm itself says is read
(SAB RXNORM) with the codes, not the names, of the vocabularies that it quotes; NDCs and strengths (RXNSAT), and ids
that were given up for others (RXNCUI).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...files import word_table
from ...schema import prefixes
from ...schema.records import Entity, Relation, SourceInfo
from ..base import INFOS, Item, Reject, Row, Source
from ..files import archives, texts
from ..files.on_disk import Shelf
from ..mending import LeftOut
from .umls import rrf

if TYPE_CHECKING:
    from collections.abc import Iterator


INFO: Final = INFOS["rxnorm"]

_TABLE: Final = word_table(Path(__file__).with_suffix(".tsv"))
_COLUMNS: Final = _TABLE["columns"]
_STRENGTHS: Final = {"RXN_STRENGTH", "RXN_AVAILABLE_STRENGTH"}
_RETIRED: Final = 5  # cells of a row of RXNCUI at least: a retired concept first, what came for it last
# Types of names that are a concept's own, the best first; the others (PSN, SY, TMSY) are synonyms.
_KINDS: Final = "IN PIN MIN BN SCDC SBDC SCDF SBDF SCDG SBDG SCD SBD GPCK BPCK DF DFG ET".split()
_FORMS: Final = {"DF", "DFG"}
# RELA → relation; of each pair of inverses the one that is read.
_RELATIONS: Final = {word: kind for kind, words in _TABLE["relation"].items() for word in words}
_INVERSES: Final = frozenset(_TABLE["inverses"]["-"])
_RELEASE: Final = re.compile(r"(?i:full|prescribe)_(\d\d)(\d\d)(\d{4})")


def records(path: Path) -> Iterator[Item]:
    """Read the folder with the files, the one that `rrf` is in, or the archive: concepts, then their relations."""
    with archives.unpacked(path, ".RRF") as folder:
        for item in _items(folder):
            yield item if folder == path else replace(item, file=item.file.replace(str(folder), f"{path}!"))


def _items(path: Path) -> Iterator[Item]:
    left = LeftOut()
    with Shelf() as taken:
        yield from _concepts(path, taken, left)
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
    for other in sorted((_find(path, "RXNCONSO") or path).parent.glob("RXN*.RRF*")):
        if (name := other.name.partition(".")[0]) not in {*_COLUMNS, "RXNCUI"} and other.stat().st_size:
            left.add(f"rows of {name} are not read", "", str(other), 1, sum(1 for _ in texts.lines(other)))
    yield from left.remarks()


def describe(path: Path) -> SourceInfo:
    """Read the release from the name of the folder or of a file in the archive, as `RxNorm_full_01062025`."""
    found = _RELEASE.search(" ".join([str(path.resolve()), *(archives.names(path) if path.is_file() else ())]))
    return replace(INFO, version=f"{found[3]}-{found[1]}-{found[2]}") if found else INFO


def recognise(path: Path) -> bool:
    """Tell whether a folder or archive has RxNorm's files."""
    if path.is_dir():
        return _find(path, "RXNCONSO") is not None
    return path.suffix.lower() == ".zip" and archives.count(path, "RXNCONSO.RRF") > 0


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


@dataclass(slots=True)
class _More:
    types: list[str] = field(default_factory=list)
    xrefs: list[str] = field(default_factory=list)
    strengths: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)


def _more(path: Path, left: LeftOut) -> Iterator[tuple[str, str, str] | Reject]:
    """Read what a concept has beside its names: its id, which of it, and the value."""
    for item in _rows(path, "RXNSTY"):
        yield item if isinstance(item, Reject) else (item[1]["RXCUI"], "types", item[1]["TUI"])
    others: Counter[str] = Counter()
    for item in _rows(path, "RXNSAT"):
        if isinstance(item, Reject):
            yield item
            continue
        row = item[1]
        name = row["ATN"] if row["SAB"] == "RXNORM" and row["SUPPRESS"] in {"N", ""} else ""
        if name in _STRENGTHS:
            yield row["RXCUI"], "strengths", row["ATV"]
        elif name == "NDC":
            yield row["RXCUI"], "xrefs", f"NDC:{row['ATV']}"
        else:
            others[row["ATN"]] += 1
    said = f"attributes in RXNSAT are not read ({', '.join(sorted(others))})"
    left.add(said[:300], "", str(_find(path, "RXNSAT")), 0, others.total())
    yield from _retired(path)


def _retired(path: Path) -> Iterator[tuple[str, str, str] | Reject]:
    """Read the ids that were given up for one other."""
    heirs: dict[str, set[str]] = {}
    file = _find(path, "RXNCUI")
    for line in texts.lines(file) if file else ():
        if isinstance(line, Reject):
            yield line
        elif len(cells := line[1].split("|")) > _RETIRED:
            heirs.setdefault(cells[0], set()).add(cells[-2])
        else:
            yield Reject(str(file), line[0], f"has {len(cells) - 1} cells, each with | behind it: is the row cut off?")
    for old, new in heirs.items():
        if len(new) == 1 and new != {old}:  # of one that became several, none is the same
            yield new.pop(), "retired", f"RXNORM:{old}"


def _concepts(path: Path, taken: Shelf, left: LeftOut) -> Iterator[Item]:
    """Make an entity of the names of each concept, which stand together."""
    file, more = str(_find(path, "RXNCONSO") or path), defaultdict[str, _More](_More)
    rows: list[tuple[str, int, int, str, str]] = []
    others: Counter[str] = Counter()
    for fact in _more(path, left):
        if isinstance(fact, Reject):
            yield fact
        else:
            getattr(more[fact[0]], fact[1]).append(fact[2])
    for item in _rows(path, "RXNCONSO"):
        if isinstance(item, Reject):
            yield item
            continue
        line, row = item
        if row["SUPPRESS"] not in {"N", ""}:
            left.add("suppressed names are left out", f"RXNORM:{row['RXCUI']} {row['STR']}", file, line)
        elif row["SAB"] != "RXNORM":
            others[row["SAB"]] += 1
            if row["CODE"] != "NOCODE" and (code := prefixes.standard(f"{row['SAB']}:{row['CODE']}")):
                more[row["RXCUI"]].xrefs.append(code)
        else:
            kind = row["TTY"]
            place = _KINDS.index(kind) if kind in _KINDS else len(_KINDS)
            rows.append((row["RXCUI"], place, line, kind, row["STR"]))
    said = f"names by other vocabularies are not read ({', '.join(sorted(others))})"
    left.add(said, "", file, 0, others.total())
    for rxcui, named in groupby(sorted(rows), key=itemgetter(0)):
        several = list(named)
        names, line = [(kind, name) for *_, kind, name in several], several[0][2]
        try:
            entity = _entity(rxcui, names, more[rxcui])
        except RecordError as error:
            yield Reject(file, line, str(error))
            continue
        taken.add(rxcui)
        yield Row(entity, file, line)


def _entity(rxcui: str, names: list[tuple[str, str]], more: _More) -> Entity:
    kind, name = names[0]
    if not rxcui.isdecimal():
        raise RecordError(f"the RXCUI {rxcui[:60]!r} is no number")
    strengths = (("strength", tuple(dict.fromkeys(more.strengths))),) if more.strengths else ()
    return Entity(
        f"RXNORM:{rxcui}",
        "Topic" if kind in _FORMS else "Drug",
        name,
        tuple(dict.fromkeys(other for _, other in names if other.lower() != name.lower())),
        semantic_types=tuple(more.types),
        xrefs=tuple(dict.fromkeys(more.xrefs)),
        alternative_ids=tuple(more.retired),
        properties=(*strengths, ("term_type", kind)),
    )
