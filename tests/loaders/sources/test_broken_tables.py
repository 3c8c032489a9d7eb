"""Tables of each source, broken in each way that files are broken: what is good is read, and the rest is named."""

import gzip
import re
from itertools import islice

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from tests.support.memory import at_most
from tests.support.paths import FILES

SMALL = FILES
FILES = {
    "hpo-lay": "hpo-lay/layperson-synonyms.tsv",
    "do-names": "do/HumanDO.tsv",
    "do-xrefs": "do/allXREFinDO.tsv",
    "do-symptoms": "do/disease-symptom.tsv",
    "hetionet": "hetionet/hetionet-v1.0-nodes.tsv",
    "disease-tables": "disease-tables/chatdoctor.csv",
    "disease-pages": "disease-pages/pages.csv",
    "question-tables": "question-tables/chronic.csv",
}
MILLION = "x" * 1_000_000


@pytest.fixture(params=FILES)
def source(request):
    return registry.get(request.param)


@pytest.fixture
def good(source):
    return SMALL / FILES[source.info.id]


@pytest.fixture
def write(tmp_path, good):
    def to(content, name=good.name):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return to


def rejects_of(source, path):
    items = list(source.records(path))
    lines = (item for item in items if not getattr(item, "count", 0))  # which is of the whole file
    assert all(item.file == str(path) and item.line >= 1 for item in lines)
    assert any(isinstance(item, Row) for item in items)
    return {item.line: item.reason for item in items if isinstance(item, Reject)}


@pytest.mark.thorough
def test_each_real_file_is_recognised_by_its_own_source_alone(data):
    folders = ("citint", "healthver", "imapscore", "pubmedqa", "questions")
    tables = {name for name in FILES if registry.get(name).recognise}
    found = {}
    for path in sorted(data.rglob("*")):
        for name in tables:
            if registry.get(name).recognise(path):
                found.setdefault(path.relative_to(data).as_posix(), []).append(name)
    assert found == {
        "chatdoctor/format_dataset.csv": ["disease-tables"],
        "doid/HumanDO.tsv": ["do-names"],
        "doid/allXREFinDO.tsv": ["do-xrefs"],
        "doid/disease-symptom.tsv": ["do-symptoms"],
        "hetionet": ["hetionet"],
        "hetionet/hetionet-v1.0-nodes.tsv": ["hetionet"],
        "hpo/layperson-synonyms.tsv": ["hpo-lay"],
    }
    assert not [path for path in found if path.startswith(folders)]


def test_small_files_are_recognised_by_their_own_source_alone(source, good):
    assert [name for name in FILES if registry.get(name).recognise(good)] == [source.info.id]


@pytest.mark.parametrize(
    "name", ["packed.csv.gz", "broken.csv.gz", "empty.csv", "binary.csv", "folder.csv", "none.tsv"]
)
def test_what_is_no_table_is_not_recognised(tmp_path, source, name):
    path = tmp_path / name
    if name == "packed.csv.gz":
        path.write_bytes(gzip.compress(b"a,b\n1,2\n", mtime=0))
    elif name == "folder.csv":
        path.mkdir()
    elif name != "none.tsv":
        path.write_bytes(
            {"broken.csv.gz": b"\x1f\x8b\x08junk", "empty.csv": b"", "binary.csv": bytes(range(256))}[name]
        )
    assert not source.recognise(path)


def test_a_packed_file_gives_the_same(source, good, write):
    packed = write(gzip.compress(good.read_bytes(), mtime=0), f"{good.name}.gz")
    assert [_without_file(item) for item in source.records(packed)] == [
        _without_file(item) for item in source.records(good)
    ]


def _without_file(item):
    return item.line, getattr(item, "record", None), getattr(item, "reason", None), getattr(item, "text", None)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"\n\n", "no header"),
        (b"\x1f\x8b\x08\x00cut", "gzip|cut off"),
        ("id\tname\n".encode("utf-16"), "is UTF-16"),
        (b"PK\x03\x04rest", "zip archive"),
    ],
)
def test_a_file_that_is_no_table_is_refused(source, write, content, reason):
    path = write(content)
    with pytest.raises(SourceFileError, match=reason) as error:
        list(source.records(path))
    assert str(path) in str(error.value)


