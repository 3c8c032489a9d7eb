"""Ranking by learned weights: what each feature means, how the model is read, and why a result stands where it does."""

from dataclasses import replace

import numpy as np
import pytest

from medgraph.queries import fusion
from medgraph.queries.entities import Mention
from medgraph.queries.fusion import BY_GRAPH, FEATURES, FusionModel, features_of
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of
from tests.support.questions import question_of

NAMED = Mention("DOID:13189", "Disease", "gout", "gout", "gout", 1.0, (), 1)


def row(section="a", **given):
    told = {
        "document": f"test:{section}",
        "title": "",
        "aliases": [],
        "heading": "",
        "question": "",
        "text": "",
        "type": "",
        "far": None,
        "linked": False,
    }
    return told | {"section": section, "lexical": None, "semantic": None, "asked": None} | given


def described(text, *rows, **model):
    given = FusionModel(dict.fromkeys(FEATURES, 1.0), model.get("sections", 1000), model.get("holding", {}))
    return [dict(zip(FEATURES, one, strict=True)) for one in features_of(question_of(text), rows, given)]


def test_scores_of_branches_are_kept_and_scaled():
    best, middle, none = described(
        "gout", row(lexical=8.0, semantic=0.9), row(lexical=4.0, semantic=0.5), row(lexical=None, semantic=0.1)
    )
    assert (best["words"], middle["words"], none["words"]) == (1, 0.5, 0)
    assert middle["first by words"] == 0.5
    assert (best["meaning"], best["nearest"], middle["nearest"], none["nearest"]) == (0.9, 1, 0.5, 0)


def test_a_candidate_without_a_vector_is_as_far_as_can_be():
    (only,) = described("gout", row(semantic=None))
    assert only["meaning"] == -1


@pytest.mark.parametrize("field", ["title", "heading", "question", "text"])
def test_the_share_of_a_question_that_a_field_has(field):
    column = {"title": "question in title", "text": "question in text"}.get(field, "question in heading")
    half, whole, none = described("gout diet", row(**{field: "GOUT"}), row(**{field: "Diets: gout"}), row())
    assert (half[column], whole[column], none[column]) == (0.5, 1, 0)


def test_names_of_a_document_count_as_its_title():
    (found,) = described("hypertension", row(title="High Blood Pressure", aliases=["Hypertension"]))
    assert found["question in title"] == 1


def test_a_rare_word_tells_more_than_a_common_one():
    rare, common = described("gout people", row(text="gout"), row(text="people"), holding={"people": 900})
    assert rare["question in text"] > 0.9
    assert common["question in text"] < 0.1


def test_a_word_counts_where_it_begins_only():
    inside, later = described("out", row(text="gout, gouty"), row(text="gout, gouty (out)"))
    assert (inside["question in text"], later["question in text"]) == (0, 1)
    assert fusion.has_stem("sore eyes", "eye")


def test_what_a_page_is_about_and_what_kind_of_section_it_has():
    it, same, other, nothing = described(
        "What are the symptoms of gout?",
        row(far=0, type="symptoms", semantic=0.5),
        row(far=1, type="treatment", semantic=0.5),
        row(far=None, type="symptoms"),
        row(),
    )
    told = ("about it", "about the same", "meaning where about", "type", "other type", "type where about")
    assert [it[name] for name in told] == [1, 0, 0.5, 1, 0, 1]
    assert [same[name] for name in told] == [0, 1, 0.5, 0, 1, 0]
    assert [other[name] for name in told] == [0, 0, 0, 1, 0, 0]
    assert [nothing[name] for name in told] == [0, 0, 0, 0, 0, 0]


def test_a_document_that_is_linked_to_nothing_goes_by_its_title_beside_pages_that_are():
    gout = replace(question_of("What helps against gout?"), linker=lambda words: [NAMED])
    page, own, other = row(far=0, linked=True), row(title="Gout at our clinic"), row(title="Our clinic")
    linked = row(title="Gout and asthma", linked=True)
    model = FusionModel(dict.fromkeys(FEATURES, 1.0), 1000, {})
    place = FEATURES.index("about the same")
    assert features_of(gout, [page, own, other, linked], model)[:, place].tolist() == [0, 1, 0, 0]
    assert features_of(gout, [own, other], model)[:, place].tolist() == [0, 0]


def test_a_question_of_its_own_does_not_lift_a_section():
    with_question, without = described("gout", row(semantic=0.4, asked=0.4), row(semantic=0.4))
    assert with_question == without
    assert described("gout", row(semantic=0.4, asked=0.7))[0]["asked"] == pytest.approx(0.3)


def test_plain_documents_have_nothing_that_only_the_graph_gives():
    (plain,) = described("gout diet", row(title="gout", text="diet", lexical=1.0, semantic=0.5))
    assert {name for name, value in plain.items() if value} <= set(FEATURES) - BY_GRAPH


@pytest.mark.parametrize("text", ["痛风", "🙂", "<b>x</b>", "a" * 2000, "what is the"])
def test_odd_questions_are_described(text):
    found = features_of(question_of(text), [row(title=text, text=text, lexical=0.0, semantic=0.0)], fusion.model())
    assert np.isfinite(found).all()


def test_no_candidates_are_no_scores():
    empty = features_of(question_of("gout"), [], fusion.model())
    assert empty.shape == (0, len(FEATURES))
    assert fusion.model().scores(empty).shape == (0,)
    assert fusion.model().reasons(empty, []) == []


def test_a_model_is_read_as_it_was_written(tmp_path):
    given = FusionModel({name: place / 8 for place, name in enumerate(FEATURES)}, 7, {"gout": 2, "diet": 3})
    fusion.write(given, tmp_path / "model.tsv", "by hand")
    assert fusion.read(tmp_path / "model.tsv") == given
    assert (tmp_path / "model.tsv").read_text().startswith("# by hand\n")


def test_the_packages_own_model_is_whole():
    own = fusion.model()
    assert own.weights.keys() == set(FEATURES)
    assert own.sections > max(own.holding.values())
    assert own.rarity("gout") > own.rarity("disease") > 0
    assert own.weights["about it"] > 0 > own.weights["other type"]


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


def test_a_title_that_only_repeats_the_number_of_a_document_is_none():
    text = "tart cherry juice"
    numbered, titled, other = described(
        text,
        row(document="pubmed:123", title="PubMed article 123", text="Tart cherry juice helps."),
        row(document="pubmed:124", title="Tart cherry juice", text="It helps."),
        row(document="pubmed:125", title="PubMed article 12", text="Tart cherry juice helps."),
    )
    assert (numbered["question in title"], titled["question in title"], other["question in title"]) == (1, 1, 0)


def test_numbers_and_letters_of_names_are_words_by_themselves():
    type_2 = [["neurofibroma", "type", "2"]]
    assert fusion.has_name("neurofibromatosis, type 2.", type_2)
    assert not fusion.has_name("neurofibromatosis type 1 (17q11.2, at 20 years)", type_2)
    assert not fusion.has_name("neurofibromatosis, a type of 2.5 cm", type_2)
    assert not fusion.has_name("neurofibromatosis type 12", type_2)
    assert not fusion.has_stem("1250 mg", "125")
    assert fusion.has_name("study 31181344", [["study", "3118134"]])
    assert fusion.has_name("hepatitis b", [["hepatit", "b"]])
    assert not fusion.has_name("hepatitis c of the bowel", [["hepatit", "b"]])
