"""Pipelines over a real graph: with a scripted server, which answers through the real adapter, and without a model."""

import json
import re
from dataclasses import replace

import pytest

from medgraph.answers.assembly import Assembly
from medgraph.answers.generated import UNSUPPORTED
from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.answers.pipelines.pipeline import choose
from medgraph.errors import RequestsWaitError
from medgraph.models.batch import BatchModel
from medgraph.queries.filters import Filters
from tests.support.answers import tells
from tests.support.emergencies import emergencies
from tests.support.graphs import run, state_of
from tests.support.linking import names_of
from tests.support.scripted import says, status
from tests.support.written import TREATED, ids_of, sentences

ASKED = "How is gout treated?"
FALSE = "Gout attacks are treated with 500 mg of bleach."
EXPERT = "Gout is a disease in which uric acid rises; colchicine treats it, and kidney stones may follow."


@pytest.fixture
def unset(sample_graph, encoder, settings):
    """What answers from the sample without a language model."""
    return Assembly(sample_graph, lambda: encoder, names_of(sample_graph), load_emergencies=tells).answerer


def chosen(name, *without, **values):
    return choose(PIPELINES[name], without, [f"{key}={value}" for key, value in values.items()])


def texts(answer):
    return [sentence.text for sentence in answer.sentences]


def kind_of(body):
    """Which prompt a request fills, by its first words."""
    said = body["messages"][0]["content"]
    kinds = {
        "joint": "in a paragraph",
        "hypothesis": "Write a passage that answers",
        "rewrite": "search engine",
        "notes": "write a note on each",
        "rationale": "step by step, why",
        "memory": "Write at most eight short",
    }
    return next((name for name, words in kinds.items() if words in said), "answer")


def script(**steps):
    """Answer each kind of request by a step of its own."""

    def step(body):
        made = steps[kind_of(body)]
        return made(body) if callable(made) else made

    return step


TOLD = {
    "joint": says(f"{TREATED[0]} {FALSE}"),
    "hypothesis": says(EXPERT),
    "rewrite": says("colchicine urate"),
    "notes": lambda body: says({"notes": [{"id": i, "note": f"note {i}", "relevant": True} for i in ids_of(body)]}),
    "rationale": says({"steps": [{"text": "It is uric acid.", "look_up": "What lowers uric acid?"}]}),
    "memory": says(f"{TREATED[0]} {FALSE}"),
    "answer": lambda body: sentences((TREATED[0], ids_of(body)), (FALSE, ids_of(body)), (TREATED[1], ["S99"])),
}
CALLS = {"joint": 5, "hyke": 2, "query-expansion": 2, "chain-of-note": 2, "chain-of-knowledge": 2}
"""How often each asks a model; once for others."""


@pytest.mark.parametrize("name", PIPELINES)
def test_without_a_model_what_can_be_quoted_stands_in_and_that_is_said(unset, sample_graph, name):
    before = state_of(sample_graph)
    answer = unset.ask(ASKED, pipeline=chosen(name))
    told = answer.pipeline
    assert (told.name, told.paper) == (name, PIPELINES[name].paper)
    assert "no language model is at hand" in told.stand_in
    assert answer.generation.fallback == told.stand_in
    assert [stage.name for stage in told.stages] == [stage.name for stage in PIPELINES[name].stages]
    assert all(sentence.verdict == "supported" for sentence in answer.sentences)
    assert sum(stage.calls for stage in told.stages) == 0
    assert state_of(sample_graph) == before


@pytest.mark.parametrize("name", sorted(PIPELINES.keys() - {"base", "consult", "graphrag"}))
def test_what_a_model_writes_is_cited_and_checked_whatever_the_pipeline(written, name):
    answerer, server = written(script(**TOLD))
    answer = answerer.ask(ASKED, pipeline=chosen(name, **({"contexts": 5} if name == "joint" else {})))
    assert FALSE not in texts(answer)
    assert all(sentence.verdict == "supported" and sentence.citations for sentence in answer.sentences)
    if name != "hyke":
        assert texts(answer)[0] == TREATED[0], name
        assert FALSE in [one.text for one in answer.generation.dropped]
    told = answer.pipeline
    assert sum(stage.calls for stage in told.stages) == len(server.requests) == CALLS.get(name, 1)
    assert answer.generation.prompt_tokens == sum(stage.prompt_tokens for stage in told.stages) > 0
    assert [one.split("@")[0] for one in answer.generation.prompt.split(", ")] == list(PIPELINES[name].prompts)
    if name not in {"joint", "base"}:
        assert answer.generation.removed_ids == 1


def test_joint_asks_for_a_candidate_from_each_context_within_the_papers_bounds(written):
    answerer, server = written(script(**TOLD))
    answerer.ask(ASKED, pipeline=chosen("joint"))
    told = [body["messages"][1]["content"] for body in server.requests]
    contexts = [re.search(r"<text>(.*)</text>", text, re.DOTALL)[1] for text in told]
    assert len(set(contexts)) == 5
    for body in server.requests:
        assert (body["max_tokens"], body["temperature"]) == (150, 0.7)
        assert "in 40 to 150 tokens" in body["messages"][0]["content"]
        assert "response_format" not in body


