"""Plugins of rdflib: a store that hands triples on, and parsers by pyoxigraph that fill it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from rdflib.parser import Parser
from rdflib.store import Store
from rdflib.term import BNode, Literal

from .fast import quads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rdflib.graph import Graph
    from rdflib.parser import InputSource

    from .fast import Row

_BATCH: Final = 10_000


class Sink(Store):
    """A store of rdflib that keeps nothing, and hands each triple on as a row of texts."""

    context_aware = True  # its reader of JSON-LD asks for it; which graph a triple is of is not kept

    def __init__(self, add: Callable[[Iterable[Row]], None]) -> None:
        super().__init__()
        self._add = add
        self._rows: list[Row] = []
        self._prefixes: dict[str, Any] = {}

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:  # noqa: ARG002
        """Take a triple, as parsers of rdflib give it."""
        subject, predicate, target = triple
        literal = isinstance(target, Literal)
        start, end = (f"_:{term}" if isinstance(term, BNode) else str(term) for term in (subject, target))
        language = (target.language or "") if literal else ""
        self._rows.append((start, str(predicate), end, int(literal), language))
        if len(self._rows) >= _BATCH:
            self.flush()

    def take(self, rows: Iterable[Row]) -> None:
        """Take triples that are rows already."""
        self._add(rows)

    def flush(self) -> None:
        """Hand on what is left."""
        rows, self._rows = self._rows, []
        self._add(rows)

    def bind(self, prefix: str, namespace: Any, override: bool = True) -> None:  # noqa: ARG002
        """Note a prefix that the file declares."""
        self._prefixes[prefix] = namespace

    def namespace(self, prefix: str) -> Any:
        """Look the address of a prefix up."""
        return self._prefixes.get(prefix)

    def prefix(self, namespace: Any) -> str | None:
        """Look the prefix of an address up."""
        return next((prefix for prefix, address in self._prefixes.items() if address == namespace), None)

    def namespaces(self) -> Any:
        """List the prefixes."""
        return iter(self._prefixes.items())


class _Fast(Parser):
    syntax = ""

    def parse(self, source: InputSource, sink: Graph) -> None:
        """Fill a graph whose store takes rows."""
        store, file = cast("Sink", sink.store), cast("BinaryIO", source.getByteStream())
        store.take(quads(file, self.syntax))


class FastXml(_Fast):
    """RDF/XML."""

    syntax = "xml"


class FastTurtle(_Fast):
    """Turtle."""

    syntax = "turtle"


class FastNTriples(_Fast):
    """N-Triples."""

    syntax = "nt"


class FastJsonLd(_Fast):
    """JSON-LD."""

    syntax = "json-ld"


PARSERS: Final = {kind.syntax: kind.__name__ for kind in (FastXml, FastTurtle, FastNTriples, FastJsonLd)}
