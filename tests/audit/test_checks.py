"""Every check of an audit, on a graph that has the fault and on one that has not."""

import pytest

from medgraph.audit.run import FINDERS, VALUES, checks
from medgraph.graph import catalogue
from tests.support.audits import ENTITY, NAMES, SOUND, findings_of
from tests.support.graphs import run
from tests.support.points import few

SECTION = "MATCH (n:Section) SET n.text = "


FAULTS = [
    # check, what breaks the graph, severity, part of what is said, part of the first example
    ("nodes_without_source", "CREATE (:Entity:Disease {id: 'x', name: 'X'})", "error", ":Entity without a source", "x"),
    ("nodes_without_source", "CREATE (:Entity:Stub {id: 'x'})", "error", ":Entity without a source", "x"),
    (
        "stubs",
        "MATCH (g {id: 's:gout'}) CREATE (g)-[:IS_A {source: 's'}]->(:Entity:Stub {id: 'X:1'})",
        "note",
        "of the prefix X that no source names",
        "X:1",
    ),
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
    (
        "unread",
        "MATCH (l:Load) SET l.unread = ['rows of MRSAT'], l.unread_counts = [3], l.unread_examples = ['MRSAT.RRF:1 x']",
        "note",
        "rows of MRSAT",
        "MRSAT.RRF:1 x",
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
        "refused_joins",
        "CREATE (:Review {id: 's:gout|x:1', one: 's:gout', other: 'x:1', method: 'synonym', evidence: 'a = b (c)', "
        "score: 0.93, status: 'refused', chain: ['s:gout = x:1 (synonym: a = b (c))', 's:pain = x:1 (name: pain)']}) "
        "CREATE (:Review {id: 's:a|s:gout', one: 's:a', other: 's:gout', method: 'xref', evidence: 'x', score: 0.97, "
        "status: 'rejected', chain: ['s:a = s:gout (xref: x)']})",
        "note",
        "2 terms would have become one: s:gout Gout and s:pain Pain, by the synonym a = b (c)",
        "s:gout = x:1 (synonym: a = b (c))",
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


def test_every_statement_is_a_check_that_is_tried_or_a_helper():
    helpers = {"is_a_between", "is_a_members"}
    files = {query.name for query in catalogue.queries().values() if query.folder == "audit"}
    assert files == {*NAMES, *helpers}
    assert {fault[0] for fault in FAULTS} | {name for name in NAMES if checks()[name].query.fault} == set(NAMES)
    assert {*FINDERS} <= {*NAMES}
    used = {name for check in checks().values() for name in check.query.parameters}
    assert {*VALUES} <= used


@pytest.mark.parametrize("check", [name for name, check in checks().items() if check.query.fault])
def test_a_fault_that_a_file_states_is_found(sound, check):
    run(sound, checks()[check].query.fault)
    assert findings_of(sound, check)


def test_a_sound_graph_has_no_fault(sound):
    assert [check for check in NAMES if findings_of(sound, check)] == []


@pytest.mark.parametrize(
    ("check", "statement", "severity", "what", "example"), few(FAULTS, 3), ids=[f"{f[0]}-{f[3][:30]}" for f in FAULTS]
)
def test_the_fault_is_found(sound, check, statement, severity, what, example):
    run(sound, statement)
    findings = [finding for finding in findings_of(sound, check) if what in finding.what]
    (finding,) = findings
    assert finding.severity == severity
    assert finding.count >= 1
    assert example in finding.examples[0]
    assert [f.id for f in findings_of(sound, check) if what in f.what] == [finding.id]  # a second time, the same id


@pytest.mark.thorough
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
        assert findings_of(sound, check, source="t") == [], statement


@pytest.mark.parametrize(
    ("name", "label", "kinds"), [("T", "Gene", []), ("T", "Disease", ["names"]), ("? ?", "Gene", ["symbols"])]
)
def test_what_is_usual_in_symbols_of_genes_is_no_fault(sound, name, label, kinds):
    run(sound, ENTITY + f"e.name = '{name}', e:{label}")
    assert [finding.keys[1] for finding in findings_of(sound, "suspicious_names")] == kinds


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
    assert findings_of(sound, "misplaced_relations") == []
