"""Writes pictures into files, SVG or PNG by how their names end; letters of a PNG are of a font that comes along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import files
from ..errors import InputError
from . import svg

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .graph import Picture

MAX_PIXELS = 40_000_000


def check(paths: Sequence[Path]) -> None:
    """Make sure that pictures can be written to some files, before anything is drawn.

    Raises:
        InputError: A name ends in neither .svg nor .png, a folder is missing, or something else is in the way.
    """
    for path in paths:
        if path.suffix.lower() not in {".svg", ".png"}:
            raise InputError(f"{path} ends in neither .svg nor .png; name the picture so that its kind is clear")
        files.check_writable(path)


def save(picture: Picture, paths: Sequence[Path]) -> None:
    """Draw a picture into files that end in .svg or .png; each is there whole or not at all.

    Raises:
        InputError: A file cannot be written.
    """
    check(paths)
    drawing = svg.draw(picture)
    for path in paths:
        data = rasterise(drawing) if path.suffix.lower() == ".png" else drawing.encode()
        files.write_whole(path, data)


def rasterise(drawing: str, *, scale: float = 2.0, system_fonts: bool = True) -> bytes:
    """Turn a drawing into pixels.

    Args:
        drawing: One with its colours, as `svg.draw` gives it for a file.
        scale: Pixels for each unit of the drawing; fewer where the picture would not fit into memory.
        system_fonts: Whether the machine's own fonts may help with scripts that Open Sans lacks, such as Chinese.
    """
    import fontpkg
    import resvg_py

    wide, high = _size(drawing)
    return resvg_py.svg_to_bytes(
        svg_string=drawing,
        zoom=min(scale, (MAX_PIXELS / (wide * high)) ** 0.5),
        font_files=[str(fontpkg.path(svg.FONT))],
        font_family=svg.FONT,
        sans_serif_family=svg.FONT,
        skip_system_fonts=not system_fonts,
    )


def _size(drawing: str) -> tuple[float, float]:
    from defusedxml.ElementTree import fromstring

    root = fromstring(drawing)
    return float(root.get("width", "1")), float(root.get("height", "1"))