def test_joint_shows_the_candidate_that_agrees_most_with_the_subgraph(written, sample_graph):
    def candidate(body):
        context = body["messages"][1]["content"]
        return says(TREATED[0] if "colchicine" in context else "It depends on very many other things indeed.")

    answerer, _ = written(script(joint=candidate))
    answer = answerer.ask(ASKED, pipeline=chosen("joint"))
    told = answer.pipeline
    assert "gout" in told.subgraph.lower()
    scores = [one.score for one in told.candidates]
    (best,) = [one for one in told.candidates if one.chosen]
    assert best.score == max(scores) > min(scores)
    assert texts(answer) == [TREATED[0]]
    known = run(sample_graph, "MATCH (s:Section) RETURN s.id AS id")
    assert {one.section for one in told.candidates} == set(answer.generation.evidence) <= {row["id"] for row in known}


def test_joint_without_its_reasoning_shows_the_first_and_graph_alone_asks_no_model(written):
    answerer, server = written(script(**TOLD))
    first = answerer.ask(ASKED, pipeline=chosen("joint", "joint")).pipeline
    assert [one.chosen for one in first.candidates] == [True, False, False, False, False]
    assert [one.score for one in first.candidates] == [None] * 5
    asked = len(server.requests)
    alone = answerer.ask("What are the symptoms of gout?", pipeline=chosen("joint", graph="alone"))
    assert len(server.requests) == asked
    assert all(sentence.facts for sentence in alone.sentences)
    texts_of = answerer.ask(ASKED, pipeline=chosen("joint", "search", contexts=2))
    assert texts_of.pipeline.stages[0].left_out


def test_joint_is_silent_where_no_context_answers(written):
    answerer, _ = written(script(joint=says("NO ANSWER")))
    answer = answerer.ask(ASKED, pipeline=chosen("joint"))
    assert (answer.status, answer.sentences, answer.pipeline.candidates) == ("not_enough_evidence", (), ())
    assert answer.generation.silent == (ASKED,)
    assert answer.pipeline.stages[1].note == "5 of 5 contexts do not answer"


def test_joint_can_cut_candidates_to_one_length(written):
    lengths = iter(range(4, 40, 5))
    answerer, _ = written(script(joint=lambda _: says(" ".join(["gout"] * next(lengths)))))
    told = answerer.ask(ASKED, pipeline=chosen("joint", one_length=True)).pipeline
    assert {len(one.text.split()) for one in told.candidates} == {4}


def test_hyke_makes_exactly_two_calls_and_the_hypothesis_widens_what_is_looked_for(written):
    answerer, server = written(script(**TOLD))
    told = answerer.ask("How is gout treated?", pipeline=chosen("hyke")).pipeline
    first, second = server.requests
    assert (first["max_tokens"], first["temperature"]) == (300, 0.6)
    assert told.hypothesis == EXPERT
    assert any("gout" in one.lower() for one in told.entities)
    assert len(told.entities) > 1
    assert "response_format" in second
    assert len(told.paths) <= 10
    server.requests.clear()
    narrow = answerer.ask("How is gout treated?", pipeline=chosen("hyke", "hypothesis")).pipeline
    assert len(server.requests) == 1
    assert (narrow.hypothesis, len(narrow.entities)) == ("", 1)
    assert "one thing is named" in narrow.stages[2].note


def test_hyke_keeps_the_paths_nearest_to_a_fragment(written):
    answerer, _ = written(script(**TOLD))
    several = answerer.ask("Can gout lead to stroke?", pipeline=chosen("hyke")).pipeline.paths
    one = answerer.ask("Can gout lead to stroke?", pipeline=chosen("hyke", top=1)).pipeline.paths
    assert len(several) > 1
    assert one == several[:1]


@pytest.mark.parametrize("hypothesis", ["", "Das weiß ich nicht.", "The best pizza is baked in Naples.", "gout " * 600])
def test_a_hypothesis_of_no_use_harms_nothing(written, hypothesis):
    answerer, _ = written(script(**TOLD | {"hypothesis": says(hypothesis)}))
    answer = answerer.ask(ASKED, pipeline=chosen("hyke"))
    assert any("gout" in one.lower() for one in answer.pipeline.entities)
    assert len(answer.pipeline.entities) <= 8
    assert all(sentence.verdict == "supported" for sentence in answer.sentences)


def test_many_entities_are_bounded_and_those_asked_about_come_first(written):
    many = "asthma, gout, migraine, stroke, anemia, diabetes, hypertension, pneumonia, eczema, psoriasis, influenza"
    answerer, _ = written(script(**TOLD | {"hypothesis": says(f"It may be {many}.")}))
    told = answerer.ask("Is migraine treated like gout?", pipeline=chosen("hyke", entities=3)).pipeline
    assert len(told.entities) == 3
    assert all("igraine" in one or "out" in one for one in told.entities[:2])


def test_nothing_linked_is_said_and_answered_from_nothing(unset):
    answer = unset.ask("What should I know about xyzzyitis?", pipeline=chosen("graphrag"))
    assert answer.pipeline.stages[0].note == "nothing that the graph knows is named"
    assert answer.status == "not_enough_evidence"


