"""What is like a patient's question: counts of pairs of words and traits of names, as a table."""

import pytest

from medgraph.evaluation.sets.grades import rows_of
from medgraph.files import table_lines
from medgraph.queries import patients
from medgraph.queries.patients import PatientModel, pairs, traits
from tests.support.paths import FILES


@pytest.fixture
def small():
    """A model of three patients and two pages."""
    seen = {"wording": {"i have": (3, 0), "what are": (0, 2)}, "name": {"short": (3, 1), "comma": (0, 1)}}
    return PatientModel(
        seen, {"wording": (3, 2), "name": (3, 2)}, {"wording": 1.0, "name": 1.0, "always": 0.0}, frozenset()
    )


def test_a_wording_is_cut_into_pairs_with_its_ends():
    assert pairs("Why do I have {x}?") == ["< why", "why do", "do i", "i have", "have {x}", "{x} >"]
    assert pairs("") == ["< >"]


def test_a_name_is_described_by_its_looks():
    assert traits("gout", {"gout"}) == ["short", "all known"]
    assert traits("deafness, dominant 2A (mild) form", {"form"}) == ["long", "comma", "digit", "bracket", "some known"]
    assert traits("Lève-Übel", ()) == ["short", "none known"]
    assert traits("?", ()) == ["short", "all known"]


def test_what_patients_wrote_speaks_for_a_question_and_what_pages_have_against_it(small):
    assert small.likeness("I have {x}.", "gout") > 0.5 > small.likeness("What are {x}?", "gout, chronic")


def test_a_model_is_the_same_when_it_is_read_again(small, tmp_path):
    patients.write(small, ["gout"], tmp_path / "model.tsv", "by a test")
    again = patients.read(tmp_path / "model.tsv")
    assert (again.seen, again.totals, again.weights, again.words) == (
        {"wording": {"i have": (3, 0), "what are": (0, 2)}, "name": {"short": (3, 1), "comma": (0, 1)}},
        small.totals,
        small.weights,
        frozenset({"gout"}),
    )


def test_the_model_holds_nothing_that_one_patient_alone_wrote():
    for _, line in table_lines(patients.FILE):
        kind, mark, *counts = line.split("\t")
        if kind == "wording":
            assert len(mark.split()) == 2, mark
            assert int(counts[0]) >= patients.LEAST_SEEN or int(counts[1]), mark


def test_questions_that_were_read_pass_where_they_are_like_a_patients():
    rows = rows_of(FILES / "made" / "labels.tsv", ("like", "relevant", "wording", "name"))
    model = patients.model()
    passing = [row for row in rows if model.likeness(row["wording"], row["name"]) >= patients.LEAST]
    tried, passed = (sum(row["like"] == "1" for row in some) / len(some) for some in (rows, passing))
    assert len(passing) < len(rows)
    assert passed >= tried + 0.1
