"""Pages elsewhere: what speaks for one, which are shown, and by which of their questions."""

import pytest

from medgraph.answers.answer import FoundPage, FoundSection
from medgraph.answers.pages import FEATURES, HELPS, SHOWN, Page, elsewhere, features_of, model
from medgraph.cli import answered
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from medgraph.queries.filters import Filters
from tests.support.answers import answerer_of
from tests.support.graphs import prepared
from tests.support.pages import Given, question, row
from tests.support.paths import FILES


def test_what_speaks_for_a_page():
    found = features_of(question("Why is my eye watery?", "Watery eyes"), row(about=True))
    assert found == {
        "near": pytest.approx(0.3),
        "found": 0.5,
        "named": 1.0,
        "about": 1.0,
        "title": 1.0,
        "questions": 2.0,
    }
    other = features_of(question("Why do my eyes hurt?"), row(asked=[("causes", 0.1, 0.2)] * 40))
    assert (other["named"], other["about"], other["title"], other["questions"]) == (0.0, 0.0, 0.5, 10.0)
    assert features_of(question("Why?"), row("The"))["title"] == 0.0


def test_the_model_has_each_sign_and_knows_what_is_about_it_from_what_is_not():
    assert set(model().weights) == {*FEATURES, "intercept"}
    asked = question("What helps against watery eyes?", "Watery eyes")
    assert model().likely(features_of(asked, row(about=True))) > HELPS
    assert model().likely(features_of(asked, row("Iron overdose"))) < HELPS / 2


def test_the_likeliest_pages_are_shown_each_by_the_question_of_the_kind_asked_for():
    asked = question("Why are my eyes watery, red and sore, and why do they burn?", intents=("causes",))
    rows = [row(f"Watery eyes {number}", about=True) for number in "abcd"]
    near = row("Watery eyes", about=True, asked=[("causes", 0.6, 0.7), ("information", 0.7, 0.7)])
    retriever = Given(*rows, near, row("Iron overdose"))
    found = elsewhere(retriever, asked)
    assert retriever.documents == [*(one["document"] for one in rows), "Watery eyes", "Iron overdose"]
    assert len(found) == SHOWN
    assert (found[0].title, found[0].type, found[0].answered_at) == ("Watery eyes", "causes", "http://Watery eyes")
    assert [page.score for page in found] == sorted((page.score for page in found), reverse=True)
    plain = elsewhere(Given(near), question("watery eyes"))
    assert [page.type for page in plain] == ["information"]


def test_a_page_that_answers_the_very_question_is_shown_however_it_is_weighed():
    same = row("Iron overdose", asked=[("information", 0.1, 0.1), ("outlook", 0.81, 0.1)])
    assert Page(same, {}, 0.1).same
    (found,) = elsewhere(Given(same), question("Can I get well?"))
    assert (found.type, found.score < HELPS) == ("outlook", True)
    assert elsewhere(Given(row("Iron overdose", asked=[("outlook", 0.79, 0.1)])), question("Can I get well?")) == []


@pytest.fixture
def answerer(graph, encoder, settings):
    """Answers from MedQuAD's forms of files, some of whose pages answer elsewhere."""

    def fill():
        load_named(graph, settings, "medquad", FILES / "medquad")
        index(graph, encoder, "all")

    return answerer_of(prepared(graph, "medquad files", fill), encoder)


def test_a_question_that_a_page_answers_is_pointed_there(answerer, capsys):
    answer = answerer.ask("What causes alkaptonuria?", Filters(sources=("ADAM",)))
    assert (answer.status, answer.sentences) == ("not_enough_evidence", ())
    page = answer.evidence[0]
    assert (page.answered_at, page.question) == ("https://example.org/adam/1", "What causes ALKAPTONURIA ?")
    assert (page.document, page.type, page.source) == ("medquad:ADAM_0000001", "causes", "medquad")
    assert isinstance(page, FoundPage)
    answered.answer(answer)
    assert "What causes ALKAPTONURIA?\n    https://example.org/adam/1" in capsys.readouterr().out
    misspelt = answerer.ask("outlook for alkaptonurea", Filters(sources=("ADAM",)))
    assert misspelt.evidence[0].answered_at == "https://example.org/adam/1"
    off = answerer.ask("Who won the football world cup in 2010?")
    assert not any(isinstance(item, FoundPage) for item in off.evidence)
    other = answerer.ask("What causes alkaptonuria?", Filters(sources=("CDC",)))
    assert not any(isinstance(item, FoundPage) for item in other.evidence)


def test_a_page_is_pointed_to_beside_an_answer_that_is_not_of_the_kind_asked_for(answerer, capsys):
    answer = answerer.ask("Is alkaptonuria inherited?")
    assert answer.sentences[0].citations[0].section.startswith("medquad:GARD_0000001#")
    pages = [item.answered_at for item in answer.evidence if isinstance(item, FoundPage)]
    assert pages == ["https://example.org/gard/1"]
    assert isinstance(answer.evidence[0], FoundSection)
    answered.answer(answer)
    assert capsys.readouterr().out.partition("Pages elsewhere")[2].count("    https://example.org/gard/1\n") == 1
    typed = answerer.ask("What are the symptoms of alkaptonuria?")
    assert typed.sentences[0].citations[0].section == "medquad:GARD_0000001#3"
    assert not any(isinstance(item, FoundPage) for item in typed.evidence)


def test_a_page_about_what_is_named_is_found_by_another_name_and_under_filters_alone(answerer):
    def found(text, **filters):
        answer = answerer.ask(text, Filters(**filters) if filters else None)
        return [item.answered_at for item in answer.evidence if isinstance(item, FoundPage)]

    text = "My son was told at school that he is said to have AKU, where do we go from here?"
    assert "https://example.org/adam/1" in found(text)
    assert found(text, sources=("ADAM",)) == ["https://example.org/adam/1"]
    assert found(text, sources=("CDC",)) == []
    assert found(text, sources=("ADAM",), since="2400") == []
