"""What a load touches is brought up to date, nothing else, and the graph is then as an index from nothing makes it."""

import json

import pytest

from medgraph.embeddings.index import index_chunks
from medgraph.linking.mentions import index_links
from medgraph.linking.names import index_names, names_in_use, renamed_since
from medgraph.loaders.commands import LoadOptions, load_named, unload_named
from tests.support.graphs import run

TABLE = """disease,symptoms
Marsh ague,"['fever', 'rash', 'cough', 'swelling']"
Bog palsy,"['rash', 'swelling']"
Fen cramp,"['cough', 'fever']"
"""
PAGES = """disease,overview,symptoms,treatment
Marsh ague,"Marsh ague is a disease. It is rare.","Symptoms include fever, rash and silvery scales.","Rest helps."
Bog palsy,"Bog palsy is a disease. It is rare.","Symptoms include rash and swelling.","Rest helps."
Fen cramp,"Fen cramp is a disease. It is rare.","Symptoms include cough.","Rest helps."
"""

DERIVED = """
CALL () {
  MATCH (a:Concept)-[r]->(b) WHERE NOT b:Section
  RETURN [a.cui, type(r), coalesce(b.cui, b.id), properties(r)] AS said
  UNION ALL
  MATCH (a:Concept)-[r:DESCRIBED_IN]->(s) RETURN [a.cui, type(r), s.id, properties(r)] AS said
  UNION ALL
  MATCH (s:Section)-[:HAS_CHUNK]->(k)-[r:MENTIONS]->(c) RETURN [s.id, k.id, c.cui, properties(r)] AS said
  UNION ALL
  MATCH (s:Section)-[r:TELLS_OF]->(t) RETURN [s.id, 'TELLS_OF', t.id, properties(r)] AS said
  UNION ALL
  MATCH (t:Topic)-[r:ABOUT_CONCEPT]->(c) RETURN [t.id, 'ABOUT_CONCEPT', c.cui, properties(r)] AS said
  UNION ALL
  MATCH (c:Concept|Term) RETURN [labels(c), properties(c)] AS said
}
RETURN said
"""
FORGET = """
MATCH (s:Section) REMOVE s.linked
WITH count(*) AS _
MATCH ()-[a:ABOUT]->() REMOVE a.named
WITH count(*) AS _
MATCH (n:Concept|Term|Review) DETACH DELETE n
"""


@pytest.fixture
def pages(database, settings, encoder, tmp_path):
    """Gives what loads pages of a text, and links what is new; the first ones are linked already."""

    def load(text, **wish):
        (tmp_path / "pages.csv").write_text(text, encoding="utf-8")
        load_named(database, settings, "disease-pages", tmp_path / "pages.csv", LoadOptions(replace=True, **wish))
        return linked()

    def linked():
        index_chunks(database, encoder)
        linker, names = names_in_use(settings, database)
        with renamed_since(settings, database, linker) as renamed:
            return index_links(database, linker, names, renamed=renamed)

    (tmp_path / "known.csv").write_text(TABLE, encoding="utf-8")
    load_named(database, settings, "disease-tables", tmp_path / "known.csv")
    load(PAGES)
    return load, linked


def derived(database):
    return sorted(json.dumps(row["said"], sort_keys=True) for row in run(database, DERIVED))


def from_nothing(database, settings):
    """Forgets all that is derived, and derives it again."""
    run(database, FORGET)
    index_names(settings, database)
    index_links(database, *names_in_use(settings, database))
    return derived(database)


def told(database):
    return {
        (row["head"], row["tail"])
        for row in run(
            database,
            "MATCH (a:Concept)-[r:HAS_SYMPTOM]->(b) WHERE r.told <> [] RETURN a.name AS head, b.name AS tail",
        )
    }


