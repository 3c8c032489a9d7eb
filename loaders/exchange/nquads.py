"""N-Quads that `medgraph export nquads` wrote; see `schema/exchange/nquads.py`. Other RDF is an ontology's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema.exchange import nquads
from ...schema.exchange.flat import FORMS, restore
from ..base import INFOS, Item, Reject, Row, Source
from ..files import texts
from ..mending import LeftOut
from .assembling import Assembler, info_of, without_only

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...schema.records import SourceInfo

INFO: Final = INFOS["nquads"]

_SUFFIXES: Final = (".nq", ".nquads", ".nq.gz", ".nquads.gz")


def records(path: Path) -> Iterator[Item]:
    """Read N-Quads that medgraph wrote; a file without any is an error."""
    yield from without_only(_records(path), _sources(path))


def describe(path: Path) -> SourceInfo:
    """Tell which source a file is: the one that it holds, or one that is called after it."""
    return info_of(INFO, _sources(path), path.name.partition(".nq")[0])


def recognise(path: Path) -> bool:
    """Tell whether a file is called .nq, packed or not, and begins with a source of ours."""
    if not path.name.lower().endswith(_SUFFIXES) or not path.is_file():
        return False
    block = next(_blocks(path), None)
    return isinstance(block, nquads.Block) and block.kind == "source"


SOURCE: Final = Source(INFO, records, order=31, describe=describe, recognise=recognise)


def _records(path: Path) -> Iterator[Item]:
    assembler = Assembler(str(path))
    ours, strange = False, LeftOut()
    for block in _blocks(path):
        if isinstance(block, Reject):
            yield block
        elif block.kind in FORMS:
            ours = True
            try:
                flat, source = nquads.of_block(block)
                if flat.kind in {"document", "section", "question"}:
                    yield from assembler.add(flat, source, block.line)
                else:
                    yield Row(restore(flat), assembler.file, block.line, "" if flat.kind == "source" else source)
            except RecordError as error:
                yield Reject(assembler.file, block.line, f"the {block.kind} <{block.subject[:80]}>: {error}")
        elif not nquads.restates(block):
            for predicate, _ in block.said:
                what = f"statements of <{predicate[:200]}> are not in medgraph's form and are passed over"
                strange.add(what, f"<{block.subject[:80]}>", str(path), block.line)
    yield from assembler.finish()
    yield from strange.remarks()
    if not ours:
        said = "holds nothing that medgraph export nquads wrote; load other RDF with the source rdf"
        raise SourceFileError(said, path)


def _sources(path: Path) -> list[SourceInfo]:
    sources = []
    for block in _blocks(path):
        if isinstance(block, Reject) or block.kind != "source":
            break
        try:
            sources.append(restore(nquads.of_block(block)[0]))
        except RecordError:  # rejected when the file is read
            break
    return sources


def _blocks(path: Path) -> Iterator[nquads.Block | Reject]:
    rejects: list[Reject] = []

    def lines() -> Iterator[tuple[int, str]]:
        for item in texts.lines(path):
            if isinstance(item, Reject):
                rejects.append(item)
            else:
                yield item

    for item in nquads.blocks(lines()):
        yield from rejects
        rejects.clear()
        yield item if isinstance(item, nquads.Block) else Reject(str(path), *item)
    yield from rejects
