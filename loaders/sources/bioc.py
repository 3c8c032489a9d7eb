"""Documents of BioC, in XML or JSON, as fields of a reference: title, abstract, and what annotations name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...files import word_table
from ..base import Reject
from ..files import trees, xml_stream
from ..files.texts import head
from ..files.xml_stream import child, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..mending import LeftOut

BEGINS: Final = re.compile(rb"\s*(?:<\?xml|<!DOCTYPE|<collection|[\[{])")
_TITLES: Final = {"title", "front"}
TABLE: Final = word_table(Path(__file__).with_name("references.tsv"))
DATABASES: Final = frozenset(TABLE["database"]["pmid"])  # whose accession numbers are PMIDs
_FIELDS: Final = {name: said[0] for name, said in TABLE["bioc"].items()}  # what infons of passages mean
_KINDS: Final = {kind: prefix for kind, (prefix, *_) in TABLE["kind"].items()}


def records(path: Path, _: str, left_out: LeftOut) -> Iterator[tuple[int, dict[str, list[str]]] | Reject]:
    """Read the documents of a file."""
    for item in _documents(path):
        if isinstance(item, Reject):
            yield item
            continue
        line, document = item
        said: dict[str, list[str]] = {"id": [str(document.get("id", ""))], "pmid": [str(document.get("pmid") or "")]}
        abstract: list[str] = []
        for passage in document.get("passages", ()):
            infons, words = passage.get("infons", {}), " ".join(str(passage.get("text", "")).split())
            for name in _FIELDS.keys() & infons.keys():
                said.setdefault(_FIELDS[name], []).append(str(infons[name]))
            kind = str(infons.get("type", ""))
            if kind in _TITLES and "title" not in said:
                said["title"] = [words]
            elif kind.startswith("abstract"):
                abstract.append(f"{words.upper().rstrip(' :.')}:" if kind.startswith("abstract_title") else words)
            else:
                what = "passages that are neither title nor abstract are not read"
                left_out.add(what, words[:80], str(path), line)
                continue
            for one in passage.get("annotations", ()):
                known = one.get("infons", {})
                named = known.get("identifier") or ",".join(f"{n}:{known[n]}" for n in ("MESH", "OMIM") if known.get(n))
                ids = mentioned(str(known.get("type", "")), str(named))
                said.setdefault("about", []).extend(ids)
                what = "mentions and relations without an id that is known are not read"
                left_out.add(what, str(one.get("text", ""))[:80], str(path), line, count=not ids)
        yield line, {**said, "abstract": [" ".join(abstract)]}


def mentioned(kind: str, ids: str) -> list[str]:
    """Give the ids of a mention by its kind and what it is called; none where one of them is not known."""
    found = [one for one in re.split(r"[|,;]", ids) if one.strip() not in {"", "-", "-1"}]
    known = [one if ":" in one else f"{_KINDS[kind]}:{one}" for one in found if ":" in one or kind in _KINDS]
    return known if len(known) == len(found) else []


def _documents(path: Path) -> Iterator[tuple[int, dict[str, Any]] | Reject]:
    start = head(path, 1 << 12)
    if start.lstrip().startswith(b"<"):
        for element in xml_stream.elements(path, "collection", ["document"]):
            number = text(child(element, "id"))
            is_pmid = text(child(element.getparent(), "source")).lower() in DATABASES
            passages = [_of_xml(part) for part in element.iterchildren("passage")]
            yield element.sourceline, {"id": number, "pmid": number if is_pmid else "", "passages": passages}
        return
    for item in trees.json_rows(path, ["PubTator3" if b'"PubTator3"' in start else "documents"]):
        if isinstance(item, Reject):
            yield item
        elif isinstance(item[1], dict):
            yield item[:2]
        else:
            yield Reject(str(path), item[0], "is no JSON object, as a document is")


def _of_xml(part: Any) -> dict[str, Any]:
    infons = {infon.get("key", ""): text(infon) for infon in part.iterchildren("infon")}
    below = [_of_xml(one) for one in part.iterchildren("annotation")]
    return {"infons": infons, "text": text(child(part, "text")), "annotations": below}