def test_a_page_that_changes_is_linked_alone_and_its_relations_follow(database, settings, pages):
    load, linked = pages
    assert ("Bog palsy", "swelling") in told(database)
    before = derived(database)
    done = load(PAGES.replace("rash and swelling", "rash and cough").replace("silvery scales", "grey plaques"))
    assert done.sections == 6
    assert ("Bog palsy", "cough") in told(database)
    assert ("Bog palsy", "swelling") not in told(database)
    assert ("Marsh ague", "fever") in told(database)
    changed = derived(database)
    assert changed != before
    assert changed == from_nothing(database, settings)
    assert linked().relations is None


def test_relations_go_with_their_pages_and_wait_for_nothing_else(database, settings, pages):
    _, linked = pages
    unload_named(database, settings, "pages")
    done = linked()
    assert done.sections == 0
    assert told(database) == set()
    assert derived(database) == from_nothing(database, settings)


def test_documents_about_nothing_leave_names_alone(database, settings, pages, tmp_path, capsys):
    _, linked = pages
    (tmp_path / "own.jsonl").write_text(
        '{"id": "o", "title": "O", "sections": [{"text": "A cough came with bog palsy."}]}\n', encoding="utf-8"
    )
    load_named(database, settings, "documents", tmp_path / "own.jsonl", LoadOptions(name="own", licence="CC0-1.0"))
    capsys.readouterr()
    done = linked()
    assert (done.sections, done.mentions, done.relations, done.topics) == (1, 2, None, None)
    assert "stand for" not in capsys.readouterr().err
    assert derived(database) == from_nothing(database, settings)


def test_a_kind_of_something_is_found_to_be_one_later(database, settings, pages, tmp_path):
    _, linked = pages
    ids = {
        row["name"]: row["id"]
        for row in run(
            database, "MATCH (e:Entity) WHERE e.name IN ['Bog palsy', 'swelling'] RETURN e.id AS id, e.name AS name"
        )
    }
    assert ("Bog palsy", "swelling") in told(database)
    folder = tmp_path / "kinds"
    folder.mkdir()
    (folder / "nodes.tsv").write_text("id\tcategory\tname\n", encoding="utf-8")
    (folder / "edges.tsv").write_text(
        f"id\tsubject\tpredicate\tobject\ne1\t{ids['Bog palsy']}\tbiolink:subclass_of\t{ids['swelling']}\n",
        encoding="utf-8",
    )
    load_named(database, settings, "kgx", folder, LoadOptions(name="kinds", licence="CC0-1.0"))
    linked()
    assert ("Bog palsy", "swelling") not in told(database)
    assert derived(database) == from_nothing(database, settings)


def test_names_that_are_new_link_what_has_them_alone(database, settings, pages, tmp_path):
    _, linked = pages
    before = derived(database)

    def named(*symptoms):
        (tmp_path / "more.csv").write_text(f'disease,symptoms\nMoor gripe,"{[*symptoms]}"\n', encoding="utf-8")
        load_named(database, settings, "disease-tables", tmp_path / "more.csv", LoadOptions(name="more", replace=True))
        return linked()

    done = named("rest")
    assert (done.sections, done.kept) == (3, 6)
    assert derived(database) != before
    assert derived(database) == from_nothing(database, settings)
    done = named("rest", "wheeze")
    assert (done.sections, done.kept) == (0, 9)
    assert derived(database) == from_nothing(database, settings)
    unload_named(database, settings, "more")
    assert linked().sections == 3
    assert derived(database) == before == from_nothing(database, settings)


def test_what_a_page_is_about_is_looked_at_beside_names(database, settings, pages):
    _, linked = pages
    about = "MATCH (d:Document {title: 'Bog palsy'}) "
    run(database, about + "MATCH (e:Entity {name: 'Fen cramp'}) MERGE (d)-[:ABOUT]->(e)")
    run(database, "MATCH (e:Entity {name: 'Marsh ague'}) SET e.synonyms = ['Swamp chill']")
    index_names(settings, database)
    done = linked()
    assert (done.sections, done.kept) == (3, 6)
    assert derived(database) == from_nothing(database, settings)
