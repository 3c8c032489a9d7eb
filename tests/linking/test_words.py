"""Words with their offsets, in the form in which names and texts are compared."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medgraph.linking.words import LETTER_A, LITTLE, eponym, normalise, singular, tumor, words
from tests.support.examples import examples

ODD = (
    "e\u0301\u200b\u200d\u00ad\ufeff\u2019\u02bc'\U0001f9ec"
    "\U0001f469\u200d\u2695\ufe0f\u0926\u093f\u0661\u00bd\ufdfa\u0130\ud800"
)
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from(ODD), st.sampled_from("aAsSeE iIvVxX-'\n")), max_size=60)


def forms(text):
    return [word.normal for word in words(text)]


@given(TEXTS)
@example("")
@example("A\u0301\u0301\u0301" * 50 + "\u200b" * 50)
def test_words_of_any_text_are_in_order_where_they_say(text):
    end = 0
    for word in words(text):
        surface = text[word.start : word.end]
        assert end <= word.start < word.end <= len(text)
        assert surface[0].isalnum()
        assert surface[-1].isalnum() or unicodedata.combining(surface[-1])
        assert word.normal
        assert word.normal == word.normal.strip()
        end = word.end
    covered = {i for word in words(text) for i in range(word.start, word.end)}
    assert all(not c.isalnum() or i in covered or not normalise(c) for i, c in enumerate(text))


@given(TEXTS)
@example("diseases")
@example("ssisses")
@example("\u1fb3\u03c2")
def test_the_form_of_a_form_is_itself(text):
    for form in (normalise(text), *forms(text)):
        assert normalise(form) == form


@given(st.text("eiuslmchxtr", min_size=5, max_size=12).filter(lambda word: not word.endswith(("s", "i", "u"))))
def test_a_plural_in_s_is_its_singular(word):
    assert normalise(f"{word}s") == normalise(word)


@pytest.mark.parametrize("same", examples("words_of_one_form"))
def test_one_word_has_one_form(same):
    assert len({tuple(forms(word)) for word in same.split()}) == 1


@pytest.mark.parametrize(
    "words_apart", ["ten tense", "den dense", "typical atypical", "toe to", "pus pu", "gas ga", "iris iri", "mass mas"]
)
def test_other_words_have_another_form(words_apart):
    one, other = map(normalise, words_apart.split())
    assert one != other


def test_both_numbers_are_written_as_a_word():
    assert (singular("tumors"), singular("metastases"), singular("metastasis")) == ("tumor", "metastase", "metastase")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Type II Alzheimer's diseases", "type 2 alzheimer disease"),
        ("Factor V Leiden, types I and X", "factor 5 leiden type 1 and x"),
        ("phase I, stage IV", "phase 1 stage 4"),
        ("vitamin C, I have X", "vitamin c i have x"),
        ("type ii", "type ii"),
        ("\u03b2-thalass\u00e6mia", "beta thalassemia"),
        ("TGF\u03b21, \u0391-synuclein \u00b5g \u03bb", "tgfbeta1 alpha synuclein mug lambda"),
        ("O'Brien d'emblée 5'-FU", "obrien demblee 5 fu"),
        ("x\u200b y", "x y"),
        ("a_b", "a b"),
        ("", ""),
        (" \u200b\u0301'-", ""),
    ],
)
def test_words_of_a_text(text, expected):
    assert " ".join(forms(text)) == expected


def test_accents_belong_to_the_word_and_blanks_of_no_width_do_not_end_it():
    text = "(Sjo\u0308gre\u0301\u200b) x"
    assert [text[word.start : word.end] for word in words(text)] == ["Sjo\u0308gre\u0301", "x"]


@pytest.mark.parametrize(
    "piece", ["a", "\u0301", "a\u0301", "\u200b", "a\u200b", "'s", "a'", "ies", "\U0001f9ec", "\u00e6 "]
)
def test_long_texts_take_no_longer_than_their_length(piece):
    assert len(words(piece * 10_000)) <= 10_000
    assert words("gout " + piece * 10_000)[0].normal.startswith("gout")


def test_little_words_are_in_their_form():
    assert {normalise(word) for word in LITTLE} == LITTLE


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Alzheimer's Disease", "Alzheimer's"),
        ("Down\u2019s syndrome", "Down\u2019s"),
        ("Gout", ""),
        ("His disease", ""),
        ("Kidney's", ""),
    ],
)
def test_eponyms_stand_for_their_disease(name, short):
    assert eponym(name) == short


def test_the_letter_a_is_no_little_word_behind_another():
    assert [word.normal for word in words("Hepatitis A, vitamin-A")] == ["hepatitis", LETTER_A, "vitamin", LETTER_A]
    assert [word.normal for word in words("A fever. A rash, (A) a")] == ["a", "fever", "a", "rash", "a", "a"]


def test_cancers_are_spoken_of_as_tumors():
    assert (tumor("Colorectal Cancer"), tumor("cancer"), tumor("cancer of the colon")) == ("Colorectal tumor", "", "")


def test_a_number_may_have_a_letter():
    assert [word.normal for word in words("type IIIB")] == [word.normal for word in words("Types 3b")] == ["type", "3b"]
    assert [word.normal for word in words("IVF or type IVF")] == ["ivf", "or", "type", "4f"]
