"""Answers as server-sent events: in order, bounded, and ended when a client leaves."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from medgraph.models.open import open_model
from tests.support.linking import names_of
from tests.support.scripted import cut, says, status
from tests.support.service import connected, fetch, running, service_over
from tests.support.written import TREATED, asked_of, sentences

ACCEPTED = {"Accept": "text/event-stream"}
WHOLE = sentences(*TREATED).text


def asking(composer="generated", question="How is gout treated?"):
    return json.dumps({"question": question, "composer": composer}).encode()


def events_of(data):
    """Read events: pairs of a name and what was told."""
    blocks = [block.split("\n") for block in data.decode().strip().split("\n\n") if not block.startswith(":")]
    return [(name.removeprefix("event: "), json.loads(told.removeprefix("data: "))) for name, told in blocks]


@pytest.fixture
def serving(sample_graph, encoder, settings, monkeypatch, tmp_path):
    """Runs a service over the sample whose model follows steps; gives the service's server, and the model's."""
    with ExitStack() as stack:

        def run(*steps, **options):
            model, own = stack.enter_context(asked_of(settings, monkeypatch, tmp_path, *steps))
            opened = open_model(own)
            names = names_of(sample_graph)
            service = service_over(sample_graph, lambda: encoder, names, load_model=lambda: opened, **options)
            service.warm_up()
            return stack.enter_context(running(service)), model

        yield run


def test_a_model_writes_sentence_by_sentence(serving):
    server, _ = serving(says(WHOLE, between=0.02))
    response, data = fetch(server.port, "/v1/answers", asking(), **ACCEPTED)
    assert (response.status, response.headers["Content-Type"]) == (200, "text/event-stream")
    assert response.headers["Transfer-Encoding"] == "chunked"
    events = events_of(data)
    assert [name for name, _ in events] == ["understood", "sources", "sentence", "sentence", "usage", "done"]
    told = dict(events)
    assert told["understood"]["understood"] == "How is gout treated?"
    assert told["understood"]["entities"][0]["name"]
    assert told["sources"][0]["section"] == "sample:gout#6"
    assert [told["text"] for name, told in events if name == "sentence"] == list(TREATED)
    assert all(told["verdict"] == "supported" for name, told in events if name == "sentence")
    assert told["usage"] == {**told["done"]["generation"], "readings": []}
    assert told["done"]["sentences"] == [told for name, told in events if name == "sentence"]


def test_what_reading_took_is_told_whoever_writes(serving):
    server, _ = serving(status(400), model_reads=("passages",))
    told = dict(events_of(fetch(server.port, "/v1/answers", asking("extractive"), **ACCEPTED)[1]))
    assert told["usage"] == {"readings": told["done"]["readings"]}
    assert told["usage"]["readings"][0]["stage"] == "passages"


def test_any_answer_can_be_had_as_events_and_as_json(serving):
    server, model = serving(sentences())
    for composer in ("extractive", "graph"):
        whole = json.loads(fetch(server.port, "/v1/answers", asking(composer))[1])
        events = events_of(fetch(server.port, "/v1/answers", asking(composer), **ACCEPTED)[1])
        assert [name for name, _ in events] == [
            "understood",
            "sources",
            *["sentence"] * len(whole["sentences"]),
            "done",
        ]
        assert events[-1][1]["sentences"] == whole["sentences"]
    assert model.requests == []
    both = {"Accept": "application/json, text/event-stream"}
    assert json.loads(fetch(server.port, "/v1/answers", asking("extractive"), **both)[1])["status"] == "answered"


def test_what_is_wrong_has_a_status_of_its_own(serving):
    server, _ = serving(sentences())
    for body, code in ((asking(question="?!"), 400), (asking("poetic"), 400), (b"{", 400)):
        response, data = fetch(server.port, "/v1/answers", body, **ACCEPTED)
        assert (response.status, response.headers["Content-Type"]) == (code, "application/problem+json"), data


def test_where_the_model_fails_the_whole_answer_stands_in_for_what_was_sent(serving):
    server, _ = serving(cut(WHOLE, after=WHOLE.count(" ") - 2))
    events = events_of(fetch(server.port, "/v1/answers", asking(), **ACCEPTED)[1])
    assert events[2][1]["text"] == TREATED[0]
    done = events[-1][1]
    assert done["generation"]["fallback"]
    assert TREATED[0] not in {sentence["text"] for sentence in done["sentences"]}
    assert [told for name, told in events if name == "sentence"][1:] == done["sentences"]


def test_a_client_that_leaves_ends_the_call(serving):
    server, model = serving(says(f"{WHOLE[:-2]}{' ' * 400}]}}", between=0.05))
    body = asking()
    head = "POST /v1/answers HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
    connection = connected(server, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    seen = b""
    while b"event: sentence" not in seen:
        seen += connection.recv(65_536)
    begun = time.monotonic()
    connection.close()
    assert model.left.wait(10)
    assert time.monotonic() - begun < 5


def test_twenty_at_once_are_bounded_and_others_search_meanwhile(serving):
    server, model = serving(says(WHOLE, between=0.05), patience=2.0)
    with ThreadPoolExecutor(24) as pool:
        asked = [pool.submit(fetch, server.port, "/v1/answers", asking(), **ACCEPTED) for _ in range(20)]
        time.sleep(0.5)
        begun = time.monotonic()
        assert fetch(server.port, "/v1/search?q=gout")[0].status == 200
        assert time.monotonic() - begun < 2
        replies = [one.result() for one in asked]
    assert model.most <= 4
    codes = {response.status for response, _ in replies}
    assert codes <= {200, 503}
    assert 200 in codes
    for response, data in replies:
        if response.status == 503:
            assert response.headers["Retry-After"]
        else:
            assert events_of(data)[-1][1]["generation"]["fallback"] is None


def test_the_page_says_who_wrote_it_and_what_stands_in(serving):
    server, _ = serving(sentences(*TREATED), sentences(), status(500), composer="generated")
    page = fetch(server.port, "/ask?q=How+is+gout+treated%3F")[1].decode()
    assert TREATED[0] in page
    assert "Written by openai:scripted-1, each sentence checked against its source." in page
    page = fetch(server.port, "/ask?q=How+is+gout+treated%3F")[1].decode()
    assert "openai:scripted-1 found no answer in the passages that it was given." in page
    assert "What was found" in page
    assert "quote" not in page
    page = fetch(server.port, "/ask?q=How+is+gout+treated%3F")[1].decode()
    assert "Quoted, and not written by openai:scripted-1" in page
