"""What to do first in an emergency: the table of advice, and what of it an answer begins with."""

import re

import pytest

from medgraph.answers.answer import NUMBER
from medgraph.answers.emergencies import MOST, advice, emergencies_in, urgent_in
from medgraph.errors import InputError
from tests.support.emergencies import emergencies

DOSE = re.compile(r"\d+(?:\.\d+)?\s?(?:mg|mcg|\u00b5g|g|ml|units?|tablets?|pills?|drops?|puffs?)\b", re.IGNORECASE)
PUBLISHERS = ("https://medlineplus.gov/", "https://www.cdc.gov/", "https://www.nhs.uk/")
HALVES = ("dev", "held", "later", "last", "everyday")
HELP = ("https://988lifeline.org/", "https://poisonhelp.hrsa.gov/")


def test_all_kinds_that_are_recognised_have_advice_with_its_source():
    messages = [row for half in HALVES for row in emergencies(half)]
    assert {kind for kind, _ in messages} <= advice().keys()
    assert {kind for _, text in messages for kind in emergencies_in(text)} <= advice().keys()
    for kind, urgent in advice().items():
        assert urgent.kind == kind
        assert urgent.url.startswith((*PUBLISHERS, *HELP)), kind
        assert NUMBER in urgent.text, kind
        assert "{" not in urgent.text, kind
        assert not DOSE.search(urgent.text), kind
        assert not re.search(r"\b(?:aspirin|paracetamol|nitroglycerin|antihistamine)\b", urgent.text, re.IGNORECASE)


def test_an_emergency_comes_with_what_to_do_and_a_mention_with_nothing():
    (urgent,) = urgent_in("his face is drooping and he can't speak")
    assert (urgent.kind, urgent.source) == ("stroke", "CDC: Signs and Symptoms of Stroke")
    assert urgent.text.startswith(f"Call {NUMBER} now")
    assert urgent_in("what is a stroke?") == ()


def test_who_asks_what_to_do_is_told_and_who_asks_of_treatments_is_not():
    assert [urgent.kind for urgent in urgent_in("what should I do if someone has a stroke")] == ["stroke"]
    assert urgent_in("how is stroke treated in hospital") == ()


def test_the_most_pressing_comes_first_and_they_are_few():
    text = (
        "my husband has a seizure right now, he is bleeding heavily, he is having a stroke, "
        "he took 40 tylenol pills and he is not breathing"
    )
    assert len(emergencies_in(text)) > MOST
    assert [urgent.kind for urgent in urgent_in(text)] == ["unconscious", "stroke", "poisoning"]


@pytest.mark.parametrize("line", ["stroke", "stroke\ta\tb\tc", "stroke\ta\t \tc\td", "a\tb\tc\td\te\tf\tg"])
def test_a_line_that_lacks_something_is_told(tmp_path, line):
    path = tmp_path / "table.tsv"
    path.write_text(f"# kind\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"table\.tsv:2: write kind"):
        advice(path)
