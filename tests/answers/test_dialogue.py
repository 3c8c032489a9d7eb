"""What a question is, before it is answered: a turn of a dialogue, too open, in another language, or for other
people.
"""

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.answer import ANSWERED
from medgraph.answers.dialogue import MOST_PREVIOUS, understood
from medgraph.answers.offers import MOST_REPLIES, ask_back
from medgraph.answers.parts import PLAINEST
from medgraph.answers.populations import find_populations, populations_in, read_populations, speaks_of, with_populations
from medgraph.answers.understanding import plainly, remark_on
from medgraph.errors import InputError
from medgraph.queries.entities import Alternative, Mention
from medgraph.queries.filters import Filters
from medgraph.queries.message import LONGEST_PREVIOUS
from medgraph.queries.question import Question, words_of
from tests.support.answers import answerer_of
from tests.support.dialogues import turns
from tests.support.examples import examples
from tests.support.graphs import run

KNOWN = {
    "gout": "Disease",
    "asthma": "Disease",
    "type 2 diabetes": "Disease",
    "hip pain": "Symptom",
    "lupus": "Disease",
    "ibuprofen": "Drug",
    "warfarin": "Drug",
    "allopurinol": "Drug",
    "yoga": "Topic",
    **dict.fromkeys(["kidneys", "heart", "the eyes"], "Anatomy"),
    **dict.fromkeys("depression eczema epilepsy flu jaundice migraine pneumonia psoriasis".split(), "Disease"),
    **dict.fromkeys(["seizures", "vertigo", "high blood pressure", "kidney stones", "strep throat"], "Disease"),
    "rheumatoid arthritis": "Disease",
    **dict.fromkeys(["acne", "celiac disease", "copd", "cystic fibrosis", "dementia", "fibromyalgia"], "Disease"),
    **dict.fromkeys(["alzheimer's disease", "hemophilia", "mono", "parkinson's disease", "sepsis"], "Disease"),
    **dict.fromkeys(["shingles"], "Disease"),
    **dict.fromkeys(["methotrexate"], "Drug"),
    **dict.fromkeys(["antibiotic", "statins", "opioids", "stress"], "Topic"),
    **dict.fromkeys(["amoxicillin", "colchicine", "metformin"], "Drug"),
}


def names(text):
    plain = text.lower()
    return [
        Mention(name, label, name, name, name, 1.0, (), 1, plain.index(name), plain.index(name) + len(name))
        for name, label in KNOWN.items()
        if name in plain
    ]


def after(*previous):
    return lambda said: understood(said, previous, names)


