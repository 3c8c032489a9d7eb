"""The audit: every check on a graph that has the fault and on one that has not, ids that last, and reports."""

import json
import random
import re
import time

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from medgraph.audit import checks, cycles, languages, report, texts
from medgraph.audit.findings import Audit, Finding, Result, read_known
from medgraph.audit.run import audit
from medgraph.cli.main import main
from medgraph.errors import InputError, UnknownSourceError
from medgraph.graph import catalogue
from medgraph.schema.vocabulary import ENTITY_LABELS, KIN, RELATION_ENDS, RELATION_TYPES
from tests.support.graphs import run

NAMES = [check.name for check in checks.CHECKS]

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


@pytest.fixture
def sound(database):
    run(database, SOUND)
    return database


def found(database, check, **options):
    (result,) = audit(database, only=[check], **options).results
    assert result.failure == ""
    return result.findings


ENTITY = "MATCH (s:Source {id: 's'}) CREATE (e:Entity:Disease {id: 's:new', name: 'New'})-[:FROM {load: 7}]->(s) SET "
SECTION = "MATCH (n:Section) SET n.text = "

FAULTS = [
    # check, what breaks the graph, severity, part of what is said, part of the first example
    ("nodes_without_source", "CREATE (:Entity:Disease {id: 'x', name: 'X'})", "error", ":Entity without a source", "x"),
    ("nodes_without_source", "CREATE (:Document {id: 'x', title: 'X'})", "error", ":Document without a source", "x"),
    ("nodes_without_source", "MATCH (n:Section) SET n.source = 'gone'", "error", "they name gone", "s:d#1"),
    ("nodes_without_source", "MATCH (n:Question) REMOVE n.source", "error", ":Question without a source", "s:d#q"),
    (
        "relations_without_source",
        "MATCH ()-[r:IS_A]->() REMOVE r.source",
        "error",
        "IS_A without a source",
        "s:gout IS_A",
    ),
    (
        "relations_without_source",
        "MATCH ()-[r:HAS_CUI]->() SET r.source = 'gone'",
        "error",
        "of gone",
        "HAS_CUI C0018099",
    ),
    (
        "relations_without_source",
        "MATCH ()-[r:ABOUT]->() REMOVE r.source",
        "error",
        "ABOUT without",
        "s:d ABOUT s:gout",
    ),
    ("unknown_loads", "MATCH (:Document)-[f:FROM]->() SET f.load = 8", "warning", ":Document whose load", "s:d"),
    ("unknown_loads", "MATCH (:Symptom)-[f:FROM]->() REMOVE f.load", "warning", ":Entity whose load", "s:pain"),
    ("sources_without_version", "MATCH (s:Source) SET s.version = 'Unversioned'", "warning", "release", "s: S"),
    ("sources_without_version", "MATCH (s:Source) REMOVE s.version", "warning", "release", "s: S"),
    (
        "sources_without_licence",
        "MATCH (s:Source) SET s.licence = 'LicenseRef-unstated'",
        "error",
        "no licence",
        "s: S",
    ),
    ("sources_without_licence", "MATCH (s:Source) SET s.licence = ' '", "error", "no licence", "s: S"),
    ("unknown_prefixes", ENTITY + "e.id = 'nowhere:1'", "warning", "ids with the unknown prefix nowhere", "nowhere:1"),
    ("unknown_prefixes", ENTITY + "e.id = 'plain'", "warning", "ids that are no CURIEs", "plain"),
    (
        "unknown_prefixes",
        ENTITY + "e.xrefs = ['zzz:1', 'MESH:D1']",
        "note",
        "cross-references with the unknown",
        "zzz:1",
    ),
    (
        "unknown_prefixes",
        "MATCH ()-[r:IS_A]->() SET r.evidence = ['qqq:1']",
        "note",
        "evidence with the unknown",
        "qqq:1",
    ),
    ("unknown_prefixes", "MATCH ()-[r:IS_A]->() SET r.predicate = 'qqq:is'", "note", "predicates with the", "qqq:is"),
    (
        "relations_without_evidence",
        "MATCH ()-[r:IS_A]->() REMOVE r.evidence",
        "note",
        "1 of 1 relations IS_A",
        "s:gout IS_A",
    ),
    ("missing_evidence", "MATCH ()-[r:IS_A]->() SET r.evidence = ['s:d#9']", "error", "not in the graph", "(s:d#9)"),
    ("parts_without_whole", "MATCH ()-[r:HAS_SECTION]->() DELETE r", "error", "sections without a document", "s:d#1"),
    ("parts_without_whole", "MATCH ()-[r:HAS_CHUNK]->() DELETE r", "error", "chunks without a section", "c"),
    ("parts_without_whole", "MATCH ()-[r:ANSWERED_BY]->() DELETE r", "error", "questions without", "s:d#q"),
    ("parts_without_whole", "MATCH ()-[r:HAS_CUI]->() DELETE r", "error", "concepts without an entity", "C0018099"),
    ("parts_without_whole", "MATCH (:Load)-[r:FROM]->() DELETE r", "error", "loads without a source", "7"),
    (
        "empty_documents",
        "MATCH (s:Source) CREATE (:Document {id: 's:e', title: 'Empty', source: 's'})-[:FROM]->(s)",
        "note",
        "documents without a section",
        "s:e: Empty",
    ),
    ("lonely_entities", ENTITY + "e.x = 1", "note", "1 of 4 entities have no relation", "s:new: New"),
    (
        "misplaced_relations",
        "MATCH (a)-[r:HAS_SYMPTOM]->(b) CREATE (b)-[:HAS_SYMPTOM {source: 's'}]->(a) DELETE r",
        "error",
        "Symptom HAS_SYMPTOM Disease stands the wrong way round",
        "s:pain Pain HAS_SYMPTOM s:gout Gout",
    ),
    (
        "misplaced_relations",
        ENTITY + "e:Gene REMOVE e:Disease WITH e MATCH (p:Symptom) CREATE (e)-[:TREATS {source: 's'}]->(p)",
        "warning",
        "Gene TREATS Symptom joins what it cannot join",
        "s:new New TREATS s:pain",
    ),
    (
        "kinds_mixed",
        ENTITY + "e:Drug REMOVE e:Disease WITH e MATCH (p:Symptom) CREATE (e)-[:IS_A {source: 's'}]->(p)",
        "warning",
        "Drug IS_A Symptom joins different kinds",
        "s:new New IS_A s:pain",
    ),
    (
        "undesigned_relations",
        "MATCH (d:Document), (c:Concept) CREATE (d)-[:MENTIONS_ODDLY]->(c)",
        "error",
        "MENTIONS_ODDLY from :Document to :Concept",
        "s:d MENTIONS_ODDLY C0018099",
    ),
    (
        "undesigned_relations",
        "MATCH (d:Document) CREATE (d)-[:ABOUT]->({id: 'bare'})",
        "error",
        "ABOUT from :Document to :none",
        "s:d ABOUT bare",
    ),
    (
        "is_a_both_ways",
        "MATCH (a)-[:IS_A]->(b) CREATE (b)-[:IS_A {source: 't'}]->(a)",
        "error",
        "Arthritis and Gout are each a kind of the other",
        "s:arthritis IS_A s:gout",
    ),
    (
        "is_a_cycles",
        ENTITY
        + "e.x = 1 WITH e MATCH (a)-[:IS_A]->(b) CREATE (b)-[:IS_A {source: 's'}]->(e)-[:IS_A {source: 't'}]->(a)",
        "error",
        "3 entities are kinds of each other, such as Arthritis → New → Gout → Arthritis",
        "s:arthritis IS_A s:new (s)",
    ),
    (
        "relations_to_itself",
        "MATCH (a:Symptom) CREATE (a)-[:IS_A {source: 's'}]->(a)",
        "error",
        "IS_A to",
        "s:pain: Pain",
    ),
    ("relations_to_itself", "MATCH (a:Symptom) CREATE (a)-[:AFFECTS]->(a)", "warning", "AFFECTS to", "s:pain: Pain"),
    (
        "obsolete_in_use",
        "MATCH (a {id: 's:arthritis'}) SET a.obsolete = true, a.replaced_by = ['s:pain']",
        "warning",
        "IS_A to obsolete",
        "s:gout IS_A s:arthritis Arthritis (now s:pain)",
    ),
    ("duplicate_names", ENTITY + "e.name = ' gout '", "warning", '2 entities :Disease are called "gout"', "s:gout"),
    (
        "shared_concepts",
        ENTITY + "e.x = 1 WITH e MATCH (c:Concept) CREATE (e)-[:HAS_CUI {source: 's'}]->(c)",
        "note",
        "concepts that fewer than 5 entities claim",
        "C0018099: 2 entities, Gout to New",
    ),
    (
        "shared_concepts",
        "MATCH (s:Source), (c:Concept) UNWIND range(1, 4) AS n CREATE (c)<-[:HAS_CUI {source: 's'}]-"
        "(:Entity:Disease {id: 's:' + n, name: 'N' + n})-[:FROM {load: 7}]->(s)",
        "warning",
        "concepts that 5 or more entities claim",
        "C0018099: 5 entities, Gout to N4",
    ),
    (
        "several_concepts",
        "MATCH (e {id: 's:gout'}) CREATE (e)-[:HAS_CUI {source: 's'}]->(:Concept {cui: 'C0000001'})",
        "note",
        "more than one concept",
        "s:gout: Gout (2, C0000001 to C0018099)",
    ),
    (
        "shared_xrefs",
        ENTITY + "e.xrefs = ['MESH:D006073', 'MESH:D1']",
        "note",
        "1 of 2 cross-references to MESH are claimed",
        "MESH:D006073: 2 entities, s:gout to s:new",
    ),
    (
        "lost_letters",
        ENTITY + "e.name = 'Alstrm syndrome' WITH e MATCH (g {id: 's:gout'}) SET g.synonyms = ['Alström syndrome']",
        "warning",
        "lost letters",
        "s:new: Alstrm syndrome (Alström syndrome)",
    ),
    ("suspicious_names", ENTITY + "e.name = ''", "error", "names: empty", "s:new: "),
    ("suspicious_names", ENTITY + "e.name = 'x'", "warning", "names: one character", "s:new: x"),
    ("suspicious_names", ENTITY + "e.name = '12-34 / 5'", "warning", "names: digits and punctuation", "12-34 / 5"),
    ("suspicious_names", ENTITY + "e.name = 'N/A'", "warning", "names: a placeholder", "N/A"),
    (
        "suspicious_names",
        ENTITY + "e.name = reduce(n = 'A', i IN range(1, 50) | n + ' word')",
        "note",
        "longer than 200",
        "A word",
    ),
    ("suspicious_names", ENTITY + "e.name = 'DIABETES MELLITUS TYPE 2'", "note", "names: capital letters", "DIABETES"),
    ("suspicious_names", ENTITY + "e.name = 'two  blanks'", "note", "names: blanks", "two blanks"),
    (
        "suspicious_names",
        ENTITY + "e.name = 'Sj\u00c3\u00b6gren syndrome'",
        "error",
        "wrong encoding",
        "Sj\u00c3\u00b6gren",
    ),
    ("suspicious_names", ENTITY + "e.synonyms = ['x']", "note", "synonyms: one character", "s:new: x"),
    ("suspicious_names", "MATCH (d:Document) SET d.title = 'B&amp;B'", "warning", "titles: HTML left over", "B&amp;B"),
    (
        "suspicious_texts",
        SECTION + "'It was 5 \ufffd today.'",
        "error",
        "sections: replacement or control",
        "5 \ufffd today",
    ),
    (
        "suspicious_texts",
        SECTION + "'It was 5\u00c2\u00b0 today.'",
        "error",
        "sections: letters in a wrong",
        "5\u00c2\u00b0 today",
    ),
    (
        "suspicious_texts",
        SECTION + "'It\u00e2\u20ac\u2122s gout.'",
        "error",
        "sections: letters in a wrong",
        "It\u00e2\u20ac\u2122s",
    ),
    ("suspicious_texts", SECTION + "'It is<br/>gout.'", "warning", "sections: HTML left over", "It is<br/>gout."),
    (
        "suspicious_texts",
        SECTION + "'It is <a href=\"x\">gout</a>.'",
        "warning",
        "sections: HTML left over",
        'It is <a href="x">',
    ),
    ("suspicious_texts", SECTION + "'It is gout&nbsp;only.'", "warning", "sections: HTML left over", "gout&nbsp;only"),
    ("suspicious_texts", SECTION + "'It is treated with the following: '", "note", "sections: cut off", "following:"),
    ("suspicious_texts", SECTION + "'Gout is a disease of the'", "note", "sections: cut off", "disease of the"),
    (
        "suspicious_texts",
        SECTION + "'THE PAIN OF GOUT IS WORST AT NIGHT AND GOES.'",
        "note",
        "capital letters",
        "THE PAIN",
    ),
    ("suspicious_texts", SECTION + "'12.5 - 13'", "warning", "sections: no letter", "12.5 - 13"),
    (
        "suspicious_texts",
        ENTITY + "e.definition = 'See <b>gout</b>.'",
        "warning",
        "definitions: HTML left over",
        "<b>gout",
    ),
    (
        "foreign_texts",
        SECTION + "'Die Gicht ist eine Krankheit, die mit dem Essen und nicht mit der Kälte kommt.'",
        "warning",
        "texts in German, by a guess that is",
        "s:d#1: Die Gicht",
    ),
]


