"""Pictures into files, SVG or PNG by how their names end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import files
from ..errors import InputError
from . import png, svg

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .graph import Picture


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
    """Draw a picture into files; each is there whole or not at all.

    Args:
        paths: The files, with names that end in .svg or .png.

    Raises:
        InputError: A file cannot be written.
    """
    check(paths)
    drawing = svg.draw(picture)
    for path in paths:
        data = png.rasterise(drawing) if path.suffix.lower() == ".png" else drawing.encode()
        files.write_whole(path, data)
