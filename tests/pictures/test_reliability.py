"""The plot of reliability curves."""

from medgraph.pictures.plot import draw
from medgraph.pictures.reliability import plot_of


def test_the_curve_is_drawn_beside_the_diagonal():
    plot = plot_of({"question": [(0.1, 0.2, 30), (0.9, 0.7, 12)]}, 0.4321)
    curve, diagonal = plot.lines
    assert (curve.name, curve.points) == ("question (42 passages)", [(0.1, 0.2), (0.9, 0.7)])
    assert diagonal.points == [(0, 0), (1, 1)]
    drawing = draw(plot)
    assert "has less than 0.43" in " ".join(drawing.split())
    assert "No threshold is worth anything" in plot_of({}, 0.0).remarks[0]
    assert "20% at 10% to 70% at 90%" in drawing
