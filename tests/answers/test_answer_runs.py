"""What a run holds of an answer from relations, and what is read of one that an older medgraph wrote."""

import json
from dataclasses import replace

from medgraph.answers.answer_runs import AnswerRun, hashes_of, run_of, settings_of
from medgraph.queries.filters import Filters
from tests.support.graphs import run


def test_the_run_of_facts_names_relations_and_the_sections_that_tell_them(told, graph, settings):
    asked = Filters(sources=("pages",))
    found = run_of(graph, told.ask("What are the symptoms of gout?"), "graph", asked, settings)
    section, relation = found.evidence
    assert (section, len(set(found.hashes))) == ("p1#1", 2)
    subject, kind, thing = relation.split("|")
    assert kind == "HAS_SYMPTOM"
    assert run(graph, "MATCH ({cui: $a})-[r:HAS_SYMPTOM]->({cui: $b}) RETURN r.sources AS s", a=subject, b=thing)
    assert (found.model, found.prompts, found.seed, found.narrowed) == ("", (), None, asked)
    assert found.stored.keys().isdisjoint({"id", "model", "seed", "cost", "dropped"})
    assert hashes_of(graph, (relation, "C0|HAS_SYMPTOM|C0", "p1#9")) == {relation: found.hashes[1]}


def test_the_hash_of_a_relation_is_of_who_says_it_and_not_of_their_order(told, graph, settings):
    found = run_of(graph, told.ask("What are the symptoms of gout?"), "graph", Filters(), settings)
    relation, before = found.evidence[1], found.hashes[1]
    change = "MATCH ({cui: split($id, '|')[0]})-[r:HAS_SYMPTOM]->({cui: split($id, '|')[2]}) SET r.sources = "
    run(graph, change + "reverse(r.sources)", id=relation)
    assert hashes_of(graph, [relation]) == {relation: before}
    run(graph, change + "r.sources[..1]", id=relation)
    assert hashes_of(graph, [relation])[relation] != before


def test_settings_are_those_of_the_run_as_far_as_they_are_there(settings):
    made = {"unsupported": "flag", "reads": False, "of_another_release": 1}
    of = AnswerRun("Is it?", "extractive", settings=json.dumps(made), precision="no such")
    assert settings_of(of, settings) == replace(settings, unsupported="flag", reads=False)
    assert settings_of(replace(of, precision="f32"), replace(settings, precision="auto")).precision == "f32"