def test_every_check_has_its_file_its_remedy_and_tests():
    helpers = {"is_a_between", "is_a_members"}
    files = {query.name for query in catalogue.queries().values() if query.folder == "audit"}
    assert files == {*NAMES, *helpers}
    assert {fault[0] for fault in FAULTS} == set(NAMES)
    assert all(check.remedy for check in checks.CHECKS)


@pytest.mark.parametrize("check", NAMES)
def test_a_sound_graph_has_no_fault(sound, check):
    assert found(sound, check) == []


def test_an_empty_graph_has_no_fault(database):
    assert audit(database).findings == []
    assert audit(database).counts() == {"error": 0, "warning": 0, "note": 0, "failed": 0}


@pytest.mark.parametrize(
    ("check", "statement", "severity", "what", "example"), FAULTS, ids=[f"{f[0]}-{f[3][:30]}" for f in FAULTS]
)
def test_the_fault_is_found(sound, check, statement, severity, what, example):
    run(sound, statement)
    findings = [finding for finding in found(sound, check) if what in finding.what]
    (finding,) = findings
    assert finding.severity == severity
    assert finding.count >= 1
    assert example in finding.examples[0]
    assert [f.id for f in found(sound, check) if what in f.what] == [finding.id]  # a second time, the same id


def test_sources_are_looked_at_one_by_one(sound):
    run(sound, SOUND.replace("'s", "'t").replace("'C00", "'C11").replace("'c'", "'d'").replace("7", "8"))
    run(sound, "MATCH (n:Entity) WHERE n.name = 'Pain' SET n.name = '?'")
    both = [finding.source for finding in audit(sound).findings]
    assert sorted(both) == ["s", "t"]
    assert [finding.source for finding in audit(sound, "t").findings] == ["t"]
    with pytest.raises(UnknownSourceError, match="the graph holds no source 'nope'; medgraph sources lists"):
        audit(sound, "nope")


