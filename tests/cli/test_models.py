"""The commands on language models."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.models.open import SMOLLM2, fetch
from medgraph.settings import Settings
from tests.support.scripted import Scripted, result, says, status


@pytest.fixture
def own(tmp_path):
    return Settings(tmp_path, tmp_path)


def call(settings, *arguments):
    return CliRunner().invoke(main, ["models", *arguments], obj=settings)


def test_list(own):
    shown = call(own, "list").stdout
    assert "licence: Apache-2.0" in shown
    assert "good for: For wiring and tests only, never for health answers." in shown
    (row,) = json.loads(call(own, "list", "--json").stdout)["models"]
    assert (row["name"], row["fetched"]) == ("smollm2-135m", False)


def test_the_licence_is_shown_before_anything_is_fetched(own, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    result = call(own, "get", "smollm2-135m")
    assert result.exit_code == 1
    lines = result.stderr.splitlines()
    fetching = next(n for n, line in enumerate(lines) if line.startswith("fetching"))
    assert lines.index("licence: Apache-2.0") < fetching
    assert lines[-1].startswith("Error: the language model SmolLM2-135M-Instruct could not be fetched")
    assert call(own, "get", "big").stderr == "Error: no model is called 'big'; there is smollm2-135m\n"


@pytest.mark.thorough
def test_try_the_small_model():
    usual = Settings.from_environment()
    fetch(SMOLLM2, usual, lambda line: None)
    result = call(usual, "try", "smollm2-135m", "What is gout?", "--max-tokens", "5")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.strip()
    assert "5 written, cut off there" in result.stderr
    assert "This model is for wiring and tests only" in result.stderr


def test_try_a_server(own, monkeypatch):
    with Scripted(says("Rest."), status(401)) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = call(replace(own, model="gguf:other"), "try", "openai:scripted-1", "What helps?")
        assert (done.exit_code, done.stdout) == (0, "Rest.\n")
        assert "2 tokens read, 1 written, in" in done.stderr
        refused = call(own, "try", "openai:scripted-1", "What helps?")
    assert refused.exit_code == 1
    assert refused.stderr.splitlines()[-1].endswith("refuses the key (401); check OPENAI_API_KEY")


def test_try_by_batch_files(own, tmp_path):
    arguments = ("try", "openai:big", "What helps?", "--batch", str(tmp_path / "batch"))
    waits = call(own, *arguments)
    assert (waits.exit_code, waits.stdout) == (3, "")
    first, second = waits.stderr.splitlines()
    assert first.startswith(f"1 request waits in {tmp_path / 'batch' / 'requests.jsonl'}, which any batch service")
    assert second.endswith("as another file .jsonl, and run the same command again")
    line = json.loads((tmp_path / "batch" / "requests.jsonl").read_text())
    (tmp_path / "batch" / "results.jsonl").write_text(json.dumps(result(line, says("Rest.", model="big"))))
    done = call(own, *arguments)
    assert (done.exit_code, done.stdout) == (0, "Rest.\n")
    none = call(own, "try", "big", "What helps?", "--batch", str(tmp_path / "batch"))
    assert none.exit_code == 1
    assert "MEDGRAPH_MODEL is 'big'; set it to" in none.stderr
