"""Every source that `medgraph load` knows, by name."""

from __future__ import annotations

from pathlib import Path
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
    plugins,
    question_tables,
    sample,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Look a source up: one of these, one that another package brings, or a mapping.

    Args:
        name: Its id, or the path of a mapping (`.yaml` or `.yml`).

    Returns:
        The source.

    Raises:
        UnknownSourceError: There is none of this name, and the message lists those there are; or the package that
            brings it is broken.
        SourceFileError: It is a mapping with mistakes.
    """
    if name in SOURCES:
        return SOURCES[name]
    if name.lower().endswith((".yaml", ".yml")):
        from . import mapping

        return mapping.from_file(Path(name))
    found = plugins.find()
    if name in found:
        return plugins.load(name, found[name], SOURCES)
    known = ", ".join(sorted({*SOURCES, *found}))
    raise UnknownSourceError(f"there is no source {name!r}; known are {known}, or give a mapping: FILE.yaml")


def sources() -> dict[str, Source]:
    """Give every source, those of other packages included.

    Returns:
        The sources by name; one that cannot be used is left out, and `faults` says why.
    """
    return SOURCES | {name: found for name, found in _of_others() if not isinstance(found, str)}


def faults() -> list[str]:
    """Say what is wrong with sources that other packages bring.

    Returns:
        A line for each that cannot be used, with its package and what mends it.
    """
    return [found for _, found in _of_others() if isinstance(found, str)]


def _of_others() -> Iterator[tuple[str, Source | str]]:
    for name, points in sorted(plugins.find().items()):
        try:
            yield name, plugins.load(name, points, SOURCES)
        except UnknownSourceError as error:
            yield name, str(error)
