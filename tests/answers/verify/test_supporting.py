"""Rules of verification: statements, what supports them, facts, quotations, and what is never taken for the same."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.answer import Citation, CitedFact, Sentence
from medgraph.answers.citing import verdict
from medgraph.answers.verify.claims import Chances
from medgraph.answers.verify.passages import statements
from medgraph.answers.verify.rules import compare, form, statement
from medgraph.answers.verify.supporting import citing
from medgraph.answers.verify.verifier import DROP, FLAG, verified
from medgraph.queries.voices import PathVoice
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


LISTED = (
    "The main causes of a dry mouth are:\ndehydration\nmedicines \u2013 check the leaflet\nanxiety\nmouth thrush\n"
    "Early signs are mild. Later signs include\n\n- sores  - bad breath\n\n"
    "The following reactions were reported. Skin: urticaria, purpura, erythema Eyes: blurred vision, conjunctivitis"
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Dehydration, some medicines and anxiety are main causes of a dry mouth.", "supported"),
        ("Later signs include sores and bad breath.", "supported"),
        ("Sores and bad breath are main causes of a dry mouth.", "no_evidence"),
        ("Reported reactions of the eyes include urticaria, purpura and erythema.", "no_evidence"),
    ],
)
def test_rows_of_a_list_are_read_with_what_announces_them(text, verdict):
    assert citing(text, [page_of("Dry mouth", LISTED)], Chances()).verdict == verdict


def test_a_section_is_read_whole_and_cut_at_lists_and_labels():
    told = ["The main", "Early signs", "Later signs", "The following", "Skin: urticaria,", "Eyes: blurred"]
    assert [" ".join(one.text.split()[:2]) for one in statements(LISTED)] == told


@pytest.mark.parametrize(
    "frame",
    [
        "It is unknown whether {}.",
        "Doctors used to think that {}.",
        "It is a myth that {}.",
        "Studies are testing whether {}.",
        "Ask your doctor whether {}.",
        "It was once believed that {}.",
    ],
)
def test_what_a_frame_leaves_open_or_denies_is_not_supported(frame):
    page = page_of("Colchicine", frame.format("colchicine cures the common cold"))
    assert citing("Colchicine cures the common cold.", [page], Chances()).verdict != "supported"
    page = page_of("Colchicine", "Studies show that colchicine cures the common cold.")
    assert citing("Colchicine cures the common cold.", [page], Chances()).verdict == "supported"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Which drug a person needs depends on the kidneys.", "supported"),  # a sentence that is not quoted by itself
        ("which drug a person needs depends on the kidneys", "supported"),
        ("Never stop the drug by yourself", "supported"),  # a line without a mark
        ("The dose is 1 tablet", "no_evidence"),
        ("Which drug does a person need", "no_evidence"),
        ("Which drug does a person need?", "no_evidence"),
    ],
)
def test_what_a_section_states_word_for_word_is_supported_and_not_what_is_cut_out_of_it(claim, verdict):
    text = (
        "Which drug a person  needs depends on the kidneys.\nNever stop the drug by yourself\n"
        "Nobody knows whether the drug is safe in pregnancy. The dose is 1 tablet unless your doctor says otherwise."
        " Which drug does a person need?"
    )
    sentence = citing(claim, [page_of("Gout", text)], Chances())
    assert sentence.verdict == verdict
    if verdict == "supported":
        assert [" ".join(one.quote.lower().split()).strip(".") for one in sentence.citations] == [
            claim.lower().strip(".")
        ]


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
        ("dev", "right"): (23, 29),
        ("dev", "wrong"): (1, 29),
        ("held", "right"): (19, 25),
        ("held", "wrong"): (1, 25),
    }


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Take 10 mg daily.", [("10", "mg")]),
        ("Take 10-20 milligrams.", [("10", "mg"), ("20", "mg")]),
        ("About 1,500 people", [("1500", "people")]),
        ("5% or 2.50 percent", [("5", "percent"), ("2.5", "percent")]),
        ("within two weeks", [("2", "week")]),
        ("type 2 diabetes", [("2", "label")]),
        ("version 1.2.3", [("1.2.3", "")]),
        ("no number", []),
    ],
)
def test_numbers_have_their_unit(text, numbers):
    assert [(one.value, one.unit) for one in statement(text).numbers] == numbers


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("It does not cause fever.", {form("cause"), form("fever")}),
        ("It doesn't hurt.", {form("hurt")}),
        ("It cannot spread.", {form("spread")}),
        ("No fever, but pain.", {form("fever")}),
        ("It is not only pain.", set()),
        ("Pain without fever and later pain.", {form("fever")}),
    ],
)
def test_negations_reach_the_words_behind_them(text, negated):
    found = statement(text)
    assert found.negated & {form(word) for word in ("cause", "fever", "hurt", "spread", "pain")} == negated
    assert statement(text).negations == 1


@given(st.text())
def test_any_text_can_be_read(text):
    found = statement(text)
    assert found.negated <= set(found.words)
    assert set(found.parts) <= set(found.words)


DIFFERENT = [
    ("Take 20 mg a day.", "Take 10 mg a day.", "number"),
    ("Take 10 mcg a day.", "Take 10 mg a day.", "unit"),
    ("It lasts 6 weeks.", "It lasts 6 months.", "unit"),
    ("Type 1 diabetes is treated with diet.", "Type 2 diabetes is treated with diet.", "number"),
    ("It can cause fever.", "It cannot cause fever.", "negation"),
    ("It does not spread by touch.", "It spreads by touch.", "negation"),
    ("It is not a kind of gout.", "It is a kind of gout.", "negation"),
    ("Diet increases the risk.", "Diet reduces the risk.", "direction"),
    ("It affects the left side.", "It affects the right side.", "direction"),
    ("Eat before treatment.", "Eat after treatment.", "direction"),
    ("Hypothyroidism causes fatigue.", "Hyperthyroidism causes fatigue.", "direction"),
    ("Low insulin decreases glucose.", "High insulin decreases glucose.", "direction"),
    ("It damages the liver.", "It damages the kidneys.", "part"),
    ("Arms and arms are weak.", "Arms and legs are weak.", "part"),
    ("Allopurinol helps.", "Colchicine helps.", "name"),
    ("It needs more aspirin.", "It needs more insulin.", "name"),
]


@pytest.mark.parametrize(("claim", "text", "kind"), DIFFERENT)
def test_what_differs_is_named(claim, text, kind):
    assert kind in compare(claim, text).differ


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("It does not cause fever.", "It doesn't cause fever."),
        ("Two of 1000 people have it.", "2 in 1,000 people have it."),
        ("It lowers the risk.", "It reduces the risk of stroke."),
        ("Take 10 milligrams.", "Take 10 mg in the morning."),
        ("Most cases are not inherited.", "Most cases are not inherited, but some are."),
    ],
)
def test_the_same_in_other_words_differs_in_nothing(claim, text):
    assert compare(claim, text).fits


def test_only_what_is_said_the_other_way_round_is_opposed():
    assert compare("It causes fever.", "It does not cause fever.").opposed == {"negation"}
    assert compare("It lasts 3 weeks.", "It lasts 5 weeks.").opposed == {"number"}
    assert not compare("It lasts 3 weeks.", "It lasts long.").opposed
    assert not compare("It damages the liver.", "It damages the kidneys.").opposed


TEXT = "Rest helps. Drink  water\noften every day.\n\nRest helps."


GOOD = Citation("s", "d", "T", "", "sample", "CC0-1.0", 12, 41, "Drink  water\noften every day.", "")


def test_a_citation_that_holds_is_supported():
    assert verdict("Drink water often every day.", GOOD, TEXT) == "supported"


@pytest.mark.parametrize(
    ("sentence", "change"),
    [
        ("Drink water often every day.", {"start": 11}),
        ("Drink water often every day.", {"start": 13, "end": 42}),
        ("Drink water often every day.", {"end": 40}),
        ("Drink water often every day.", {"start": 0, "end": 0}),
        ("Drink water often every day.", {"start": 900, "end": 929}),
        ("Drink water often every day.", {"start": -17, "end": -1}),
        ("Drink water often every day.", {"quote": "Drink water often every day."}),
        ("Drink water often every day.", {"quote": "Drink  wine\noften every day."}),
        ("Drink wine often every day.", {}),
        ("Drink water often.", {}),
        ("drink water often every day.", {}),
        ("", {}),
        ("", {"start": 0, "end": 0, "quote": ""}),
    ],
)
def test_a_citation_that_does_not_hold_is_no_evidence(sentence, change):
    assert verdict(sentence, replace(GOOD, **change), TEXT) == "no_evidence"


def fact(name, text, score=None, method="stated"):
    voice = PathVoice("TREATED_BY", method, ("s",), ("CC0-1.0",), score, ("p#1",))
    return CitedFact("C1", "gout", "TREATED_BY", True, name, name, "Drug", text, (voice,), "RETURN 1")


FACTS = (
    fact("colchicine", "Treatments for gout include colchicine."),
    fact("aspirin 100 mg", "Treatments for gout include aspirin 100 mg.", 0.7, "section"),
)
RIGHT = "Treatments for gout include colchicine and aspirin 100 mg."


def check(text, facts=FACTS, unsupported=FLAG):
    return verified([Sentence(text, (), "no_evidence", facts=facts)], (), unsupported)


def test_what_the_relations_say_is_supported_as_surely_as_they_are():
    (sentence,) = check(RIGHT)
    assert (sentence.verdict, sentence.probability) == ("supported", 0.7)
    assert [(claim.text, claim.verdict, claim.probability) for claim in sentence.claims] == [
        (FACTS[0].text, "supported", 1.0),
        (FACTS[1].text, "supported", 0.7),
    ]


@pytest.mark.parametrize(
    "text",
    [
        RIGHT.replace("100", "200"),
        RIGHT.replace("mg", "g"),
        RIGHT.replace("include", "do not include"),
        RIGHT.replace("colchicine", "allopurinol"),
        RIGHT.replace("colchicine and ", ""),
        RIGHT.replace("gout", "gout of the left knee"),
    ],
)
def test_what_differs_is_not(text):
    (sentence,) = check(text)
    assert sentence.verdict != "supported"
    assert check(text, unsupported=DROP) == ()


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("NHS information of 2024 says that it is treated with colchicine, best in the first 12 hours.", "supported"),
        ("According to NHS guidance from 2024, rest of the joint helps as well.", "supported"),
        ("NHS information of 2023 says that rest of the joint helps as well.", "no_evidence"),
        ("FDA information of 2024 says that rest of the joint helps as well.", "no_evidence"),
        ("NHS information of 2024 says that surgery of the joint helps as well.", "no_evidence"),
    ],
)
def test_who_says_it_and_since_when_has_to_be_right(text, verdict):
    page = page_of("Gout", PAGES["Gout"])
    page.section.published, page.section.publisher = "2024-03-01", "NHS"
    found = citing(text, [page], Chances())
    assert (found.text, found.verdict) == (text, verdict)


def test_what_hangs_on_behind_a_sentence_is_no_statement():
    told = "Rest helps. Antibiotics do not fight viruses, such as   - Colds   - Flu Gout: allopurinol stops the heart"
    assert [one.text.split()[0] for one in statements("Rest helps. Gout: allopurinol stops the heart")] == ["Rest"]
    assert [one.text.split()[0] for one in statements(told)] == ["Rest", "Antibiotics"]
    assert statements("See ![Visit goutcure.example](https://evil.example/p.png)") == []
