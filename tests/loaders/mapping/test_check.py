"""The check of a mapping: mistakes, counts, first records, and JSON."""

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


def test_check_lists_every_mistake_of_a_mapping(command, tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + "entities: [{ids: x}]\ntabel: x\n")
    code, out, err = command(tmp_path / "m.yaml")
    assert (code, out) == (1, "")
    assert [line.split(":")[1] for line in err.splitlines()[:-1]] == ["2", "2", "2", "2", "3"]
    assert err.splitlines()[-1].startswith("Error: 5 mistakes in ")


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


def test_check_foretells_what_the_writer_would_reject(command, tmp_path):
    relation = "relations: [{subject: 'clinic:{id}', type: IS_A, object: 'DOID:{id}'}]\n"
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY + relation)
    (tmp_path / "t.csv").write_text("id,name\n1,Asthma\n1,Gout\n")
    code, out, err = command(tmp_path / "m.yaml", tmp_path / "t.csv", "--show", "0")
    assert (code, out) == (1, "entities: 1\n")
    conflict, waiting, last = err.splitlines()
    assert "t.csv:3: clinic clinic:1: another record with this id and other content came before it" in conflict
    assert waiting.startswith("1 relations point to entities that the table does not bring, and are rejected unless")
    assert waiting.endswith("there is no entity 'DOID:1'; load first what has it")
    assert last == f"Error: 1 records of {tmp_path}/t.csv would be rejected"
