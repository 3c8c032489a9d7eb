"""Emergencies: the trained model that tells them, what to do first, and what an answer then keeps to."""

import csv
import re

import pytest

from medgraph.answers.answer import NOT_ENOUGH_EVIDENCE, NOTICE, NUMBER, RELATED, Answer, FoundPage, Urgent
from medgraph.answers.emergencies import Emergencies, advice, first_aid_in, kinds_of_model, plain_words
from medgraph.answers.part_answers import OUTSIDE, UNKNOWN, bounded, is_outside
from medgraph.embeddings.encoders.encoder import load_emergencies
from medgraph.errors import InputError
from medgraph.queries.entities import Mention
from medgraph_lab.evaluation.emergencies import figures, read_texts, wrong
from medgraph_lab.evaluation.statistics import part_of
from tests.support.emergencies import emergencies, lines_of, mentions
from tests.support.examples import examples
from tests.support.paths import FILES

DOSE = re.compile(r"\d+(?:\.\d+)?\s?(?:mg|mcg|\u00b5g|g|ml|units?|tablets?|pills?|drops?|puffs?)\b", re.IGNORECASE)
PUBLISHERS = ("https://medlineplus.gov/", "https://www.cdc.gov/", "https://www.nhs.uk/")
HALVES = ("dev", "held", "later", "last", "everyday")
HELP = ("https://988lifeline.org/", "https://poisonhelp.hrsa.gov/")


def test_all_kinds_that_are_recognised_have_advice_with_its_source():
    messages = [row for half in HALVES for row in emergencies(half)]
    assert {kind for kind, _ in messages} <= advice().keys()
    for kind, urgent in advice().items():
        assert urgent.kind == kind
        assert urgent.url.startswith((*PUBLISHERS, *HELP)), kind
        assert NUMBER in urgent.text, kind
        assert "{" not in urgent.text, kind
        assert not DOSE.search(urgent.text), kind
        assert not re.search(r"\b(?:aspirin|paracetamol|nitroglycerin|antihistamine)\b", urgent.text, re.IGNORECASE)


@pytest.mark.parametrize("line", ["stroke", "stroke\ta\tb\tc", "stroke\ta\t \tc\td", "a\tb\tc\td\te\tf\tg"])
def test_a_line_that_lacks_something_is_told(tmp_path, line):
    path = tmp_path / "table.tsv"
    path.write_text(f"# kind\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"table\.tsv:2: write kind"):
        advice(path)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("WHAT SHOULD I DO IF SOMEONE HAS A STROKE!!!", ["stroke"]),
        ("what shoud i do if someones chocking", []),
        ("In my novel he asks what to do if someone has a stroke", []),
        ("Is it serious? What should I do if my wife is having a seizure?", ["seizure"]),
        ("I read about gout. If someone faints, he said. What should I do about gout?", []),
        ("", []),
    ],
)
def test_one_sentence_asks(text, kinds):
    assert first_aid_in(text) == kinds


@pytest.mark.thorough
def test_hardly_any_question_of_consumers_is_taken_for_one(data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        rows = [text for row in csv.DictReader(file) for text in (row["question"], row["summary"])]
    assert sum(bool(first_aid_in(text)) for text in rows) <= 2


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


ENGLISH = ("a", "b", "c", "d", "e", "f", "i", "j", "m", "n")
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


def test_emergencies_are_recognised_and_mentions_are_not(recognised):
    told, mentioned = ([row for half in HALVES for row in of(half)] for of in (emergencies, mentions))
    assert (len(told), len(mentioned)) == (269, 284)
    missed = [text for _, text in told if not recognised.urgent_in(text)]
    flagged = [text for text in mentioned if recognised.urgent_in(text)]
    assert len(missed) <= 0.02 * len(told), missed
    assert len(flagged) <= 0.06 * len(mentioned), flagged


@pytest.mark.parametrize(("text", "told"), examples("emergencies"))
def test_what_is_said_now_counts_and_what_is_denied_asked_or_long_past_does_not(recognised, text, told):
    assert bool(kinds(recognised, text)) == bool(told)


@pytest.mark.parametrize("text", ["hello", "hi", "thanks", "bye", "ok", "my name is Tom", "that was a stroke of luck"])
def test_small_talk_is_no_emergency(recognised, text):
    assert kinds(recognised, text) == []


def test_long_and_hostile_messages_are_read_to_their_end(recognised):
    for word in ("chest pain ", "not breathing if ", "a. "):
        recognised.urgent_in((word * 10_000)[:9_900])


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


@pytest.mark.thorough
@pytest.mark.parametrize(("names", "least", "most"), [(ENGLISH, 0.95, 0.04), (OTHERS, 0.92, 0.1)])
def test_emergencies_of_writers_whom_the_model_never_saw_are_told(recognised, names, least, most):
    texts = texts_of(names)
    rows = figures(recognised, texts)
    assert sum(row["emergencies"] for row in rows) == sum(one.kind != "none" for one in texts)
    assert sum(row["recognised"] for row in rows) / len(rows) >= least, list(wrong(recognised, texts))
    assert sum(row["flagged"] for row in rows) / len(rows) <= most, list(wrong(recognised, texts))


@pytest.mark.thorough
def test_short_questions_of_consumers_are_hardly_flagged(recognised, data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        flagged = [row["summary"] for row in csv.DictReader(file) if recognised.urgent_in(row["summary"])]
    assert len(flagged) <= 6, flagged


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("my 3 year old has a fever of 39 but is drinking and playing", []),
        ("my 10 month old has 38.2 fever and cold but drinks milk fine", []),
        ("16 month old temp 39 limp", ["baby"]),
        ("5 year old and 6 week old, the baby has 38.4", ["baby"]),
        ("my 8 week old has a fever of 101 but seems happy", ["baby"]),
    ],
)
def test_a_fever_alone_is_an_emergency_of_babies_only(recognised, text, told):
    assert kinds(recognised, text) == told