def test_a_folder_and_a_missing_file_are_refused(source, tmp_path):
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(SourceFileError):
            list(source.records(path))


def test_a_gzip_that_is_none_or_is_cut_off_is_refused(source, good, write):
    with pytest.raises(SourceFileError, match="not packed"):
        list(source.records(write(good.read_bytes(), f"{good.name}.gz")))
    with pytest.raises(SourceFileError, match="cut off"):
        list(source.records(write(gzip.compress(good.read_bytes(), mtime=0)[:-9], f"{good.name}.gz")))


def test_a_missing_header_is_refused(source, good, write):
    without = good.read_bytes().split(b"\n", 1)[1]
    with pytest.raises(SourceFileError, match="column"):
        list(source.records(write(without)))


def test_a_wrong_encoding_and_a_wrong_count_reject_their_line(source, good, write):
    lines = good.read_bytes().rstrip(b"\r\n").split(b"\n")
    number = len(lines)
    separator = b"\t" if good.suffix == ".tsv" else b","
    latin = re.sub(rb"[a-zA-Z]", b"\xe4", lines[-1], count=1)
    before = rejects_of(source, good)
    after = rejects_of(source, write(b"\n".join([*lines, latin, separator * 40, b"x" + separator + b"y", b""])))
    news = {line: reason for line, reason in after.items() if line > number}
    assert {line for line in after if line <= number} == set(before)
    assert "is not UTF-8" in news[number + 1]
    assert "cells where the header has" in news[number + 2]
    assert "cells where the header has" in news[number + 3]


def test_a_cut_off_line_rejects_itself_alone(source, good, write):
    lines = good.read_bytes().rstrip(b"\r\n").split(b"\n")
    cut = lines[1][: len(lines[1]) // 3]
    after = rejects_of(source, write(b"\n".join([*lines, cut])))
    assert len(lines) + 1 in after


@pytest.mark.timeout(120)  # to go back over it for every character would take hours
def test_a_field_of_a_million_characters_is_read_or_rejected(source, good, write):
    lines = good.read_text().splitlines()
    separator = "\t" if good.suffix == ".tsv" else ","
    columns = lines[0].count(separator) + 1
    for place in range(columns):
        row = [f"a{n}" for n in range(columns)]
        row[place] = MILLION
        items = list(source.records(write("\n".join([*lines, separator.join(row), ""]).encode())))
        assert all(len(item.reason) < 2000 for item in items if isinstance(item, Reject))
        assert all(len(item.text) < 2000 for item in items if isinstance(item, Remark))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hpo-lay", "do-names", "do-xrefs", "do-symptoms", "hetionet", "question-tables"])
def test_memory_stays_flat(tmp_path, name):
    source, good = registry.get(name), SMALL / FILES[name]
    forms = {
        "hpo-lay": '<http://purl.obolibrary.org/obo/HP_{0:07}>\t"label {0}"\t"lay name {0}"',
        "do-names": "DOID:{0}\tlabel {0}\tlabel {1}",
        "do-xrefs": "DOID:{0}\tlabel {0}\tMESH:D{0}",
        "do-symptoms": "DOID:{0}\tlabel {0}\tSYMP:{0}\tsymptom {0}",
        "hetionet": "Gene::{0}\tname {0}\tGene",
        "question-tables": "causes,disease {0},What causes {0}?,Cause {0}.,",
    }
    path = tmp_path / good.name
    with path.open("w") as file, good.open() as header:
        file.write(header.readline())
        file.writelines(forms[name].format(n, n // 2) + "\n" for n in range(5_000))
    list(islice(source.records(path), 100))  # what is imported lazily is imported now
    with at_most(2_200_000):  # all records at once would take 2.5 to 6.8 MB, one at a time take 1.0 to 1.7
        assert sum(1 for _ in source.records(path)) >= 5_000
    assert sum(1 for _ in islice(source.records(path), 10)) == 10  # and reading may stop anywhere
