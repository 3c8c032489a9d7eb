"""What a language model reads in place of rules: turns, messages and passages; and rules where it fails."""

import contextlib
import json
from dataclasses import replace

import pytest

from medgraph.answers.answer_runs import run_of
from medgraph.answers.assembly import Assembly
from medgraph.answers.outline import model_notes
from medgraph.errors import RequestsWaitError
from medgraph.models.batch import BatchModel
from medgraph.models.open import open_model
from medgraph.queries.filters import Filters
from tests.support.answers import tells
from tests.support.emergencies import emergencies
from tests.support.linking import names_of
from tests.support.scripted import result, says, status
from tests.support.written import TREATED, asked_of, ids_of, sentences

ASKED = "How is gout treated?"
TURN = ("and for the little ones?", ["How is asthma treated?"])
MESSAGE = (
    "Hello, my name is Ann and I am 54 years old. My doctor said last week that the pain in my toe is gout. I was "
    "given tablets and told to rest, and I was too upset to ask more. What can I do about it? I also worry that it "
    "comes back and would like to hear how that can be kept from happening. My brother has asthma, by the way."
)
QUESTIONS = ["What are the treatments for gout?", "How can gout be prevented?"]


@pytest.fixture
def reading(sample_graph, encoder, settings, monkeypatch, tmp_path):
    """Gives what answers from the sample, of which a server that follows steps reads some, and the server."""
    with contextlib.ExitStack() as stack:

        def made(stages, *steps):
            server, own = stack.enter_context(asked_of(settings, monkeypatch, tmp_path, *steps))
            return answering(sample_graph, encoder, lambda: open_model(own), stages), server

        yield made


def answering(database, encoder, load_model, stages):
    names = names_of(database)
    more = {"load_model": load_model, "model_reads": stages, "load_emergencies": tells}
    return Assembly(database, lambda: encoder, names, **more).answerer


def judging(*verdicts):
    """Judge passages: those that are left as the last verdict says."""

    def step(body):
        ids = ids_of(body)
        found = [*verdicts, *[verdicts[-1]] * len(ids)]
        return says({"verdicts": [{"id": name, "answers": one} for name, one in zip(ids, found, strict=False)]})

    return step


@pytest.fixture
def by_rules(sample_graph, encoder):
    return answering(sample_graph, encoder, refused, ())


def refused():
    raise AssertionError("no model is needed")


def plain(answer):
    return replace(answer, timing_ms={}, readings=())


def test_nothing_is_read_unless_it_is_asked_for(reading, by_rules):
    model, server = reading((), says({}))
    assert plain(model.ask(TURN[0], previous=TURN[1])) == plain(by_rules.ask(TURN[0], previous=TURN[1]))
    assert server.requests == []


def test_a_turn_is_completed(reading):
    model, server = reading(("turns",), says({"question": " How is asthma\ntreated in children? "}))
    assert model.ask(ASKED).readings == ()
    answer = model.ask("and for <b>little</b> ones?", previous=["How is asthma treated?"])
    assert answer.understood == "How is asthma treated in children?"
    assert model_notes(answer) == ("What was said was completed by openai:scripted-1.",)
    assert answer.readings[0].prompt.startswith("read_turn@")
    (body,) = server.requests
    assert "<said>and for &lt;b&gt;little&lt;/b&gt; ones?</said>" in body["messages"][-1]["content"]


def test_a_message_is_reduced_to_its_questions(reading):
    more = ["What causes gout?", "Is gout inherited?", "What is asthma?"]
    model, server = reading(("messages",), says({"questions": QUESTIONS}), says({"questions": QUESTIONS + more}))
    assert model.ask(ASKED).readings == ()
    assert server.requests == []
    answer = model.ask(MESSAGE)
    assert [part.asked for part in answer.parts] == QUESTIONS
    assert answer.status == "answered"
    assert model_notes(answer) == ("What is asked was put plainly by openai:scripted-1.",)
    answer = model.ask(MESSAGE)
    assert len(answer.parts) == 4
    assert "What is asthma?" in answer.unanswered


def test_a_question_is_put_plainly_unless_it_is_plain(reading, by_rules):
    typed = "my uncle's toe is swollen again, is there anything for gout that he could swallow?"
    model, server = reading(("messages",), says({"questions": ["What are the treatments for gout?"]}))
    assert model.ask(ASKED).readings == ()
    assert server.requests == []
    answer = model.ask(typed)
    assert [part.asked for part in answer.parts] == ["What are the treatments for gout?"]
    assert answer.sentences == by_rules.ask("What are the treatments for gout?").sentences
    assert typed in server.requests[0]["messages"][-1]["content"]


def test_a_small_model_puts_nothing_plainly(sample_graph, encoder, by_rules):
    class Small:
        name, small = "small", True

    typed = "my uncle's toe is swollen again, is there anything for gout that he could swallow?"
    answer = answering(sample_graph, encoder, Small, ("messages",)).ask(typed)
    assert plain(answer) == plain(by_rules.ask(typed))
    assert answer.readings == ()


