"""What a text is when it is no question in English, and that names of diseases are not taken for that."""

import csv

import pytest

from medgraph.answers.understanding import plainly, remark_on
from tests.support.examples import examples

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
symptoms of lupus|GOUT TREATMENT|what are the side effects of metformin|hello doctor my toe hurts|is it serious
renal cell carcinoma with MiT translocations|on statins|what causes it in die cast workers|hi, what is gout
Abnormal CO2 levels in blood|test for celiac|help
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
    ["symptoms?", "SYMPTOMS", "side effects", "what are the symptoms", "causes and treatment", "how is it treated?"],
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
