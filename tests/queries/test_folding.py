"""Full text finds words in whatever form they are written, stored texts stay as they are, and old graphs learn it."""

import json

import pytest

from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.queries.filters import Filters
from medgraph.queries.retriever import Retriever
from medgraph.schema import migrate
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.schemas import ENCODER

TEXTS = {
    "n1": "Sjögren's syndrome causes dry eyes. Ménière's disease causes vertigo. Behçet's disease causes ulcers.",
    "n2": "Mo\u0308bius syndrome weakens the face. Köhler disease affects the foot.",
    "n3": "In\ufb02ammation of the \ufb01ngers is dactylitis; \ufb01brosis; co\u00adagu\u00adlation; \u03b1-synuclein; "
    "H\u2082O\u2082 and 10\u2076 CFU; naïve T cells.",
    "n4": "Plain words only.",
}
ARTICLE = (
    '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">7</PMID><Article><Journal><JournalIssue>'
    "<PubDate><Year>2020</Year></PubDate></JournalIssue><Title>Revista M\u00e9dica</Title></Journal><ArticleTitle>"
    "[Two remedies].</ArticleTitle><Abstract><AbstractText>Gout is painful.</AbstractText></Abstract><AuthorList>"
    "<Author><LastName>Pr\u00edncipe</LastName><ForeName>Ana</ForeName></Author></AuthorList></Article>"
    "<OtherAbstract Language='fre'><AbstractText>"
    "Le premier remède était meilleur.</AbstractText></OtherAbstract><CommentsCorrectionsList>"
    '<CommentsCorrections RefType="ExpressionOfConcernIn"><RefSource>J</RefSource><PMID>8</PMID></CommentsCorrections>'
    "</CommentsCorrectionsList></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
FOUND = {
    "n1": "sjogren Sjögren Sjo\u0308gren meniere behcet",
    "n2": "mobius Möbius Mo\u0308bius kohler",
    "n3": "inflammation fingers fibrosis coagulation alpha \u03b1 H2O2 H\u2082O\u2082 naive naïve",
    "n4": "plain",
}


@pytest.fixture
def retriever(database, settings, tmp_path, encoder):
    path = tmp_path / "uni.jsonl"
    lines = (json.dumps({"id": name, "title": name, "sections": [{"text": text}]}) for name, text in TEXTS.items())
    path.write_text("\n".join(lines))
    load_named(database, settings, "documents", path, LoadOptions(licence="CC0-1.0"))
    (tmp_path / "pubmed99n0001.xml").write_text(ARTICLE, encoding="utf-8")
    load_named(database, settings, "pubmed", tmp_path / "pubmed99n0001.xml")
    return Retriever(database, lambda: encoder, names_of(database))


def found(retriever, question, **filters):
    return retriever.search(question, mode="lexical", filters=Filters(**filters))


def check(retriever):
    for document, words in FOUND.items():
        for word in words.split():
            assert [hit.document for hit in found(retriever, word)] == [document], word
    (hit,) = found(retriever, "mobius")
    assert (hit.text, hit.text[hit.start : hit.end]) == (TEXTS["n2"], TEXTS["n2"])
    for name in ("Principe", "Príncipe", "PRI\u0301NCIPE A"):
        assert [hit.document for hit in found(retriever, "gout", authors=(name,))] == ["PMID:7"]
    assert len(found(retriever, "gout", journals=("revista medica",))) == 1


def test_words_are_found_in_every_form(retriever):
    check(retriever)


def test_graphs_of_before_learn_it_by_the_migration(retriever, database):
    run(database, "MATCH (n) WHERE n.folded IS NOT NULL REMOVE n.folded")
    run(database, "MATCH (m:Migration) WHERE m.version >= 12 DELETE m")
    migrate.apply(database, *ENCODER, lambda line: None)
    run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    check(retriever)


def test_notices_are_shown_and_filtered_by(retriever):
    (hit,) = found(retriever, "gout")
    assert hit.notices == ["expression of concern PMID:8"]
    assert len(found(retriever, "gout", notices=("expression of concern",))) == 1
    assert len(found(retriever, "gout", notices=("erratum",))) == 0
    assert len(found(retriever, "gout", notices=("none",))) == 0
    assert len(found(retriever, "sjogren", notices=("none",))) == 1
    assert retriever.texts(["PMID:7#1"])[0].notices == ["expression of concern PMID:8"]


def test_other_languages_are_searched_where_they_are_asked_for(retriever):
    assert len(found(retriever, "remede")) == 0
    for language in ("fr", "fre", "FR"):
        (hit,) = found(retriever, "remède", language=language)
        assert (hit.document, hit.text) == ("PMID:7", "Le premier remède était meilleur.")
    assert len(found(retriever, "remede", language="fr")) == 1
    assert len(found(retriever, "remède", language="de")) == 0
