"""What an emergency is recognised by: messages that are one, and messages that only mention one."""

import csv

import pytest

from medgraph.answers.emergencies import emergencies_in, plain_words
from tests.support.emergencies import emergencies, mentions
from tests.support.examples import examples

HALVES = {"dev": (30, 30), "held": (30, 30), "later": (93, 32), "last": (30, 20), "everyday": (86, 172)}


@pytest.mark.parametrize("half", HALVES)
def test_emergencies_are_recognised_and_mentions_are_not(half):
    told, mentioned = emergencies(half), mentions(half)
    assert (len(told), len(mentioned)) == HALVES[half]
    assert [message for kind, message in told if kind not in emergencies_in(message)] == []
    assert [message for message in mentioned if emergencies_in(message)] == []


@pytest.mark.parametrize("half", HALVES)
def test_neither_capitals_nor_marks_matter(half):
    for kind, message in emergencies(half):
        assert kind in emergencies_in(message.upper()), message
        assert kind in emergencies_in(f"  {message}!!!\n"), message
    assert [message for message in mentions(half) if emergencies_in(message.upper())] == []


@pytest.mark.parametrize("half", ["dev", "held"])
def test_an_emergency_within_a_long_message_is_recognised(half):
    around = "SUBJECT: a question MESSAGE: Hello, I am 61 and I have had gout for years. My doctor gave me allopurinol."
    for kind, message in emergencies(half):
        assert kind in emergencies_in(f"{around} {message}. Which foods should I avoid? Thank you, Ann"), message


@pytest.mark.parametrize(("text", "kinds"), examples("emergencies"))
def test_what_is_said_now_counts_and_what_is_denied_asked_or_long_past_does_not(text, kinds):
    assert emergencies_in(text) == kinds


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("He can't BREATH... Help!!", "he can not breath . help ."),
        ("cheast pain, 102.5 & he wont wake", "chest pain 102.5 he will not wake"),
        ("My wife\u2019s face; I\u2019ve seen it", "my wife face . i have seen it"),
        ("the cheat ate a breast", "the cheat ate a breast"),
        ("she isnt, they aren't, it doesn't", "she is not they are not it does not"),
    ],
)
def test_words_are_written_out_and_put_right(text, plain):
    assert plain_words(text) == plain


def test_long_and_hostile_messages_are_read_to_their_end():
    for word in ("chest pain ", "i took pills with ", "not breathing if ", "years ago i was ", "my left arm ", "a. "):
        text = (word * 10_000)[:9_900]
        assert "stroke" in emergencies_in(f"{text}. My wife is having a stroke."), word


@pytest.mark.thorough
def test_few_messages_of_consumers_are_flagged(data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    flagged = {row["file"].partition(".")[0] for row in rows if emergencies_in(row["question"])}
    assert flagged >= {"1-132279855", "1-135348762", "1-136161605"}
    assert len(flagged) <= 5
    assert sum(bool(emergencies_in(row["summary"])) for row in rows) <= 1
