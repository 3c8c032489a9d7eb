"""The plot of accuracy against coverage says what a wrong answer costs."""

import re
import sys

import pytest

from medgraph.errors import InputError
from medgraph.pictures.coverage import save_plot

LINES = [
    ("short questions (5)", [(0.2, 1.0), (0.6, 0.5)], [((0.2, 1.0), "threshold used 0.65")]),
    ("messages (0)", [], []),
]


def test_lines_marks_and_the_level_of_costs_are_drawn_and_told(tmp_path):
    save_plot(LINES, 3, tmp_path / "plot.svg")
    drawn = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    told = "below 67% answers cost more than silence: 3 for a wrong one, 1 for none"
    for text in ("short questions (5)", "messages (0)", "threshold used 0.65", told, "questions answered", "100%"):
        assert text in drawn, text
    save_plot(LINES, 3, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=re.escape("pip install 'medgraph[plots]'")):
        save_plot(LINES, 3, tmp_path / "plot.svg")
