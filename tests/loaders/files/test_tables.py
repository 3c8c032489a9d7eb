"""Tables: whatever was written is read back with its line, and whatever is broken is named and passed over."""

import csv
import gzip
import io
import os
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject
from medgraph.loaders.files import tables, texts
from tests.support.memory import growth

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=12) | st.sampled_from(
    ['"', '""', '",', "\n", "\r\n", "\t", ",", ' "a" ', "é", "\u2028", "\x85"]
)


def written(rows, delimiter):
    """Write rows as the standard library does, and say in which line each begins."""
    out, lines = io.StringIO(newline=""), []
    # By itself it leaves a carriage return without quotes.
    quoting = csv.QUOTE_ALL if any("\r" in cell for row in rows for cell in row) else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=quoting)
    for row in rows:
        lines.append(out.getvalue().count("\n") + 1)
        writer.writerow(row)
    return out.getvalue().encode(), lines


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS)), packed=st.booleans(), bom=st.booleans())
def test_what_was_written_is_read_back(tmp_path_factory, suffix, rows, packed, bom):
    data, lines = written([("a", "b", "c"), *rows], {".csv": ",", ".tsv": "\t"}[suffix])
    data = b"\xef\xbb\xbf" * bom + data
    path = tmp_path_factory.mktemp("t") / f"t{suffix}{'.gz' * packed}"
    path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    wanted = [(line, row) for line, row in zip(lines[1:], rows, strict=True) if any(row)]
    assert [(line, tuple(row.values())) for line, row in tables.read(path, ["a", "b", "c"])] == wanted


@given(data=st.binary(max_size=200) | st.text('ab,"\n\r\t\0é', max_size=60).map(str.encode))
def test_any_bytes_give_rows_rejects_or_one_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes(data)
    lines = []
    with suppress(SourceFileError):
        lines.extend(item.line if isinstance(item, Reject) else item[0] for item in tables.read(path))
    assert lines == sorted(lines)
    assert not lines or 1 <= lines[0] <= lines[-1] <= data.count(b"\n") + 1


@given(
    before=st.lists(st.tuples(CELLS, CELLS), max_size=4), after=st.lists(st.sampled_from(["x,y", "1,2"]), min_size=1)
)
def test_a_quote_that_is_not_closed_costs_its_own_line_only(tmp_path_factory, before, after):
    data, _ = written([("a", "b"), *before], ",")
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes(data + b'1,"open\n' + "\n".join(after).encode())
    items = list(tables.read(path))
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert reject.line == data.count(b"\n") + 1
    assert "a quote opens here and is not closed" in reject.reason
    assert [tuple(row.values()) for _, row in items[items.index(reject) + 1 :]] == [tuple(t.split(",")) for t in after]


