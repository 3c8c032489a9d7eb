"""For whom a question is asked, and that nothing is shown that does not speak of them."""

import re

import pytest

from medgraph.answers.answer import ANSWERED
from medgraph.answers.populations import asked_for, asked_with, populations_in, read_populations, speaks_of
from medgraph.errors import InputError
from tests.support.examples import examples
from tests.support.graphs import run

SPEAKS = re.compile(r"pregnan|children|child\b|kids|infant|toddler|babies|baby", re.IGNORECASE)


@pytest.mark.parametrize(("text", "kinds"), examples("populations"))
def test_questions_name_whom_they_are_for(text, kinds):
    assert [one.kind for one in populations_in(text)] == kinds


@pytest.mark.parametrize("who", ["in pregnancy", "in children", "in my 3 year old", "while breastfeeding"])
@pytest.mark.parametrize("thing", ["migraine", "gout", "acid reflux", "high blood pressure"])
def test_what_does_not_speak_of_them_is_neither_an_answer_nor_related(answerer, thing, who):
    answer = answerer.ask(f"How is {thing} treated {who}?")
    for sentence in (*answer.sentences, *answer.closest):
        assert SPEAKS.search(f"{sentence.text} {sentence.citations[0].title}"), sentence.text
    if not answer.sentences:
        assert answer.caution.startswith(f"Nothing that is loaded speaks of {thing} together with ")
        assert answer.follow_ups == ()
        assert answer.ask_back is None


def test_what_speaks_of_them_is_shown(answerer):
    answer = answerer.ask("Can a 9 year old take aspirin for the flu?")
    assert answer.caution == ""
    assert [sentence for sentence in answer.sentences if "Reye" in sentence.text]


def test_a_turn_of_a_dialogue_keeps_whom_it_is_for(answerer):
    assert answerer.ask("How is gout treated?").status == ANSWERED
    later = answerer.ask("and in children?", previous=("How is gout treated?",))
    assert later.caution
    assert later.sentences == ()
    mine = answerer.ask("How is migraine treated?", previous=("I am 7 weeks pregnant, is heartburn normal?",))
    assert "pregnancy" in mine.caution
    # `in children` holds for its own turn.
    assert answerer.ask("How is gout treated?", previous=("Is gout dangerous in children?",)).status == ANSWERED


def test_another_medicine_and_an_illness_must_be_spoken_of(answerer):
    answer = answerer.ask("I have asthma, can I take something for gout?")
    assert all("asthma" in sentence.text.lower() for sentence in answer.sentences)
    assert answer.caution.startswith("Nothing that is loaded speaks of gout together with asthma")


def test_relations_answer_nothing_there(answerer, sample_graph):
    assert run(sample_graph, "MATCH ()-[r:TREATED_BY]->() RETURN count(r) AS n")[0]["n"]
    assert not any(one.facts for one in answerer.ask("Which drugs treat gout in pregnancy?").sentences)


@pytest.mark.parametrize(
    ("text", "asking", "passage"),
    [("Can a girl have hay fever?", None, True), ("What helps a girl with hay fever?", None, False)],
)
def test_where_nothing_is_done_a_passage_may_speak_of_them(text, asking, passage):
    (girl,) = asked_for(text, (), asking=asking)
    told = speaks_of([girl], "hay fever", "it makes you sneeze", "it makes you sneeze. children have it, too")
    assert (girl.passage, told) == (passage, passage)


def test_what_an_illness_is_is_asked_for_nobody_special():
    assert asked_for("What is kidney failure?", ()) == ()
    assert [one.kind for one in asked_for("What can I take with kidney failure?", ())] == ["kidney"]


def test_pages_for_children_are_for_who_asks_of_children(load):
    treatment = {"heading": "How are hiccups treated?", "text": "Hiccups are treated with a sip of water."}
    answerer = load([{"id": "some", "title": "Hiccups in Children", "sections": [treatment]}])
    assert answerer.ask("How are hiccups treated?").sentences == ()
    assert answerer.ask("How are hiccups treated in children?").sentences


def test_a_model_is_told_whom_it_is_for():
    assert asked_with("How is gout treated?", ()) == "How is gout treated?"
    told = asked_with("How is gout treated?", populations_in("in pregnancy"))
    assert told == "How is gout treated? (Asked for: pregnancy. Say only what the evidence says of that.)"


@pytest.mark.parametrize("line", ["child\tchildren\ta doctor\tkids", "child\tchildren\ta doctor\t(kids\tkids"])
def test_a_faulty_line_is_told(tmp_path, line):
    path = tmp_path / "table.tsv"
    path.write_text(f"# kind\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"table\.tsv:2: "):
        read_populations(path)
