"""The commands on sources and mappings."""

import json
import re

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from tests.support.mappings import ENTITY, HEAD, check


def test_check_prints_the_first_records_and_every_error(tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    (tmp_path / "t.csv").write_text("id,name\n" + "".join(f"{n},N{n}\n" for n in range(9)) + "x\ny,\n")
    code, out, err = check(tmp_path / "m.yaml", tmp_path / "t.csv", "--show", "2")
    assert code == 1
    assert out.splitlines() == [
        "entities: 9",
        "  line 2: id 'clinic:0', label 'Disease', name 'N0'",
        "  line 3: id 'clinic:1', label 'Disease', name 'N1'",
    ]
    first, second, last = err.splitlines()
    assert first.startswith(f"{tmp_path}/t.csv:11: has 1 cell where the header has 2")
    assert second.startswith(f"{tmp_path}/t.csv:12: has no name: the column 'name' is empty")
    assert last == f"Error: 2 records of {tmp_path}/t.csv would be rejected"


def test_check_of_a_sound_mapping_and_its_json(tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    assert check(tmp_path / "m.yaml") == (0, "clinic: the mapping is sound\n", "")
    (tmp_path / "t.csv").write_text("id,name\na,A\n")
    code, out, _ = check(tmp_path / "m.yaml", tmp_path / "t.csv", "--json")
    assert code == 0
    assert json.loads(out)["records"] == {
        "entities": [{"line": 2, "record": {"id": "clinic:a", "label": "Disease", "name": "A"}}]
    }


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (b"id,name\n", ": no row below its header makes a record"),
        (b"", ": is empty; fetch it again, or give another file"),
        (None, ": cannot be read: No such file or directory"),
    ],
)
def test_a_table_without_records_is_no_mistake_of_the_mapping(tmp_path, table, said):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    path = tmp_path / "t.csv"
    if table is not None:
        path.write_bytes(table)
    last = f"Error: {path} cannot be loaded by {tmp_path}/m.yaml; the line above says why"
    assert check(tmp_path / "m.yaml", path) == (1, "", f"{path}:1{said}\n{last}\n")
    with pytest.raises(SourceFileError, match=re.escape(f"{path}:1{said}" if table else str(path))):
        list(registry.get(str(tmp_path / "m.yaml")).records(path))


def test_check_cuts_what_is_very_long(tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    (tmp_path / "t.csv").write_text(f"id,name\na,{'x' * 7000}\nb,{'y' * 9000}\n")
    code, out, err = check(tmp_path / "m.yaml", tmp_path / "t.csv")
    assert (code, len(out) < 500, len(err) < 500) == (1, True, True)
    assert f"{tmp_path}/t.csv:3: the name 'yyy" in err


def test_check_prints_a_hundred_problems_and_counts_the_others(tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    (tmp_path / "t.csv").write_text("id,name\na,A\n" + "x\n" * 103)
    code, out, err = check(tmp_path / "m.yaml", tmp_path / "t.csv", "--show", "1")
    assert (code, out.splitlines()[0]) == (1, "entities: 1")
    lines = err.splitlines()
    assert len(lines) == 102
    assert lines[99].startswith(f"{tmp_path}/t.csv:102: has 1 cell where the header has 2")
    assert lines[100:] == ["and 3 more", f"Error: 103 records of {tmp_path}/t.csv would be rejected"]


def test_every_source_is_listed(medgraph, sample_graph):
    rows = {row["source"]: row for row in json.loads(medgraph("sources", "--json"))["sources"]}
    assert rows.keys() == registry.SOURCES.keys()
    assert (rows["sample"]["loaded"], rows["sample"]["documents"]) == (True, 60)
    assert rows["medquad"]["loaded"] is False
    assert "CC-BY-4.0" in medgraph("sources")


def test_where_files_may_be_had_is_told(medgraph):
    rows = json.loads(medgraph("sources", "--available", "--json"))["sources"]
    assert next(row for row in rows if row["source"] == "medquad") == {
        "source": "medquad",
        "title": registry.SOURCES["medquad"].info.title,
        "file": "master.zip",
        "size": "15 MB",
        "licence": "CC-BY-4.0",
        "recipes": "consumer-health",
        "url": "https://github.com/abachaa/MedQuAD/archive/refs/heads/master.zip",
    }
    assert all(row["file"] and row["licence"] for row in rows)
    assert medgraph("sources", "--available").startswith("source ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(medgraph, shell):
    assert "_MEDGRAPH_COMPLETE" in medgraph("completion", shell)
