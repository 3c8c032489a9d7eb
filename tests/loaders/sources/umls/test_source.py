"""UMLS: a folder of the Metathesaurus, what its options take of it, and a load into the graph."""

from medgraph.loaders.commands import Wish, load_named, unload_named
from medgraph.loaders.sources.umls import source
from tests.support.graphs import run
from tests.support.umls import ALBUTEROL, ASTHMA, META, remarks, row


def test_folder_release_and_size(meta):
    assert source.describe(META).version == source.describe(META.parent).version == "2026AA"
    assert source.describe(meta).version == "2020AA"  # without release.dat: when the last vocabulary came in
    assert source.recognise(META)
    assert source.recognise(META.parent)
    assert not source.recognise(META.parent.parent)
    assert not source.recognise(META / "MRCONSO.RRF")
    assert source.SOURCE.estimate(META) > 0
    (meta / "MRFILES.RRF").write_text(row("MRFILES", FIL="MRCONSO.RRF", BTS="999"))
    assert "MRFILES.RRF says 999: it is cut off, or a part that was made by hand" in remarks(meta)[0]


def test_loading_twice_and_filtering_by_licence(database, settings):
    first = load_named(database, settings, "umls", META, Wish(options={"levels": "all"}))
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
    again = load_named(database, settings, "umls", META, Wish(options={"levels": "all"}, limit=1000))
    assert (again.added, again.changed, again.unchanged) == (0, 0, first.added)


def test_two_releases_stand_side_by_side_with_parts_of_their_own(database, settings):
    first, second = (load_named(database, settings, "umls", META, Wish(name=name)) for name in ("y2025", "y2026"))
    assert (second.added, second.rejected) == (first.added, 0)
    unload_named(database, settings, "y2025")
    assert load_named(database, settings, "umls", META, Wish(name="y2026")).known
    told = run(database, "MATCH (e:Entity {id: $id})-[:FROM]->(s) RETURN s.id AS id ORDER BY id", id=ASTHMA)
    assert [row["id"] for row in told] == ["y2026", "y2026-hpo", "y2026-msh"]
