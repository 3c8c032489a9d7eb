"""All pipelines, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import InputError
from . import base, chain_of_knowledge, chain_of_note, consult, graphrag, hyke, joint, query_expansion, referenced

if TYPE_CHECKING:
    from .pipeline import Pipeline

PIPELINES: Final[dict[str, Pipeline]] = {
    module.PIPELINE.name: module.PIPELINE
    for module in (joint, hyke, referenced, consult, base, graphrag, query_expansion, chain_of_note, chain_of_knowledge)
}
"""Name → pipeline: those of the papers, then what they are compared with."""


def pipeline_named(name: str) -> Pipeline:
    """Find a pipeline.

    Raises:
        InputError: There is none of this name.
    """
    if name not in PIPELINES:
        raise InputError(f"there is no pipeline {name!r}; there are {', '.join(PIPELINES)}")
    return PIPELINES[name]
