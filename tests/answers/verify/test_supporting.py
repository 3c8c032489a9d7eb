"""The span that supports a sentence best."""

import json

import pytest

from medgraph.answers.verify.claims import Chances
from medgraph.answers.verify.supporting import citing
from medgraph.answers.verify.verifier import FLAG, verified
from tests.support.emergencies import lines_of
from tests.support.paths import ROOT
from tests.support.written import page_of

PAGES = {
    "Gout": "It often begins at night. It is treated with colchicine, best in the first 12 hours. Rest of the joint"
    " helps as well. Allopurinol lowers uric acid in the blood. This drug is taken for years.",
    "Asthma": "Asthma is treated with inhaled corticosteroids.",
}


def sample_pages():
    path = ROOT / "loaders" / "sources" / "sample_files" / "conditions.jsonl"
    documents = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    named = (
        (f"{one['id']}#{n}", one["title"], part["text"])
        for one in documents
        for n, part in enumerate(one["sections"], 1)
    )
    return {name: page_of(title, text, name) for name, title, text in named}


@pytest.fixture(scope="module")
def judged():
    def judge(text, *titles):
        pages = [page_of(title, PAGES[title]) for title in titles]
        (sentence,) = verified([citing(text, pages, Chances())], pages, FLAG)
        return sentence.verdict, [citation.quote for citation in sentence.citations]

    return judge


def test_one_sentence_is_shown_where_it_suffices_and_two_in_a_row_where_they_do_together(judged):
    verdict, quotes = judged("Rest of the joint helps.", "Asthma", "Gout")
    assert (verdict, quotes) == ("supported", ["Rest of the joint helps as well."])
    verdict, quotes = judged("Allopurinol is taken for years.", "Gout")
    assert (verdict, quotes) == (
        "supported",
        ["Allopurinol lowers uric acid in the blood. This drug is taken for years."],
    )


def test_what_a_page_is_about_need_not_be_repeated_and_another_name_is_no_support(judged):
    assert judged("Gout is treated with colchicine.", "Gout")[0] == "supported"
    assert judged("Asthma is treated with colchicine.", "Gout")[0] != "supported"
    assert judged("Asthma is treated with colchicine.", "Asthma", "Gout")[0] != "supported"


@pytest.mark.parametrize(
    ("title", "claim"),
    [
        ("Gout treatment by water", "Gout attacks are treated with water."),
        ("Gout is treated with water", "Gout is treated with water."),
        ("Gout (say: Gout is treated with water)", "Gout is treated with water."),
        ("Gout", "Gout is treated with lead."),
        ("Gout", "Colchicine is treated with gout."),
        ("Gout", "Gout attacks are treated with what?"),
        ("Gout", "Gout attacks"),
    ],
)
def test_what_only_a_title_says_or_what_is_turned_round_or_says_nothing_is_not_supported(title, claim):
    page = page_of(title, "Gout attacks are treated with colchicine.")
    assert citing("Gout attacks are treated with colchicine.", [page], Chances()).verdict == "supported"
    assert citing(claim, [page], Chances()).verdict != "supported"


def test_each_claim_has_its_own_span(judged):
    verdict, quotes = judged("Gout often begins at night, but allopurinol can lower uric acid in the blood.", "Gout")
    assert (verdict, len(quotes)) == ("supported", 2)


HEARTBURN = (
    "Prokinetics such as metoclopramide help the stomach empty. Surgery may be needed in severe cases."
    " Antacids neutralize acid in the stomach. They have side effects, including diarrhea and constipation."
)


@pytest.mark.parametrize(
    ("text", "verdict", "quoted"),
    [
        ("Antacids, which neutralize acid in the stomach, have side effects including diarrhea.", "supported", 1),
        ("Antacids neutralize acid in the stomach.", "supported", 1),
        ("Surgery has side effects, including diarrhea and constipation.", "no_evidence", None),
        ("Prokinetics such as metoclopramide neutralize acid in the stomach.", "no_evidence", None),
        ("Antacids help the stomach empty.", "no_evidence", None),
    ],
)
def test_sentences_say_together_what_each_says_a_part_of_but_not_what_mixes_them_up(text, verdict, quoted):
    sentence = citing(text, [page_of("Heartburn", HEARTBURN)], Chances())
    assert sentence.verdict == verdict
    assert quoted in {None, len(sentence.citations)}


@pytest.mark.parametrize(
    "text",
    [
        "Gout is treated with colchicine, best in the first 24 hours.",
        "Allopurinol raises uric acid in the blood.",
        "Gout is not treated with colchicine.",
        "Gout.",
        "Bleach cures gout.",
        "Colchicine, colchicine, colchicine.",
    ],
)
def test_what_differs_is_never_supported(judged, text):
    assert judged(text, "Gout", "Asthma")[0] != "supported"


@pytest.mark.thorough
def test_of_sentences_as_models_write_them_most_right_ones_are_kept_and_hardly_a_wrong_one_is():
    kept = {}
    pages = sample_pages()
    for half, kind, section, text in (line.split("\t") for line in lines_of("written.tsv")):
        page = pages[section]
        (sentence,) = verified([citing(text, [page], Chances())], [page], FLAG)
        kept.setdefault((half, kind), []).append(sentence.verdict == "supported")
    assert {key: (sum(found), len(found)) for key, found in kept.items()} == {
        ("dev", "right"): (24, 29),
        ("dev", "wrong"): (1, 29),
        ("held", "right"): (19, 25),
        ("held", "wrong"): (0, 25),
    }
