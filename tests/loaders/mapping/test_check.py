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
