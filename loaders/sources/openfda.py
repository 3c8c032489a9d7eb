"""Drug labels in the form of openFDA's `drug/label` (open.fda.gov/apis/drug/label/download).

JSON, `{"meta": …, "results": [{…}, …]}`: a file, packed with gzip or zip or not, or a folder of them. A field is a
section whose lists and headings were made one line. Files are read twice, one label at a time: first for the labels
that are chosen and for their drugs, which come before the labels.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import InputError, RecordError, SourceFileError
from ..base import INFOS, Item, Reject, Source
from ..files import archives, json_items
from ..files.texts import all_files, head
from ..mending import LeftOut
from .spl.flat import parts
from .spl.label import Kept, Label, Product, Versions, rows
from .spl.substances import Drug, Substance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Result = dict[str, Any]

INFO: Final = INFOS["openfda"]

_KINDS: Final = ("all", "rx", "otc")
_ONE_PER: Final = ("set", "generic", "none")
_SUFFIXES: Final = (".json", ".json.gz", ".zip")
_SIGNS: Final = (b'"spl_product_data_elements"', b'"openfda"', b'"set_id"')
_OTC: Final = frozenset({"purpose", "active_ingredient", "do_not_use", "keep_out_of_reach_of_children", "ask_doctor"})
_CLASSES: Final = ("pharm_class_epc", "pharm_class_moa", "pharm_class_pe", "pharm_class_cs")
_UNII: Final = re.compile(r"[0-9A-Z]{10}")
_ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,80}")
_BYTES: Final = {".gz": 11_000, ".zip": 11_000}  # of a label, on average, packed; plain ones have four times as many


def records(path: Path, kind: str = "all", one_per: str = "set") -> Iterator[Item]:
    """Read labels of a file, or of a folder of them; `SOURCE` says what the options are.

    Where a label does not say whether it is of a prescription drug, fields that only those of other drugs have tell.
    Yields drugs and their classes, relations between them, then labels in the order of their files; rejects; remarks.
    """
    for name, value, known in (("kind", kind, _KINDS), ("one_per", one_per, _ONE_PER)):
        if value not in known:
            raise InputError(f"the option {name} is {value!r}; it may be {', '.join(known)}")
    chosen = _chosen(path, kind, one_per)
    yield from chosen.drugs()
    places, left = {one.place for one in chosen.kept.values()}, LeftOut()
    for number, item in enumerate(_results(path)):
        if isinstance(item, Reject):
            yield item
            continue
        file, line, result = item
        try:
            if str(number) in places:
                label, unknown = _label(result), Counter[str]()
                names = {word for drug in label.drugs for word in f"{drug.brand} {drug.generic}".lower().split()}
                label = replace(label, parts=tuple(parts(result, names, unknown)))
                empty = "" if label.parts else "it has no section with text"
                counted = {f"of the unknown field {name}": count for name, count in unknown.items()}
                if not label.kind:
                    left.add("labels do not say whether they are for prescription drugs", label.title, file, line)
                own = str(result["id"]) if one_per == "none" and result.get("id") else label.set_id
                yield from label.items(f"openfda:{own}", (file, line), counted, left, empty)
            else:
                _label(result)
                left.add("labels left out: of another kind, or another one is kept", str(result["id"]), file, line)
        except RecordError as error:
            yield Reject(file, line, str(error))
    yield from left.remarks()


def _recognise(path: Path) -> bool:
    if path.is_dir():
        return all_files(path, _recognise)
    if not path.name.lower().endswith(_SUFFIXES):
        return False
    start = head(path)
    if start.startswith(b"PK"):
        start = b""
        with suppress(SourceFileError, StopIteration, *archives.BROKEN):
            streams = archives.streams(path, ".json")
            start = next(streams)[1].read(1 << 16)
    return b'"results"' in start and any(sign in start for sign in _SIGNS)


SOURCE: Final = Source(
    INFO,
    records,
    lambda path: sum(file.stat().st_size // _BYTES.get(file.suffix, 44_000) for file in _files(path)),
    order=42,
    unit="document",
    recognise=_recognise,
    options={
        "kind": "labels of prescription drugs alone (rx), of others alone (otc), or all",
        "one_per": "set: the newest version of each label; generic: the most complete of each drug; none: every label",
    },
)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    if not (found := sorted(file for file in path.iterdir() if file.is_file() and _recognise(file))):
        raise SourceFileError("is a folder without labels of openFDA (.json, .json.gz, .json.zip)", path)
    return found


def _results(path: Path) -> Iterator[tuple[str, int, Result] | Reject]:
    for file in _files(path):
        found = False
        for name, item in _of_file(file):
            found = True
            if isinstance(item, Reject):
                yield item
            elif isinstance(item[1], dict):
                yield name, item[0], item[1]
            else:
                yield Reject(name, item[0], "is no JSON object, as a label is")
        if not found:
            raise SourceFileError("has no list `results` with labels: it is no file of openFDA's drug/label", file)


def _of_file(file: Path) -> Iterator[tuple[str, tuple[int, Any] | Reject]]:
    if not head(file, 4).startswith(b"PK"):
        yield from ((str(file), item) for item in json_items.of(file, "results"))
        return
    try:
        for name, stream in archives.streams(file, ".json"):
            yield from ((name, item) for item in json_items.of(Path(name), "results", opened=stream))
    except archives.BROKEN as error:
        raise SourceFileError(f"cannot be unpacked: {error}; fetch the archive again", file) from error


def _chosen(path: Path, kind: str, one_per: str) -> Versions:
    """Choose labels: the newest of each set, then the most complete of each drug."""
    newest = Versions()
    sizes: dict[str, int] = {}
    for number, item in enumerate(_results(path)):
        if isinstance(item, Reject):
            continue
        file, _, result = item
        with suppress(RecordError):
            label, place = _label(result), str(number)
            if kind in {"all", "otc" if _is_otc(result) else "rx"}:
                newest.offer(label, file, place, place if one_per == "none" else "")
                sizes[place] = sum(name in rows() for name in result)
    if one_per == "generic":
        best: dict[str, Kept] = {}
        for one in newest.kept.values():
            key = "|".join(sorted(drug.entity()[0] for drug in one.label.drugs)) or one.label.set_id
            if key not in best or _rank(one, sizes) > _rank(best[key], sizes):
                best[key] = one
        newest.kept = best
    return newest


def _rank(one: Kept, sizes: Mapping[str, int]) -> tuple[int, str, str]:
    return sizes[one.place], one.label.effective, one.label.revision


def _is_otc(result: Result) -> bool:
    stated = " ".join(_texts(_block(result), "product_type")).upper()
    return "OTC" in stated if stated else not _OTC.isdisjoint(result)


def _label(result: Result) -> Label:
    block = _block(result)
    set_id = _text(result, "set_id") or next(iter(_texts(block, "spl_set_id")), "") or _text(result, "id")
    if not _ID.fullmatch(set_id):
        raise RecordError(f"its set_id {set_id[:60]!r} is none; a label has a set_id or an id")
    version = _text(result, "version") or "1"
    if not version.isdecimal() or len(version) > 6:
        raise RecordError(f"its version {version[:60]!r} is not a number of at most six digits")
    brands, generics = _texts(block, "brand_name"), _texts(block, "generic_name")
    brand, generic = next(iter(brands), ""), next(iter(generics), "")
    said = next(iter(_texts(result, "spl_product_data_elements")), "")
    substances, uniis = _texts(block, "substance_name"), _texts(block, "unii")
    # The two lists are in no common order: of one substance alone the UNII is known.
    code = uniis[0] if len(substances) == len(uniis) == 1 and _UNII.fullmatch(uniis[0]) else ""
    classes = tuple((name, "") for field in _CLASSES for name in _texts(block, field))
    drug = Drug(brand, generic, tuple(Substance(name, code) for name in substances), classes)
    form = said[len(brand) :].lstrip(" -")[len(generic) :].strip() if " -" in said or "- " in said else ""
    named = form and said.lower().startswith(brand.lower()) and f"- {generic} {form}".lower() in said.lower()
    product = Product(
        drug,
        ndc=next(iter(_texts(block, "product_ndc")), ""),
        form=form.upper() if named and len(form) < 80 else "",
        routes=_texts(block, "route"),
        application=next(iter(_texts(block, "application_number")), ""),
    )
    return Label(
        set_id=set_id.lower(),
        version=int(version),
        effective=_text(result, "effective_time")[:8],
        kind=next(iter(_texts(block, "product_type")), ""),
        title=product.drug.brand or product.drug.generic or next(iter(_texts(result, "spl_product_data_elements")), ""),
        labeler=next(iter(_texts(block, "manufacturer_name")), ""),
        products=(product,) if product.drug.entity()[0] else (),
        rxcuis=_texts(block, "rxcui"),
    )


def _block(result: Result) -> Mapping[str, Any]:
    found = result.get("openfda")
    return found if isinstance(found, dict) else {}


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return str(value).strip() if isinstance(value, str | int) else ""


def _texts(said: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = said.get(name)
    found = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(plain for one in found if isinstance(one, str) and (plain := " ".join(one.split()))))
