"""Ranking by learned weights: what each feature means, how the model is read, and why a result stands where it does."""

import numpy as np

from medgraph.queries import fusion
from medgraph.queries.fusion import FEATURES, FusionModel, features_of
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of


def test_a_model_is_read_as_it_was_written(tmp_path):
    given = FusionModel({name: place / 8 for place, name in enumerate(FEATURES)}, 7, {"gout": 2, "diet": 3})
    fusion.write(given, tmp_path / "model.tsv", "by hand")
    assert fusion.read(tmp_path / "model.tsv") == given
    assert (tmp_path / "model.tsv").read_text().startswith("# by hand\n")


def test_reasons_add_up_to_the_score_beside_the_average():
    weights = dict.fromkeys(FEATURES, 0.0) | {"words": 2.0, "meaning": 1.0}
    features = np.zeros((2, len(FEATURES)))
    features[0, FEATURES.index("words")] = 1
    features[1, FEATURES.index("meaning")] = 0.5
    given = FusionModel(weights, 1, {})
    first, second = given.reasons(features, [0, 1])
    assert given.reasons(features, [1]) == [second]
    assert list(first.items()) == [("words", 1.0), ("meaning", -0.25)]
    assert list(second.items()) == [("meaning", 0.25), ("words", -1.0)]
    assert sum(first.values()) - sum(second.values()) == np.subtract(*given.scores(features))


def test_what_a_result_is_ranked_by_is_told(sample_graph, encoder):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    hits = retriever.search("What are the symptoms of asthma?", mode="learned")
    assert (hits[0].section, hits[0].type) == ("sample:asthma#2", "symptoms")
    assert {"about it", "type where about"} <= hits[0].why.keys()
    assert list(hits[0].why.values()) == sorted(hits[0].why.values(), reverse=True)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert not retriever.search("What are the symptoms of asthma?", mode="hybrid")[0].why


def test_candidates_come_by_words_by_meaning_and_by_what_they_are_about(sample_graph, encoder):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    question = retriever.question("What are the symptoms of asthma?")
    rows = {found["section"]: found for found in retriever.candidates(question, 2)}
    assert len(rows) == len(retriever.candidates(question, 2))
    assert sum(found["lexical"] is not None for found in rows.values()) == 2
    assert sum(found["far"] == 0 for found in rows.values()) == 2
    assert rows["sample:asthma#2"]["asked"] == max(found["asked"] or -1 for found in rows.values()) > 0.5
    assert all(-1 <= found["semantic"] <= 1 for found in rows.values())


def titled(title, text, number, source="papers"):
    """Make a candidate of which nothing is known but its title and text."""
    told = {"document": f"{source}:d{number}", "source": source, "title": title, "text": text, "aliases": []}
    nothing = dict.fromkeys(("lexical", "semantic", "asked", "far"))
    return {**told, **nothing, "linked": False, "heading": "", "question": "", "type": ""}


def in_title_and_text(*rows):
    question = Question("Is papilin secreted?", words_of("Is papilin secreted?"), None, lambda _: (), None)
    described = features_of(question, rows, FusionModel(dict.fromkeys(FEATURES, 0.0), 1, {}))
    return described[:, [FEATURES.index("question in title"), FEATURES.index("question in text")]].tolist()


LONG = "papilin of the extracellular matrix during early development in the fruit fly"


def test_a_title_that_is_a_sentence_counts_as_text():
    apart = [titled(LONG.title(), "It is secreted.", 1), titled(LONG.replace("papilin", "laminin"), "Collagen.", 2)]
    assert in_title_and_text(*apart) == [[1, 1], [0, 0]]


def test_a_title_that_names_what_a_page_is_about_stays_apart():
    page = titled("Papilin", "It is secreted.", 1, "pages")
    assert in_title_and_text(page) == [[0.5, 0.5]]
    # One long name among short ones is a name; one short title among sentences is no name.
    others = [titled("Gout", "It hurts.", 2, "pages"), titled("Asthma", "It hurts.", 3, "pages")]
    assert in_title_and_text(titled(LONG, "It is secreted.", 4, "pages"), *others)[0] == [0.5, 0.5]
    papers = [titled(LONG, "Nothing.", number) for number in (2, 3)]
    assert in_title_and_text(titled("Papilin", "It is secreted.", 4), *papers)[0] == [1, 1]