class Told:
    """A model that says one thing of all texts."""

    def __init__(self, **shares):
        self.shares = dict.fromkeys(("none", *kinds_of_model()), 0.0) | {
            name.replace("_", "-"): share for name, share in shares.items()
        }

    def kinds(self, texts):
        return [self.shares for _ in texts]


def test_where_the_model_cannot_tell_which_emergency_it_is_its_first_steps_are_those_for_any():
    unsure = Emergencies(lambda: Told(nosebleed=0.2, suicide_now=0.22, aorta=0.2, spine=0.2, none=0.18))
    assert kinds(unsure, "my lips look like blueberries") == ["urgent"]
    assert kinds(unsure, "what should i do if someone has a stroke") == ["stroke"]
    sure = Emergencies(lambda: Told(aorta=0.3, nosebleed=0.4, none=0.1))
    assert kinds(sure, "my lips look like blueberries") == ["bleeding", "heart"]


OUTSIDERS = lines_of("outside.txt")


def nothing(text, confidence=0.0, status=NOT_ENOUGH_EVIDENCE, **more):
    return Answer(text, status, confidence=confidence, **more)


def page(title):
    return FoundPage("d", title, "", "s", "", "", "", "https://example.org", 0.1)


def named(label, *, documents=0, similarity=1.0):
    return Mention("id", label, "Name", "name", "name", similarity, (), documents)


def test_questions_outside_health_are_declined():
    missed = [text for text in OUTSIDERS if not is_outside(nothing(text))]
    assert len(OUTSIDERS) == 60
    assert len(missed) <= 2, missed
    declined = bounded(nothing("tell me a joke", entities=(named("Topic"),), notice="Call 144."))
    assert (declined.remark, declined.notice, declined.evidence, declined.entities) == (OUTSIDE, "Call 144.", (), ())


@pytest.mark.thorough
def test_hardly_any_question_of_consumers_would_be_declined_were_nothing_known(data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        rows = [row["summary"] for row in csv.DictReader(file) if part_of(row["file"]) == "dev"]
    assert len(rows) == 419
    assert [text for text in rows if is_outside(nothing(text, confidence=0.05))] == []


@pytest.mark.parametrize(
    ("answer", "outside"),
    [
        (nothing("How do I clean my oven?", confidence=0.07), True),
        (nothing("How do I clean my oven?", confidence=0.2), False),
        (nothing("best pizza in town", entities=(named("Disease"),)), False),
        (nothing("best pizza in town", entities=(named("SideEffect"),)), True),
        (nothing("best pizza in town", entities=(named("SideEffect", documents=1),)), False),
        (nothing("how do I fix my cars", entities=(named("Disease", similarity=0.82),)), True),
        (nothing("How long does it take for humalog to start working?", confidence=0.013), False),
        (nothing("How often can pupil dilation be performed?"), False),
        (nothing("why do my calfs cramp at night"), False),
        (nothing("my butt goes stiff when i sit too long"), False),
        (nothing("is it bad that i snore so loud"), False),
        (nothing("Hello. " * 20), False),
        (nothing("\u7cd6\u5c3f\u75c5"), False),
        (nothing("123"), False),
    ],
)
def test_in_doubt_a_question_is_of_health(answer, outside):
    assert is_outside(answer) == outside


def test_what_to_do_first_stays_whatever_else_is_not_of_health():
    urgent = (Urgent("poisoning", "Poisoning", "Call for help.", "Source", "https://example.org"),)
    for text in ("How do I clean my oven?", "blorptitis"):
        assert bounded(nothing(text, urgent=urgent)).urgent == urgent


@pytest.mark.parametrize(
    ("answer", "unknown"),
    [
        (nothing("blorptitis"), "blorptitis"),
        (nothing("What are the symptoms of asdf qwer syndrome?"), "asdf qwer"),
        (nothing("How is zanthoria treated?", confidence=0.6, status=RELATED), "zanthoria"),
        (nothing("How is zanthoria treated?", evidence=(page("Zanthoria"),)), ""),
        (nothing("How is zanthoria treated?", entities=(named("Disease"),)), ""),
        (nothing("Does zanthoria hurt the knees?"), ""),
        (nothing("What helps with it?"), ""),
    ],
)
def test_a_word_that_nothing_has_finds_nothing(answer, unknown):
    given = bounded(answer)
    assert (given.remark == UNKNOWN.format(unknown)) == bool(unknown)
    assert not unknown or (given.sentences, given.evidence, given.status) == ((), (), NOT_ENOUGH_EVIDENCE)