def test_a_model_without_evidence_is_never_shown(written):
    answerer, server = written(script(**TOLD))
    answer = answerer.ask(ASKED, pipeline=chosen("base"))
    assert (answer.status, answer.sentences) == ("not_enough_evidence", ())
    assert answer.pipeline.candidates[0].text == f"{TREATED[0]} {FALSE}"
    assert [one.why for one in answer.generation.dropped] == ["uncited", "uncited"]
    assert "evidence" not in server.requests[0]["messages"][1]["content"]


def test_consult_says_that_there_are_no_subgraphs(written):
    answerer, server = written(script(**TOLD))
    answer = answerer.ask(ASKED, pipeline=chosen("consult"))
    assert "medgraph index subgraphs" in answer.pipeline.stages[0].note
    assert (answer.status, server.requests) == ("not_enough_evidence", [])


def test_referenced_takes_one_section_of_each_of_ten_documents(written):
    answerer, server = written(script(**TOLD))
    answer = answerer.ask(ASKED, pipeline=chosen("referenced"))
    documents = [found.document for found in answer.evidence if hasattr(found, "section")]
    assert len(documents) == len(set(documents)) == 10
    assert server.requests[0]["max_tokens"] == 1225


def test_notes_and_rationale_are_told_and_cannot_be_cited(written):
    answerer, server = written(script(**TOLD))
    told = answerer.ask(ASKED, pipeline=chosen("chain-of-note")).pipeline
    assert told.background.startswith("S1: note S1")
    assert "<notes>S1: note S1" in server.requests[1]["messages"][1]["content"]
    told = answerer.ask(ASKED, pipeline=chosen("chain-of-knowledge")).pipeline
    assert told.queries == ("What lowers uric acid?",)
    assert told.background == "It is uric acid."


@pytest.mark.parametrize("name", ["joint", "hyke", "chain-of-note", "query-expansion", "chain-of-knowledge"])
@pytest.mark.parametrize("bad", [status(401, "bad key"), says("")], ids=["refused", "nothing"])
def test_a_model_that_fails_on_the_way_never_breaks_an_answer(written, unset, name, bad):
    answerer, _ = written(bad)
    answer = answerer.ask(ASKED, pipeline=chosen(name))
    assert answer.generation.fallback or name == "joint"
    assert all(sentence.verdict == "supported" for sentence in answer.sentences)


@pytest.mark.parametrize("name", PIPELINES)
def test_where_no_text_is_found_no_pipeline_breaks(written, name):
    answerer, _ = written(script(**TOLD))
    answer = answerer.ask(ASKED, Filters(since="2100-01-01"), pipeline=chosen(name))
    assert all(sentence.verdict == "supported" for sentence in answer.sentences)
    assert not [sentence for sentence in answer.sentences if sentence.citations]


def test_joint_without_a_model_quotes_the_context_that_answers_and_not_the_one_with_most_names(unset):
    answer, quoted = (unset.ask(ASKED, pipeline=chosen(name)) for name in ("joint", "referenced"))
    assert (answer.status, texts(answer)) == (quoted.status, texts(quoted))


def test_where_nothing_that_a_model_wrote_holds_quotations_of_what_was_found_stand_in(written, unset):
    answerer, _ = written(sentences(FALSE))
    answer, quoted = (one.ask(ASKED, pipeline=chosen("referenced")) for one in (answerer, unset))
    assert answer.generation.fallback == answer.pipeline.stand_in == UNSUPPORTED
    assert texts(answer) == texts(quoted) != []


def test_in_an_emergency_no_model_is_asked(written):
    answerer, server = written(script(**TOLD))
    answer = answerer.ask(emergencies("dev")[0][1], pipeline=chosen("referenced"))
    assert answer.urgent
    assert server.requests == []


def test_all_requests_of_a_round_are_written_at_once(sample_graph, encoder, settings, tmp_path):
    own = replace(settings, model="openai:reader")
    model = BatchModel(tmp_path, own)
    answerer = Assembly(sample_graph, lambda: encoder, names_of(sample_graph), load_model=lambda: model).answerer
    with pytest.raises(RequestsWaitError):
        answerer.ask(ASKED, pipeline=chosen("joint"))
    assert model.write() == 5
    lines = [json.loads(line) for line in (tmp_path / "requests.jsonl").read_text(encoding="utf-8").splitlines()]

    def reply(name):
        body = {"choices": [{"message": {"content": TREATED[0]}, "finish_reason": "stop"}], "model": "reader"}
        return json.dumps({"custom_id": name, "response": {"status_code": 200, "body": body}}) + "\n"

    (tmp_path / "replies.jsonl").write_text(
        "".join(reply(line["custom_id"]) for line in lines[1:]) + reply("another"), encoding="utf-8"
    )
    again = BatchModel(tmp_path, own)
    answerer = Assembly(sample_graph, lambda: encoder, names_of(sample_graph), load_model=lambda: again).answerer
    with pytest.raises(RequestsWaitError):
        answerer.ask(ASKED, pipeline=chosen("joint"))
    assert again.write() == 1
