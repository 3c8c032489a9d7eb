"""Development questions: their styles, and what answers them."""

import pytest

from medgraph.evaluation.halves import number, part_of
from medgraph.evaluation.sets.medquad import asked, dev_questions
from tests.support.medquad import DISEASES, KINDS


def test_styles():
    names = ["Gout", "Podagra"]
    assert asked("What is Gout ?", "symptoms", names, "source", 5) == "What is Gout ?"
    assert asked("Q?", "no such type", names, "everyday", 5) == "Q?"
    everyday = {asked("", "symptoms", names, "everyday", seed) for seed in range(60)}
    assert "How would I know that I have Gout?" in everyday
    assert "What does Podagra feel like?" in everyday
    assert {asked("", "outlook", ["Asthma attack"], "everyday", s) for s in range(9)} == {
        "How long can someone live with Asthma attack?",
        "What is the future for a person with Asthma attack?",
    }


@pytest.mark.parametrize("seed", range(60))
def test_a_slip_is_one_slip_in_the_longest_word(seed):
    plain = asked("", "frequency", ["chronic bronchitis"], "everyday", seed)
    slipped = asked("", "frequency", ["chronic bronchitis"], "misspelt", seed)
    assert asked("", "frequency", ["chronic bronchitis"], "misspelt", seed) == slipped
    before, after = plain.rstrip("?").split()[-1], slipped.rstrip("?").split()[-1]
    assert plain.split()[:-1] == slipped.split()[:-1]
    assert abs(len(before) - len(after)) <= 1
    assert after[0] == before[0]
    assert after[-1] == before[-1]
    assert after != before or before[1:].find("h") >= 0


def test_short_names_get_no_slip():
    assert {asked("", "inheritance", ["gout"], "misspelt", seed) for seed in range(9)} == {
        "Does gout run in families?",
        "Will my children get gout from me?",
    }


def test_numbers_stay_the_same():
    assert number("asthma") == number("asthma") != number("gout")
    assert 0 <= number("") < 2**48


def test_development_questions_point_to_the_other_collections(medquad_graph):
    both = {}
    for part in ("dev", "held"):
        questions = dev_questions(medquad_graph, "source", 100, part=part)
        both[part] = {q.name for q in questions}
        for q in questions:
            assert q.text == KINDS[q.type][0].format(q.name)
            other = {"GARD": "NHLBI", "NHLBI": "GARD"}[q.collection]
            assert q.relevant == {q.id.replace(q.collection, other)}
        assert [q.id for q in dev_questions(medquad_graph, "everyday", 2, part=part)] == [q.id for q in questions[:2]]
    assert both["dev"] | both["held"] == DISEASES.keys()
    assert not both["dev"] & both["held"]


def test_everything_is_in_one_half_and_stays_there():
    names = [f"disease {i}" for i in range(400)]
    parts = [part_of(name) for name in names]
    assert set(parts) == {"dev", "held"}
    assert parts == [part_of(name) for name in names]
    assert 150 < parts.count("held") < 250
    assert (part_of("zorblattosis"), part_of("quimbly fever")) == ("dev", "held")
