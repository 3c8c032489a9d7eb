"""The file of frozen outcomes."""

import pytest

from medgraph.errors import SourceFileError
from medgraph_lab.evaluation import gate_outcomes
from medgraph_lab.evaluation.gate_outcomes import Outcomes
from medgraph_lab.evaluation.gate_sets import SETS, GateSelection
from tests.support.paths import ROOT

CHOSEN = GateSelection({"unseen": ["1"]}, {"medquad": ["a.xml"], "pubmedqa": []})


@pytest.mark.parametrize("line", ["{", "[]", '{"of": "other"}', '{"of": "linked", "id": "7"}', '{"questions": {}}'])
def test_another_file_is_refused(tmp_path, line):
    path = tmp_path / "frozen.jsonl"
    gate_outcomes.write(path, "as it was", CHOSEN, Outcomes())
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(SourceFileError, match="--freeze REASON") as error:
        gate_outcomes.read(path)
    assert error.value.line == 2
    path.write_text("")
    with pytest.raises(SourceFileError, match="holds nothing"):
        gate_outcomes.read(path)


def test_what_the_gate_froze_has_all_sets():
    chosen, outcomes = gate_outcomes.read(ROOT / "tests" / "data" / "gate" / "frozen.jsonl")
    assert {one.set for one in outcomes.asked} == chosen.questions.keys() == SETS.keys()
    assert len(outcomes.asked) > 200
    assert len(outcomes.alarms) == 120
    assert outcomes.read
    assert outcomes.linked