def test_every_check_takes_a_source_and_says_nothing_of_others(sound):
    run(sound, "CREATE (:Source {id: 't', title: 'T', version: '1', licence: 'CC0-1.0'})")
    for check, statement, *_ in FAULTS:
        elsewhere = "'gone'" in statement or "'t'" in statement
        if elsewhere or statement.startswith("MATCH (s:Source)") or check == "undesigned_relations":
            continue
        run(sound, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
        run(sound, SOUND)
        run(sound, "CREATE (:Source {id: 't', title: 'T', version: '1', licence: 'CC0-1.0'})")
        run(sound, statement)
        assert found(sound, check, source="t") == [], statement


def test_one_statement_of_several_is_the_one_that_its_source_made(sound):
    run(sound, "CREATE (:Source {id: 't', title: 'T', version: '1', licence: 'CC0-1.0'})")
    run(
        sound,
        "MATCH (t:Source {id: 't'}), (e {id: 's:pain'}) CREATE (e)-[:FROM {name: '?', xrefs: ['zzz:1'], load: 7}]->(t)",
    )
    (name,) = found(sound, "suspicious_names")
    assert (name.source, name.count) == ("t", 1)
    assert [finding.source for finding in found(sound, "unknown_prefixes") if "cross" in finding.what] == ["t"]


def test_examples_are_as_many_as_asked_for_and_counts_are_whole(sound):
    run(sound, "UNWIND range(1, 30) AS n CREATE (:Entity:Disease {id: 'x:' + n, name: 'X' + n})")
    (few,), (many,) = found(sound, "nodes_without_source"), found(sound, "nodes_without_source", examples=20)
    assert (few.count, len(few.examples), many.count, len(many.examples)) == (30, 5, 30, 20)
    assert few.id == many.id


@pytest.mark.parametrize(
    ("name", "label", "kinds"), [("T", "Gene", []), ("T", "Disease", ["names"]), ("? ?", "Gene", ["symbols"])]
)
def test_what_is_usual_in_symbols_of_genes_is_no_fault(sound, name, label, kinds):
    run(sound, ENTITY + f"e.name = '{name}', e:{label}")
    assert [finding.keys[1] for finding in found(sound, "suspicious_names")] == kinds


def test_findings_have_a_limit(sound):
    statement = (
        "MATCH (s:Source) UNWIND range(1, 30) AS n UNWIND [1, 2] AS m "
        "CREATE (:Entity:Disease {id: 's:' + n + '-' + m, name: 'X' + n})-[:FROM {load: 7}]->(s)"
    )
    run(sound, statement)
    assert len(found(sound, "duplicate_names")) == 30
    assert len(found(sound, "duplicate_names", limit=7)) == 7


def test_a_check_that_fails_leaves_the_others(sound, monkeypatch):
    broken = catalogue.Query("broken", "", {}, (), "MATCH (n) RETURN 1 / 0 AS x", catalogue.ROOT)
    real = catalogue.get
    monkeypatch.setattr(catalogue, "get", lambda name: broken if name == "empty_documents" else real(name))
    results = {result.check: result for result in audit(sound).results}
    assert "/ by zero" in results["empty_documents"].failure
    assert [name for name, result in results.items() if result.failure] == ["empty_documents"]
    assert len(results) == len(NAMES)


# The table of ends.


def test_the_tables_of_ends_and_kin_use_words_of_the_vocabulary():
    assert RELATION_ENDS.keys() <= RELATION_TYPES.keys()
    labels = {label for ends in RELATION_ENDS.values() for side in ends for label in side}
    assert labels | {label for group in KIN for label in group} <= ENTITY_LABELS.keys()
    assert "Topic" in ENTITY_LABELS


@pytest.mark.parametrize(
    ("subject", "relation", "target"),
    [
        ("Disease", "HAS_SYMPTOM", "Disease"),
        ("Disease", "HAS_SYMPTOM", "Phenotype"),
        ("Drug", "TREATS", "Symptom"),
        ("Topic", "TREATS", "Gene"),
        ("Disease", "CAUSED_BY", "Organism"),
        ("Anatomy", "EXPRESSES", "Gene"),
        ("Gene", "PARTICIPATES_IN", "Pathway"),
        ("Drug", "HAS_SIDE_EFFECT", "SideEffect"),
        ("Symptom", "RELATED_TO", "Gene"),
    ],
)
def test_relations_that_may_be(sound, subject, relation, target):
    run(sound, f"CREATE (:Entity:{subject} {{id: 'a'}})-[:{relation} {{source: 's'}}]->(:Entity:{target} {{id: 'b'}})")
    assert found(sound, "misplaced_relations") == []


# Rings.


def graph_of(pairs):
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40))
def test_components_are_those_that_reach_each_other(pairs):
    reach = {node: {node} for pair in pairs for node in pair}
    for _ in reach:
        for start, end in pairs:
            reach[start] |= reach[end]
    same = {frozenset(b for b in reach[a] if a in reach[b]) for a in reach}
    assert cycles.components(graph_of(pairs)) == sorted(sorted(group) for group in same if len(group) > 1)


