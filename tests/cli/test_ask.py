"""`medgraph ask`: what it prints, every filter of search, and any bytes at all."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from tests.support.scripted import status
from tests.support.verifiers import write_inferring
from tests.support.written import asked_of, put_reply, sentences

DOCUMENT = {
    "id": "d",
    "title": "Zorblatt disease",
    "published": "2024-06-15",
    "sections": [
        {
            "question": "How is Zorblatt disease treated?",
            "type": "treatment",
            "text": "Zorblatt disease is treated with a long rest by the sea.",
        }
    ],
}

ASKED = ["ask", "How is Zorblatt disease treated?", "--json"]


@pytest.fixture
def ask(here, database, encoder, settings, tmp_path):
    """Asks of one document, published on 15 June 2024."""
    path = tmp_path / "corpus.jsonl"
    path.write_text(json.dumps(DOCUMENT) + "\n", encoding="utf-8")
    load_named(database, settings, "documents", path)
    index(database, encoder, "all")

    def asked(*options):
        return CliRunner().invoke(main, [*ASKED, *options], obj=here)

    return asked


def test_a_verifier_that_is_set_leaves_quotations_alone_and_one_that_cannot_be_used_is_told_of(ask, here, tmp_path):
    folder = write_inferring(tmp_path / "verifier")
    done = CliRunner().invoke(main, ASKED, obj=replace(here, verifier=str(folder)))
    (sentence,) = json.loads(done.stdout)["sentences"]
    assert (sentence["text"], sentence["verdict"]) == (DOCUMENT["sections"][0]["text"], "supported")
    (folder / "model.safetensors").write_bytes(b"")
    for given, told in (
        (folder, "MEDGRAPH_VERIFIER if that names it"),
        (tmp_path / "none", "MEDGRAPH_VERIFIER or unset"),
    ):
        done = CliRunner().invoke(main, ASKED, obj=replace(here, verifier=str(given)))
        assert (done.exit_code, done.stdout) == (1, "")
        assert told in done.stderr


def test_only_what_was_published_in_time_is_cited(ask):
    for options in (
        (),
        ("--since", "2024"),
        ("--until", "2024-06"),
        ("--since", "2024-06-15", "--until", "2024-06-15"),
    ):
        data = json.loads(ask(*options).stdout)
        assert (data["status"], len(data["evidence"])) == ("answered", 1), options
    for options in (("--since", "2024-07"), ("--until", "2023"), ("--since", "2025", "--until", "2026")):
        data = json.loads(ask(*options).stdout)
        assert (data["status"], data["evidence"]) == ("not_enough_evidence", []), options
    result = ask("--since", "yesterday")
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.match(r"Error: since is 'yesterday'; write it as 2026, 2026-11 or 2026-11-21", result.stderr)


def test_ask_as_text_and_as_json(medgraph, sample_graph):
    data = json.loads(medgraph("ask", "How is gout treated?", "--json"))
    assert data["status"] == "answered"
    assert data["sentences"][0]["citations"][0]["section"] == "sample:gout#6"
    assert data["timing_ms"]["total"] > 0
    text = medgraph("ask", "How is gout treated?")
    assert text.count("not medical advice") == 1
    assert "\nGout (sample, Apache-2.0)\n    [1] treatment, section sample:gout#6\n" in text
    nothing = json.loads(medgraph("ask", "best pizza in town", "--json"))
    assert (nothing["status"], nothing["sentences"]) == ("not_enough_evidence", [])
    assert medgraph("ask", "best pizza in town").startswith("This does not seem to be about health")


def test_what_to_do_in_an_emergency_is_printed_first(medgraph, sample_graph):
    text = medgraph("ask", "my chest hurts and my left arm is numb")
    assert text.startswith("This may be a heart attack\n  Call your local emergency number (911 in the US, ")
    assert "Call: 911 (US, Canada); 112 (Europe, India)" in text
    assert "\n  MedlinePlus: Heart attack first aid: https://medlineplus.gov/" in text
    assert "Closest to it" not in text
    assert "Not enough evidence" not in text
    (urgent,) = json.loads(medgraph("ask", "my chest hurts and my left arm is numb", "--json"))["urgent"]
    assert urgent.keys() == {"kind", "title", "text", "source", "url", "calls"}
    assert medgraph("ask", "Was ist Gicht?").startswith("This seems to be written in German")


def test_bytes_that_are_no_text_do_no_harm(environment, sample_graph):
    command = [sys.executable, "-m", "medgraph", "ask", b"What is asthma \xff?", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8", "replace"))["status"] == "answered"


WRITTEN = "Zorblatt disease is treated with long rests by the sea."


def test_a_language_model_writes_what_is_checked(ask, here, monkeypatch, tmp_path):
    false = "Zorblatt disease is treated with penicillin."
    for step, told in (
        (sentences(WRITTEN, false), "Written by openai:scripted-1, each sentence checked against its source; 1 of its"),
        (sentences(), "openai:scripted-1 found no answer in the passages that it was given. Nearest sections found:"),
        (status(500), "Quoted, and not written by openai:scripted-1: "),
    ):
        with asked_of(here, monkeypatch, tmp_path, step) as (_, own):
            done = CliRunner().invoke(main, [*ASKED[:-1], "--composer", "generated", "--stream"], obj=own)
        assert done.exit_code == 0, done.output
        shown = " ".join(done.stdout.split())
        assert told in shown
        assert (shown.count(WRITTEN), false in shown) == (2 * ("Written" in told), False)
    with asked_of(here, monkeypatch, tmp_path, sentences(WRITTEN)) as (_, own):
        done = CliRunner().invoke(main, [*ASKED, "--composer", "generated"], obj=own)
    answer = json.loads(done.stdout)
    assert [sentence["text"] for sentence in answer["sentences"]] == [WRITTEN]
    assert answer["generation"]["model"] == "openai:scripted-1"


def test_a_model_may_answer_by_batch_files(ask, here, tmp_path):
    own, folder = replace(here, model="openai:any"), tmp_path / "batch"
    asked = [*ASKED, "--composer", "generated", "--batch", str(folder)]
    done = CliRunner().invoke(main, asked, obj=own)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "1 request waits" in done.stderr
    put_reply(folder, "any", WRITTEN)
    done = CliRunner().invoke(main, asked, obj=own)
    assert done.exit_code == 0, done.output
    assert [sentence["text"] for sentence in json.loads(done.stdout)["sentences"]] == [WRITTEN]
    assert not (folder / "requests.jsonl").exists()
