"""Real questions with the grades of what was read for them."""

from medgraph.evaluation.sets.meqsum import Message
from medgraph.training.graded import Graded, graded_of


def test_messages_are_paired_with_their_grades():
    asked = Message("1", "Hello. I cough. Is it Quimbly fever?", "symptoms of Quimbly fever")
    assert graded_of([asked, Message("2", "a", "b")], {"1": {"a#1": 4}, "3": {"a#1": 1}}) == [
        Graded((asked.short, asked.text), {"a#1": 4})
    ]
