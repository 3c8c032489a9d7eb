"""Pages elsewhere: what speaks for one, which are shown, and by which of their questions."""

import pytest

from medgraph.answers.answer import FoundPage
from medgraph.cli import answered
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from medgraph.queries.filters import Filters
from tests.support.answers import answerer_of
from tests.support.graphs import prepared
from tests.support.paths import FILES


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


def test_a_page_about_what_is_named_is_found_by_another_name_and_under_filters_alone(answerer):
    def found(text, **filters):
        answer = answerer.ask(text, Filters(**filters) if filters else None)
        return [item.answered_at for item in answer.evidence if isinstance(item, FoundPage)]

    text = "My son was told at school that he is said to have AKU, where do we go from here?"
    assert "https://example.org/adam/1" in found(text)
    assert found(text, sources=("ADAM",)) == ["https://example.org/adam/1"]
    assert found(text, sources=("CDC",)) == []
    assert found(text, sources=("ADAM",), since="2400") == []
