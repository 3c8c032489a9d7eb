"""What a training holds out, training questions, and how a reranker's scores come to be probabilities."""

import json
import sys
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.reranking import CrossEncoder, read_calibration
from medgraph.errors import InputError
from medgraph.queries.retriever import Retriever
from medgraph.text import passage_of
from medgraph_lab.evaluation.sets.medquad import dev_questions
from medgraph_lab.evaluation.sets.meqsum import Message
from medgraph_lab.evaluation.statistics import number
from medgraph_lab.training.calibrating import (
    NOT,
    RankedQuestion,
    apart,
    calibrate,
    calibration_of,
    score_cases,
)
from medgraph_lab.training.library import CHECKPOINTS
from medgraph_lab.training.questions import Example, GradedQuestion, examples, graded_of, passages, reworded
from medgraph_lab.training.reranker import Material, Options, drawn, train
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.medquad import DISEASES, KINDS
from tests.support.rerankers import WordReader

PASSAGES = st.lists(st.tuples(st.floats(-20, 20), st.booleans()), min_size=2, max_size=40)


@pytest.fixture
def material(medquad_graph):
    return Material(examples(medquad_graph), passages(medquad_graph))


@pytest.mark.thorough
def test_graded_questions_are_held_out_as_they_are_asked(material):
    graded = [GradedQuestion((f"What helps against {n}?", f"Hello. I have {n}."), {"s": 4, "t": 2}) for n in range(80)]
    left, held = apart(replace(material, graded=graded), 7)
    kept, out = {text for one in left.graded for text in one.texts}, {text for text, _ in held}
    assert kept.isdisjoint(out)
    assert len(kept) + len(out) == 160
    assert 10 < len(out) / 2 < 35
    assert [held[0][1](section) for section in "stx"] == [True, False, None]


def reading(*pairs):
    logits, answers = zip(*pairs, strict=True)
    return RankedQuestion(logits, answers)


@pytest.mark.thorough
@given(PASSAGES)
def test_what_is_fitted_keeps_the_order_and_says_as_many_as_there_are(pairs):
    try:
        found = calibration_of([reading(*pairs)])
    except InputError:
        return
    logits, answers = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))
    likely = found.probabilities(logits)
    assert (np.diff(likely[np.argsort(logits)]) >= 0).all()
    right = answers.sum()
    targets = np.where(answers == 1, (right + 1) / (right + 2), 1 / (len(answers) - right + 2))
    assert likely.mean() == pytest.approx(targets.mean(), abs=1e-5)
    assert 0 <= found.threshold <= 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ([reading((1.0, True), (2.0, True))], "of 2 passages that were judged 2 answer, and"),
        ([], "of 0 passages"),
        ([reading((3.0, False), (-3.0, True))], r"higher logits answer less often \(slope -"),
        ([reading((1.0, False), (1.0, True))], "it has learned nothing"),
    ],
)
def test_what_tells_nothing_is_refused(readings, message):
    with pytest.raises(InputError, match=message):
        calibration_of(readings)


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: WordReader(encoder, "urate"), names_of(sample_graph))


@pytest.mark.thorough
def test_what_search_reads_is_compared_with_what_is_known(retriever):
    known = {"sample:gout#6": True, "sample:gout#7": False}
    (found,) = score_cases(retriever, [("How is gout treated?", known.get), ("gout", lambda _: None)])
    assert (sorted(found.answers), len(found.others)) == ([False, True], 8)
    assert set(found.logits) <= {2.0, -2.0}


@pytest.mark.thorough
def test_the_card_gets_a_calibration_or_says_why_not(retriever, tmp_path, capsys):
    (tmp_path / CARD).write_text('{"base": "x"}')
    card = calibrate(retriever, [("gout", lambda _: False)], tmp_path)
    assert "0 answer, and probabilities are fitted to such as do and such as do not" in card[NOT]
    assert f"the reranker gives no probabilities: {card[NOT]}" in capsys.readouterr().err
    assert read_calibration(tmp_path) is None
    rows = retriever.ranked(retriever.question("How is gout treated?"))
    best = {row["section"] for row in rows if row.get("reading") == 2.0}
    card = calibrate(retriever, [("How is gout treated?", best.__contains__)], tmp_path)
    assert card == json.loads((tmp_path / CARD).read_text())
    assert card["calibration"]["slope"] > 0
    assert card["calibration"]["accuracy"] == 1.0
    assert read_calibration(tmp_path).slope == card["calibration"]["slope"]


def example(**given):
    told = {"section": "s", "question": "What is Gout ?", "type": "symptoms", "collection": "GARD", "names": ["Gout"]}
    return Example(**told | {"answers": frozenset("s"), "near": frozenset("s")} | given)


