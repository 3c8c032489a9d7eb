"""RDF by pyoxigraph, where it is installed, as plain rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[str, str, str, int, str]
"""Subject, predicate, object, 1 for a literal, its language; blank nodes start with `_:`."""

BASE: Final = "https://relative.invalid/"
"""Where relative addresses lead in a file that does not say what they are relative to."""

FORMATS: Final = {"xml": "RDF_XML", "turtle": "TURTLE", "nt": "N_TRIPLES", "json-ld": "JSON_LD"}


def is_fast() -> bool:
    """Tell whether the fast parsers are there."""
    try:
        import pyoxigraph  # noqa: F401
    except ImportError:
        return False
    return True


def quads(
    file: BinaryIO, syntax: str, *, lenient: bool = False, declared: dict[str, str] | None = None
) -> Iterator[Row]:
    """Read triples with pyoxigraph.

    Args:
        lenient: Whether addresses may be none, instead of ending it all.
        declared: Gets the prefixes that stand in front of the first triple.

    Yields:
        Triples in the order of the file.
    """
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    lenient = lenient or syntax == "json-ld"  # whose reader leaves statements out otherwise, and does not tell
    found = parse(file, format=getattr(RdfFormat, FORMATS[syntax]), base_iri=BASE, lenient=lenient)
    for number, quad in enumerate(found):
        if declared is not None and not number:
            declared.update(found.prefixes)
        subject, target = quad.subject, quad.object
        kind = type(target)
        start = subject.value if type(subject) is NamedNode else str(subject)
        if kind is Literal:
            yield start, quad.predicate.value, target.value, 1, target.language or ""
        elif kind is NamedNode:
            yield start, quad.predicate.value, target.value, 0, ""
        elif kind is BlankNode:
            yield start, quad.predicate.value, str(target), 0, ""
