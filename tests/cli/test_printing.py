"""What commands print for people."""

import json

from medgraph.cli import printing


def test_tables(capsys):
    printing.table([{"name": "a\nb", "n": 12_345, "x": 0.123456, "y": None, "z": ["é"]}, {"name": "x" * 90, "n": 1}])
    head, rule, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "n", "x", "y", "z"]
    assert set(rule) == {"-", " "}
    assert first.split() == ["a", "b", "12,345", "0.1235", '["é"]']
    assert second.split() == ["…", "1"]


def test_figures_are_tables_under_their_names_or_one_json(capsys):
    rows, more = [{"n": 1}], [{"ms": 2.5}]
    printing.figures(rows, in_json=False, times=more)
    assert capsys.readouterr().out == "n\n-\n1\n\ntimes\n ms\n---\n2.5\n"
    printing.figures(rows, in_json=True, times=more)
    assert json.loads(capsys.readouterr().out) == {"rows": rows, "times": more}
    printing.figures([], in_json=False)
    assert capsys.readouterr().out == "Nothing was found.\n"