@pytest.mark.thorough
def test_sections_of_the_half_to_choose_by_are_asked_for(medquad_graph):
    made = examples(medquad_graph)
    assert {one.names[0] for one in made} == {name for name in DISEASES if number(name.lower()) % 2 == 0}
    for one in made:
        assert one.question == KINDS[one.type][0].format(one.names[0])
        other = {"GARD": "NHLBI", "NHLBI": "GARD"}[one.collection]
        assert one.answers == {one.section, one.section.replace(one.collection, other)}
        assert len(one.near) == 2 * len(KINDS)
        assert one.answers < one.near


@pytest.mark.thorough
def test_nothing_that_is_reported_is_learned_from(medquad_graph):
    reported = dev_questions(medquad_graph, "source", 100, part="held")
    taken = {section for one in examples(medquad_graph) for section in (one.section, *one.near)}
    assert reported
    assert not taken & {section for one in reported for section in (one.id, *one.relevant)}


@pytest.mark.thorough
def test_what_a_concept_connects_with_a_reported_subject_is_left_out(medquad_graph):
    mine = next(name for name in DISEASES if number(name.lower()) % 2 == 0)
    held = next(name for name in DISEASES if number(name.lower()) % 2)
    run(
        medquad_graph,
        "MATCH (e:Entity {name: $held}), (:Entity {name: $mine})-[:HAS_CUI]->(c) MERGE (e)-[:HAS_CUI {test: 1}]->(c)",
        mine=mine,
        held=held,
    )
    try:
        assert mine not in {one.names[0] for one in examples(medquad_graph)}
    finally:
        run(medquad_graph, "MATCH ()-[r:HAS_CUI {test: 1}]->() DELETE r")


@pytest.mark.thorough
def test_questions_are_asked_as_sources_and_as_people_do():
    chance = Random(1)
    texts = [reworded(example(names=["Podagra", "Gout"]), chance) for _ in range(600)]
    as_source = texts.count("What is Gout ?") / len(texts)
    assert 0.25 < as_source < 0.35
    assert "signs of Podagra" in texts
    assert "signs of podagra" in texts
    assert any(not {"podagra", "gout"} & {*text.lower().strip("?,.").split()} for text in texts), "slips of the finger"
    assert {reworded(example(type="unknown"), chance) for _ in range(50)} == {"What is Gout ?"}


MESSAGES = [Message("1", "Hello. I cough. Is it Quimbly fever?", "symptoms of Quimbly fever"), Message("2", "a", "b")]
FEW = Options(steps=4, questions=2, passages=3, rate=1e-3, real=0.5)


@pytest.fixture
def reranker_material(medquad_graph):
    found = passages(medquad_graph)
    grades = {found.sections[0]: 4, found.sections[1]: 1, "gone": 3}
    return Material(examples(medquad_graph), found, graded_of(MESSAGES, {"1": grades, "3": {"a": 1}}))


def test_without_torch_what_to_install_is_said(reranker_material, base, encoder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(InputError, match=r"training needs torch .* pip install '\.\[train\]'"):
        train(base, encoder, reranker_material, tmp_path / "made", FEW)
    assert not (tmp_path / "made").exists()


@pytest.mark.thorough
def test_each_question_has_what_answers_and_what_only_seems_to(reranker_material, encoder):
    rows = drawn(reranker_material, encoder, FEW)
    assert drawn(reranker_material, encoder, FEW) == rows
    texts = reranker_material.passages
    told = {passage_of(*two): one for one, *two in zip(texts.sections, texts.titles, texts.texts, strict=True)}
    graded = [row for row in rows if "Quimbly" in row[0] and told[row[1]] in texts.sections[:2] and row[2] in {0, 1}]
    assert {label for _, _, label in rows} == {0.0, 1.0}
    assert len(graded) >= 4 * 2
    assert len(rows) <= FEW.steps * FEW.questions * FEW.passages
    for text in {row[0] for row in rows}:
        mine = {told[passage]: label for question, passage, label in rows if question == text}
        assert max(mine.values()) == 1.0


@pytest.mark.extra
def test_what_is_learned_runs_without_torch_as_with_it(reranker_material, base, encoder, tmp_path):
    from sentence_transformers.cross_encoder import CrossEncoder as Theirs
    from torch.nn import Identity

    folder = tmp_path / "made"
    card = train(base, encoder, reranker_material, folder, FEW)
    assert card == json.loads((folder / CARD).read_text())
    assert (card["graded questions"], [one.split()[0] for one in card["trained on"]]) == (1, ["MedQuAD", "MeQSum"])
    assert not (folder / CHECKPOINTS).exists()
    texts = [
        passage_of(*pair)
        for pair in zip(reranker_material.passages.titles, reranker_material.passages.texts, strict=True)
    ][:5]
    theirs = Theirs(str(folder), device="cpu").predict(
        [("What is gout?", one) for one in texts], activation_fn=Identity()
    )
    assert CrossEncoder(folder).scores("What is gout?", texts) == pytest.approx(theirs, abs=0.02)
