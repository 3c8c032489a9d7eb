"""The plot of accuracy against coverage says what a wrong answer costs."""

import pytest

from medgraph.pictures.coverage import plot_of
from medgraph.pictures.plot import Line, draw


def test_the_level_is_where_answers_cost_as_much_as_silence():
    plot = plot_of([Line("short questions (5)", [(0.2, 1.0)])], 3)
    ((level, text),) = plot.levels
    assert level == pytest.approx(2 / 3)
    assert text == "below 67% answers cost more than silence: 3 for a wrong one, 1 for none"
    assert "3 for a wrong answer, 1 for none" in draw(plot)
