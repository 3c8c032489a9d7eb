"""The commands that load, list and unload sources, from outside."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.loaders import registry
from tests.support.loads import corpus_lines
from tests.support.paths import FILES

KNOWN = ", ".join(sorted(registry.SOURCES))


@pytest.fixture
def medgraph(database, settings, own_settings, server):
    """Runs the command on the tests' database."""
    own = replace(own_settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())
    return lambda *arguments: CliRunner().invoke(main, [*map(str, arguments)], obj=own)


def test_the_command_loads_lists_and_unloads(medgraph):
    path = FILES / "documents" / "corpus.jsonl"
    dry = medgraph("load", "documents", path, "--as", "mine", "--dry-run", "--json")
    assert json.loads(dry.stdout)["added"] == 3
    assert medgraph("unload", "mine").exit_code == 1
    loaded = medgraph("load", "documents", path, "--as", "mine", "--licence", "CC0-1.0")
    assert (loaded.exit_code, loaded.stderr) == (0, "")
    assert loaded.stdout == "mine: 3 records added, 0 changed, 0 unchanged, 0 rejected\n"
    listed = json.loads(medgraph("sources", "--json").stdout)["sources"]
    assert [row["documents"] for row in listed if row["source"] == "mine"] == [3]
    assert medgraph("unload", "mine").stdout == "mine: 3 records taken out, 10 nodes removed\n"


def test_the_command_fails_when_something_was_rejected(medgraph, tmp_path):
    path = corpus_lines(tmp_path / "corpus.jsonl", b"{", good=3)
    result = medgraph("load", "documents", path)
    assert result.exit_code == 1
    assert result.stdout == "documents: 3 records added, 0 changed, 0 unchanged, 1 rejected\n"
    rejects = next((tmp_path / "home" / "rejects").iterdir())
    assert result.stderr == f"Error: 1 of 4 records rejected; see {rejects}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["load", "wikipedia"], f"there is no source 'wikipedia'; known are {KNOWN}, or give a mapping: FILE.yaml"),
        (["load", "medquad"], "the source medquad needs a path: medgraph load medquad PATH"),
        (["load", "medquad", "/nowhere.zip"], "/nowhere.zip: there is no such file or folder"),
        (["load", "medquad", "/" + "x" * 300], f"/{'x' * 300}: cannot be read: File name too long"),
        (
            ["load", "sample", "--limit", "3", "--replace"],
            "--limit reads a part of a file, and --replace takes it for the whole; leave one of them out",
        ),
        (
            ["load", "obo", "x", "-o", "a=1", "-o", "a=2"],
            "the option a of the source is given twice (see main load --help)",
        ),
        (["unload", "wikipedia"], "the graph holds no source 'wikipedia'; medgraph sources lists what is loaded"),
    ],
)
def test_the_command_fails_with_one_line(medgraph, arguments, message):
    result = medgraph(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {message}\n"


def test_a_file_of_another_source_is_told(medgraph, tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"graphs": [{"nodes": []}]}')
    result = medgraph("load", "obo", path)
    assert f"{path} looks like a file of the source obographs: medgraph load obographs {path}\n" in result.stderr
    assert "mend" not in result.stderr


def test_a_second_undo_that_takes_the_source_out_asks(medgraph, tmp_path):
    for number in (3, 4):
        path = corpus_lines(tmp_path / f"corpus{number}.jsonl", good=number)
        assert medgraph("load", "documents", path).exit_code == 0
    assert medgraph("undo", "documents").exit_code == 0
    asked = medgraph("undo", "documents")
    assert asked.exit_code == 1
    assert "only the first load of documents is left; take the whole source out?" in asked.stderr
    assert medgraph("undo", "documents", "--yes").stdout.startswith(
        "documents: the load of corpus3.jsonl is taken back"
    )
