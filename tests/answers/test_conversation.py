"""What comes along from question to question."""

import pytest

from medgraph.answers.answer import Answer, AskBack, Reply
from medgraph.answers.conversation import Conversation, carried
from medgraph.answers.dialogue import LONGEST_PREVIOUS, MOST_PREVIOUS


class Echo:
    """An answerer that understands everything as it is said, and asks back about `gout`."""

    def __init__(self):
        self.asked = []

    def ask(self, text, filters=None, previous=()):
        self.asked.append((text, *previous))
        back = AskBack(
            "What?", (Reply("symptoms", "What are the symptoms of gout?"), Reply("causes", "What causes gout?"))
        )
        remark = "Hello!" if text in {"hello", "yes"} else ""
        more = ("How is asthma treated?", "What causes asthma?") if text == "What is asthma?" else ()
        back = back if text == "gout" else None
        return Answer(text, "answered", understood=text, ask_back=back, remark=remark, follow_ups=more)


def test_questions_come_along_but_for_greetings_and_what_was_not_answered():
    assert carried(["a"], Answer("and b?", "answered", understood="b")) == ("a", "b")
    assert carried(["a"], Answer("hi", "not_enough_evidence", understood="hi", remark="Hello!")) == ("a",)
    assert carried(["a"], None) == ("a",)


def test_who_asks_again_goes_back():
    assert carried(["a", "b", "c"], Answer("b", "answered", understood="b")) == ("a", "b")


def test_no_more_come_along_than_may():
    many = carried(["x" * (LONGEST_PREVIOUS + 1), *map(str, range(50))], Answer("b", "answered", understood="b"))
    assert many == (*map(str, range(50 - MOST_PREVIOUS + 1, 50)), "b")


def test_a_number_stands_for_a_reply_as_long_as_it_is_offered():
    echo = Echo()
    dialogue = Conversation(echo)
    for said in ("2", "gout", "2", "1", "hello", "gout", "3", " 1. "):
        dialogue.say(said)
    assert [asked[0] for asked in echo.asked] == ["2", "gout", "What causes gout?", "1", "hello", "gout", "3", " 1. "]
    assert echo.asked[2][1:] == ("2", "gout")


def test_a_number_stands_for_a_follow_up_too_and_what_asks_nothing_leaves_the_offers():
    echo = Echo()
    dialogue = Conversation(echo)
    for said in ("What is asthma?", "yes", "2", "1"):
        dialogue.say(said)
    assert [asked[0] for asked in echo.asked] == ["What is asthma?", "yes", "What causes asthma?", "1"]


@pytest.mark.parametrize("said", ["0", "-1", "9" * 5000, "\u0661\u0661", "1st"])
def test_other_numbers_are_only_words(said):
    echo = Echo()
    dialogue = Conversation(echo)
    dialogue.say("gout")
    dialogue.say(said)
    assert echo.asked[-1] == (said, "gout")
