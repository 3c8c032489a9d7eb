"""Every source that `medgraph load` knows, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..errors import UnknownSourceError
from . import documents, medquad, mesh, pubmed, pubmedqa, sample, umls

if TYPE_CHECKING:
    from .base import Source

SOURCES: Final[dict[str, Source]] = {
    source.info.id: source
    for source in (
        documents.SOURCE,
        medquad.SOURCE,
        mesh.SOURCE,
        pubmed.SOURCE,
        pubmedqa.SOURCE,
        sample.SOURCE,
        umls.SOURCE,
    )
}


def get(name: str) -> Source:
    """Look a source up.

    Args:
        name: Its id.

    Returns:
        The source.

    Raises:
        UnknownSourceError: There is none of this name; the message lists those there are.
    """
    source = SOURCES.get(name)
    if source is None:
        raise UnknownSourceError(f"there is no source {name!r}; known are {', '.join(sorted(SOURCES))}")
    return source
