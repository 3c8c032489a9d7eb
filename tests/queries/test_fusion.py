"""Results: ranked by learned weights, read again, likely or not, filtered by origin, and dated."""

import math
from datetime import date

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.logistic import Calibration
from medgraph.queries import fusion
from medgraph.queries.filters import Filters
from medgraph.queries.fusion import FEATURES, FusionModel, features_of
from medgraph.queries.hits import dated, none_of_these, retired
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import READ, WEIGHT, Retriever, reread
from tests.support.linking import names_of


def test_a_model_is_read_as_it_was_written(tmp_path):
    given = FusionModel({name: place / 8 for place, name in enumerate(FEATURES)}, 7, {"gout": 2, "diet": 3})
    fusion.write(given, tmp_path / "model.tsv", "by hand")
    assert fusion.load(tmp_path / "model.tsv") == given
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


def test_a_title_counts_by_itself_where_the_graph_knows_nothing_of_any_candidate():
    question = Question("What is gout?", words_of("What is gout?"), None, lambda _: (), None)
    alone, title = FEATURES.index("title alone"), FEATURES.index("question in title")
    rows = [titled("Gout", "It hurts.", 1, "pages"), titled("Asthma", "It hurts.", 2, "pages")]
    plain = features_of(question, rows, fusion.model())
    assert plain[:, alone].tolist() == plain[:, title].tolist() == [1, 0]
    known = features_of(question, [rows[0], rows[1] | {"far": 0, "semantic": 0.5}], fusion.model())
    assert known[:, [title, alone]].tolist() == [[1, 0], [0, 0]]
    assert fusion.as_plain(known)[:, alone].tolist() == [1, 0]
    assert not fusion.as_plain(known)[:, FEATURES.index("asked") :].any()


class Reader:
    """Finds the passages that hold a word to answer."""

    def __init__(self, word, calibration=None):
        self.word = word
        self.calibration = calibration
        self.read_passages = []

    def passage_logits(self, question, passages):
        self.asked = question
        self.read_passages += passages
        return np.array([8.0 if self.word in passage else -8.0 for passage in passages], dtype=np.float32)


def question(reader, text="What helps?"):
    return Question(text, words_of(text), None, lambda _: [], lambda: reader)


def candidates(count):
    return [({"section": f"s{n:02}", "title": "Gout", "text": f"number {n}."}, 5.0 - n / 10) for n in range(count)]


def test_what_answers_comes_first_and_says_how_sure_that_is():
    order, scored = reread(question(Reader("number 2.")), candidates(4))
    assert order == [2, 0, 1, 3]
    assert [row["section"] for row, _ in scored] == ["s02", "s00", "s01", "s03"]
    assert scored[0][0]["reading"] == 8.0
    assert scored[0][1] == pytest.approx(4.8 + 8 * WEIGHT)


def test_what_was_calibrated_says_how_likely_each_answers():
    _, plain = reread(question(Reader("number 2.")), candidates(READ + 1))
    assert all("probability" not in row and "accepted" not in row for row, _ in plain)
    sure = Calibration(0.25, 1.0, 0.7)
    _, scored = reread(question(Reader("number 2.", sure)), candidates(READ + 1))
    told = [(row["probability"], row["accepted"]) for row, _ in scored[:READ]]
    assert told == [(pytest.approx(1 / (1 + math.exp(-3))), True)] + [(pytest.approx(1 / (1 + math.exp(1))), False)] * (
        READ - 1
    )
    assert "probability" not in scored[READ][0]
    assert [score for _, score in scored] == [score for _, score in plain]


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


def test_what_answers_is_likelier_than_what_does_not_and_none_of_these_is_said_where_nothing_does(retriever):
    answered = retriever.search("What are the symptoms of asthma?", mode="learned")
    beside = retriever.search("How do I repair a bicycle?", mode="learned")
    likely = {hit.section: hit.probability for hit in answered}
    assert likely["sample:asthma#2"] == max(likely.values()) > 0.5
    assert max(hit.probability for hit in beside) < 0.1
    assert none_of_these(answered) is False
    assert none_of_these(beside) is True
    assert none_of_these(retriever.search("bicycle repair", mode="learned")) is None


