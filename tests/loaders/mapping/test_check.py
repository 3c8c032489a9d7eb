"""The check of a mapping: mistakes, counts, first records, and JSON."""

import json
import re

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.settings import Settings
from tests.support.mappings import ENTITY, HEAD


@pytest.fixture
def command(tmp_path):
    def call(*arguments):
        result = CliRunner().invoke(main, ["mapping", "check", *map(str, arguments)], obj=Settings.from_environment())
        return result.exit_code, result.stdout, result.stderr

    return call


def test_check_prints_the_first_records_and_every_error(command, tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    (tmp_path / "t.csv").write_text("id,name\n" + "".join(f"{n},N{n}\n" for n in range(9)) + "x\ny,\n")
    code, out, err = command(tmp_path / "m.yaml", tmp_path / "t.csv", "--show", "2")
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


def test_check_lists_every_mistake_of_a_mapping(command, tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + "entities: [{ids: x}]\ntabel: x\n")
    code, out, err = command(tmp_path / "m.yaml")
    assert (code, out) == (1, "")
    assert [line.split(":")[1] for line in err.splitlines()[:-1]] == ["2", "2", "2", "2", "3"]
    assert err.splitlines()[-1].startswith("Error: 5 mistakes in ")


def test_check_of_a_sound_mapping_and_its_json(command, tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    assert command(tmp_path / "m.yaml") == (0, "clinic: the mapping is sound\n", "")
    (tmp_path / "t.csv").write_text("id,name\na,A\n")
    code, out, _ = command(tmp_path / "m.yaml", tmp_path / "t.csv", "--json")
    assert code == 0
    assert json.loads(out)["records"] == {
        "entities": [{"line": 2, "record": {"id": "clinic:a", "label": "Disease", "name": "A"}}]
    }


@pytest.mark.parametrize(
    ("mapping_text", "table", "message"),
    [
        (None, None, r"m\.yaml:1: cannot be read: No such file"),
        ("a: !!python/object/apply:os.system [x]", None, r"m\.yaml:1: has the tag"),
        (HEAD + ENTITY, None, r"t\.csv:1: cannot be read: No such file"),
        (HEAD + ENTITY, "id,nam\n", r"m\.yaml:2: t\.csv has no column 'name', which"),
    ],
)
def test_check_of_files_that_cannot_be_used(command, tmp_path, mapping_text, table, message):
    if mapping_text:
        (tmp_path / "m.yaml").write_text(mapping_text)
    if table:
        (tmp_path / "t.csv").write_text(table)
    code, out, err = command(tmp_path / "m.yaml", tmp_path / "t.csv")
    assert (code, out) == (1, "")
    assert re.search(message, err), err
    assert re.search(r"Error: 1 mistakes? in", err)
