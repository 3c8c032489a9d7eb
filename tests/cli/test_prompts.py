"""The command that shows the prompts."""

import json
from dataclasses import asdict

import pytest
from click.testing import CliRunner

from medgraph.answers import prompting
from medgraph.cli.main import main

TEXT = "---\npaper: none\nversion: 1\nvariables: question\n---\n# user\n\n{question}\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    (tmp_path / "some.md").write_text(TEXT)
    read = prompting.prompt("some", tmp_path)
    monkeypatch.setattr(prompting, "names", lambda: ["some"])
    monkeypatch.setattr(prompting, "prompt", lambda name: read)


def call(*arguments):
    result = CliRunner().invoke(main, ["prompts", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_they_are_listed():
    assert "some  none   1        question" in call()
    (row,) = json.loads(call("--json"))["prompts"]
    assert row.keys() == {"name", "paper", "version", "variables", "hash"}


def test_one_is_shown():
    assert call("some") == TEXT
    (row,) = json.loads(call("some", "--json"))["prompts"]
    assert row == {**asdict(prompting.prompt("some")), "variables": "question"}
