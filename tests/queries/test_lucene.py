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
from tests.support.points import few

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


@given(HOSTILE, HOSTILE, HOSTILE)
def test_only_quoted_words_pass(text, value, name):
    query = lucene.query(content(text), BOOSTS, {"source": [value]}, [("title", name, 3.0)])
    assert not query or QUERY.fullmatch(query)


@pytest.mark.parametrize("mode", MODES)
@hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
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


@pytest.mark.parametrize("question", few(["What are the symptoms of asthma", "kidney stones"], 2))
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
