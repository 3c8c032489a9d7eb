"""A fixture of the command line, for its tests and those of the lab."""

import re

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main

JOINED = re.compile(r"[0-9,]+ entities stand for [0-9,]+ concepts, .+ refused")
"""What a command says first that joined what was loaded since."""


@pytest.fixture
def medgraph(here):
    """Runs a command and gives what it printed; or, for one that must fail, its one line of complaint."""

    def call(*arguments, fails=False, settings=here):
        result = CliRunner().invoke(main, [str(a) for a in arguments], obj=settings)
        if not fails:
            assert result.exit_code == 0, result.output
            return result.stdout
        assert isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code == 1
        assert result.stdout == "" or fails == "after printing"
        *notes, line = result.stderr.splitlines()
        assert line.startswith("Error: "), result.stderr
        assert [note for note in notes if not JOINED.fullmatch(note)] == [], result.stderr
        return line.removeprefix("Error: ")

    return call