def test_only_learned_results_of_the_encoder_that_weights_are_for_have_probabilities(retriever, encoder, monkeypatch):
    assert retriever.search("asthma", mode="hybrid")[0].probability is None
    monkeypatch.setattr(encoder, "name", "another")
    hit = retriever.search("asthma", mode="learned")[0]
    assert hit.probability is hit.accepted is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"journals": ("Lancet Neurology",)},
            "no document is from a journal called 'Lancet Neurology'; did you mean .*Lancet",
        ),
        ({"journals": ("Nature",)}, "no document is from a journal called 'Nature'$"),
        ({"journals": ("lancet", "Nature")}, "no document is from a journal called 'Nature'$"),
        (
            {"authors": ("Smith, Zoe",)},
            "no document is by an author called 'Smith, Zoe'; did you mean .*Smith, John Alan",
        ),
        ({"authors": ("J A",)}, "the author 'J A' is given by initials alone; give a name, such as Smith J"),
        ({"headings": ("Fever",)}, "no document stands under a MeSH heading called 'Fever'$"),
        ({"headings": ("D999999",)}, "no document stands under a MeSH heading called 'D999999'$"),
        ({"concepts": ("C9999999",)}, "nothing is called 'C9999999'"),
        ({"journals": ("",)}, "the journal '' has no word in it; give a name"),
        ({"authors": ("?!",)}, r"the author '\?!' has no word in it"),
        ({"headings": (" ",)}, "the MeSH heading ' ' has no word in it"),
        ({"concepts": ("",)}, "the concept '' has no word in it"),
        ({"journals": ('x") OR (journal:*',)}, "no document is from a journal called"),
        ({"authors": ("\ud800 Nobody",)}, "no document is by an author called"),
    ],
)
def test_what_the_graph_does_not_have_is_told(corpus_retriever, given, message):
    with pytest.raises(InputError, match=message):
        corpus_retriever.search("wheeze", filters=Filters(**given))


TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("published", "version", "said"),
    [
        ("2024-06-15", "2025", "from 2024-06-15"),
        ("2011", "", "from 2011, more than ten years old"),
        ("2016", "", "from 2016"),
        ("2016-04", "", "from 2016-04, more than ten years old"),
        ("2016-05", "", "from 2016-05"),
        ("2016-05-19", "", "from 2016-05-19, more than ten years old"),
        ("2016-05-20", "", "from 2016-05-20"),
        ("", "2019-10", "from 2019 or before"),
        ("", "20150131", "from 2015 or before, more than ten years old"),
        ("", "2026AA", "from 2026 or before"),
        ("", "2099", ""),
        ("", "1", ""),
        ("", "20191", ""),
        ("", "derived", ""),
        ("", "", ""),
    ],
)
def test_an_age_is_that_of_the_document_or_of_the_release_of_its_source(published, version, said):
    assert dated(published, version, TODAY) == said


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://nihseniorhealth.gov/gout/toc.html", "retired in 2017"),
        ("HTTPS://NIHSeniorHealth.gov", "retired in 2017"),
        ("https://ghr.nlm.nih.gov/condition/gout", "medlineplus.gov/genetics"),
        ("https://www.ncbi.nlm.nih.gov/pubmedhealth/PMH0001", "retired in 2018"),
        ("https://www.ncbi.nlm.nih.gov/books/NBK1", ""),
        ("https://nihseniorhealth.gov.example.org/", ""),
        ("https://example.org/nihseniorhealth.gov", ""),
        ("", ""),
    ],
)
def test_what_became_of_a_site_is_told_of_that_site_alone(url, said):
    assert said in retired(url)
    assert bool(retired(url)) == bool(said)
