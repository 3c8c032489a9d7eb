"""UMLS: a folder of the Metathesaurus, what its options take of it, and a load into the graph."""

from medgraph.loaders.commands import LoadOptions, load_named
from tests.support.graphs import run
from tests.support.umls import ALBUTEROL, ASTHMA, META


def test_loading_twice_and_filtering_by_licence(database, settings):
    first = load_named(database, settings, "umls", META, LoadOptions(options={"levels": "all"}))
    assert first.rejected == 0
    facts = run(
        database,
        "MATCH (e:Entity {id: $id})-[:FROM]->(s:Source) RETURN s.id AS source, s.licence AS licence, e.name AS name, "
        "e.synonyms AS synonyms ORDER BY source",
        id=ASTHMA,
    )
    assert [(fact["source"], fact["licence"][-1]) for fact in facts] == [
        ("umls", "0"),
        ("umls-hpo", "0"),
        ("umls-msh", "0"),
        ("umls-snomedct_us", "9"),
    ]
    assert facts[0]["name"] == "Asthma"
    assert {"Bronchial Asthma", "Asthma (disorder)"} <= set(facts[0]["synonyms"])
    treats = run(database, "MATCH (a)-[r:TREATS]->(b) RETURN a.id AS a, b.id AS b, r.source AS source")
    assert treats == [{"a": ALBUTEROL, "b": ASTHMA, "source": "umls-msh"}]
    again = load_named(database, settings, "umls", META, LoadOptions(options={"levels": "all"}, limit=1000))
    assert (again.added, again.changed, again.unchanged) == (0, 0, first.added)
