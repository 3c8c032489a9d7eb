"""Sentences that can be quoted by themselves, and how much of a question a text covers."""

import pytest

from medgraph.answers.sentences import MAX_LIST, candidates, covered


def test_candidates_are_sentences_that_stand_by_themselves():
    text = (
        "What is gout? Gout is a disease of the joints. See also http://example.org for more. Short one.\n\n"
        "Gout? Call! Now! For more information call us today.\n\nTreatment includes:\n- rest in a quiet bed\n- ice."
    )
    found = candidates(3, text)
    assert [c.text for c in found] == [
        "Gout is a disease of the joints.",
        "Treatment includes: - rest in a quiet bed - ice.",
    ]
    assert [(c.section, c.order) for c in found] == [(3, 0), (3, 1)]
    assert all(" ".join(text[c.start : c.end].split()) == c.text for c in found)


def test_covered_counts_inflected_and_misspelt_words():
    assert covered(["treatments", "gout", "zebra"], "the treatment of Gout") == pytest.approx(2 / 3)
    assert covered(["gut", "zeb"], "gout zebra") == 0
    assert covered(["hypertension's", "diabetis"], "Hypertension and diabetes") == 1
    assert covered([], "") == 1
    assert covered(["hypothyroidism"], "hypotension") == 1
    assert covered(["hypothyroidism"], "hypotension", 0.7) == 0


HPO = (
    "What are the signs and symptoms of X? The Human Phenotype Ontology provides the following list of signs and "
    "symptoms for X. If the information is available, the table below includes how often the symptom is seen in "
    "people with this condition. Signs and Symptoms Approximate number of patients (when available) Nystagmus 90% "
    "Ocular albinism 90% Cutaneous photosensitivity 7.5% Albinism - Red hair - The Human Phenotype Ontology (HPO) has "
    "collected information."
)


def test_a_table_is_quoted_and_what_only_points_at_it_is_not():
    texts = [candidate.text for candidate in candidates(0, HPO)]
    assert texts[0] == (
        "Signs and Symptoms Approximate number of patients (when available) Nystagmus 90% Ocular albinism 90% "
        "Cutaneous photosensitivity 7.5% Albinism - Red hair"
    )
    assert not any("following list" in text or "table below" in text for text in texts)
    for candidate in candidates(0, HPO):
        assert " ".join(HPO[candidate.start : candidate.end].split()) == candidate.text


def test_a_long_table_is_cut_between_rows():
    text = " ".join(f"Symptom number {'x' * (n % 9)} 50%" for n in range(60)) + " The end of it all is here."
    (first, *_) = candidates(0, text)
    assert first.end <= MAX_LIST
    assert text[first.end - 3 : first.end] == "50%"
    assert first.start == 0


def test_two_percentages_are_no_table():
    text = "About 20% of people have it and 30% had it before. The risk is 5% for men and 6% for women, 7% in all."
    assert [candidate.text for candidate in candidates(0, text)] == [
        "About 20% of people have it and 30% had it before.",
        "The risk is 5% for men and 6% for women, 7% in all.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "You can read about the signs and symptoms of lupus from MedlinePlus.",
        "The Lupus Foundation has a page called Is lupus hereditary? that provides a good overview.",
        "Medscape Reference has an in-depth review of the genetics of lupus.",
        "Detailed information related to the management of gout can be had elsewhere.",
        "You can find relevant articles on the treatment of Eales disease here.",
        "GeneReviews offers a list of management strategies.",
        "They also have a Genetics page for all of their content.",
        "The frequency of a sign or symptom is usually listed as a rough estimate.",
    ],
)
def test_a_sentence_that_sends_elsewhere_is_no_answer(sentence):
    assert candidates(0, sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "During an exchange, you can read, talk, watch television, or sleep.",
        "Radioactive chemicals in the blood can provide information about the kidneys.",
        "You can also find milk without lactose at the grocery store.",
    ],
)
def test_a_sentence_that_only_looks_like_it_is_kept(sentence):
    assert [candidate.text for candidate in candidates(0, sentence)] == [sentence]
