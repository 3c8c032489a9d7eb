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
        "Coughing.\n\nIt may be bad.",
        "Coughing.\n\nAsk your doctor for help with it.",
    ):
        assert itemized(f"Signs include:\n\n{text}") == ""


@pytest.mark.parametrize(
    "label",
    [
        "Fever.",
        "Pinpoint red spots on the skin called petechiae.",
        "Medicines that can disrupt sleep (some cold medicines are such).",
        "Symptoms that start or get worse when you're inactive.",
        "People who have weak immune systems.",
    ],
)
def test_items_that_are_labels_with_a_stop_need_no_explanation(label):
    said = itemized(f"Signs include:\n\nCoughing at night. It may last.\n\n{label}")
    assert said == f"Signs include: - Coughing at night. It may last. - {label}"


@pytest.mark.parametrize(
    "sentence",
    [
        "Any kind of bleeding that's hard to stop could be a sign.",
        "Try to adopt bedtime habits that make it easier to fall asleep.",
        "Movement of the legs during the night usually relieves it.",
        "A low platelet count doesn't cause pain.",
        "People lose hair.",
        "Rest and a great many other things of this kind and of other kinds too, all listed here in a row, one by one.",
    ],
)
def test_a_sentence_is_no_label(sentence):
    assert not is_headed(sentence, sentences(sentence))


def test_blanks_within_an_item_do_not_cut_it():
    items = "".join(f"\n- Stage  {number}: {'it is so ' * 30}" for number in ("I", "II", "III"))
    assert brief(f"Stages include:{items}") == "Stages include: - Stage I - Stage II - Stage III"


def test_an_item_that_only_a_gap_parts_from_what_explains_it_is_said_alone():
    items = [f"  -  {name} therapy   {name} therapy is given to many. " + 30 * "It helps. " for name in ("Drug", "Ray")]
    assert brief("Care may include the following:" + "".join(items)) == (
        "Care may include the following: - Drug therapy - Ray therapy"
    )


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
