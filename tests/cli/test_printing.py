"""What commands print for people."""

from medgraph.cli import printing


def test_tables(capsys):
    printing.table([{"name": "a\nb", "n": 12_345, "x": 0.123456, "y": None, "z": ["é"]}, {"name": "x" * 90, "n": 1}])
    head, rule, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["name", "n", "x", "y", "z"]
    assert set(rule) == {"-", " "}
    assert first.split() == ["a", "b", "12,345", "0.1235", '["é"]']
    assert second.split() == ["…", "1"]
