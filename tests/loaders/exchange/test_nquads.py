"""N-Quads: what is wrong with a file, and what is read all the same."""

import gzip

import pytest

from medgraph.errors import SourceFileError
from medgraph.exports import nquads as nquads_export
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.exchange import nquads
from tests.support.exchange import STATEMENTS


@pytest.fixture
def path(tmp_path):
    nquads_export.write(tmp_path / "all.nq", STATEMENTS)
    return tmp_path / "all.nq"


def read(path):
    items = list(nquads.records(path))
    records = [item.record for item in items if isinstance(item, Row)]
    return records, [i for i in items if isinstance(i, Reject)], [i for i in items if isinstance(i, Remark)]


def test_describe_and_recognise(path, tmp_path):
    assert nquads.recognise(path)
    assert (nquads.describe(path).id, nquads.describe(path).licence) == ("all", "CC0-1.0")
    nquads_export.write(tmp_path / "one.nq", STATEMENTS[:1])
    assert nquads.describe(tmp_path / "one.nq") == STATEMENTS[0][1]
    (tmp_path / "other.nq").write_text('<a:b> <c:d> "e" .\n')
    assert not nquads.recognise(tmp_path / "other.nq")
    assert not nquads.recognise(tmp_path)


def test_packed_with_gzip(path):
    packed = path.with_suffix(".nq.gz")
    packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    assert read(packed)[0] == read(path)[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b'<a:b> <c:d> "e" .\n', "holds nothing that medgraph export nquads wrote"),
        ("é".encode("utf-16"), "is UTF-16"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, data, message):
    path = tmp_path / "x.nq"
    path.write_bytes(data)
    with pytest.raises(SourceFileError, match=message):
        list(nquads.records(path))
    with pytest.raises(SourceFileError, match="is a folder"):
        list(nquads.records(tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            '"asthma" <urn:medgraph:source:one> .',
            '"asthma',
            "is no line of N-Quads: Unexpected end of file; was the",
        ),
        ('"asthma"', '"asth\\u0007ma"', "the name holds the control character U+0007"),
        ('vocabulary:label> "Disease"', 'vocabulary:label> "Illness"', "the label 'Illness' is not one of"),
        ('vocabulary:label> "Disease"', 'vocabulary:lable> "Disease"', "the entity has the unknown 'lable'"),
        ('vocabulary:type> "HAS_SYMPTOM"', "vocabulary:type> <x:y>", "the relation has no 'type'"),
        ('"text"', '""', "the document 'd1': line"),
        ('vocabulary:document> "d1"', 'vocabulary:document> "d2"', "belongs to the document 'd2'"),
    ],
)
def test_things_that_cannot_be_used(path, old, new, reason):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    rejects = read(path)[1]
    assert reason in " ".join(reject.reason for reject in rejects)
    assert all(reject.file == str(path) and reject.line > 1 for reject in rejects)


def test_two_values_where_one_can_be_and_a_graph_that_is_none(path):
    text = path.read_text()
    line = next(line for line in text.splitlines(keepends=True) if "rdf-schema#label" in line and '"asthma"' in line)
    path.write_text(text.replace(line, line + line.replace("asthma", "other"), 1))
    (reject,) = read(path)[1]
    assert "it has two values of 'name', which can have one" in reject.reason
    path.write_text(text.replace("<urn:medgraph:source:one> .", "<urn:x> ."))
    assert "graphs are called <urn:medgraph:source:…>" in read(path)[1][0].reason


def test_lines_that_are_not_utf8_and_what_is_not_ours(path):
    data = path.read_bytes()
    path.write_bytes(data + b'\xff\n<x:a> <x:b> "c" <urn:medgraph:source:one> .\n# a remark\n')
    records, rejects, remarks = read(path)
    assert len(records) == len(STATEMENTS)
    assert ["is not UTF-8" in reject.reason for reject in rejects] == [True]
    assert [remark.text[:22] for remark in remarks] == ["what is said of <x:a>,"]


def test_what_is_wrong_with_a_line_and_the_lines_around_it_are_read(path):
    lines = path.read_text().splitlines()
    wrong = [
        '<a:b> <c:d> "e" . <a:b> <c:d> "f" .',
        "<a:b> <c:d>",
        '"e" .',
        '<a> <c:d> "e" .',
        '<a:b> <c:d> "\\uD800" .',
    ]
    for number, line in enumerate(wrong):
        lines.insert(4 * number + 2, line)
    path.write_text("\n".join(lines))
    records, rejects, _ = read(path)
    assert len(records) == len(STATEMENTS)
    assert [reject.line for reject in rejects] == [3, 7, 11, 15, 19]
    assert all(reject.reason.startswith("is no line of N-Quads: ") for reject in rejects)


def test_valid_lines_of_other_forms_are_read(path):
    extra = '_:b <x:y> "e"@en .\n<x:a>\t<x:b> <x:c>.# a remark\n <x:\\u0061> <x:b> """" .\n'.replace('""""', '"\\""')
    path.write_text(path.read_text() + extra)
    records, rejects, remarks = read(path)
    assert (len(records), rejects) == (len(STATEMENTS), [])
    assert [remark.text[:20] for remark in remarks] == ["what is said of <_:b"]