@hypothesis_settings(max_examples=200, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20))
def test_the_shortest_ring_is_a_ring_and_none_is_shorter(pairs):
    ring = cycles.shortest_ring(pairs)
    steps = {node: {end for start, end in pairs if start == node != end} for node in range(7)}
    lengths = []
    for start, ends in steps.items():
        reached, length = ends, 1
        while reached and start not in reached and length < 9:
            reached, length = {end for node in reached for end in steps[node]}, length + 1
        if start in reached:
            lengths.append(length)
    assert len(ring) == min(lengths, default=0)
    assert all(end in steps[start] for start, end in zip(ring, [*ring[1:], *ring[:1]], strict=True))


def test_a_chain_longer_than_calls_go_deep_and_a_ring_of_a_hundred_thousand():
    chain = [(n, n + 1) for n in range(100_000)]
    assert cycles.components(graph_of(chain)) == []
    (ring,) = cycles.components(graph_of([*chain, (100_000, 0)]))
    assert len(ring) == 100_001


def test_a_million_relations_take_seconds():
    numbers = random.Random(1)
    pairs = [(child, numbers.randrange(child)) for child in range(1, 500_000) for _ in range(2)]
    start = time.perf_counter()
    edges = cycles.edges_of([tuple(zip(*pairs[:600_000], strict=True)), tuple(zip(*pairs[600_000:], strict=True))])
    assert len(edges) == 999_998
    assert cycles.components(edges) == []
    tangled = np.vstack([edges, [[0, 499_999]]])
    assert len(cycles.components(tangled)) == 1
    assert time.perf_counter() - start < 30


