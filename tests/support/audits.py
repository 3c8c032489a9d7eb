"""A sound graph to break, and an audit to report."""

from medgraph.audit.findings import Audit, Finding, Result
from medgraph.audit.run import audit, checks

NAMES = list(checks())


SOUND = """
CREATE (s:Source {id: 's', title: 'S', version: '1', licence: 'CC0-1.0'})
CREATE (l:Load {id: 7, status: 'finished', started: datetime()})-[:FROM]->(s)
CREATE (gout:Entity:Disease {id: 's:gout', name: 'Gout', synonyms: ['podagra'], xrefs: ['MESH:D006073'],
                             definition: 'A disease of the joints, by crystals.'})-[:FROM {load: 7}]->(s)
CREATE (arthritis:Entity:Disease {id: 's:arthritis', name: 'Arthritis'})-[:FROM {load: 7}]->(s)
CREATE (pain:Entity:Symptom {id: 's:pain', name: 'Pain'})-[:FROM {load: 7}]->(s)
CREATE (gout)-[:IS_A {source: 's', load: 7, evidence: ['PMID:1']}]->(arthritis)
CREATE (gout)-[:HAS_SYMPTOM {source: 's', load: 7, evidence: ['s:d#1']}]->(pain)
CREATE (gout)-[:HAS_CUI {source: 's'}]->(:Concept {cui: 'C0018099', name: 'Gout', sources: ['s']})
CREATE (d:Document {id: 's:d', title: 'Gout', source: 's', url: 'https://example.org'})-[:FROM {load: 7}]->(s)
CREATE (d)-[:ABOUT {source: 's'}]->(gout)
CREATE (d)-[:HAS_SECTION]->(x:Section {id: 's:d#1', source: 's', text: 'The pain of gout is worst at night, and it may '
        + 'come with fever; that is <2 days after a meal & wine, says Müller.'})
CREATE (x)-[:HAS_CHUNK]->(:Chunk {id: 'c', source: 's', text: 'The pain of gout is worst at night.'})
CREATE (:Question {id: 's:d#q', source: 's', text: 'What is gout?'})-[:ANSWERED_BY]->(x)
"""


def findings_of(database, check, **options):
    (result,) = audit(database, only=[check], **options).results
    assert result.failure == ""
    return result.findings


ENTITY = "MATCH (s:Source {id: 's'}) CREATE (e:Entity:Disease {id: 's:new', name: 'New'})-[:FROM {load: 7}]->(s) SET "


AUDIT = Audit(
    "",
    [
        Result(
            "one",
            "What one looks for.",
            "mend it",
            0.1,
            [Finding("one", "error", "s", ("a",), "bad | <b>", 2, ("x_y",))],
        ),
        Result("two", "What two looks for.", "mend it"),
        Result("three", "What three looks for.", "mend it", failure="went wrong"),
    ],
)
