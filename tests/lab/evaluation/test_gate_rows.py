"""When the gate fails: by what is lost beyond chance, and by a single emergency."""

from dataclasses import replace

import pytest

from medgraph_lab.evaluation.gate_outcomes import (
    SHOWN,
    AnswerOutcome,
    EmergencyOutcome,
    LinkingOutcome,
    Outcomes,
    ReadingOutcome,
    rows,
)
from tests.support.points import few

ASKED = [
    AnswerOutcome("unseen" if i % 2 else "held", f"q{i}", "question", True, "answered", 4, 4, 0.8 - 0.001 * (i % 7))
    for i in range(150)
]
OTHERS = [AnswerOutcome("held", f"n{i}", "message", False, "related", 2, 2, None) for i in range(50)]
READ = [ReadingOutcome(f"q{i}", (0.9, 0.2 + 0.01 * (i % 5), 0.4), (True, False, False)) for i in range(40)]
LINKED = [LinkingOutcome(f"t{i}", 8, 1, 2, 9) for i in range(40)]
ALARMS = [
    *(EmergencyOutcome(f"he has a stroke {i}", "stroke", told=i > 0) for i in range(20)),
    *(EmergencyOutcome(f"what is a stroke {i}", "", told=i < 1) for i in range(20)),
]
FROZEN = Outcomes([*ASKED, *OTHERS], READ, LINKED, ALARMS, [10.0, 20.0], [30.0, 50.0])


def worse(kind, count, **changes):
    """The frozen outcomes with the first ones of a kind changed."""
    given = getattr(FROZEN, kind)
    return replace(FROZEN, **{kind: [*(replace(one, **changes) for one in given[:count]), *given[count:]]})


def failing(now):
    return {(row.measure, row.set): row for row in rows(now, FROZEN) if row.failed}


def test_the_same_outcomes_pass_and_every_figure_is_there():
    found = {(row.measure, row.set): row for row in rows(FROZEN, FROZEN)}
    assert not any(row.failed or row.changed or row.more or row.low or row.high for row in found.values())
    assert {name for _, name in found} == {"unseen", "held", "all"}
    figures = {measure: (row.n, round(row.now, 2)) for (measure, name), row in found.items() if name == "all"}
    assert figures == {
        "answered": (200, 0.75),
        "right": (200, 1.0),
        "helpful": (200, 1.0),
        "false": (200, 0.0),
        "nDCG@10": (200, 0.8),
        "sentence AUC": (40, 1.0),
        "linking F1": (40, 0.84),
        "linking accuracy": (40, 0.9),
        "emergency recall": (40, 0.95),
        "emergency precision": (40, 0.95),
    }


LOSSES = [
    ("asked", {"status": "related"}, {"answered"}),
    ("linked", {"right": 2, "missed": 8}, {"linking F1"}),
    ("asked", {"first": 1}, {"right"}),
    ("asked", {"best": 2}, {"helpful"}),
    ("asked", {"ndcg": 0.1}, {"nDCG@10"}),
    ("read", {"helps": (0.1, 0.9, 0.9)}, {"sentence AUC"}),
    ("linked", {"named": 1}, {"linking accuracy"}),
]


@pytest.mark.parametrize(("kind", "changes", "measures"), few(LOSSES, 5))
def test_a_loss_beyond_chance_fails_its_row_and_names_questions(kind, changes, measures):
    found = failing(worse(kind, 12, **changes))
    assert found.keys() == {(measure, "all") for measure in measures}
    for row in found.values():
        assert row.more < -row.tolerance
        assert row.high < 0
        assert len(row.changed) == SHOWN
        assert row.changed[0].startswith(getattr(FROZEN, kind)[0].id)


@pytest.mark.parametrize(
    ("place", "told", "measure"), [(5, False, "emergency recall"), (25, True, "emergency precision")]
)
def test_a_single_emergency_that_is_lost_fails(place, told, measure):
    alarms = [replace(one, told=told) if i == place else one for i, one in enumerate(ALARMS)]
    found = failing(replace(FROZEN, alarms=alarms))
    assert found.keys() == {(measure, "all")}
    assert found[measure, "all"].changed == (ALARMS[place].id,)