def test_a_pair_inside_a_larger_ring_is_told_with_it(sound):
    run(
        sound,
        "UNWIND [['a', 'b'], ['b', 'a'], ['b', 'c'], ['c', 'a'], ['d', 'e'], ['e', 'd']] AS pair "
        "MERGE (x:Entity {id: pair[0]}) MERGE (y:Entity {id: pair[1]}) CREATE (x)-[:IS_A {source: 's'}]->(y)",
    )
    (ring,) = found(sound, "is_a_cycles")
    assert (ring.count, ring.keys) == (3, ("a", "b", "c"))
    assert [pair.keys for pair in found(sound, "is_a_both_ways")] == [("a", "b"), ("d", "e")]


def test_a_tangle_of_thousands_shows_a_ring(sound):
    run(sound, "UNWIND range(1, 3000) AS n CREATE (:Entity:Disease {id: 't:' + n, name: 'T' + n})")
    run(
        sound,
        "UNWIND range(1, 3000) AS n MATCH (a:Entity {id: 't:' + n}), (b:Entity {id: 't:' + (n % 3000 + 1)}) "
        "CREATE (a)-[:IS_A {source: 's'}]->(b)",
    )
    (whole,) = found(sound, "is_a_cycles")
    assert (whole.count, len(whole.examples)) == (3000, cycles.SHOWN)
    assert whole.what.endswith(" → …")
    run(sound, "MATCH (a {id: 't:103'}), (b {id: 't:101'}) CREATE (a)-[:IS_A {source: 's'}]->(b)")
    (short,) = found(sound, "is_a_cycles")
    assert short.id == whole.id
    assert short.what == "3,000 entities are kinds of each other, such as T101 → T102 → T103 → T101"


