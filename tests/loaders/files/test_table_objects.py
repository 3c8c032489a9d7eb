"""JSONL and Parquet as tables."""

import gzip
import re
import sys

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.files import tables


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"b": 1}', "has no 'a'; its keys are 'b'"),
        (b'{"a": 1', "is not valid JSON, column 8"),
        (b"[1]", "is not a JSON object in {}; write one object a line"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b'{"a": "\xe9"}', "is not UTF-8: byte 0xE9 at place 8"),
        (b'{"a": ' + b"[" * 100_000, "is not valid JSON: nested too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "is not usable JSON"),
        (b'{"a": "' + b"x" * 10_000_001 + b'"}', "a value is longer than 10,000,000 characters; split it"),
    ],
)
def test_a_line_of_jsonl_that_cannot_be_used(table, line, reason):
    rows, ((at, why),) = table(b'{"a": 1}\n' + line + b'\n{"a": "' + b"x" * 1_000_000 + b'"}\n', "t.jsonl", ["a"])
    assert at == 2
    assert why.startswith(reason), why
    assert [(line, len(cells[0])) for line, cells in rows] == [(1, 1), (3, 1_000_000)]


@pytest.mark.parametrize("packed", [False, True])
def test_parquet(tmp_path, packed):
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = {"a": ["x", None, "é"], "n": [1, 2, None], "f": [0.5, float("nan"), None], "l": [["p", "q"], [], None]}
    data |= {"t": [True, None, False], "x": ["y" * 1_000_000, "", ""]}
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(data), path)
    if packed:
        path = path.with_name("t.parquet.gz")
        path.write_bytes(gzip.compress((tmp_path / "t.parquet").read_bytes(), mtime=0))
    rows = [(line, list(row.values())) for line, row in tables.read_cells(path, ["a"], optional=["z"])]
    assert rows == [
        (1, ["", "x", "1", "0.5", ("p", "q"), "true", "y" * 1_000_000]),
        (2, ["", "", "2", "", (), "", ""]),
        (3, ["", "é", "", "", "", "false", ""]),
    ]
    assert next(tables.read(path))[1]["l"] == '["p", "q"]'
    assert tables.columns(path) == ["a", "n", "f", "l", "t", "x"]
    with pytest.raises(SourceFileError, match="has no column 'b'; its columns are 'a', 'n'"):
        list(tables.read(path, ["b"]))


def test_without_pyarrow_parquet_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(SourceFileError, match=re.escape("pip install 'medgraph[parquet]'")):
        list(tables.read(tmp_path / "t.parquet"))
