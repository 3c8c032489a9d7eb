"""The commands that look for faults, from outside."""

import json

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.loaders.commands import load_named
from tests.support.audits import NAMES, SOUND
from tests.support.graphs import empty, run
from tests.support.schemas import mend


@pytest.fixture
def sound(database):
    run(database, SOUND)
    return database


@pytest.fixture
def audit(here):
    return lambda *arguments: CliRunner().invoke(main, ["audit", *map(str, arguments)], obj=here)


@pytest.fixture
def mended(graph):
    """The tests' database, empty, whose schema is made whole again afterwards."""
    empty(graph)
    yield graph
    mend(graph)


def test_an_audit(sound, audit, tmp_path):
    done = audit()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(f"0 errors, 0 warnings, 0 notes; {len(NAMES)} of {len(NAMES)} checks found nothing\n")
    two = ("--check", "sources_without_version", "--check", "sources_without_licence")
    run(sound, "MATCH (s:Source) SET s.version = ''")
    assert audit(*two).exit_code == 0
    assert "the source does not say which release it is: 1 [s]" in audit(*two).stdout
    assert audit(*two, "--fail-on", "warning").exit_code == 1
    run(sound, "MATCH (s:Source) SET s.licence = ''")
    done = audit(*two, "--json")
    assert done.exit_code == 1
    assert done.stderr == "Error: 1 finding of severity error or worse\n"
    data = json.loads(done.stdout)
    assert (data["error"], data["warning"], data["failed"]) == (1, 1, 0)
    (finding,) = next(c for c in data["checks"] if c["check"] == "sources_without_licence")["findings"]
    assert (finding["severity"], finding["source"], finding["examples"]) == ("error", "s", ["s: S"])
    assert audit(*two, "--fail-on", "never").exit_code == 0
    run(sound, "MATCH (e:Entity {id: 's:pain'}) SET e.name = 'Gout', e:Disease")
    assert "warning 2 entities :Disease are called" in audit("--check", "duplicate_names").stdout
    known = tmp_path / "known.json"
    known.write_text(done.stdout)
    assert audit(*two, "--known", known, "--fail-on", "warning").exit_code == 0
    file = tmp_path / "report.md"
    assert audit("--markdown", file, "--check", "sources_without_licence").exit_code == 1
    assert "**error** the source states no licence" in file.read_text()
    assert "sources_without_version" not in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "nope"], "the graph holds no source 'nope'"),
        (["--check", "nope"], "there is no check 'nope'; the checks are: claims_adrift, duplicate_names"),
        (["--known", "nope.json"], "nope.json cannot be read"),
        (["--markdown", "nope/report.md"], "nope/report.md cannot be written: there is no folder"),
        (["--fail-on", "note"], "'note' is not one of"),
    ],
)
def test_what_cannot_be_audited(sound, audit, arguments, message):
    done = audit(*arguments)
    assert done.exit_code == 1
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_examination_by_the_doctor(mended, settings):
    def call(*arguments):
        return CliRunner().invoke(main, ["doctor", *arguments], obj=settings)

    load_named(mended, settings, "sample")
    done = call()
    assert done.exit_code == 0  # mere warnings
    assert "warning vectors:uncut: 480 sections are not cut into chunks" in done.stdout
    assert "        to mend it: medgraph index\n" in done.stdout
    assert "warning concepts: 114 entities stand for no concept" in done.stdout
    run(mended, "DROP INDEX section_chunked")
    done = call("--json")
    assert done.exit_code == 1
    assert done.stderr == "Error: 1 broken, 3 to look at; each says what mends it\n"
    data = json.loads(done.stdout)
    assert (data["sound"], data["broken"], data["warning"]) == (False, 1, 3)
    assert data["findings"][0] == {
        "id": "index:section_chunked",
        "level": "broken",
        "what": "the range index section_chunked is missing",
        "where": mended.uri,
        "remedy": "medgraph schema apply",
    }
