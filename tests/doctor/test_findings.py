"""Findings as plain data."""

from medgraph.doctor.findings import as_dict, broken, ok, size, warning


def test_plain_data():
    data = as_dict([broken("a", "b", "c", "d"), warning("a", "b", "c", "d"), ok("a", "b", "c")])
    assert (data["sound"], data["broken"], data["warning"], data["ok"]) == (False, 1, 1, 1)
    assert as_dict([warning("a", "b", "c", "d")])["sound"]
    assert [size(n) for n in (0, 700 << 20, 3 << 29)] == ["0 MB", "700 MB", "1.5 GB"]