def test_the_turns_that_rules_were_written_with_are_understood(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    for turn in turns("dev"):
        asked = answerer.ask(turn.said, previous=turn.previous).understood
        assert turn.is_right(asked), (turn.previous, turn.said, asked)


@pytest.mark.thorough
def test_the_turns_that_were_not_looked_at_while_rules_were_written_are_understood(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    right = [turn.is_right(answerer.ask(turn.said, previous=turn.previous).understood) for turn in turns("held")]
    assert sum(right) >= 28


def test_a_dialogue_goes_on_from_what_was_understood_as_from_what_was_typed():
    typed = ["How is gout treated?", "and in children?", "what about side effects?", "is it contagious?", "and lupus"]
    asked = []
    for number, said in enumerate(typed):
        whole = understood(said, asked, names)
        assert whole == understood(said, typed[:number], names)
        asked.append(whole)
    assert asked == [
        "How is gout treated?",
        "How is gout treated in children?",
        "What are the side effects of treatments for gout?",
        "is gout contagious?",
        "is lupus contagious?",
    ]


@pytest.mark.parametrize(("previous", "said", "whole"), examples("turns_completed"))
def test_what_leans_on_what_came_before(previous, said, whole):
    assert after(previous)(said) == whole


@pytest.mark.parametrize("said", examples("turns_that_are_whole"))
def test_what_is_whole_by_itself_stays_as_it_is(said):
    assert after("How is gout treated?")(said) == said


def test_without_anything_before_or_nothing_that_completes_it_a_turn_stays_as_it_is():
    for previous in ([], [""], ["?!"], ["thanks"], ["and in children?"], ["why?", "how", "it"]):
        for said in ("and in children?", "how is it treated?", "symptoms", "why?", "and type 2?", "the drug"):
            assert understood(said, previous, names) == said


def test_too_many_or_too_long_earlier_questions_are_refused():
    with pytest.raises(InputError, match="previous has 21 questions; send the last 20"):
        understood("and?", ["gout"] * (MOST_PREVIOUS + 1), names)
    with pytest.raises(InputError, match=r"in previous has 1,001 characters; 1,000 are the most"):
        understood("and?", ["x" * (LONGEST_PREVIOUS + 1)], names)


@given(st.lists(st.text(max_size=40), max_size=4), st.text(max_size=60))
def test_any_texts_make_a_question(previous, said):
    assert isinstance(understood(said, previous, names), str)
    words = ["and", "it", "in", "children", "gout", "the", "treatment", "what about", "type 2", "?"]
    mixed = " ".join(words[len(part) % len(words)] for part in previous)
    assert isinstance(understood(mixed, [said, "How is gout treated?"], names), str)


@pytest.mark.parametrize("said", ["? ", "ok ", "it ", "and gout ", "no, ", "a?", "in the ", "help! "])
def test_long_turns_take_no_longer_than_they_must(said):
    assert isinstance(understood(said * (10_000 // len(said)), ["How is gout treated?"] * 20, names), str)


class Evidence:
    """What counts sections: id of the entity → type → sections."""

    def __init__(self, counts):
        self.counts = counts

    def kinds(self, question, entities):
        return [
            {"entity": name, "type": kind, "sections": number}
            for name in entities
            for kind, number in self.counts.get(name, {}).items()
        ]


def asked(text, counts, *others):
    start = text.index("ALS")
    alternatives = tuple(Alternative(name, "Disease", name, 1.0) for name in others)
    mention = Mention("ALS", "Disease", "ALS", "ALS", "als", 1.0, (), 1, start, start + 3, alternatives=alternatives)
    question = Question(text, words_of(text), None, lambda _: [mention], lambda: None)
    return ask_back(Evidence(counts), question)


def test_what_is_only_named_is_asked_back_and_each_reply_completes_it(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    for said in ("gout", "I have gout.", "gout?"):
        back = answerer.ask(said).ask_back
        assert back.question.startswith("What would you like to know of gout: ")
        assert 2 <= len(back.replies) <= MOST_REPLIES
        for reply in back.replies:
            answer = answerer.ask(reply.text, previous=[said])
            assert answer.status == "answered"
            assert answer.ask_back is None
            assert answer.intents == answerer.ask(reply.question).intents


def test_a_question_that_says_enough_is_not_asked_back(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    said_enough = ("How is gout treated?", "gout treatment", "What is gout?", "is gout bad")
    for said in (*said_enough, "zorblatt", "gout and asthma"):
        assert answerer.ask(said).ask_back is None, said
    assert answerer.ask("gout", Filters(types=("treatment",))).ask_back is None


@pytest.mark.parametrize("kind", [kind for kind in PLAINEST if kind != "information"])
def test_replies_in_plain_words_are_understood(kind):
    back = asked("ALS", {"ALS": {"symptoms": 1, "causes": 1} | {kind: 2}})
    reply = back.replies[0]
    whole = understood(reply.text, ["ALS"], lambda text: [])
    question = Question(whole, words_of(whole), None, lambda _: [], lambda: None)
    assert question.intents == (kind,)


OTHER = {
    "\u00bfQu\u00e9 es la diabetes?": "Spanish",
    "me duele la cabeza y tengo fiebre": "Spanish",
    "O que \u00e9 asma?": "Portuguese",
    "Quels sont les sympt\u00f4mes du diab\u00e8te ?": "French",
    "j\u2019ai mal \u00e0 la t\u00eate": "French",
    "Was ist Gicht?": "German",
    "ICH HABE KOPFSCHMERZEN WAS KANN ICH TUN": "German",
    "Cos'\u00e8 l'asma?": "Italian",
    "wat is jicht": "Dutch",
    "co to jest cukrzyca": "Polish",
    "vad \u00e4r gikt": "Swedish",
    "hvad er astma": "Danish or Norwegian",
    "gut nedir belirtileri": "Turkish",
    "b\u1ec7nh ti\u1ec3u \u0111\u01b0\u1eddng l\u00e0 g\u00ec": "Vietnamese",
    "apa itu diabetes": "Indonesian or Malay",
    "mujhe sar dard hai": "Hindi or Urdu, in Latin letters",
    "ce este diabetul": "Romanian",
    "sintomas da gota": "Portuguese",
    "Gicht Symptome": "German",
    "jakie s\u0105 objawy dny moczanowej": "Polish",
    "jakie sa objawy dny moczanowej": "Polish",
    "\u5598\u606f\u662f\u4ec0\u4e48\u75c5": "Chinese or Japanese",
    "\u7cd6\u5c3f\u75c5\u306e\u75c7\u72b6\u306f\u4f55\u3067\u3059\u304b": "Japanese",
    "\ub2f9\ub1e8\ubcd1\uc774\ub780 \ubb34\uc5c7\uc778\uac00\uc694": "Korean",
    "\u0427\u0442\u043e \u0442\u0430\u043a\u043e\u0435 \u043f\u043e\u0434\u0430\u0433\u0440\u0430?": "Russian",
    "\u0645\u0627 \u0647\u0648 \u0645\u0631\u0636 \u0627\u0644\u0633\u0643\u0631\u064a": "Arabic",
    "\u03c4\u03b9 \u03b5\u03af\u03bd\u03b1\u03b9 \u03c4\u03bf \u03ac\u03c3\u03b8\u03bc\u03b1": "Greek",
    "\u092e\u0927\u0941\u092e\u0947\u0939 \u0915\u094d\u092f\u093e \u0939\u0948": "Hindi",
    "\u1218\u12f5\u1283\u1292\u1275": "another language",
}

QUESTIONS = """
gout|lupus eritematoso|lupus eritematoso sistemico|infarto|Gilles de la Tourette|cri du chat|mal de debarquement|ich
tinea pedis|diabetes mellitus|folie \u00e0 deux|ataxia de Friedreich|caf\u00e9 au lait spots|\u03b2-thalassemia
cor pulmonale|de Quervain|Van der Woude syndrome|Non-Q wave MI|what is \u7cd6\u5c3f\u75c5|grand mal|gout symptoms
symptoms of lupus|GOUT TREATMENT|what are the side effects of metformin|hello doctor my toe hurts
renal cell carcinoma with MiT translocations|on statins|what causes it in die cast workers|hi, what is gout
Abnormal CO2 levels in blood|test for celiac
"""


@pytest.mark.parametrize(("text", "language"), OTHER.items())
def test_another_language_is_named(text, language):
    said = remark_on(text)
    assert said.startswith(f"This seems to be written in {language}"), said
    assert said.endswith("medgraph reads English only: please ask in English.")


@pytest.mark.parametrize("text", ["hi", "Hello!", "HELLO THERE", "good morning doctor", "hey, how are you?"])
def test_a_greeting_is_greeted(text):
    assert remark_on(text).startswith("Hello! Ask a question about health")


@pytest.mark.parametrize(
    ("text", "said"),
    [("Thanks.", "You are welcome!"), ("thank you very much, doctor", "You are welcome!"), ("ok", "All right.")],
)
def test_thanks_and_assent_are_no_greeting(text, said):
    assert remark_on(text).startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "symptoms?",
        "SYMPTOMS",
        "side effects",
        "what are the symptoms",
        "causes and treatment",
        "how is it treated?",
        "help",
        "is it bad",
    ],
)
def test_a_bare_kind_is_asked_what_it_is_of(text):
    assert remark_on(text).startswith("This does not say of what.")


@pytest.mark.parametrize("text", QUESTIONS.strip().replace("\n", "|").split("|"))
def test_in_doubt_a_text_is_a_question(text):
    assert remark_on(text) == ""


@pytest.mark.thorough
def test_neither_a_question_nor_a_name_of_real_data_is_refused(data):
    with (data / "questions" / "meqsum.csv").open(encoding="utf-8", newline="") as file:
        rows = [text for row in csv.DictReader(file) for text in (row["question"], row["summary"])]
    with (data / "doid" / "HumanDO.tsv").open(encoding="utf-8", newline="") as file:
        rows += [cell for row in csv.reader(file, delimiter="\t") for cell in row[:2]]
    assert len(rows) > 10_000
    assert [text for text in rows if remark_on(text)] == []


@pytest.mark.parametrize("text", ["1", " 3. ", "(2)", "911", "yes", "No.", "yes please", "NOPE", "not really, no"])
def test_a_reply_to_nothing_is_no_question(text):
    assert remark_on(text).startswith("This chooses nothing that was offered")


@pytest.mark.parametrize("text", ["type 1", "no symptoms", "22q11", "yes, but is it gout?", "vitamin B12"])
def test_what_has_a_number_or_a_yes_in_it_may_be_a_question(text):
    assert not remark_on(text)


@pytest.mark.parametrize(("text", "expected"), examples("afterthoughts"))
def test_how_to_answer_is_left_out_and_afterthoughts_are_taken_in(text, expected):
    assert plainly(text) == expected


SPEAKS = re.compile(r"pregnan|children|child\b|kids|infant|toddler|babies|baby", re.IGNORECASE)


@pytest.mark.parametrize(("text", "kinds"), examples("populations"))
def test_questions_name_whom_they_are_for(text, kinds):
    assert [one.kind for one in populations_in(text)] == kinds


@pytest.mark.parametrize("who", ["in pregnancy", "in children", "in my 3 year old", "while breastfeeding"])
@pytest.mark.parametrize("thing", ["migraine", "gout", "acid reflux", "high blood pressure"])
def test_what_does_not_speak_of_them_is_neither_an_answer_nor_related(answerer, thing, who):
    answer = answerer.ask(f"How is {thing} treated {who}?")
    for sentence in (*answer.sentences, *answer.closest):
        assert SPEAKS.search(f"{sentence.text} {sentence.citations[0].title}"), sentence.text
    if not answer.sentences:
        assert answer.caution.startswith(f"Nothing was found that speaks of {thing} together with ")
        assert answer.follow_ups == ()
        assert answer.ask_back is None


def test_what_speaks_of_them_is_shown(answerer):
    answer = answerer.ask("Can a 9 year old take aspirin for the flu?")
    assert answer.caution == ""
    assert [sentence for sentence in answer.sentences if "Reye" in sentence.text]


def test_a_turn_of_a_dialogue_keeps_whom_it_is_for(answerer):
    assert answerer.ask("How is gout treated?").status == ANSWERED
    later = answerer.ask("and in children?", previous=("How is gout treated?",))
    assert later.caution
    assert later.sentences == ()
    mine = answerer.ask("How is migraine treated?", previous=("I am 7 weeks pregnant, is heartburn normal?",))
    assert "pregnancy" in mine.caution
    # `in children` holds for its own turn.
    assert answerer.ask("How is gout treated?", previous=("Is gout dangerous in children?",)).status == ANSWERED


def test_another_medicine_and_an_illness_must_be_spoken_of(answerer):
    answer = answerer.ask("I have asthma, can I take something for gout?")
    assert all("asthma" in sentence.text.lower() for sentence in answer.sentences)
    assert answer.caution.startswith("Nothing was found that speaks of gout together with asthma")


def test_relations_answer_nothing_there(answerer, sample_graph):
    assert run(sample_graph, "MATCH ()-[r:TREATED_BY]->() RETURN count(r) AS n")[0]["n"]
    assert not any(one.facts for one in answerer.ask("Which drugs treat gout in pregnancy?").sentences)


@pytest.mark.parametrize(
    ("text", "asking", "passage"),
    [("Can a girl have hay fever?", None, True), ("What helps a girl with hay fever?", None, False)],
)
def test_where_nothing_is_done_a_passage_may_speak_of_them(text, asking, passage):
    (girl,) = find_populations(text, (), asking=asking)
    told = speaks_of([girl], "hay fever", "it makes you sneeze", "it makes you sneeze. children have it, too")
    assert (girl.passage, told) == (passage, passage)


def test_what_an_illness_is_is_asked_for_nobody_special():
    assert find_populations("What is kidney failure?", ()) == ()
    assert [one.kind for one in find_populations("What can I take with kidney failure?", ())] == ["kidney"]


def test_pages_for_children_are_for_who_asks_of_children(load):
    treatment = {"heading": "How are hiccups treated?", "text": "Hiccups are treated with a sip of water."}
    answerer = load([{"id": "some", "title": "Hiccups in Children", "sections": [treatment]}])
    assert answerer.ask("How are hiccups treated?").sentences == ()
    assert answerer.ask("How are hiccups treated in children?").sentences


@pytest.mark.parametrize(
    "denied", ["gout but not hiccups", "gout, not hiccups", "gout rather than hiccups", "something that is not hiccups"]
)
def test_pages_on_what_a_question_says_that_it_does_not_ask_about_are_left_out(load, denied):
    treatment = {"heading": "How are hiccups treated?", "text": "Hiccups are treated with a sip of water."}
    answerer = load([{"id": "some", "title": "Hiccups", "sections": [treatment]}])
    assert answerer.ask("How are hiccups treated?").sentences
    assert answerer.ask(f"How do you treat {denied}?").sentences == ()


def test_a_model_is_told_whom_it_is_for():
    assert with_populations("How is gout treated?", ()) == "How is gout treated?"
    told = with_populations("How is gout treated?", populations_in("in pregnancy"))
    assert told == "How is gout treated? (Asked for: pregnancy. Say only what the evidence says of that.)"


@pytest.mark.parametrize("line", ["child\tchildren\ta doctor\tkids", "child\tchildren\ta doctor\t(kids\tkids"])
def test_a_faulty_line_is_told(tmp_path, line):
    path = tmp_path / "table.tsv"
    path.write_text(f"# kind\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"table\.tsv:2: "):
        read_populations(path)