@pytest.mark.parametrize(
    ("data", "rows", "line", "reason"),
    [
        (b"1\n", [], 2, "has 1 cell where the header has 2"),
        (b"1,2,3\n", [], 2, "has 3 cells where the header has 2"),
        (b"x,\xe9\n", [], 2, "is not UTF-8: byte 0xE9 at place 3 of the line; save the file as UTF-8"),
        (b'"x\n\xe9",y\n', [], 3, "is not UTF-8: byte 0xE9 at place 1 of the line"),
        (b"1,\0\n", [], 2, "holds a NUL at place 3 of the line; remove it"),
        (b'1,"x" y\n', [], 2, 'a quoted cell goes on behind its closing quote; double each "'),
        (b'1,"x\n2,"y"\n', [(3, ("2", "y"))], 2, "a quote opens here and is not closed"),
        (b'1,"x\n', [], 2, "a quote opens here and is not closed at the end of a cell"),
        (b'"1\n2","x\n', [], 3, r"a quote opens here .* \(in the row that starts in line 2\)"),
        (b"1,x\ry\n", [], 2, "has a carriage return inside"),
        (b'"1",x\ry\n', [], 2, "has a carriage return inside"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_and_the_next_one_read(table, data, rows, line, reason):
    got, rejects = table(b"a,b\n" + data + b"8,9\n")
    ((at, why),) = rejects
    assert at == line
    assert re.match(reason, why), why
    assert got == [*rows, (4 + data.count(b"\n") - 2, ("8", "9"))]


@pytest.mark.parametrize(("ragged", "wrong"), [(True, [4]), (False, [2, 3, 4])])
def test_rows_of_uneven_length_are_read_where_only_empty_cells_are_missing_or_too_many(tmp_path, ragged, wrong):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1\n2,3,,\n4,5,,6\n")
    items = list(tables.read(path, ragged=ragged))
    assert [item.line for item in items if isinstance(item, Reject)] == wrong
    assert [item for item in items if not isinstance(item, Reject)] == [
        pair for pair in ((2, {"a": "1", "b": ""}), (3, {"a": "2", "b": "3"})) if pair[0] not in wrong
    ]


@pytest.mark.parametrize("length", [1_000_000, tables.MAX_CELL, tables.MAX_CELL + 1])
@pytest.mark.parametrize("quote", [b"", b'"'])
def test_a_long_cell_is_whole_or_rejected(table, length, quote):
    rows, rejects = table(b"a,b\n1," + quote + b"x" * length + quote + b"\n2,3\n")
    if length <= tables.MAX_CELL:
        assert [len(cells[1]) for _, cells in rows] == [length, 1]
        assert not rejects
    else:
        assert rows == [(3, ("2", "3"))]
        assert rejects == [(2, "a cell is longer than 10,000,000 characters; split it")]


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_an_endless_line_is_rejected_and_the_next_one_read(table, monkeypatch, name):
    monkeypatch.setattr(texts, "MAX_LINE", 1000)
    begin, good = {"t.csv": (b"a\n", b"1"), "t.jsonl": (b"\n", b'{"a": 1}')}[name]
    rows, rejects = table(begin + b"x" * 5001 + b"\n" + good + b"\n", name)
    assert (rows, rejects) == ([(3, ("1",))], [(2, "the line is longer than 1,000 bytes; split it")])


ROWS = b"a,b\n" + b"".join(b"%d,x%d\n" % (n, n * 7919) for n in range(50_000))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.csv", b"", "t.csv: is empty; fetch it again"),
        ("t.csv", b"\xef\xbb\xbf", "t.csv:1: has no header, only blank lines or comments"),
        ("t.csv", b"\n \n", "has no column 'a'; its columns are 'column 1'"),
        ("t.csv", b"b,c\n1,2\n", "t.csv:1: has no column 'a'; its columns are 'b', 'c'"),
        ("t.csv", b"a;b\n1;2\n", "its columns are 'a;b'; are semicolons between its cells"),
        ("t.csv", b"a,a\n1,2\n", "the column 'a' stands twice in the header; rename one"),
        ("t.csv", b"a,\xe9\n1,2\n", "t.csv:1: the header is not UTF-8: byte 0xE9"),
        ("t.csv", b'a,"b\n1,2\n', "t.csv:1: the header a quote opens here"),
        ("t.csv", b"a,b\r1,2\r", "t.csv:1: the header has a carriage return inside; end each line with a line feed"),
        ("t.csv", "a,b\n1,2\n".encode("utf-16"), "t.csv:1: is UTF-16; save it as UTF-8"),
        ("t.csv", "a,b\n1,2\n".encode("utf-16-le"), "t.csv:1: the header holds a NUL"),
        ("t.csv", b"PK\x03\x04xlsx", "is a zip archive or a spreadsheet; unpack it, or save the sheet as CSV"),
        ("t.csv.gz", b"a,b\n1,2\n", "is called .gz and is not packed with gzip; fetch it again, or rename it"),
        ("t.csv.gz", b"", "is empty"),
        ("t.csv.gz", gzip.compress(b"", mtime=0), "is empty"),
        (
            "t.csv.gz",
            gzip.compress(ROWS, mtime=0)[:-9000],
            r"t.csv.gz:\d{5}: is cut off after [\d,]+ unpacked bytes; fetch it",
        ),
        (
            "t.csv.gz",
            gzip.compress(ROWS, mtime=0)[:-8] + b"\0" * 8,
            r"t.csv.gz:\d+: is broken gzip after [\d,]+ .* fetch it again",
        ),
        ("t.csv.gz", gzip.compress(b"a\n1\n", mtime=0) + b"rest", "is broken gzip"),
        ("t.jsonl", b"", "is empty"),
        ("t.parquet", b"", "is empty"),
        ("t.parquet", b"PAR1nonsense", "is not sound Parquet: .*; fetch it again"),
        ("t.parquet", b"a,b\n1,2\n" * 9, "is not sound Parquet: .*; fetch it again"),
    ],
)
def test_a_file_that_is_no_table_is_one_clear_error(table, name, data, message):
    with pytest.raises(SourceFileError, match=message):
        table(data, name, ["a"])


@pytest.mark.parametrize("name", ["folder.csv", "none.csv", "none.jsonl", "none.parquet", "none.csv.gz"])
def test_a_file_that_cannot_be_opened_is_one_clear_error(tmp_path, name):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(SourceFileError, match=rf"{name}: (is a folder; give a file|cannot be read: No such file)"):
        list(tables.read(tmp_path / name))


def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n1\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(SourceFileError, match="cannot be read: Permission denied"):
        list(tables.read(path))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.jsonl"])
def test_memory_is_flat(tmp_path, name):
    path, text = tmp_path / name, "x" * 9_000
    line = f'{{"a": "1", "b": "{text}"}}\n' if "json" in name else f'1,"{text}"\n'
    with gzip.open(path, "wt", 1) if name.endswith("gz") else path.open("w") as file:
        file.write("" if "json" in name else "a,b\n")
        for _ in range(300):
            file.write(line * 50)
    read = "sum(1 for _ in tables.read(files[0]))"
    rows, grown = growth("from medgraph.loaders.files import tables", read, path)
    assert rows == 15_000
    assert grown < 20_000_000  # of 137 MB
