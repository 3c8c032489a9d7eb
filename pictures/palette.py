"""One colour a label, told apart by the colour-blind too, and the style sheet of pictures inside a page.

What a document is made of is blue, the darker the larger; where things come from and what keeps house is grey; what
documents are about has colours of its own, shades of one within a family: what shows in people is reddish, what is
given to them green, genes and what comes of them violet, parts of the body brown, what goes on in it blue-green.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..files import table_cells

_TABLE: Final = Path(__file__).with_name("palette.tsv")
# Label of a node → its colour.
PALETTE: Final = {label: colour for _, (label, colour) in table_cells(_TABLE, 2, "LABEL and COLOUR")}
# The colour of labels that the palette does not know.
FALLBACK: Final = "#6B6B6B"
DARK: Final = "#16191D"
LIGHT: Final = "#FFFFFF"
PAGE: Final = "#FFFFFF"
LINE: Final = "#5A6572"
QUIET: Final = "#4A5461"

_DARK_PAGE: Final = {"page": "#16191D", "line": "#98A4B1", "quiet": "#B4BEC9", "ink": "#F1F3F5"}


def colour(label: str) -> str:
    """Give the colour of a label, as `#` and six hexadecimal digits."""
    return PALETTE.get(label, FALLBACK)


def text_on(background: str) -> str:
    """Choose of the two colours of text the one that stands out more on a colour (`#` and six hexadecimal digits)."""
    return max(LIGHT, DARK, key=lambda ink: contrast(ink, background))


def contrast(first: str, second: str) -> float:
    """Measure how much two colours stand out from each other: the ratio of WCAG, from 1 to 21; text needs 4.5."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def css_class(label: str) -> str:
    """Give the class that nodes of a label have, such as `disease`; `other` where the palette does not know it."""
    return label.lower() if label in PALETTE else "other"


def stylesheet() -> str:
    """Give the style of pictures inside a page: CSS for light and dark pages.

    The page may set `--picture-page` to its own background.
    """
    rules = [
        f".picture {{ --picture-page: {PAGE}; --picture-line: {LINE}; --picture-quiet: {QUIET}; --picture-ink: {DARK}; "
        "max-width: 100%; height: auto; }",
        "@media (prefers-color-scheme: dark) { .picture { "
        + " ".join(f"--picture-{name}: {value};" for name, value in _DARK_PAGE.items())
        + " } }",
        ".picture .edge path { stroke: var(--picture-line); }",
        ".picture .edge .head { fill: var(--picture-line); stroke: none; }",
        ".picture .caption { fill: var(--picture-quiet); stroke: var(--picture-page); }",
        ".picture .remark { fill: var(--picture-quiet); }",
        ".picture .heading { fill: var(--picture-ink); }",
        ".picture .node > rect { stroke: var(--picture-page); }",
        ".picture .more > rect { fill: var(--picture-page); stroke: var(--picture-line); }",
        ".picture .more > text { fill: var(--picture-quiet); }",
        ".picture a:focus > rect, .picture a:hover > rect { stroke: var(--picture-ink); stroke-width: 3; }",
    ]
    for label in (*PALETTE, "Other"):
        fill = colour(label)
        rules.append(f".picture .{label.lower()} > rect {{ fill: {fill}; }}")
        rules.append(f".picture .{label.lower()} > text {{ fill: {text_on(fill)}; }}")
        rules.append(f".picture .{label.lower()} > .ring {{ fill: none; stroke: {fill}; }}")
    return "\n".join(rules) + "\n"


def _luminance(colour_: str) -> float:
    channels = [int(colour_[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
