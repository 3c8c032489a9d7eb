"""The commands on the embedded server."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.queries.saved import PLACE, STYLE
from medgraph.settings import Settings

GUIDE = (PLACE / "README.md").read_text(encoding="utf-8")


def test_the_command_and_the_guide_tell_of_style_favorites_and_address(server, settings, tmp_path):
    file = tmp_path / "mine.zip"
    done = CliRunner().invoke(main, ["neo4j", "browser", "--no-open", "--favorites", str(file)], obj=settings)
    assert done.exit_code == 0, done.output
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert told["address"] == server.status().browser_uri
    assert "dbms=bolt://" in told["address"]
    assert told["password"] == server.password()
    assert told["style"].startswith(f"{STYLE} ")
    assert told["saved queries"].startswith(f"{PLACE} ")
    assert told["favorites"].startswith(f"{file} ")
    assert file.exists()
    for words in ("medgraph neo4j browser --favorites", f"`{STYLE.name}`", "bolt://", ":style reset", ":param name =>"):
        assert words in GUIDE


@pytest.fixture
def neo4j(tmp_path):
    """Runs a command on a server that was never started."""
    own = Settings(tmp_path, Settings.from_environment().cache, bolt_port=7111, http_port=7112)

    def call(*arguments, **changes):
        return CliRunner().invoke(main, ["neo4j", *map(str, arguments)], obj=replace(own, **changes))

    return call


def test_the_status_of_a_server_that_was_never_started(neo4j, tmp_path):
    done = neo4j("status")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert (lines["running"], lines["pid"], lines["ready"]) == ("False", "None", "False")
    assert lines["bolt uri"].endswith(":7111")
    data = json.loads(neo4j("status", "--json").stdout)
    assert {name.replace("_", " "): str(value) for name, value in data.items()} == lines
    assert (data["running"], data["pid"], data["home"]) == (False, None, str(tmp_path / "neo4j"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["password"], "there is no server in {home} yet; run `medgraph neo4j start`"),
        (["dump", "{tmp}/graph.dump"], "there is no database in {home} yet; run `medgraph neo4j start`"),
        (["restore", "--yes", "{tmp}/none"], "{tmp}/none is not a file; name one that `medgraph neo4j dump` wrote"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_needs_a_server_or_a_file(neo4j, tmp_path, arguments, message):
    done = neo4j(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"Error: {message.format(tmp=tmp_path, home=tmp_path / 'neo4j')}\n"
    assert not (tmp_path / "graph.dump").exists()


def test_a_graph_is_replaced_only_by_who_says_so(neo4j, tmp_path):
    done = neo4j("restore", tmp_path / "none")
    assert done.exit_code == 1
    assert "This replaces the whole graph. Go on?" in done.stdout
    assert "is not a file" not in done.output
