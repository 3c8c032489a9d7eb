"""The parsers of rdflib, with those of pyoxigraph plugged in where it is installed, writing plain rows.

rdflib asks a parser to fill a graph, and a graph keeps its triples in a store; the store here hands them on.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO

from ....errors import SourceFileError
from .fast import BASE, FORMATS, is_fast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from .fast import Row


def parse_into(add: Callable[[Iterable[Row]], None], file: BinaryIO, syntax: str) -> None:
    """Parse a file by rdflib; `add` takes the triples, some at a time."""
    import warnings

    import rdflib
    from rdflib.parser import InputSource

    sink, name = _plugins(), f"fast-{syntax}" if is_fast() else syntax
    source = InputSource()
    source.setByteStream(file)
    source.setPublicId(BASE)
    before, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False  # dates and numbers stay as they are written
    try:
        store = sink(add)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # rdflib's reader of JSON-LD uses what rdflib deprecates
            rdflib.Graph(store=store, bind_namespaces="none").parse(source, format=name, publicID=BASE)
        store.flush()
    finally:
        rdflib.NORMALIZE_LITERALS = before


@cache
def _plugins() -> Callable[[Callable[[Iterable[Row]], None]], Any]:
    """Register the fast parsers with rdflib; give the class of stores that hand triples on."""
    from rdflib import plugin
    from rdflib.parser import Parser

    from . import plugins

    for syntax in FORMATS:
        plugin.register(f"fast-{syntax}", Parser, plugins.__name__, plugins.PARSERS[syntax])
    return plugins.Sink


@contextmanager
def broken(path: Path) -> Iterator[None]:
    """Say of whatever a parser raises which file it is about.

    Yields:
        Nothing; parse inside the block.

    Raises:
        SourceFileError: The file is broken.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, EOFError | OSError | MemoryError | SourceFileError):
            raise
        # Every parser of rdflib has errors of its own, and some fail on broken files by chance.
        line = getattr(error, "lineno", None) or getattr(error, "lines", None)
        if callable(getattr(error, "getLineNumber", None)):
            line = error.getLineNumber()  # type: ignore[attr-defined]
        message = " ".join(str(error).split())[:300]
        where = line if isinstance(line, int) else None
        raise SourceFileError(
            f"is not whole RDF in UTF-8 ({message}); mend it there, or fetch it again", path, where
        ) from error
