"""What sentences say of what they name: single cues, how far they reach, and 1,300 labelled sentences."""

import json
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medgraph.linking.context import Context, context_of
from tests.support.examples import examples
from tests.support.paths import FILES

FLAGS = ("negated", "uncertain", "family")


def says(marked):
    """What a sentence says of what stands in double brackets."""
    before, rest = marked.split("[[")
    inside, after = rest.split("]]")
    said = context_of(before + inside + after, len(before), len(before) + len(inside))
    return [flag for flag in FLAGS if getattr(said, flag)]


@pytest.mark.parametrize("sentence", examples("what_is_there_is_neither_absent_nor_in_doubt"))
def test_what_is_there_is_neither_absent_nor_in_doubt(sentence):
    assert says(sentence) == []


@pytest.mark.parametrize("sentence", examples("what_is_absent"))
def test_what_is_absent(sentence):
    assert says(sentence) == ["negated"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Symptoms may include fever; cough; and [[rash]].",
        "The risk of [[stroke]] is high.",
        "If you have [[fever]], see a doctor.",
        "A diagnosis of [[gout]] is often suspected.",
        "Could this be [[gout]]?",
        "Is it [[gout]]?",
        "He was treated for suspected [[gout]].",
        "A scan was done to rule out [[stroke]].",
        "It does not mean that you have [[cancer]].",
        "[[Seizures]] may occur.",
        "Her [[bleeding]] risk is high.",
    ],
)
def test_what_is_possible(sentence):
    assert says(sentence) == ["uncertain"]


@pytest.mark.parametrize(
    "sentence",
    [
        "My mother has [[gout]].",
        "She has a family history of [[gout]].",
        "People who have a parent with [[gout]] were asked.",
        "SUBJECT: [[gout]] MESSAGE: my father is in pain with it.",
        "There is [[gout]] in my family.",
    ],
)
def test_what_is_somebody_elses(sentence):
    assert says(sentence) == ["family"]


def test_a_cue_may_say_two_things():
    assert says("She has no family history of [[gout]].") == ["negated", "family"]
    assert says("If someone has a family history of [[gout]], tests help.") == ["uncertain", "family"]


def test_what_is_absent_is_not_possible_too():
    assert says("Patients may have no [[fever]].") == ["negated"]


def test_who_writes_is_not_the_relative_that_was_named():
    assert says("My sister is well, and I have [[gout]].") == []


def figures(part):
    """Precision, recall and F1 of each flag, and F1 of all, over the labelled sentences of a set."""
    counts = Counter()
    for line in (FILES / "linking" / "context.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["set"] == part:
            said = context_of(row["text"], row["start"], row["end"])
            counts.update((flag, getattr(said, flag), flag in row["says"]) for flag in FLAGS)
    found = {
        flag: _figures(counts[flag, True, True], counts[flag, True, False], counts[flag, False, True]) for flag in FLAGS
    }
    sums = [sum(counts[flag, *key] for flag in FLAGS) for key in ((True, True), (True, False), (False, True))]
    return found | {"all": _figures(*sums)}


def _figures(right, wrong, missed):
    return right / (right + wrong), right / (right + missed), 2 * right / (2 * right + wrong + missed)


def test_the_sentences_that_the_rules_were_made_with():
    # Measured over 1,158: F1 of negation 0.98, of uncertainty 0.94, of family 0.97, of all three 0.96. Five times about
    # 150 of them were a fresh draw, labelled before the rules had seen them; F1 of negation was then 0.90, 0.83, 0.88,
    # 0.83 and 0.77, of all three 0.84, 0.84, 0.83, 0.84 and 0.79.
    found = figures("dev")
    assert found["negated"][2] > 0.96
    assert found["uncertain"][2] > 0.91
    assert found["family"][2] > 0.93


def test_the_sentences_that_were_held_out():
    # The sixth fresh draw, when the rules stood: negation P 0.81, R 0.93, F1 0.87 (14 sentences are negated), F1 of
    # uncertainty 0.88, of family 1.00 (7 are a relative's), of all three 0.89. Two slips that it showed were mended,
    # `non-classic` and `a, and b can`, which makes it 0.97, 0.88, 1.00 and 0.92; the figures before are what new texts
    # may expect.
    found = figures("held out")
    assert found["negated"][0] > 0.8
    assert found["negated"][1] > 0.9
    assert found["all"][2] > 0.88


PIECES = [
    "no ",
    "not ",
    "may have ",
    "fever",
    ", ",
    "; ",
    "(",
    ")",
    " - ",
    "\n",
    "if you have ",
    "my mother ",
    "İ",
    "ß",
    "\u200b",
    "😀",
    "?",
]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(TEXTS, st.data())
def test_any_text_has_an_answer_at_any_place(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert isinstance(context_of(text, start, end), Context)


@given(st.text(alphabet=st.characters(exclude_characters="\n.?!", exclude_categories=["L", "N", "P"])))
@example("İ")
@example("\u200b😀")
def test_what_stands_before_the_sentence_moves_nothing(before):
    sentence = "she had no fever"
    text = f"{before} {sentence}"
    assert context_of(text, len(text) - 5, len(text)) == Context(negated=True)


ROWS = ["no ", "not ", "without (", "may have ", "; ", ", ", "a", "if the ", "my mother ", "does not mean that "]


@pytest.mark.thorough
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.timeout(120)  # to go through the text again for every cue would take far longer
def test_long_rows_of_cues(row):
    text = row * (100_000 // len(row))
    assert isinstance(context_of(text, len(text) - 2, len(text)), Context)
