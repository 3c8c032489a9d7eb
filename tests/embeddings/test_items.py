"""Items of lists, and how lists are said."""

import pytest

from medgraph.embeddings.items import brief, is_headed, is_item, itemized, paragraphs, stops
from medgraph.text import sentences

LONG = 40 * "It is explained in so many words. "


def headed(*labels, told):
    return "\n\n".join(f"{label} {told}" for label in labels)


def test_a_list_flattened_into_its_sentence_is_said_in_brief_too():
    text = "Tests may be done: - Biopsy : A piece is taken.   - CT scan : Pictures are taken.   - " + LONG
    assert (
        brief(text) == "Tests may be done: - Biopsy : A piece is taken. - CT scan : Pictures are taken. - " + LONG[:33]
    )


@pytest.mark.parametrize(
    "text", ["", "Fever.", "- Fever\n- Cough", "They are: - Fever - Cough", LONG, f"- {LONG}\n- {LONG}"]
)
def test_what_is_short_or_no_list_is_not_said_in_brief(text):
    assert brief(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "They include:",
        "They include:\n\nFever",
        "They include:\n\n- Fever\n\n- Cough",
        "They include:\n\nFever is one.\n\nCough",
        "They are many\n\nFever\n\nCough",
    ],
)
def test_what_is_no_list_of_paragraphs_has_no_marks(text):
    assert itemized(text) == ""


def test_one_paragraph_or_ones_without_labels_are_no_list():
    told = "It is told what that is."
    for text in (
        headed("Coughing.", told=told),
        headed("Coughing hurts.", "It is bad.", told=told),
        "Coughing.\n\nFever.",
    ):
        assert itemized(f"Signs include:\n\n{text}") == ""


def test_sentences_are_grouped_by_paragraphs_and_labels_head_them():
    text = "Diabetes. It is a disease. It lasts.\n\nFever is common. It passes.\n\nRest"
    parts = list(paragraphs(text, sentences(text)))
    assert [len(part) for part in parts] == [3, 2, 1]
    assert [is_headed(text, part) for part in parts] == [True, False, False]
    assert list(paragraphs("", [])) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("It hurts.", True), ("It hurts (a lot.)", True), ("They are:", True), ("Side effects", False)],
)
def test_what_ends_with_a_stop(text, expected):
    assert stops(text, (0, len(text))) is expected


@pytest.mark.parametrize(("text", "expected"), [("- Rest", True), ("Rest", False), ("-", False), ("- ", False)])
def test_what_is_an_item(text, expected):
    assert is_item(text, (0, len(text.rstrip()))) is expected
