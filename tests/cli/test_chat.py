"""`medgraph chat`: a dialogue from a pipe, by lines, and any bytes at all."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main


@pytest.fixture
def chat(here, sample_graph):
    def said(text, *options):
        return CliRunner().invoke(main, ["chat", *options], obj=here, input=text)

    return said


def test_turns_are_completed_shown_as_understood_and_answered(chat):
    result = chat("gout\nthe treatment\nAnd asthma?\n\n?!\nquit\nWhat is diabetes?\n")
    assert result.exit_code == 0
    assert "What would you like to know of gout: " in result.stdout
    assert "  1 What" in result.stdout
    assert "understood as: What are the treatments for gout?; Gout (Disease); treatment" in result.stderr
    assert "What are the treatments for asthma?" in result.stderr
    assert "the question has no word in it" in result.stdout
    assert "iabetes" not in result.output


def test_a_turn_is_a_line_of_json(chat):
    result = chat("gout\n1\nand in children?\r\n?!\n\u00bfQu\u00e9 es la gota?\nEXIT\n", "--json")
    first, second, third, refused, foreign = map(json.loads, result.stdout.splitlines())
    assert second["understood"] == first["ask_back"]["replies"][0]["question"]
    assert third["understood"] == second["understood"].replace("?", " in children?")
    assert refused == {"question": "?!", "error": refused["error"]}
    assert "no word in it" in refused["error"]
    assert "Spanish" in foreign["remark"]
    assert result.exit_code == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("what", "status", "verdicts"), [("drop", "not_enough_evidence", set()), ("flag", "answered", {"no_evidence"})]
)
def test_what_is_not_supported_is_dropped_or_flagged_as_set(here, sample_graph, monkeypatch, what, status, verdicts):
    monkeypatch.setattr("medgraph.answers.verify.verifier.SUPPORTS", 2.0)  # nothing is ever so likely
    settings = replace(here, unsupported=what)
    done = CliRunner().invoke(main, ["chat", "--json"], obj=settings, input="How is gout treated?\n")
    answer = json.loads(done.stdout)
    assert answer["status"] == status
    assert {sentence["verdict"] for sentence in answer["sentences"]} == verdicts


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--since", "soon"), "since is 'soon'; write it as 2026"),
        (("--journal", "Lancet"), "no document is from a journal called 'Lancet'"),
    ],
)
def test_a_filter_that_cannot_be_used_is_told_before_anything_is_asked(chat, options, told):
    result = chat("How is gout treated?\n", *options)
    assert (result.exit_code, result.stdout) == (1, "")
    assert told in result.stderr


def test_what_to_ask_next_is_offered_and_a_number_asks_it(chat):
    first, second, none = map(json.loads, chat("How is gout treated?\n2\n7\n", "--json").stdout.splitlines())
    assert second["understood"] == first["follow_ups"][1]
    assert second["status"] == "answered"
    assert first["understood"] not in second["follow_ups"]
    assert "chooses nothing" in none["remark"]
    assert f"Ask next:\n  1 {first['follow_ups'][0]}" in chat("How is gout treated?\n").stdout
    asked = "How many horses have gout?\n"
    first, second = map(json.loads, chat(f"{asked}1\n", "--json").stdout.splitlines())
    assert (first["status"], second["status"]) == ("not_enough_evidence", "answered")
    assert second["question"] == first["follow_ups"][0]
    assert f"You could ask instead:\n  1 {first['follow_ups'][0]}" in chat(asked).stdout
    narrowed = chat("How is gout treated?\n", "--json", "--type", "treatment").stdout
    assert json.loads(narrowed)["follow_ups"] == []