def test_passages_are_judged(reading, by_rules):
    rules = by_rules.ask(ASKED)
    model, _ = reading(("passages",), judging("no"))
    answer = model.ask(ASKED)
    assert (rules.status, answer.status, answer.sentences) == ("answered", "not_enough_evidence", ())
    model, _ = reading(("passages",), judging("partly"))
    answer = model.ask(ASKED)
    assert (answer.status, bool(answer.sentences)) == ("related", True)
    model, server = reading(("passages",), judging("no", "yes", "no"))
    answer = model.ask(ASKED)
    assert answer.status == "answered"
    (cited,) = {citation.section for sentence in answer.sentences for citation in sentence.citations}
    assert [found.section for found in answer.evidence] == [cited]
    assert cited != rules.evidence[0].section
    (body,) = server.requests
    assert body["response_format"]["json_schema"]["schema"]["$defs"]["Verdict"]["properties"]["id"]["enum"] == ids_of(
        body
    )


@pytest.mark.parametrize(
    ("stage", "step", "why"),
    [
        ("turns", status(500), "500"),
        ("turns", says({"question": "?!"}), "no question"),
        ("turns", says({"question": "gout " * 300}), "1,499 characters"),
        ("messages", says("I cannot."), "schema"),
        ("messages", says({"questions": []}), "no question"),
        ("messages", says({"questions": ["What is gout?", ""]}), "no question"),
        ("passages", says({"verdicts": []}), "did not judge"),
        ("passages", says({"verdicts": [{"id": "S99", "answers": "yes"}]}), "did not judge"),
        ("passages", says({"verdicts": [{"id": "S1", "answers": "perhaps"}]}), "schema"),
    ],
)
def test_rules_stand_in_where_the_model_fails_and_the_answer_says_so(reading, by_rules, stage, step, why):
    asked = {"turns": TURN, "messages": (MESSAGE, ()), "passages": (ASKED, ())}[stage]
    model, _ = reading((stage,), step)
    answer = model.ask(asked[0], previous=asked[1])
    assert plain(answer) == plain(by_rules.ask(asked[0], previous=asked[1]))
    assert {one.stage for one in answer.readings} == {stage}
    assert all(why in one.fallback for one in answer.readings)
    assert "by rules, and not by openai:scripted-1: " in model_notes(answer)[0]


def test_no_model_reads_in_an_emergency(reading):
    model, server = reading(("turns", "messages", "passages"), says({}))
    answer = model.ask(emergencies("dev")[0][1], previous=[ASKED])
    assert answer.urgent
    assert (server.requests, answer.readings) == ([], ())


def test_it_reads_by_batch_files_round_by_round(sample_graph, encoder, settings, tmp_path):
    own, folder = replace(settings, model="openai:any"), tmp_path / "batch"

    def asked(model):
        return answering(sample_graph, encoder, lambda: model, ("turns", "passages")).ask(TURN[0], previous=TURN[1])

    replies = [says({"question": ASKED}, model="any"), judging("yes")]
    for step in replies:
        model = BatchModel(folder, own)
        with pytest.raises(RequestsWaitError):
            asked(model)
        assert model.write() == 1
        line = json.loads((folder / "requests.jsonl").read_text(encoding="utf-8"))
        said = step if not callable(step) else replace(step(line["body"]), model="any")
        with (folder / "replies.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(result(line, said)) + "\n")
    answer = asked(BatchModel(folder, own))
    assert (answer.status, answer.understood) == ("answered", ASKED)
    assert [(one.stage, one.fallback) for one in answer.readings] == [("turns", None), ("passages", None)]


def test_what_reading_takes_is_told_and_stands_in_the_run_beside_what_writing_takes(
    sample_graph, encoder, settings, monkeypatch, tmp_path
):
    def step(body):
        return sentences(TREATED[0]) if "sentences" in str(body["response_format"]) else judging("yes")(body)

    prices = tmp_path / "prices.tsv"
    prices.write_text("openai:scripted-1\t1\t2\n", encoding="utf-8")
    with asked_of(replace(settings, prices=prices), monkeypatch, tmp_path, step) as (_, own):
        model = answering(sample_graph, encoder, lambda: open_model(own), ("passages",))
        for composer, prompts in (("extractive", ["read_passages"]), ("generated", ["read_passages", "generated"])):
            answer = model.ask(ASKED, composer=composer)
            (read,) = answer.readings
            assert read.prompt_tokens > read.reply_tokens > 0
            assert read.cost == pytest.approx((read.prompt_tokens + 2 * read.reply_tokens) / 1e6)
            run = run_of(sample_graph, answer, composer, Filters(), own)
            calls = [read, answer.generation] if answer.generation else [read]
            assert [one.partition("@")[0] for one in run.prompts] == prompts
            assert run.model == "openai:scripted-1"
            assert run.prompt_tokens == sum(call.prompt_tokens for call in calls)
            assert run.reply_tokens == sum(call.reply_tokens for call in calls)
            assert run.cost == pytest.approx(sum(call.cost for call in calls))


def test_a_reply_of_no_use_is_paid_for_too(reading):
    model, _ = reading(("messages",), says({"questions": []}))
    (read,) = model.ask(MESSAGE).readings
    assert read.fallback
    assert read.prompt_tokens > 0
    for question in ("?!", "Hello!", "best pizza in town"):
        model, _ = reading(("turns",), says({"question": question}))
        (read,) = model.ask(TURN[0], previous=TURN[1]).readings
        assert read.prompt_tokens > 0, question
