"""User text into Lucene queries: no text breaks the parser, and syntax in it changes nothing."""

import re

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from medgraph.errors import InputError
from medgraph.queries import lucene
from medgraph.queries.modes import MODES
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of

SYNTAX = (
    r"""+ - && || ! ( ) { } [ ] ^ " ~ * ? : \ / < > = | & ' ` ; , . $ # % @ AND OR NOT TO _ // /* }) ^99 ~2 \" \u0022"""
)
PIECES = st.one_of(
    st.sampled_from(SYNTAX.split()), st.sampled_from(["asthma", "Gout", "title", "text"]), st.text(max_size=8)
)
HOSTILE = st.builds(lambda joint, parts: joint.join(parts), st.sampled_from(["", " "]), st.lists(PIECES, max_size=12))
PHRASE = r'"[^"\\]*"'
QUERY = re.compile(
    rf"\+\((\w+:\({PHRASE}( {PHRASE})*\)\^[0-9.]+ ?)+(\w+:{PHRASE}\^[0-9.]+ ?)*\)( \+\w+:\({PHRASE}( {PHRASE})*\)\^0)*"
)
BOOSTS = {"title": 3.0, "text": 1.0}


def content(text):
    return lucene.content_words(lucene.all_words(text))


def sections_of(retriever, question, mode="lexical"):
    return [(hit.section, hit.score) for hit in retriever.search(question, mode=mode)]


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


def test_words_in_fields_with_boosts():
    assert lucene.query(content("What IS asthma, and how's it treated?"), BOOSTS) == (
        '+(title:("asthma" "how\'s" "treated")^3 text:("asthma" "how\'s" "treated")^1)'
    )


def test_words_that_count_differently():
    assert lucene.query({"gout": 1.0, "toe": 0.25}, {"text": 2}) == '+(text:("gout" "toe"^0.250)^2)'


def test_filters_are_required_and_favoured_phrases_are_not():
    query = lucene.query(["gout"], {"text": 1.0}, {"source": ["sample"], "type": []}, [("type", "symptoms", 5.0)])
    assert query == '+(text:("gout")^1 type:"symptoms"^5) +source:("sample")^0'


@pytest.mark.parametrize("value", ["NO", "it", "the", "???", "A", "to be", ""])
def test_a_filter_value_that_the_index_leaves_out_is_not_required(value):
    assert lucene.query(["gout"], {"text": 1.0}, {"collection": [value]}) == '+(text:("gout")^1)'
    assert lucene.query(["gout"], {"text": 1.0}, {"collection": ["NIDDK", value]}) == '+(text:("gout")^1)'


@pytest.mark.parametrize("text", ["", "?!", "what is the of", "[[[", "\x00"])
def test_nothing_to_look_for_is_an_empty_query(text):
    assert lucene.query(content(text), BOOSTS) == ""


def test_words_of_any_script_once_each_in_order_and_not_too_many():
    assert lucene.words("Gout, gout; 喘息 ما هي Żółć's x_y 2-3") == "gout 喘息 ما هي żółć's x y 2 3".split()
    assert lucene.all_words("a b A") == ["a", "b", "a"]
    assert lucene.words(" ".join(f"word{i}" for i in range(2000))) == [f"word{i}" for i in range(lucene.MAX_WORDS)]


def test_content_words_are_of_the_first_words_only():
    assert lucene.content_words(["the", "gout", "and", "gout", "the", "asthma"]) == ["gout", "asthma"]
    many = [f"word{i}" for i in range(2000)]
    assert lucene.content_words(many) == many[: lucene.MAX_WORDS]


@given(HOSTILE, HOSTILE, HOSTILE)
def test_only_quoted_words_pass(text, value, name):
    query = lucene.query(content(text), BOOSTS, {"source": [value]}, [("title", name, 3.0)])
    assert not query or QUERY.fullmatch(query)


@pytest.mark.parametrize("mode", MODES)
@hypothesis_settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
@given(text=HOSTILE)
@example(text='asthma AND ("')
@example(text="title:asthma^1e9 OR text:/[/")
@example(text="'}) DETACH DELETE n //")
@example(text="\\")
@example(text="asthma \x00\x1b[31m \udcff \u2028")
def test_no_text_breaks_a_search(retriever, mode, text):
    if lucene.words(text):
        assert len(retriever.search(text, mode=mode, top_k=3)) <= 3
    else:
        with pytest.raises(InputError, match="no word in it"):
            retriever.search(text, mode=mode, top_k=3)


@pytest.mark.parametrize("question", ["What are the symptoms of asthma", "How is gout treated", "kidney stones"])
@pytest.mark.parametrize(
    "form",
    r"""Q? Q?? (Q Q) [Q Q] {Q Q} Q/ /Q/ Q! !Q Q!? Q~ Q* *Q Q^ Q: :Q Q\ "Q Q" +Q -Q Q&& Q|| (Q? Q?] ((Q Q...""".split(),
)
def test_syntax_around_a_question_changes_nothing(retriever, question, form):
    plain = sections_of(retriever, question)
    assert len(plain) == 10
    assert sections_of(retriever, form.replace("Q", question)) == plain


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "TO"])
def test_operators_are_plain_words(retriever, word):
    alone = sections_of(retriever, f"asthma {word.lower()} gout")
    assert sections_of(retriever, f"asthma {word} gout") == alone
    assert {section.partition("#")[0] for section, _ in alone} >= {"sample:asthma", "sample:gout"}
