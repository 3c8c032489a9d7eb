"""The gate: the graph it loads, what it asks, its frozen outcomes, and when it fails."""

import json
import zipfile
from dataclasses import replace

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph_lab.evaluation import gate, gate_outcomes
from medgraph_lab.evaluation.gate import Gate, Inputs, read_inputs
from medgraph_lab.evaluation.gate_outcomes import (
    SHOWN,
    AnswerOutcome,
    EmergencyOutcome,
    LinkingOutcome,
    Outcomes,
    ReadingOutcome,
    rows,
)
from medgraph_lab.evaluation.gate_sets import SETS, GateSelection, grades_of
from medgraph_lab.evaluation.sets.meqsum import Message
from tests.support.emergencies import FOLDER
from tests.support.paths import ROOT
from tests.support.points import few

CORPUS = "1|t|Gout and flu\n1|a|No gout.\n1\t0\t4\tGout\tSpecificDisease\tD006073\n"
GRADES = {"unseen": {"1": {"sample:gout#6": 4, "sample:gout#7": 2}, "2": {"sample:gout#6": 1}}}
MESSAGES = {
    "1": Message("1", "Hello. My father has gout. How is gout treated?", "How is gout treated?"),
    "2": Message("2", "", "best pizza in town"),
}
EMERGENCIES = {"his face is drooping and he can't speak": "stroke", "what is a stroke?": ""}


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS)
    return path


@pytest.mark.thorough
def test_everything_is_asked_and_a_second_run_finds_the_same(sample_graph, settings, encoder, sentence_reader, corpus):
    sentences = {("1", "how it is treated", "sample:gout#6", 0, 10**6): 3}
    inputs = Inputs(GRADES, sentences, MESSAGES, EMERGENCIES)
    chosen = GateSelection({"unseen": ["1", "2"]}, {})
    first, second = (
        Gate(sample_graph, settings, lambda: encoder, lambda: sentence_reader, inputs).run(chosen, corpus)
        for _ in range(2)
    )
    assert [(one.id, one.asked, one.status, one.first) for one in first.asked[:2]] == [
        ("1", "question", "answered", 4),
        ("1", "message", first.asked[1].status, first.asked[1].first),
    ]
    assert first.asked[2] == AnswerOutcome("unseen", "2", "question", False, "not_enough_evidence", None, 0, None)
    assert first.asked[0].ndcg > 0.5
    assert first.read == [ReadingOutcome("1", (0.0,), (True,))]
    assert first.alarms == [EmergencyOutcome(text, kind, told=bool(kind)) for text, kind in EMERGENCIES.items()]
    assert [one.id for one in first.linked] == ["1"]
    assert len(first.asking) == len(first.searching) == 3
    assert replace(first, asking=[], searching=[]) == replace(second, asking=[], searching=[])
    assert not any(row.failed for row in gate_outcomes.rows(second, first))


def test_inputs_are_the_graded_questions_and_60_emergencies_and_60_mentions(data):
    grades = grades_of(FOLDER)
    inputs = read_inputs(data, FOLDER, grades)
    assert {question for given in grades.values() for question in given} <= inputs.messages.keys()
    kinds = list(inputs.emergencies.values())
    assert (sum(map(bool, kinds)), len(kinds)) == (60, 120)


TABLE = (
    "idx,disease,Symptom,reason,TestsAndProcedures,commonMedications\n"
    "0,Gout,pain,Gout is a form of arthritis that hurts.,[],[]\n"
    "1,Croup,cough,Croup is an infection of the upper airway.,[],[]\n"
)


def test_what_is_missing_of_the_data_is_named(tmp_path):
    with pytest.raises(InputError, match=r"lacks medquad\.zip, pubmedqa/pqal_dev\.json, .*--data"):
        gate.check(tmp_path)


def test_only_what_is_named_is_loaded(data_of, tmp_path):
    part = tmp_path / "part.zip"
    gate._write_archive(data_of / "medquad.zip", ["4_GARD_QA/0000002.xml"], part)
    assert zipfile.ZipFile(part).namelist() == ["4_GARD_QA/0000002.xml"]
    gate._write_abstracts(data_of / "pubmedqa" / "pqal_dev.json", ["8"], part)
    assert list(json.loads(part.read_text())) == ["8"]
    gate._write_table(data_of / "chatdoctor" / "format_dataset.csv", ["Croup"], part)
    assert part.read_text().splitlines() == [TABLE.splitlines()[0], TABLE.splitlines()[2]]
    with pytest.raises(SourceFileError, match=r"lacks other\.xml"):
        gate._write_archive(data_of / "medquad.zip", ["other.xml"], part)
    with pytest.raises(SourceFileError, match="lacks 9"):
        gate._write_abstracts(data_of / "pubmedqa" / "pqal_dev.json", ["9"], part)


@pytest.fixture
def data_of(tmp_path):
    """A folder of data with two pages and two abstracts."""
    xml = (
        '<Document id="{id}" source="GARD" url="http://example.org"><Focus>{focus}</Focus><QAPairs><QAPair pid="1">'
        '<Question qid="1-1" qtype="symptoms">What are the symptoms?</Question><Answer>{text}</Answer>'
        "</QAPair></QAPairs></Document>"
    )
    with zipfile.ZipFile(tmp_path / "medquad.zip", "w") as archive:
        for number, focus, text in ((1, "Gout", "Gout hurts."), (2, "Croup", "Croup is a cough.")):
            name = f"{number:07}"
            archive.writestr(f"4_GARD_QA/{name}.xml", xml.format(id=name, focus=focus, text=text))
    (tmp_path / "pubmedqa").mkdir()
    abstract = {"QUESTION": "Is it?", "CONTEXTS": ["It is."], "LABELS": ["RESULTS"], "YEAR": "2001"}
    (tmp_path / "pubmedqa" / "pqal_dev.json").write_text(json.dumps({"7": abstract, "8": abstract}))
    (tmp_path / "chatdoctor").mkdir()
    (tmp_path / "chatdoctor" / "format_dataset.csv").write_text(TABLE)
    return tmp_path


CHOSEN = GateSelection({"unseen": ["1"]}, {"medquad": ["a.xml"], "pubmedqa": []})


@pytest.mark.parametrize("line", ["{", "[]", '{"of": "other"}', '{"of": "linked", "id": "7"}', '{"questions": {}}'])
def test_another_file_is_refused(tmp_path, line):
    path = tmp_path / "frozen.jsonl"
    gate_outcomes.write(path, "as it was", CHOSEN, Outcomes())
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(SourceFileError, match="--freeze REASON") as error:
        gate_outcomes.load(path)
    assert error.value.line == 2
    path.write_text("")
    with pytest.raises(SourceFileError, match="holds nothing"):
        gate_outcomes.load(path)


def test_what_the_gate_froze_has_all_sets():
    chosen, outcomes = gate_outcomes.load(ROOT / "tests" / "data" / "gate" / "frozen.jsonl")
    assert {one.set for one in outcomes.asked} == chosen.questions.keys() == SETS.keys()
    assert len(outcomes.asked) > 200
    assert len(outcomes.alarms) == 120
    assert outcomes.read
    assert outcomes.linked


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
