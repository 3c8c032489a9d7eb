"""The pages to look around on: the first one, and an entity with what all sources say."""

import re

from medgraph.api.app import create_app
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.service import service_over
from tests.support.told import told


def test_the_first_page_shows_what_is_loaded_and_questions_that_are_answered(client):
    page = client.get("/").text
    assert re.findall(r"<strong>([\d,]+)</strong> (documents|sources)", page) == [("60", "documents"), ("1", "sources")]
    listed = client.get("/sources").text
    assert re.search(r"built-in sample of common conditions.*\s.*<td>60</td><td>[\d,]+</td><td>Apache-2.0</td>", listed)
    questions = re.findall(r'href="/ask\?q=([^"]+)"', page)
    assert len(questions) == 6
    for question in questions[:2]:
        assert '<h2 id="answer">Answer</h2>' in client.get(f"/ask?q={question}").text
    assert "<svg" in page
    assert re.search(r'<div class="stacked">.*<a href="/entities/', page, re.DOTALL)


def test_an_entitys_page_tells_what_all_sources_say(database, encoder):
    run(
        database,
        "CREATE (a:Source {id: 'one'}), (b:Source {id: 'two'}), (c:Concept {cui: 'a:1', name: 'gout'}) "
        "SET c.ids = ['a:1', 'M:9'] "
        "CREATE (x:Entity:Disease {id: 'a:1', name: 'Gout'})-[:MEANS {method: 'itself'}]->(c) "
        "CREATE (y:Entity:Disease {id: 'b:1', name: '<b>Podagra'})-[:MEANS {method: 'name'}]->(c) "
        "CREATE (x)-[:FROM {label: 'Disease', name: 'Gout', definition: 'Crystals.'}]->(a) "
        "CREATE (y)-[:FROM {label: 'Disease', name: '<b>Podagra'}]->(b) "
        "CREATE (z:Entity:Drug {id: 'a:2', name: 'Salt'})-[:MEANS]->(d:Concept {cui: 'a:2', name: 'Salt'}) "
        "CREATE (x)-[:TREATED_BY {source: 'one'}]->(z) "
        "CREATE (c)-[r:TREATED_BY]->(d) SET r = $told",
        told=told(["t#1"], ["two"], 1.0),
    )
    fold_all(database)
    page = (
        create_app(service_over(database, lambda: encoder, names_of(database))).test_client().get("/entities/b:1").text
    )
    for said in (
        "gout: what all sources say",
        "<dt>Ids of all sources</dt><dd>a:1; M:9</dd>",
        "&lt;b&gt;Podagra (two)",
        'Crystals. <span class="who">(one)</span>',
        '<a href="/entities/a:1">Gout</a> (a:1, itself)',
        "Treatments for it include \u2026",
        '<a href="/entities/a:2">Salt</a> <span class="who">(stated by one | told in 1 section (two)',
        '<a class="cite" href="/sections/t%231" aria-label="Section t#1">[1]</a>)</span>',
        'href="/subgraph?name=b:1"',
        '<input name="name" type="hidden" value="b:1">',
        "Nothing can be guessed: the graph has no vectors of relations.",
    ):
        assert said in page, said
    assert "<b>" not in page