# Texts.


@pytest.mark.parametrize(
    "text",
    [
        "Symptoms last <2 days, or >3 weeks; p < 0.05 and 5 > 4.",
        "R&D; AT&T",
        "Take it with food.",
        "Ménière disease, Sjögren syndrome, Ångström, Ñandú, São Paulo",
        "Call 9-1-1.",
        "IL-6.",
        "- Headache\n- Fever",
        "Causes include alcohol (see above)",
        "HIV/AIDS",
        "β-thalassaemia",
        "喘息は気道の病気です。",
        "Болезнь сердца и сосудов",
        "He said \u201cno\u201d \u2013 and left\u2026 then came back.",
    ],
)
def test_texts_without_fault(text):
    for fault in texts.TEXT_FAULTS:
        tail = text[-80:] if fault.place == "end" else text
        assert not re.fullmatch(fault.whole, tail), fault.name


@pytest.mark.parametrize("fault", texts.TEXT_FAULTS + texts.NAME_FAULTS, ids=lambda fault: fault.name)
def test_excerpts_are_short(fault):
    text = "word " * 500 + "\ufffd \u00c3\u00a9 <br> &amp; of the" + " word" * 500 + " of the"
    assert len(fault.excerpt(text)) <= 3 * texts.AROUND + 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Asthma is a disease of the airways that can be treated with inhalers for years.", "English"),
        ("El asma es una enfermedad de los pulmones que se trata con inhaladores, pero no se cura.", "Spanish"),
        ("L'asthme est une maladie des poumons qui se soigne avec un inhalateur pour les enfants.", "French"),
        ("Das Asthma ist eine Krankheit der Lunge, die mit einem Spray behandelt wird und nicht heilt.", "German"),
        ("La gotta è una malattia delle articolazioni che può essere curata con farmaci nel tempo.", "Italian"),
        (
            "A gota é uma doença das articulações que não tem cura, mas pode ser tratada com remédios do médico.",
            "Portuguese",
        ),
        ("Jicht is een ziekte van de gewrichten die met het eten te maken kan hebben en niet overgaat.", "Dutch"),
        ("Подагра это болезнь суставов", "Cyrillic script"),
        ("喘息は気道の慢性的な炎症による病気です", "Cjk script"),
        ("Headache Fever Nausea Vomiting Dizziness Rash Itching Cough Fatigue", ""),
        ("Gout", ""),
        ("", ""),
        ("12 34 56 !!", ""),
    ],
)
def test_languages(text, name):
    guessed, sure = languages.language(text)
    if name == "Cjk script":
        assert guessed in {"Cjk script", "Hiragana script"}
    else:
        assert guessed == name
    assert 0 <= sure <= 1
    assert (sure > 0.5) == bool(name)


