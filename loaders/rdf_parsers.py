"""The parsers of rdflib, with those of pyoxigraph plugged in where it is installed, writing plain rows.

rdflib asks a parser to fill a graph, and a graph keeps its triples in a store; the store here hands them on.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from ..errors import SourceFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

Row = tuple[str, str, str, int, str]
"""Subject, predicate, object, 1 for a literal, its language; blank nodes start with `_:`."""

BASE: Final = "https://relative.invalid/"
"""Where relative addresses lead in a file that does not say what they are relative to."""

_FORMATS: Final = {"xml": "RDF_XML", "turtle": "TURTLE", "nt": "N_TRIPLES", "json-ld": "JSON_LD"}


def is_fast() -> bool:
    """Tell whether the fast parsers are there.

    Returns:
        Whether pyoxigraph can be imported.
    """
    try:
        import pyoxigraph  # noqa: F401
    except ImportError:
        return False
    return True


def quads(file: BinaryIO, syntax: str) -> Iterator[Row]:
    """Read triples with pyoxigraph.

    Args:
        file: The file.
        syntax: What rdflib calls its syntax.

    Yields:
        Triples in the order of the file.
    """
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    for quad in parse(file, format=getattr(RdfFormat, _FORMATS[syntax]), base_iri=BASE):
        subject, target = quad.subject, quad.object
        kind = type(target)
        start = subject.value if type(subject) is NamedNode else str(subject)
        if kind is Literal:
            yield start, quad.predicate.value, target.value, 1, target.language or ""
        elif kind is NamedNode:
            yield start, quad.predicate.value, target.value, 0, ""
        elif kind is BlankNode:
            yield start, quad.predicate.value, str(target), 0, ""


def parse_into(add: Callable[[Iterable[Row]], None], file: BinaryIO, syntax: str) -> None:
    """Parse a file by rdflib.

    Args:
        add: Takes the triples, some at a time.
        file: The file.
        syntax: What rdflib calls its syntax.
    """
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

    from . import rdf_plugins

    for syntax in _FORMATS:
        plugin.register(f"fast-{syntax}", Parser, rdf_plugins.__name__, rdf_plugins.PARSERS[syntax])
    return rdf_plugins.Sink


@contextmanager
def broken(path: Path) -> Iterator[None]:
    """Say of whatever a parser raises which file it is about.

    Args:
        path: The file.

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
