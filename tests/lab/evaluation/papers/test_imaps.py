"""Maps of key information: their score by hand, and what the graph says of their values."""

import pytest

from medgraph_lab.evaluation.papers import imaps
from medgraph_lab.evaluation.papers.imaps import Values, agreed, likeness
from medgraph_lab.evaluation.papers.text_metrics import Rarity, new_words, phrases, plain_sentences
from tests.support.graphs import run
from tests.support.linking import names_of


def values(*names):
    return {name: f"e:{name}" for name in names}


def test_the_score_follows_the_formula():
    label = {"treatment": values("rest", "nsaid"), "condition": values("gout"), "exams and tests": values("x-ray")}
    response = {"treatment": values("rest", "ibuprofen", "tea"), "condition": values("arthritis")}
    kinds = {("e:ibuprofen", "e:nsaid"), ("e:gout", "e:arthritis")}
    related = imaps.relations_by_graph(label, response, kinds)
    told = imaps.term_scores(label, response, related)
    # rest is the same, and the label's nsaid includes ibuprofen: one of two related pairs
    assert told["treatment"] == imaps.TermScore(1.0, 2 / 3, 0.5)
    assert told["condition"] == imaps.TermScore(1.0, 1.0, 0.0)  # gout belongs to arthritis
    assert imaps.score(label, response, related) == pytest.approx((1 + 2 / 3 - 0.5 + 2) / 6)
    assert imaps.score(label, response, imaps.relations_by_graph(label, response, ())) == pytest.approx(
        (1 / 2 + 1 / 3) / 6
    )
    assert imaps.score({}, response, related) == imaps.score(label, {}, related) == 0


def test_values_are_what_a_text_names_by_their_kind_and_the_graph_relates_them(sample_graph):
    linker = names_of(sample_graph)()
    asked, told = (imaps.values_of(linker, text) for text in ("How is gout treated?", "Colchicine helps with gout."))
    assert list(asked) == ["condition"]
    assert told["condition"] == asked["condition"]
    assert imaps.as_text(imaps.names_of(linker, "Gout hurts.")).lower() == "condition: gout"
    (row,) = run(sample_graph, "MATCH (a:Entity)-[:IS_A]->(b:Entity) RETURN a.id AS a, b.id AS b LIMIT 1")
    assert imaps.kinds_among(sample_graph, {"condition": {"1": row["a"], "2": row["b"]}}) >= {(row["a"], row["b"])}
    assert imaps.kinds_among(sample_graph, {}) == set()


def test_what_two_of_three_runs_say_is_kept_as_the_first_words_it():
    runs = [
        [Values("medicine", ["Colchicine", "ibuprofen"]), Values("advice", ["rest"])],
        [Values("medicine", ["colchicine"]), Values("medicine", ["ibuprofen tablet"])],
        [Values("medicine", ["aspirin", ""]), Values("outlook", ["resting"])],
    ]
    assert agreed(runs) == {"medicine": ["colchicine", "ibuprofen"]}
    assert agreed([]) == agreed([[], [], []]) == {}
    assert likeness("gout", "gout") == 1
    assert likeness("gout", "asthma") == likeness("", "gout") == 0


def test_a_value_is_related_to_nothing_else_once_it_has_the_same():
    label, response = {"test": ["blood test", "x-ray"]}, {"test": ["complete blood count", "radiograph", "mri"]}
    broader = ("blood test", "complete blood count")
    related = {broader: imaps.BROADER, ("x-ray", "radiograph"): imaps.SAME, ("x-ray", "mri"): imaps.NARROWER}
    assert imaps.term_scores(label, response, related) == {"test": imaps.TermScore(1.0, 2 / 3, 0.5)}


def test_words_of_the_question_and_polite_sentences_do_not_count():
    rarity = Rarity(["gout hurts", "take colchicine", "rest", "sleep", "drink water"])
    same = new_words("Does gout hurt?", "Take colchicine for gout.", "Colchicine.", rarity)
    none = new_words("Does gout hurt?", "Take colchicine for gout.", "Gout hurts.", rarity)
    assert (same, none) == (pytest.approx(2 / 3), pytest.approx(0, abs=1e-6))
    assert plain_sentences("Hello and welcome. Take colchicine twice daily. Take care.") == [
        "Take colchicine twice daily."
    ]
    assert phrases("Take low dose colchicine, and rest at home.")[0].endswith("low dose colchicine")
