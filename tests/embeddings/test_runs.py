"""Lists without marks, whose items run into one another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.lists import with_lists
from medgraph.embeddings.runs import items_of, marked
from medgraph.embeddings.sentences import candidates, said

SIGNS = "They include: Dizziness or light-headedness Blurry vision Confusion Weakness Nausea (feeling sick)"
MARKED = "They include: - Dizziness or light-headedness - Blurry vision - Confusion - Weakness - Nausea (feeling sick)"


def parts(text):
    return [text[start:end] for start, end, _ in with_lists(text)]


def test_items_are_told_apart_and_shown_with_marks_while_the_quotation_stays():
    (found,) = candidates(0, SIGNS)
    assert (found.text, found.start, found.end) == (MARKED, 0, len(SIGNS))
    assert said(SIGNS.replace(" Blurry", "\n   Blurry")) == MARKED
    assert marked(MARKED) == MARKED


@pytest.mark.parametrize(
    "behind",
    [
        "Orthostatic hypotension may happen within a few seconds of standing up.",
        "These symptoms may suggest other problems as well.",
        "PDA is twice as common in girls as it is in boys.",
    ],
)
def test_a_sentence_that_was_stuck_to_it_stands_by_itself(behind):
    assert parts(f"It hurts. {SIGNS} {behind}") == ["It hurts.", SIGNS, behind]


def test_a_heading_of_the_sentence_behind_is_no_item():
    told = "Doctors may prescribe medicines to: Prevent blood clots from forming Treat a heart attack"
    behind = "Medical devices can help the heart pump."
    assert parts(f"{told} Medical Devices {behind}")[0] == told
    asked = "Your doctor may ask about: Your overall health Any recent surgeries Physical Exam Your doctor will look."
    assert parts(asked)[0] == "Your doctor may ask about: Your overall health Any recent surgeries"


@pytest.mark.parametrize(
    "text",
    [
        "More information is provided in the NIDDK health topic, Prostate Enlargement: Benign Prostatic Hyperplasia.",
        "Only four countries are known: Haiti, the Dominican Republic, Guyana and Brazil.",
        "Tests are ordered to see these: Ultrasound of the neck.",
        "It may be due to: Infection with Lyme disease",
        "It may be one of these: Down syndrome",
        "The cause is a lack of vitamin A (retinol) and vitamin D in what is eaten.",
        "More on: Head Lice Treatment",
        "They include: - Fever - Chills and sweats",
        "Bones include: Skull; Ribs; Spine of the back",
        "What causes gout is uric acid.",
    ],
)
def test_names_and_what_has_marks_are_left_as_they_are(text):
    assert items_of(text) == ([], len(text))
    assert marked(text) == text


def test_without_a_colon_there_must_be_three_items():
    three = "Symptoms of PKD include Pain in the back and lower sides Headaches Urinary tract infections"
    assert marked(three) == (
        "Symptoms of PKD include: - Pain in the back and lower sides - Headaches - Urinary tract infections"
    )
    two = "Symptoms of PKD include Pain in the back Urinary tract infections"
    assert marked(two) == two


@given(st.text(alphabet=st.sampled_from("ab AB:.()-\n"), max_size=60))
def test_whatever_is_read_the_items_are_in_order_and_all_words_stay(text):
    starts, end = items_of(text, frozenset(("A",)))
    assert starts == sorted(set(starts))
    assert all(0 < start < end <= len(text) for start in starts)
    line = " ".join(text.split())
    assert [word for word in marked(line).replace(":", " ").split() if word != "-"] == [
        word for word in line.replace(":", " ").split() if word != "-"
    ]