def test_texts_of_the_sample_are_english(sample_graph):
    rows = run(sample_graph, "MATCH (s:Section) RETURN s.text AS text")
    guesses = {languages.language(row["text"])[0] for row in rows}
    assert guesses <= {"English", ""}


def test_the_sample_is_sound(sample_graph):
    assert [finding for finding in audit(sample_graph).findings if finding.severity != "note"] == []


# Reports.

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


def test_ids_depend_on_check_and_keys_alone():
    first = Finding("one", "error", "s", ("a", "b"), "x", 2)
    assert first.id == Finding("one", "note", "t", ("a", "b"), "y", 9, ("z",)).id
    others = [("two", ("a", "b")), ("one", ("b", "a")), ("one", ("a",)), ("one", ("ab",)), ("one", ('a", "b',))]
    assert len({first.id, *(Finding(check, "error", "s", keys, "x", 2).id for check, keys in others)}) == 6
    assert first.id == "27311b3e99db"


def test_markdown():
    text = report.markdown(AUDIT)
    assert "1 errors, 0 warnings, 0 notes." in text
    assert "| one | 1 | 0 | 0 | 2 |" in text
    assert "| two | 0 | 0 | 0 | 0 |" in text
    assert "It could not be run: went wrong" in text
    assert "- **error** bad \\| \\<b\\>: 2 (s) `" in text
    assert "  - x\\_y" in text
    assert "## two" not in text


