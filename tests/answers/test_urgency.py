"""Emergencies as the trained model and the cues tell them together: in any words, with first steps and whom to call."""

import csv

import pytest

from medgraph.answers.answer import NOTICE, NUMBER
from medgraph.answers.emergencies import BY_CUES, Emergencies, advice, emergencies_in, kinds_of_model
from medgraph.embeddings.encoders.encoder import load_emergencies
from medgraph_lab.evaluation.emergencies import figures, read_texts, wrong
from tests.support.emergencies import emergencies as told_by_cues
from tests.support.paths import FILES

ENGLISH = ("a", "b", "c", "d", "e", "f")
OTHERS = ("de", "es", "fr", "pt")


@pytest.fixture(scope="session")
def classifier(settings):
    return load_emergencies(settings)


@pytest.fixture(scope="session")
def recognised(classifier):
    return Emergencies(lambda: classifier)


def texts_of(names):
    return read_texts(FILES / "emergencies" / f"{name}.jsonl" for name in names)


def kinds(recognised, text, previous=()):
    return [urgent.kind for urgent in recognised.urgent_in(text, previous)]


def test_every_kind_of_the_model_has_first_steps_and_every_first_steps_a_kind(classifier):
    (known,) = classifier.kinds(["my lips are swelling"])
    assert known.keys() - {"none"} == kinds_of_model().keys()
    assert sum(known.values()) == pytest.approx(1, abs=1e-5)
    assert set(kinds_of_model().values()) == advice().keys()


def test_a_swelling_after_food_brings_adrenaline_with_or_without_trouble_breathing(recognised):
    swelling = "my lips are swelling after eating peanuts"
    for text in (swelling, f"{swelling}, I can't breathe"):
        first = recognised.urgent_in(text)[0]
        assert (first.kind, "adrenaline" in first.text) == ("allergy", True), text
    assert [call.number for call in first.calls] == ["911", "112", "999", "000"]


@pytest.mark.parametrize(
    "text",
    [
        "what is a stroke?",
        "My stomach hurt and I vomited",
        "I have a chest cold and body aches and nausea",
        "My grandfather had a heart attack 20 years ago, am I at risk?",
        "How is gout treated?",
        "my heart goes out to him",
        "Was sind die Symptome eines Herzinfarkts?",
        "convulsions in dogs",
    ],
)
def test_what_is_none_is_left_alone(recognised, text):
    assert kinds(recognised, text) == []


def test_what_cues_alone_tell_is_told(recognised):
    told = [row for half in ("dev", "held", "later", "last", "everyday") for row in told_by_cues(half)]
    missed = [text for _, text in told if not recognised.urgent_in(text)]
    assert len(missed) <= 0.02 * len(told), missed


def test_an_emergency_is_told_in_the_language_of_its_text(recognised):
    (urgent,) = recognised.urgent_in("Hilfe, meine Frau liegt am Boden und atmet nicht mehr, was soll ich tun")
    assert urgent.title == "Das kann ein Notfall sein"
    assert "112 (Deutschland, \u00d6sterreich, Europa)" in urgent.text
    assert [call.number for call in urgent.calls] == ["112", "144"]
    (urgent,) = recognised.urgent_in("ya no quiero vivir, tengo las pastillas en la mano y nadie me va a extra\u00f1ar")
    assert urgent.kind == "suicide"
    assert "024" in [call.number for call in urgent.calls]


def test_the_number_of_the_place_can_be_set(classifier):
    here = Emergencies(lambda: classifier, "144")
    (urgent, *_) = here.urgent_in("my husband's face is drooping and he can't speak")
    assert urgent.text.startswith("Call 144 now")
    assert [call.number for call in urgent.calls] == ["144"]
    assert here.notice == NOTICE.replace(NUMBER, "144")


def test_a_turn_is_read_with_the_one_before(recognised):
    assert kinds(recognised, "and now he is not breathing", ("How is asthma treated?",))
    assert not kinds(recognised, "thanks, what causes gout?", ("How is gout treated?",))


def test_without_a_model_cues_tell():
    assert kinds(BY_CUES, "his face is drooping and he can't speak") == ["stroke"]
    assert kinds(BY_CUES, "my lips look like blueberries") == []


@pytest.mark.slow
@pytest.mark.parametrize(("names", "least", "most"), [(ENGLISH, 0.92, 0.04), (OTHERS, 0.88, 0.1)])
def test_emergencies_of_writers_whom_the_model_never_saw_are_told(recognised, names, least, most):
    texts = texts_of(names)
    rows = figures(recognised, texts)
    assert sum(row["emergencies"] for row in rows) == sum(one.kind != "none" for one in texts)
    assert sum(row["recognised"] for row in rows) / len(rows) >= least, list(wrong(recognised, texts))
    assert sum(row["flagged"] for row in rows) / len(rows) <= most, list(wrong(recognised, texts))


@pytest.mark.slow
def test_short_questions_of_consumers_are_hardly_flagged(recognised, data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        flagged = [row["summary"] for row in csv.DictReader(file) if recognised.urgent_in(row["summary"])]
    assert len(flagged) <= 6, flagged


@pytest.mark.parametrize(
    "text",
    [
        "took my vitamin d twice today by accident 1000iu each. big deal or no",
        "bleach splash on my hand while cleaning, washed it off directly, skin looks normal. hand cream ok?",
    ],
)
def test_cues_that_the_model_holds_for_a_mention_tell_nothing(recognised, text):
    assert emergencies_in(text)
    assert kinds(recognised, text) == []
