"""Plots of shares as SVG files of their own."""

from xml.etree import ElementTree as ET

from medgraph.pictures.plot import Line, Plot, draw

NS = "{http://www.w3.org/2000/svg}"


def test_lines_levels_and_marks_are_drawn_and_told():
    line = Line("short <questions>", [(0.1, 1.0), (0.5, 0.8)], [((0.5, 0.8), "used"), ((0.1, 1.0), "cheapest")])
    plot = Plot("A & B", "answered", "right", [line, Line("none", [])], [(2 / 3, "the least")], ["A remark. " * 20])
    root = ET.fromstring(draw(plot))
    texts = [element.text for element in root.iter(f"{NS}text")]
    for text in ("A & B", "answered", "right", "short <questions>", "used", "cheapest", "the least", "0%", "100%"):
        assert text in texts, text
    assert root.find(f"{NS}desc").text.startswith(
        "right against answered. short <questions>, from 100% at 10% to 80% at 50%. used: 80% at 50%."
    )
    assert len(list(root.iter(f"{NS}circle"))) == 4
    high = float(root.get("height"))
    assert max(float(element.get("y")) for element in root.iter(f"{NS}text")) < high
