"""All pipelines, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import InputError
from . import consult, hyke, joint, referenced
from .baselines import BASELINES

if TYPE_CHECKING:
    from .pipeline import Pipeline

# Name → pipeline: those of the papers, then what they are compared with.
PIPELINES: Final[dict[str, Pipeline]] = {
    one.name: one for one in (*(module.PIPELINE for module in (joint, hyke, referenced, consult)), *BASELINES)
}


def pipeline_named(name: str) -> Pipeline:
    """Find a pipeline, or raise InputError."""
    if name not in PIPELINES:
        raise InputError(f"there is no pipeline {name!r}; there are {', '.join(PIPELINES)}")
    return PIPELINES[name]
