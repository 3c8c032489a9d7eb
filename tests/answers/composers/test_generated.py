"""Answers of a language model over a real graph: cited, checked, and replaced where the model is of no use."""

import pytest

from medgraph.answers.generated import NOTHING, UNSUPPORTED, ModelWriter
from medgraph.answers.outline import nothing_of
from medgraph.answers.part_answers import Material, PartAnswer, untold
from medgraph.answers.parts import QuestionPart
from medgraph.answers.prompting import prompt
from medgraph.errors import SettingsError
from medgraph.models.open import open_model
from medgraph.progress import Clock
from tests.support.answers import answerer_of
from tests.support.emergencies import emergencies
from tests.support.graphs import run, state_of
from tests.support.scripted import cut, filtered, garbage, nothing, says, silence, status, tool_calls
from tests.support.written import TREATED, asked_of, ids_of, sentences, written_by

ASKED = "How is gout treated?"
FALSE = "Gout attacks are treated with 500 mg of bleach."


@pytest.fixture
def extractive(answerer):
    return answerer.ask(ASKED)


def texts(answer):
    return [sentence.text for sentence in answer.sentences]


def test_each_sentence_shows_the_span_that_says_it(written, sample_graph):
    answerer, server = written(sentences(*TREATED))
    before = state_of(sample_graph)
    answer = answerer.ask(ASKED)
    assert (answer.status, texts(answer)) == ("answered", list(TREATED))
    for sentence, said in zip(answer.sentences, ("Gout attacks are treated with", "Ice and rest of"), strict=True):
        assert (sentence.verdict, sentence.claims[0].verdict) == ("supported", "supported")
        (citation,) = sentence.citations
        (row,) = run(sample_graph, "MATCH (s:Section {id: $id}) RETURN s.text AS text", id=citation.section)
        assert row["text"][citation.start : citation.end] == citation.quote
        assert citation.quote.startswith(said)
    told = answer.generation
    assert (told.model, told.structured, told.fallback, told.removed_ids) == (
        "openai:scripted-1",
        "json_schema",
        None,
        0,
    )
    assert told.prompt == f"generated@{prompt('generated').hash}"
    assert told.prompt_tokens > told.reply_tokens > 0
    assert told.evidence[0] == "sample:gout#6"
    assert {"generate", "verify", "retrieve", "total"} <= answer.timing_ms.keys()
    (body,) = server.requests
    enum = body["response_format"]["json_schema"]["schema"]["$defs"]["Sentence"]["properties"]["ids"]["items"]["enum"]
    assert enum == ids_of(body)
    assert state_of(sample_graph) == before


def test_ids_that_were_not_given_are_removed_and_counted(written):
    answerer, _ = written(sentences((TREATED[0], ["S1", "S99", "sample:gout#6"]), (TREATED[1], ["S77"])))
    answer = answerer.ask(ASKED)
    assert answer.generation.removed_ids == 3
    # The second has none left, and what its neighbour cites says it.
    assert texts(answer) == list(TREATED)
    assert {c.section for s in answer.sentences for c in s.citations} == {"sample:gout#6"}


def test_a_yes_before_a_sentence_is_cut_off_as_nothing_that_it_cites_says_it(written):
    answerer, _ = written(sentences((f"Yes, {TREATED[0][0].lower()}{TREATED[0][1:]}", ["S1"])))
    assert texts(answerer.ask(ASKED)) == [TREATED[0]]


def test_a_sentence_without_citation_is_shown_only_where_a_neighbours_supports_it(written):
    answerer, _ = written(sentences(("Gout is a hoax.", []), (TREATED[1], []), (TREATED[0], ["S1"]), ("Be well.", [])))
    answer = answerer.ask(ASKED)
    assert texts(answer) == [TREATED[1], TREATED[0]]
    assert {(one.text, one.why) for one in answer.generation.dropped} == {
        ("Gout is a hoax.", "uncited"),
        ("Be well.", "uncited"),
    }


@pytest.mark.parametrize(
    "false",
    [
        FALSE,
        "Gout attacks are not treated with colchicine.",
        "People with frequent gout attacks take medicine to raise uric acid.",
        "Gout attacks often settle within one to three weeks.",
        "Gout attacks are treated with metformin.",
        "La goutte est traitée par la colchicine.",
    ],
)
def test_what_no_source_says_is_dropped_or_flagged_and_never_supported(written, false):
    cited = ["S1", "S2", "S3"]
    answerer, _ = written(sentences((false, cited), (TREATED[0], cited)))
    answer = answerer.ask(ASKED)
    assert texts(answer) == [TREATED[0]]
    assert [one.text for one in answer.generation.dropped] == [false]
    answerer, _ = written(sentences((false, cited), (TREATED[0], cited)), unsupported="flag")
    answer = answerer.ask(ASKED)
    assert texts(answer) == [false, TREATED[0]]
    assert answer.sentences[0].verdict in {"contradicted", "no_evidence"}


