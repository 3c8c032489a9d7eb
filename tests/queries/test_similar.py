"""What is alike and what may be related, by vectors in the graph; predictions are marked, and are never facts."""

import sys

import numpy as np
import pytest

from medgraph.errors import EncoderMismatchError
from medgraph.linking.names import names_in_use
from medgraph.queries import paths
from medgraph.queries.similar import find_similar, predict
from tests.support.graphs import run, run_saved, state_of
from tests.support.joined import joined
from tests.support.kge import with_vectors, without_vectors

GOUT, ASTHMA, FEVER, COUGH, ALLOPURINOL = "C0018099", "DOID:2", "C0015967", "C0010200", "MESH:3"


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Waits for a server that has just started to plan the statement of paths; and has no torch."""
    monkeypatch.setattr(paths, "TIME_LIMIT", 60.0)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "pykeen", None)


@pytest.fixture
def own(graph, settings, tmp_path):
    """A small graph of three sources, whose vectors a test writes."""
    joined(graph, settings, tmp_path)
    yield graph
    without_vectors(graph)


@pytest.fixture
def ask(own, settings):
    """Asks for predictions."""
    linker, _ = names_in_use(settings, own)
    return lambda name, relation, **options: predict(own, lambda: linker, name, relation, **options)


def test_what_lies_near_is_similar_and_may_be_of_one_category(own):
    with_vectors(own, near=[(GOUT, ASTHMA), (GOUT, FEVER)])
    found = find_similar(own, GOUT, limit=3)
    assert (found.concept, found.name, found.label, found.model) == (GOUT, "gout", "Disease", "TransE")
    assert {one.concept for one in found.similar[:2]} == {ASTHMA, FEVER}
    assert found.similar[0].similarity == pytest.approx(1, abs=0.01)
    assert [one.similarity for one in found.similar] == sorted((s.similarity for s in found.similar), reverse=True)
    only = find_similar(own, GOUT, label="Symptom")
    assert (only.similar[0].concept, only.similar[0].name, only.similar[0].entity) == (FEVER, "fever", "SYMP:1")
    assert {one.label for one in only.similar} == {"Symptom"}


@pytest.mark.parametrize("model", ["TransE", "ComplEx", "ConvE"])
def test_predictions_are_ranked_as_the_model_scores_without_torch(own, ask, model, monkeypatch):
    biases = np.linspace(-2, 2, 6, dtype=np.float32) if model == "ConvE" else None
    if model == "ConvE":
        monkeypatch.setattr("medgraph.embeddings.kge.vectors._convolved", lambda given, with_what, _: given * with_what)
    triples, vectors = with_vectors(own, model=model, biases=biases)
    scores = vectors.tails(
        np.array([triples.entities.index(GOUT)]), np.array([triples.relations.index("HAS_SYMPTOM")])
    )[0]
    expected = {name: score for name, score in zip(triples.entities, scores.tolist(), strict=True) if name != GOUT}
    found = ask("podagra", "has symptom", paths=False)
    assert (found.relation, found.model, found.concept) == ("HAS_SYMPTOM", model, GOUT)
    conditions = {row["id"] for row in run(own, "MATCH (c:Concept) WHERE NOT c:Drug RETURN c.cui AS id")}
    wanted = sorted(expected.keys() & conditions, key=lambda name: -expected[name])
    assert [one.concept for one in found.predictions] == wanted
    assert [one.score for one in found.predictions] == pytest.approx([expected[name] for name in wanted], abs=1e-4)
    assert [one.rank for one in found.predictions] == list(range(1, len(wanted) + 1))
    assert {one.concept for one in found.predictions if one.known} == {FEVER, COUGH, "MESH:4"}


def test_a_guess_has_paths_that_speak_for_it_and_what_is_known_has_none(own, ask):
    with_vectors(own)
    by_concept = {one.concept: one for one in ask(ASTHMA, "HAS_SYMPTOM").predictions}
    assert by_concept[COUGH].known
    assert by_concept[COUGH].paths == ()
    assert not by_concept[GOUT].known
    (path,) = by_concept[GOUT].paths
    assert path.text.replace("\u2013", "-") == "asthma - HAS_SYMPTOM → cough ← HAS_SYMPTOM - gout"
    assert by_concept[FEVER].paths == ()  # there is none
    assert all(one.paths == () for one in ask(ASTHMA, "HAS_SYMPTOM", paths=False).predictions)


def test_nothing_is_written(own, ask):
    with_vectors(own)
    before = state_of(own)
    ask("gout", "TREATED_BY")
    find_similar(own, GOUT)
    assert state_of(own) == before


def test_a_vector_of_another_model_is_refused(own, ask):
    with_vectors(own)
    run(own, "MATCH (c:Concept {cui: $id}) SET c.kge = [1.0, 2.0]", id=GOUT)
    said = r"the vector of 'gout' has 2 dimensions, those of TransE have 4; .*medgraph index kge --rebuild"
    with pytest.raises(EncoderMismatchError, match=said):
        ask("gout", "HAS_SYMPTOM")
    with pytest.raises(EncoderMismatchError, match=said):
        find_similar(own, GOUT)


def test_saved_queries_show_what_is_alike_and_what_it_is_related_to(own):
    with_vectors(own, near=[(GOUT, ASTHMA)])
    alike = run_saved(own, "similar_concepts", [f"concept={ASTHMA}"])
    assert (alike[0]["concept"], alike[0]["name"], alike[0]["similarity"]) == (GOUT, "gout", pytest.approx(1, abs=0.01))
    likely = run_saved(own, "likely_by_similar", [f"concept={ASTHMA}", "relation=HAS_SYMPTOM"])
    assert {row["concept"] for row in likely} == {FEVER, "MESH:4"}  # its cough is known
    assert {tuple(row["like"]) for row in likely} == {("gout",)}
