"""The command of the gate: its table, and how it fails."""

import json
from contextlib import nullcontext
from dataclasses import replace

import pytest

from medgraph.settings import Settings
from medgraph_lab.evaluation import gate_outcomes
from medgraph_lab.evaluation.gate_outcomes import AnswerOutcome, EmergencyOutcome, Outcomes
from medgraph_lab.evaluation.gate_sets import GateSelection

CHOSEN = GateSelection({"unseen": [f"q{i}" for i in range(20)]}, {"medquad": [], "pubmedqa": []})
GOOD = Outcomes(
    [AnswerOutcome("unseen", f"q{i}", "question", True, "answered", 4, 4, 0.9) for i in range(20)],
    alarms=[EmergencyOutcome("he is not breathing", "unconscious", told=True)],
    searching=[10.0],
    asking=[30.0],
)
BAD = replace(GOOD, asked=[replace(one, status="related", first=1, best=1) for one in GOOD.asked])


@pytest.fixture
def gate(evaluate, tmp_path, monkeypatch):
    """Runs the command where what comes of the questions is given."""
    own = Settings(tmp_path, tmp_path)
    monkeypatch.setattr("medgraph.graph.connect.scratch_graph", lambda _: nullcontext(("the graph", own)))
    monkeypatch.setattr("medgraph_lab.evaluation.gate.check", lambda _: None)
    monkeypatch.setattr("medgraph_lab.evaluation.gate_sets.grades_of", lambda _: {})
    monkeypatch.setattr("medgraph_lab.evaluation.gate_sets.pages_of", lambda _: {})
    monkeypatch.setattr("medgraph_lab.evaluation.gate_sets.choose", lambda *_: CHOSEN)
    monkeypatch.setattr("medgraph_lab.evaluation.gate.read_inputs", lambda *_: None)
    frozen = tmp_path / "frozen.jsonl"

    def run(outcomes, *options):
        monkeypatch.setattr("medgraph_lab.evaluation.gate.run", lambda *_: outcomes)
        return evaluate("gate", "--data", tmp_path, "--grades", tmp_path, "--frozen", frozen, *options)

    gate_outcomes.write(frozen, "as it was", CHOSEN, GOOD)
    return run


def test_as_good_as_frozen_passes(gate):
    done = gate(GOOD)
    assert (done.exit_code, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["answered", "all", "20", "1", "1"] in [row[:5] for row in rows]
    assert ["p50", "30", "10", "3"] in rows


@pytest.mark.thorough
def test_worse_fails_and_names_rows_and_questions(gate):
    done = gate(BAD)
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert "answered (all) fell from 1.000 to 0.000:" in lines
    assert "  q0 (question): answered, first 4, best 4, nDCG 0.90 → related, first 1, best 1, nDCG 0.90" in lines
    assert lines[-1] == "Error: 3 of 12 figures are worse than frozen"
    rows = json.loads(gate(BAD, "--json").stdout)["rows"]
    assert [row["measure"] for row in rows if row["failed"]] == ["answered", "right", "helpful"]


@pytest.mark.thorough
def test_freezing_writes_the_figures_with_the_reason(gate, tmp_path):
    assert gate(BAD, "--freeze", "answers less on purpose").exit_code == 0
    assert (tmp_path / "frozen.jsonl").read_text().startswith('{"reason": "answers less on purpose"')
    assert gate(BAD).exit_code == 0
    assert gate(GOOD).exit_code == 0


def test_a_file_that_is_not_there_is_told(gate, tmp_path):
    (tmp_path / "frozen.jsonl").unlink()
    done = gate(GOOD)
    assert done.exit_code == 1
    assert "--freeze REASON" in done.stderr
