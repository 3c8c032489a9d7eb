"""Sentences by their offsets: nothing lost, nothing twice, and no text that takes for ever."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medgraph.text import lines_of, repeated_lists, sentences
from tests.support.examples import examples

PIECES = [
    *".!?)]\"'\u201d \t\n\u3000\u2028-*\u2022A1a",
    "e.g.",
    "Dr.",
    "\n\n",
    "\n- ",
    "\n1. ",
    "   A",
    "U.S.",
    "喘",
    "😀",
]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def cut(text):
    return [text[start:end] for start, end in sentences(text)]


@given(TEXTS)
@example("")
@example(" \n ")
@example("\x1c.\x1c.")
@example("a. .b")
def test_every_character_but_white_space_is_in_just_one_sentence(text):
    position = 0
    for start, end in sentences(text):
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@pytest.mark.parametrize(("text", "expected"), examples("ends_of_sentences"))
def test_sentences_end_where_a_reader_would_end_them(text, expected):
    assert cut(text) == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "unit",
    ["Asthma makes breathing hard. ", "asthma ", ".", ".)", "? ", "\n", " \n", "a   ", "1. ", "e.g. ", "\n- x", "A. "],
    ids=repr,
)
def test_megabytes_of_anything_are_read_once(unit):
    """Patterns that go back over what they have read would outlast the timeout of tests many times."""
    text = unit * (1_500_000 // len(unit)) + "x"
    assert sentences(text)[-1][1] == len(text)


def test_two_items_are_lines_where_each_is_a_sentence():
    assert lines_of("There are two types: - Type 1 hurts more. - Type 2 hurts less.") == [
        "There are two types:",
        "- Type 1 hurts more.",
        "- Type 2 hurts less.",
    ]
    assert lines_of("The causes are - a cold - polyps - old age.") == [
        "The causes are",
        "- a cold",
        "- polyps",
        "- old age.",
    ]
    assert len(lines_of("If you stutter, you may - Make words long - Find it hard - Repeat parts - Get tense.")) == 5
    for line in ("It is: - rest - or sleep.", "What they are - and why - is told."):
        assert len(lines_of(line)) == 1


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("If you have it, - keep it dry - wash it.", ["If you have it,", "- keep it dry", "- wash it."]),
        ("Call us if the person also - is old - is ill.", ["Call us if the person also", "- is old", "- is ill."]),
        ("They are    - Fever - a rise in heat     - Rash", ["They are", "- Fever - a rise in heat", "- Rash"]),
        ("It may include: - bad breath   - red gums", ["It may include:", "- bad breath", "- red gums"]),
        ("They may have - a fear - of it   - a cold", ["They may have", "- a fear - of it", "- a cold"]),
        ("   - a cold   - a cough", ["- a cold", "- a cough"]),
        ("They include - rest - ice.", ["They include", "- rest", "- ice."]),
        ("They include - rest - and ice.", ["They include - rest - and ice."]),
        ("Most people can - and do - work.", ["Most people can - and do - work."]),
    ],
)
def test_two_items_that_are_announced_are_lines(line, lines):
    assert lines_of(line) == lines


@pytest.mark.parametrize(
    ("text", "again"),
    [
        (
            "Signs are - fever  - a cold - not a flu. fever a cold - not a flu. They pass.",
            ["fever a cold - not a flu."],
        ),
        (
            "- Older age. It tells. Older age. It tells. - Sex. Men. Sex. Men. End.",
            ["Older age. It tells.", "Sex. Men."],
        ),
        ("Signs are - fever  - chills.", []),
        ("Signs are - fever chills - fever chills.", []),
        ("A rash, a rash. - death death", []),
    ],
)
def test_lists_that_are_said_twice(text, again):
    assert [text[start:end] for start, end in repeated_lists(text)] == again


@given(st.lists(st.sampled_from(["a", "b", "-", "c."]), max_size=30).map(" ".join))
def test_a_second_copy_has_the_words_of_a_list_right_before_it(text):
    for start, end in repeated_lists(text):
        copy = text[start:end].split()
        assert [word for word in text[:start].split() if word != "-"][
            -len(words := [w for w in copy if w != "-"]) :
        ] == words
