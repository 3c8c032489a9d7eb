"""What a training holds out, and how a reranker's card comes to its calibration."""

import json
from dataclasses import replace

import pytest

from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.rerankers import calibration
from medgraph.evaluation.reliability import Case
from medgraph.evaluation.sets.meqsum import Message
from medgraph.queries.retriever import Retriever
from medgraph.training.calibrating import NOT, apart, calibrate, cases_of
from medgraph.training.corpus import passages
from medgraph.training.graded import Graded, graded_of
from medgraph.training.questions import examples
from medgraph.training.reranker import Material
from tests.support.linking import names_of
from tests.support.rerankers import write_reranker


@pytest.fixture
def material(medquad_graph):
    return Material(examples(medquad_graph), passages(medquad_graph))


def test_graded_questions_are_held_out_as_they_are_asked(material):
    graded = [Graded((f"What helps against {n}?", f"Hello. I have {n}."), {"s": 4, "t": 2}) for n in range(80)]
    given = replace(material, graded=[*graded, Graded(("what helps against 3?", "Another message."), {"s": 1})])
    left, held = apart(given, 7)
    assert left.examples == material.examples
    kept, out = {text for one in left.graded for text in one.texts}, {case.text for case in held}
    assert kept.isdisjoint(out)
    assert len(kept) + len(out) == 2 * 80 + 2
    assert 10 < len(out) / 2 < 35
    assert {"What helps against 3?", "what helps against 3?"} & kept in (
        set(),
        {"What helps against 3?", "what helps against 3?"},
    )
    assert [case.text for case in apart(given, 7)[1]] == [case.text for case in held]
    assert {case.kind for case in held} == {"question", "message"}


def test_grades_say_what_answers():
    (short, message) = cases_of(graded_of([Message("1", "My toe hurts.", "gout")], {"1": {"a": 3, "b": 2}}))
    assert (short.kind, short.text, message.kind, message.text) == ("question", "gout", "message", "My toe hurts.")
    assert [short.answers(section) for section in "abc"] == [True, False, None]


def test_without_grades_subjects_are_held_out(material, monkeypatch):
    monkeypatch.setattr("medgraph.training.calibrating.SHARE", 2)
    left, held = apart(material, 7)
    subjects = {example.near for example in left.examples}
    assert 0 < len(left.examples) < len(material.examples)
    assert len(held) == len(material.examples) - len(left.examples)
    for case in held:
        assert case.kind == "made"
        assert any(case.answers(section) for section in material.passages.sections)
        assert not any(case.answers(section) for near in subjects for section in near)
    assert [case.text for case in apart(material, 7)[1]] == [case.text for case in held]


@pytest.fixture
def retriever(medquad_graph, base, settings, tmp_path):
    write_reranker(tmp_path, base)
    reading = load_encoder(replace(settings, reranker=str(tmp_path)))
    return Retriever(medquad_graph, lambda: reading, names_of(medquad_graph))


def test_the_card_gets_a_calibration_that_search_uses(retriever, settings, tmp_path):
    question = "What helps against Quimbly fever?"
    rows = [row for row in retriever.ranked(retriever.question(question)) if "reading" in row]
    assert len(rows) > 3
    best = {row["section"] for row in sorted(rows, key=lambda row: -row["reading"])[:2]}
    card = calibrate(retriever, [Case("made", question, lambda section: section in best)], tmp_path)
    assert card == json.loads((tmp_path / CARD).read_text())
    told = card["calibration"]
    assert told["slope"] > 0
    assert told["ece"] < told["ece before"]
    assert (told["questions"], told["passages"], told["accuracy"], told["asked"]) == (1, len(rows), 1.0, ["made"])
    assert sum(part["count"] for part in told["bins"]) == len(rows)
    assert "sha256" in card
    reading = load_encoder(replace(settings, reranker=str(tmp_path)))
    assert reading.calibration == calibration.read(tmp_path)
    hits = Retriever(retriever._database, lambda: reading, retriever._linker).search(question, mode="learned")
    assert {hit.section for hit in sorted(hits, key=lambda hit: -(hit.probability or 0))[:2]} == best


@pytest.mark.parametrize("held", [[], [Case("made", "Quimbly fever", lambda _: False)]])
def test_where_there_can_be_none_the_card_says_why(retriever, held, tmp_path, capsys):
    card = calibrate(retriever, held, tmp_path)
    assert "calibration" not in card
    assert "0 answer, and probabilities are fitted to such as do and such as do not" in card[NOT]
    assert f"the reranker gives no probabilities: {card[NOT]}" in capsys.readouterr().err
    assert calibration.read(tmp_path) is None
