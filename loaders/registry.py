"""Every source that `medgraph load` knows, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..errors import UnknownSourceError
from . import (
    disease_pages,
    disease_tables,
    do_names,
    do_symptoms,
    do_xrefs,
    documents,
    hetionet,
    hpo_lay,
    medquad,
    question_tables,
    sample,
)

if TYPE_CHECKING:
    from .base import Source

SOURCES: Final[dict[str, Source]] = {
    source.info.id: source
    for source in (
        disease_pages.SOURCE,
        disease_tables.SOURCE,
        do_names.SOURCE,
        do_symptoms.SOURCE,
        do_xrefs.SOURCE,
        documents.SOURCE,
        hetionet.SOURCE,
        hpo_lay.SOURCE,
        medquad.SOURCE,
        question_tables.SOURCE,
        sample.SOURCE,
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
