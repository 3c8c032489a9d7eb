"""SVG into PNG, with a font that comes along, so that it looks the same on a machine without any."""

from __future__ import annotations

from .svg import FONT

MAX_PIXELS = 40_000_000


def rasterise(svg: str, *, scale: float = 2.0, system_fonts: bool = True) -> bytes:
    """Turn a drawing into pixels.

    Args:
        svg: A drawing with its colours, as `svg.draw` gives it for a file.
        scale: Pixels for each unit of the drawing; fewer where the picture would not fit into memory.
        system_fonts: Whether the machine's own fonts may help with scripts that Open Sans lacks, such as Chinese.
    """
    import fontpkg
    import resvg_py

    wide, high = _size(svg)
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=min(scale, (MAX_PIXELS / (wide * high)) ** 0.5),
        font_files=[str(fontpkg.path(FONT))],
        font_family=FONT,
        sans_serif_family=FONT,
        skip_system_fonts=not system_fonts,
    )


def _size(svg: str) -> tuple[float, float]:
    from defusedxml.ElementTree import fromstring

    root = fromstring(svg)
    return float(root.get("width", "1")), float(root.get("height", "1"))
