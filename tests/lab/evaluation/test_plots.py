"""Plots of figures: each kind is SVG with what it shows, the same each time."""

import sys
import xml.etree.ElementTree as ET

import pytest

from medgraph.errors import InputError
from medgraph_lab.evaluation.papers.report import draw

SERIES = {
    "curves": {"HyKGE": ([0.1, 1.0], [1.0, 0.5]), "Base": ([0.1, 1.0], [0.9, 0.6])},
    "points": {"imap score": ([1, 2, 3], [0.1, 0.5, 0.4])},
    "densities": {"right": [0.1, 0.5, 0.4], "wrong": [1.0, 1.0]},
    "intervals": {"lexical": (0.8, 0.7, 0.9, 0.4), "hybrid": (0.9, 0.8, 1.0, None)},
    "counts": {"supports": [3, 1], "refutes": [0, 217]},
}
SHOWN = {
    "curves": {"HyKGE", "Base"},
    "points": {"imap score"},
    "densities": {"right"},
    "intervals": {"lexical", "hybrid", "printed", "ours, 95 %"},
    "counts": {"supports", "refutes", "217"},
}


@pytest.mark.parametrize("kind", SERIES)
def test_plots_show_names_and_numbers(kind):
    drawn = draw(kind, "A <title>", ("x", "y"), SERIES[kind])
    texts = {"".join(one.itertext()) for one in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")}
    assert SHOWN[kind] | {"A <title>", "x", "y"} <= texts
    assert "wrong" not in texts  # one value alone has no density
    assert drawn == draw(kind, "A <title>", ("x", "y"), SERIES[kind])


def test_nothing_printed_has_no_mark():
    assert "printed" not in draw("intervals", "t", ("", ""), {"a": (0.5, 0.4, 0.6, None)})


def test_a_missing_extra_is_named_with_what_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"plots need matplotlib; run .*: pip install '\.\[evaluate,plots\]'"):
        draw("curves", "t", ("", ""), {})
