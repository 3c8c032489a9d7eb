"""The command that measures how answers are checked: what it calls, what it prints, and what it refuses."""

import json
from contextlib import nullcontext
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from tests.support.commands import MADE_WITH
from tests.support.verifiers import write_inferring

FAULTS = [{"sentences": "all faults", "count": 2, "both": 1.0}]
CLAIMS = [{"set": "healthver", "way": "signs", "pairs": 3, "macro_f1": 0.5}]


@pytest.fixture
def evaluate(settings, monkeypatch, tmp_path):
    """Runs the command over no graph, and notes what it calls."""
    calls = []
    monkeypatch.setattr("medgraph.graph.connect.connect", lambda _: nullcontext("the graph"))
    monkeypatch.setattr("medgraph.schema.migrate.check", lambda _: None)
    monkeypatch.setattr("medgraph.cli.evaluate_verification.encoder_of", lambda _: lambda: "the encoder")
    monkeypatch.setattr("medgraph.evaluation.claims.read_healthver", lambda path: f"of {path.name}")
    monkeypatch.setattr("medgraph.evaluation.claims.read_citint", lambda _, part: part)
    monkeypatch.setattr("medgraph.evaluation.verification.faults", lambda *given: calls.append(given[1:]) or FAULTS)
    monkeypatch.setattr("medgraph.evaluation.verification.labelled", lambda *given: calls.append(given) or CLAIMS)
    elsewhere = replace(settings, neo4j_uri="bolt://127.0.0.1:1")

    def run(*options, verifier=None):
        given = replace(elsewhere, verifier=verifier)
        return CliRunner().invoke(main, ["evaluate", "verification", *map(str, options)], obj=given), calls

    return run


def test_faults_are_measured_and_claims_where_they_are_given(evaluate, tmp_path):
    done, calls = evaluate("--json", "--sample", 20)
    assert json.loads(done.stdout) == {"rows": FAULTS, **MADE_WITH}
    assert calls == [(20, None)]
    done, calls = evaluate("--data", tmp_path)
    assert "healthver" in done.stdout
    pairs, learned, encoder, reader = calls[2]
    assert pairs == {"healthver": "of healthver_dev.csv", "citint": "dev"}
    assert (learned, encoder, reader) == ("train", "the encoder", None)


def test_the_cross_encoder_that_is_set_is_measured(evaluate, tmp_path):
    folder = write_inferring(tmp_path / "mine")
    done, calls = evaluate("--data", tmp_path, verifier=str(folder))
    assert done.exit_code == 0
    assert calls[0][1].chances([("a", "b")]).shape == (1, 3)
    assert calls[1][3] is not None