def test_what_was_known_before_fails_only_when_it_has_grown(tmp_path):
    (finding,) = AUDIT.findings
    assert AUDIT.failing("error", {}) == [finding]
    assert AUDIT.failing("never", {}) == []
    assert AUDIT.failing("error", {finding.id: 2}) == []
    assert AUDIT.failing("error", {finding.id: 1}) == [finding]
    file = tmp_path / "known.json"
    file.write_text(json.dumps(AUDIT.as_dict()))
    assert read_known(file) == {finding.id: 2}
    assert read_known(None) == {}
    for text in ("", "[]", "{}", '{"checks": [1]}', '{"checks": [{"findings": [{"id": "x"}]}]}'):
        file.write_text(text)
        with pytest.raises(InputError, match="is not what `medgraph audit --json` printed"):
            read_known(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_known(tmp_path / "none")


@pytest.fixture
def command(here):
    return lambda *arguments: CliRunner().invoke(main, ["audit", *map(str, arguments)], obj=here)


def test_the_command(sound, command, tmp_path):
    done = command()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(f"0 errors, 0 warnings, 0 notes; {len(NAMES)} of {len(NAMES)} checks found nothing\n")
    two = ("--check", "sources_without_version", "--check", "sources_without_licence")
    run(sound, "MATCH (s:Source) SET s.version = ''")
    assert command(*two).exit_code == 0
    assert "1 the source does not say which release it is [s]" in command(*two).stdout
    assert command(*two, "--fail-on", "warning").exit_code == 1
    run(sound, "MATCH (s:Source) SET s.licence = ''")
    done = command(*two, "--json")
    assert done.exit_code == 1
    assert done.stderr == "Error: 1 findings of severity error or worse\n"
    data = json.loads(done.stdout)
    assert (data["error"], data["warning"], data["failed"]) == (1, 1, 0)
    (finding,) = next(c for c in data["checks"] if c["check"] == "sources_without_licence")["findings"]
    assert (finding["severity"], finding["source"], finding["examples"]) == ("error", "s", ["s: S"])
    assert command(*two, "--fail-on", "never").exit_code == 0
    known = tmp_path / "known.json"
    known.write_text(done.stdout)
    assert command(*two, "--known", known, "--fail-on", "warning").exit_code == 0
    file = tmp_path / "report.md"
    assert command("--markdown", file, "--check", "sources_without_licence").exit_code == 1
    assert "**error** the source states no licence" in file.read_text()
    assert "sources_without_version" not in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "nope"], "the graph holds no source 'nope'"),
        (["--check", "nope"], "there is no check 'nope'; the checks are: nodes_without_source"),
        (["--known", "nope.json"], "nope.json cannot be read"),
        (["--markdown", "nope/report.md"], "nope/report.md cannot be written: there is no folder"),
        (["--fail-on", "note"], "'note' is not one of"),
    ],
)
def test_what_cannot_be_audited(sound, command, arguments, message):
    done = command(*arguments)
    assert done.exit_code == 1
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