def test_a_question_is_not_answered_by_its_own_words(written):
    cited = ["S1", "S2", "S3"]
    answerer, _ = written(sentences(("The gout attacks treated", cited), (TREATED[0], cited)))
    answer = answerer.ask("How are gout attacks treated?")
    assert [(one.text, one.why) for one in answer.generation.dropped] == [("The gout attacks treated", "repeated")]
    assert texts(answer) == [TREATED[0]]
    answerer, _ = written(sentences(("Gout attacks are treated with colchicine.", cited)))
    answer = answerer.ask("Are gout attacks treated with colchicine?")
    assert texts(answer) == ["Gout attacks are treated with colchicine."]


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (status(500), "500"),
        (status(401, "bad key"), "refuse"),
        (status(429, "slow down", retry_after=60), ""),
        (cut('{"sentences": [{"text": "Gout is trea', 3), ""),
        (garbage(), ""),
        (says("I cannot answer in JSON."), "schema"),
        (says({"answer": "Rest."}), "schema"),
        (silence(5), "3"),
        (nothing(1000), ""),
        (filtered(), "filter"),
        (tool_calls(), "tools"),
        (sentences(FALSE), UNSUPPORTED),
        (sentences((TREATED[0], ["S99"])), UNSUPPORTED),
    ],
    ids="500 401 429 cut garbage text other silence nothing filter tools false invented".split(),
)
def test_where_the_model_is_of_no_use_the_extractive_answer_stands_in_and_says_so(written, extractive, step, why):
    answerer, _ = written(step)
    answer = answerer.ask(ASKED)
    assert (answer.status, answer.sentences) == (extractive.status, extractive.sentences)
    assert why in answer.generation.fallback
    assert answer.generation.model == "openai:scripted-1"


def test_a_reply_that_is_cut_off_is_not_shown_though_its_first_sentences_hold(written, extractive):
    whole = sentences(*TREATED).text
    told = []
    answerer, _ = written(cut(whole, after=whole.count(" ") - 2))
    answer = answerer.ask(ASKED, tell=lambda name, value: told.append((name, value)))
    assert [value.text for name, value in told if name == "sentence"] == [TREATED[0]]
    assert answer.sentences == extractive.sentences


def test_sentences_are_told_as_they_come_and_what_listening_raises_ends_the_call(written):
    whole = sentences(*TREATED).text
    answerer, server = written(says(whole, between=0.02))
    told = []

    def tell(name, value):
        told.append((name, value))
        if name == "sentence":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answerer.ask(ASKED, tell=tell)
    assert [name for name, _ in told if name] == ["understood", "sources", "sentence"]
    assert server.left.wait(5)


def test_a_model_that_finds_nothing_is_believed_and_nothing_is_quoted(written, extractive):
    answerer, _ = written(sentences())
    answer = answerer.ask(ASKED)
    assert (extractive.status, answer.status) == ("answered", "not_enough_evidence")
    assert (answer.sentences, answer.closest) == ((), ())
    assert (answer.generation.silent, answer.generation.fallback) == ((ASKED,), None)
    assert answer.evidence == extractive.evidence
    assert nothing_of(answer) == "openai:scripted-1 found no answer in the passages that it was given."


def test_a_model_may_answer_what_quotations_only_come_near(written, answerer):
    asked = "Can I eat seafood with gout?"
    assert answerer.ask(asked).status != "answered"
    said = "Eating certain seafood makes gout more likely."
    model, _ = written(lambda body: sentences((said, ids_of(body))))
    answer = model.ask(asked)
    assert (answer.status, texts(answer)) == ("answered", [said])


def test_emergencies_other_languages_and_what_is_not_about_health_ask_no_model(written, answerer):
    model, server = written(sentences(*TREATED))
    for text in (emergencies("dev")[0][1], "Was ist Gicht?", "best pizza in town", "Hello!"):
        answer, plain = model.ask(text), answerer.ask(text)
        assert answer.generation is None
        assert (answer.urgent, answer.remark, answer.sentences) == (plain.urgent, plain.remark, plain.sentences)
    assert server.requests == []


def test_each_thing_that_is_asked_is_written_apart(written):
    def step(body):
        return sentences(TREATED[0]) if "treat" in body["messages"][-1]["content"].splitlines()[1] else sentences()

    model, server = written(step)
    answer = model.ask("How is gout treated and can I prevent it?")
    assert len(server.requests) == 2
    assert [part.status for part in answer.parts] == ["answered", "not_enough_evidence"]
    assert (answer.generation.fallback, answer.closest) == (None, ())
    assert answer.generation.silent == answer.unanswered == (answer.parts[1].asked,)
    assert texts(answer) == [TREATED[0]]


def test_without_anything_found_no_model_is_asked(database, encoder, settings, monkeypatch, tmp_path):
    with written_by(database, encoder, settings, monkeypatch, tmp_path, sentences()) as (model, server):
        answer = model.ask(ASKED)
    assert (answer.status, answer.generation.fallback, server.requests) == ("not_enough_evidence", NOTHING, [])


def test_a_reply_not_of_the_schema_is_asked_for_once_more(written):
    answerer, server = written(says("Sorry."), sentences(*TREATED))
    assert texts(answerer.ask(ASKED)) == list(TREATED)
    assert len(server.requests) == 2


def test_relations_can_be_cited(told, settings, monkeypatch, tmp_path):
    facts = told.ask("What are the symptoms of gout?").sentences[0].facts
    part = QuestionPart("What are the symptoms of gout?", None, None)
    given = PartAnswer(part, "not_enough_evidence", (), (), 0.0, material=Material(facts=facts, paths=[facts]))
    said, other = "Gout can come with fever.", "Gout can come with nausea."
    step = sentences((said, ["F1"]), (other, ["F1", "P1"]))
    with asked_of(settings, monkeypatch, tmp_path, step) as (server, own):
        (answer,), generation = ModelWriter(open_model(own)).write("?", [given], Clock(), untold)
    (body,) = server.requests
    assert ids_of(body) == ["F1", "P1"]
    (sentence,) = answer.sentences
    assert (sentence.text, sentence.verdict, sentence.facts, sentence.citations) == (said, "supported", facts, ())
    assert [one.text for one in generation.dropped] == [other]


def test_without_a_model_it_is_said_how_to_set_one(sample_graph, encoder):
    with pytest.raises(SettingsError, match="set MEDGRAPH_MODEL"):
        answerer_of(sample_graph, encoder).ask(ASKED, composer="generated")
