"""Training questions: what answers them, whose halves they keep to, and how they are worded."""

from random import Random

import pytest

from medgraph_lab.evaluation.sets.medquad import dev_questions
from medgraph_lab.evaluation.statistics import number
from medgraph_lab.training.questions import Example, asked, examples
from tests.support.graphs import run
from tests.support.medquad import DISEASES, KINDS

pytestmark = pytest.mark.thorough


def example(**given):
    told = {"section": "s", "question": "What is Gout ?", "type": "symptoms", "collection": "GARD", "names": ["Gout"]}
    return Example(**told | {"answers": frozenset("s"), "near": frozenset("s")} | given)


def test_sections_of_the_half_to_choose_by_are_asked_for(medquad_graph):
    made = examples(medquad_graph)
    assert {one.names[0] for one in made} == {name for name in DISEASES if number(name.lower()) % 2 == 0}
    for one in made:
        assert one.question == KINDS[one.type][0].format(one.names[0])
        other = {"GARD": "NHLBI", "NHLBI": "GARD"}[one.collection]
        assert one.answers == {one.section, one.section.replace(one.collection, other)}
        assert len(one.near) == 2 * len(KINDS)
        assert one.answers < one.near


def test_nothing_that_is_reported_is_learned_from(medquad_graph):
    reported = dev_questions(medquad_graph, "source", 100, part="held")
    taken = {section for one in examples(medquad_graph) for section in (one.section, *one.near)}
    assert reported
    assert not taken & {section for one in reported for section in (one.id, *one.relevant)}


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


def test_questions_are_asked_as_sources_and_as_people_do():
    chance = Random(1)
    texts = [asked(example(names=["Podagra", "Gout"]), chance) for _ in range(600)]
    as_source = texts.count("What is Gout ?") / len(texts)
    assert 0.25 < as_source < 0.35
    assert "signs of Podagra" in texts
    assert "signs of podagra" in texts
    assert any(not {"podagra", "gout"} & {*text.lower().strip("?,.").split()} for text in texts), "slips of the finger"
    assert {asked(example(type="unknown"), chance) for _ in range(50)} == {"What is Gout ?"}
