"""What answers from a test's graph, and whether its citations hold."""

from functools import cache

from medgraph.answers.answerer import Answerer
from medgraph.answers.emergencies import Emergencies
from medgraph.embeddings.encoders.encoder import load_emergencies
from medgraph.queries.retriever import Retriever
from medgraph.settings import Settings
from tests.support.graphs import run
from tests.support.linking import names_of


@cache
def tells():
    """Load what tells emergencies, once."""
    return load_emergencies(Settings.from_environment())


EMERGENCIES = Emergencies(tells)


def answerer_of(database, encoder, sentence_reader=None):
    retriever = Retriever(database, lambda: encoder, names_of(database))
    return Answerer(retriever, lambda: encoder, sentence_reader=lambda: sentence_reader, emergencies=EMERGENCIES)


def check_citations(database, answer):
    """Make sure that every sentence stands in the graph where its citation says."""
    for sentence in answer.sentences:
        assert sentence.verdict == "supported"
        (citation,) = sentence.citations
        (row,) = run(
            database,
            "MATCH (d:Document)-[:HAS_SECTION]->(s:Section {id: $id}) "
            "RETURN s.text AS text, d.id AS document, d.title AS title, coalesce(d.url, '') AS url, d.source AS source",
            id=citation.section,
        )
        assert row.pop("text")[citation.start : citation.end] == citation.quote
        assert " ".join(citation.quote.split()) == sentence.text
        assert row == {name: getattr(citation, name) for name in row}
        assert run(database, citation.cypher)
