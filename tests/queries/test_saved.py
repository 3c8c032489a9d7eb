"""Saved queries, and Neo4j Browser's style and favorites: true of the graph, complete, and in the guide."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from medgraph.errors import InputError
from medgraph.graph import catalogue
from medgraph.queries.saved import PLACE, STYLE, list_saved, why_empty, write_favorites
from medgraph.schema.concept_relations import fold_all
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES, STUB
from tests.support.graphs import run, run_saved
from tests.support.joined import joined
from tests.support.paths import ROOT
from tests.support.statements import OF_SEVERAL

GUIDE = (PLACE / "README.md").read_text(encoding="utf-8")
SCHEMA = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
TEXT = STYLE.read_text(encoding="utf-8")

LENGTHS = {"diameter", "border-width", "font-size", "shaft-width", "padding"}
COLOURS = {"color", "border-color", "text-color-internal", "text-color-external"}


def parse(text):
    """Read a style as strictly as Browser needs it: rules of `name: value;` lines, no comments, one colon a line."""
    rules, rest = {}, text
    while rest.strip():
        rule = re.match(r"\s*((?:node|relationship)(?:\.\w+)?) \{\n((?:  [^\n]*\n)+)\}\n", rest)
        assert rule, f"no rule begins at {rest.strip()[:60]!r}"
        assert rule[1] not in rules, f"{rule[1]} has two rules"
        rules[rule[1]] = dict(declaration(line) for line in rule[2].splitlines())
        rest = rest[rule.end() :]
    return rules


def declaration(line):
    found = re.fullmatch(r"  ([a-z-]+): ([^:;]+);", line)
    assert found, f"{line!r} is no declaration"
    name, value = found.groups()
    if name in LENGTHS:
        assert re.fullmatch(r"[1-9]\d*px", value), line
    elif name in COLOURS:
        assert re.fullmatch(r"#[0-9A-F]{6}", value), line
    else:
        assert name == "caption", line
        assert re.fullmatch(r'"[^"\']+"', value), line
    return name, value


RULES = parse(TEXT)


def styled(kind):
    return {name.partition(".")[2] for name in RULES if name.startswith(f"{kind}.")}


LABELS = set(re.findall(r"`:(\w+)`", SCHEMA.partition("## Nodes")[2].partition("## Relations")[0]))
RELATIONS = set(re.findall(r"^\| `([A-Z_]+)` \|", SCHEMA, re.MULTILINE))


def test_every_label_and_relation_of_the_schema_has_a_rule():
    assert len(LABELS) >= 13
    assert styled("node") == LABELS | ENTITY_LABELS.keys() | {STUB}
    assert styled("relationship") == RELATIONS | RELATION_TYPES.keys()


def light(colour):
    """Red, green and blue as amounts of light."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


# What red-blind and green-blind eyes see of red, green and blue light (Viénot, Brettel and Mollon, 1999).


# Favorites.


@pytest.mark.thorough
def test_favorites_run_as_they_are(sample_graph, tmp_path):
    file = tmp_path / "medgraph.zip"
    assert write_favorites(file) == len(list_saved())
    with zipfile.ZipFile(file) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) == {f"medgraph/{row['name']}.cypher" for row in list_saved()}
    for name, text in texts.items():
        assert text.startswith(f"// {Path(name).stem}\n")
        rows = run(sample_graph, text)
        if Path(name).stem in OF_SEVERAL:
            assert rows == []
            continue
        assert list(rows[0]) == list(catalogue.get(Path(name).stem).columns)


def test_the_guides_table_is_what_the_queries_say():
    for row in list_saved():
        given = ", ".join(f"`{part}`" for part in re.split(r", (?=\w+=)", row["parameters"]) if part) or "\u2013"
        assert f"| `{row['name']}` | {row['purpose']} | {given} |" in GUIDE, row["name"]


def test_the_guides_ten_questions_are_one_pattern_each_and_run(sample_graph):
    asked = GUIDE.partition("### Ten questions")[2].partition("\n## ")[0]
    named, patterns = re.findall(r"\(`(\w+)`\)", asked), re.findall(r"```cypher\n(.*?)```", asked, re.DOTALL)
    assert len(named) == len(patterns) == 10
    assert set(named) <= {row["name"] for row in list_saved()}
    for pattern in patterns:
        assert pattern.count("MATCH") == 1
        assert 1 <= len(re.findall(r"-\[.*?\]-", pattern.splitlines()[0])) <= 2
        assert run(sample_graph, pattern), pattern


@pytest.mark.parametrize("name", [row["name"] for row in list_saved()])
def test_explorers_queries_return_rows_on_the_sample(sample_graph, name):
    rows = run_saved(sample_graph, name)
    assert bool(rows) is (name not in OF_SEVERAL)
    if not rows:
        assert f"`{name}`" in GUIDE.rpartition("Nothing comes of")[2]
        return
    assert list(rows[0]) == list(catalogue.get(name).columns)
    json.dumps(rows, default=str)


def test_saved_queries_say_what_is_true_of_the_sample(sample_graph):
    def rows(name, *given):
        return run_saved(sample_graph, name, given)

    above = [[node["name"] for node in row["path"] if isinstance(node, dict)] for row in rows("kinds_above")]
    assert ["Type 2 diabetes", "diabetes mellitus"] in above
    shared = {(row["relation"], row["shared"]) for row in rows("shared_by_two")}
    assert ("IS_A", "diabetes mellitus") in shared
    assert rows("shared_by_two", "second=Nope") == []
    (told,) = [row for row in rows("provenance_of_relations") if row["object"] == "arthritis"]
    assert (told["relation"], told["source"], told["licence"], told["method"]) == (
        "IS_A",
        "sample",
        "Apache-2.0",
        "stated",
    )
    assert (told["predicate"], told["evidence"], told["score"]) == ("", None, None)
    (entity,) = rows("provenance_of_entity")
    assert (entity["id"], entity["source"], entity["licence"]) == ("sample:gout", "sample", "Apache-2.0")
    assert entity["loaded"]
    assert entity["says"] == "Gout"
    (licence,) = rows("licences")
    assert (licence["licence"], licence["sources"], licence["documents"]) == ("Apache-2.0", ["sample"], 60)
    (stated,) = [row for row in rows("relations_by_source") if row["relation"] == "IS_A"]
    assert (stated["source"], stated["relation"], stated["with_evidence"]) == ("sample", "IS_A", 0)
    assert stated["count"] == {row["name"]: row["count"] for row in rows("counts")}["IS_A"]
    assert {"subject": "Gout", "object": "arthritis"}.items() <= next(
        row for row in rows("relations_of_kind") if row["subject"] == "Gout"
    ).items()
    assert rows("relations_of_kind", "relation=TREATS") == []
    (kind,) = [row for row in rows("relations_around") if row["relation"] == "IS_A"]
    assert (kind["relation"], kind["direction"], kind["count"], kind["examples"]) == (
        "IS_A",
        "out",
        1,
        ["diabetes mellitus"],
    )
    assert rows("symptoms_to_diseases", 'symptoms=["ANEMIA"]')[0]["symptoms"] == ["anemia"]
    assert {row["section"] for row in rows("questions_about")} <= {f"sample:gout#{i}" for i in range(1, 9)}
    assert rows("entities_of_concept")[0]["entity"] == "Gout"
    assert sum(row["sections"] for row in rows("section_types")) == 480
    assert len(rows("document_graph")) >= 16
    (load,) = [row for row in rows("loads") if row["source"] == "sample" and row["added"]]
    assert load["status"] == "finished"


def test_saved_queries_say_what_is_true_of_joined_entities_and_linked_texts(graph, settings, tmp_path):
    database = joined(graph, settings, tmp_path)

    def rows(name, *given):
        return run_saved(database, name, given)

    assert {row["method"]: row["entities"] for row in rows("joined_by")} == {"itself": 8, "name": 2, "xref": 2}
    assert rows("lay_names", "name=Heart attack") == [
        {"concept": "DOID:5", "name": "myocardial infarction", "names": ["myocardial infarction", "heart attack"]}
    ]
    together = [{"concept": "MESH:3", "name": "allopurinol", "label": "Drug", "chunks": 1}]
    assert rows("mentioned_together", "concept=C0018099", "label=Drug") == together
    mentions = [(row["section"], row["start"], row["surface"], row["negated"]) for row in rows("mentions_of_concept")]
    assert {("p1#1", 0, "Gout", False), ("p1#2", 13, "gout", False)} <= set(mentions)
    assert [(row["source"], row["entity"]) for row in rows("names_of_concept")] == [
        ("doid", "DOID:1"),
        ("mesh", "MESH:1"),
        ("pages", "pages:gout"),
    ]
    conditions = rows("symptoms_to_conditions", 'symptoms=["C0015967", "C0010200"]')
    assert [(row["name"], row["shared"]) for row in conditions] == [("gout", 2), ("asthma", 1)]
    told = [
        (row["relation"], row["source"], row["method"]) for row in rows("who_says_so", "head=GOUT", "tail=allopurinol")
    ]
    assert told == [("TREATED_BY", "mesh", "stated"), ("TREATED_BY", "pages", "section")]


def test_saved_queries_compare_what_sources_and_texts_say(graph, settings, tmp_path):
    database = joined(graph, settings, tmp_path)
    run(
        database,
        "MATCH (g:Entity {id: 'DOID:1'}), (a:Entity {id: 'MESH:3'}), (f:Entity {id: 'SYMP:1'}) "
        "CREATE (a)-[:HAS_SIDE_EFFECT {source: 'doid', evidence: ['PMID:9']}]->(g) "
        "CREATE (:Entity:Gene {id: 'X:1', name: 'GOUT', synonyms: [], sources: ['x']})-[:MEANS]->"
        "(:Concept:Gene {cui: 'X:1', name: 'GOUT'})",
    )
    fold_all(database)

    def rows(name, *given):
        return [tuple(row.values()) for row in run_saved(database, name, given)]

    for given in (["condition=PODAGRA"], ["condition=", "drug=Allopurinol"], ["condition=gout", "drug=allopurinol"]):
        (told,) = rows("who_treats", *given)
        assert (*told[:5], told[6]) == ("gout", "allopurinol", ["mesh"], ["pages"], 1, "contested"), given
    assert rows("who_treats", "condition=asthma", "drug=allopurinol") == []
    assert rows("who_treats", "condition=") == rows("who_treats", "condition=gout", "drug=nothing") == []
    assert rows("corroborated") == [("gout", "TREATED_BY", "allopurinol", ["mesh"], ["pages"], 1, ["p1#2"])]
    first, second = rows("symptoms_by_evidence", 'symptoms=["fever", "cough"]')
    assert (first[1:4], second[1:4]) == (("gout", 2, ["fever", "cough"]), ("asthma", 1, ["cough"]))
    assert set(first[5]) == {"doid", "pages"}
    assert rows("one_name_several_concepts") == [
        ("gout", ["C0018099", "X:1"], ["gout", "GOUT"], ["Disease", "Gene"], [["doid", "pages"], ["x"]])
    ]
    assert rows("voices_that_disagree") == [
        ("gout", "allopurinol", "TREATED_BY", ["mesh", "pages"], "HAS_SIDE_EFFECT", ["doid"])
    ]
    assert [row[:2] for row in rows("side_effects_of")] == [("gout", ["doid"])]
    assert rows("causes_of", "symptom=gout")[0][:2] == ("allopurinol", "HAS_SIDE_EFFECT")
    assert rows("drugs_for_both", "first=gout", "second=asthma") == []
    assert [row[0] for row in rows("documents_with_both", "first=gout", "second=cough")] == ["p1"]
    ((document, section, surface, negated, family, context),) = rows("said_to_be_absent", "name=asthma")
    assert (document, section, surface, negated, family) == ("Gout", "p1#1", "asthma", True, False)
    assert "No asthma comes of podagra" in context


def test_saved_queries_are_listed_with_their_parameters():
    listed = {row["name"]: row for row in list_saved()}
    assert set(listed) == {q.name for q in catalogue.queries().values() if q.folder == "explore"} | {
        "disease_subgraph",
        "paths",
    }
    assert listed["disease_card"]["parameters"] == "name='Asthma', limit=10"
    assert all(row["purpose"] for row in listed.values())


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        (
            "nope",
            (),
            "there is no query 'nope'; known are causes_of, cited_section, claim_graph, contested_claims",
        ),
        ("disease_crad", (), "there is no query 'disease_crad'; did you mean 'disease_card'? known are causes_of"),
        (
            "remove_documents",
            (),
            "'remove_documents' is no saved query; these are: causes_of, cited_section, claim_graph",
        ),
        ("record_encoder", (), "'record_encoder' is no saved query"),
        ("clear_embeddings", (), "'clear_embeddings' is no saved query"),
        (
            "disease_card",
            ("size=1",),
            "'size=1' is not NAME=VALUE of a parameter of disease_card; its",
        ),
        ("disease_card", ("name",), "'name' is not NAME=VALUE"),
        ("counts", ("=",), "its parameters: none"),
    ],
)
def test_what_cannot_be_run(sample_graph, name, given, message):
    with pytest.raises(InputError, match=re.escape(message)):
        run_saved(sample_graph, name, given)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("kept_answers", {}, "the graph has no Answer; keep answers: medgraph ask QUESTION --keep"),
        ("relations_of_kind", {"relation": "TREATS"}, "the graph has no TREATS; load a source that states it"),
        ("similar_concepts", {}, "medgraph index kge"),
        ("made_questions", {}, "medgraph index subgraphs"),
        ("disease_subgraph", {"concept": "C9"}, "the graph has nothing of the kind for 'C9'; look names up with"),
        ("side_effects_of", {"drug": "gout"}, "the graph has nothing of the kind for 'gout'; look names up with"),
        ("one_name_several_concepts", {}, ""),
    ],
)
def test_an_empty_result_says_what_is_missing(sample_graph, name, values, message):
    assert run_saved(sample_graph, name, [f"{key}={value}" for key, value in values.items()]) == []
    said = why_empty(sample_graph, name, values)
    assert message in said if message else said == ""


@pytest.mark.parametrize("name", ["gout", "GOUT", "Podagra"])
def test_a_name_in_any_case_finds_a_concept(sample_graph, name):
    assert [row["name"] for row in run_saved(sample_graph, "lay_names", [f"name={name}"])] == ["Gout"]


@pytest.mark.parametrize("name", ["", '"', "gout\\", 'gout" OR "asthma', "*", "--"])
def test_a_name_is_no_syntax(sample_graph, name):
    assert run_saved(sample_graph, "lay_names", [f"name={name}"]) == []


def test_names_in_small_letters_are_indexed_and_documents_without_a_date_have_none(sample_graph):
    rows = run(
        sample_graph,
        "MATCH (c:Concept) WHERE c.folded_name <> toLower(c.name) OR c.folded_name IS NULL RETURN c.name AS name",
    )
    assert rows == []
    (index,) = run(
        sample_graph,
        "SHOW INDEXES YIELD labelsOrTypes, properties WHERE properties = ['folded_name'] RETURN labelsOrTypes[0] AS on",
    )
    assert index == {"on": "Concept"}
    assert run(sample_graph, "MATCH (d:Document) WHERE d.published IS NOT NULL RETURN d.id AS id") == []


def test_values_of_other_kinds_are_json(sample_graph):
    rows = run_saved(sample_graph, "lexical", ["limit=2", 'types=["symptoms"]', 'sources=["sample"]', "filtered=false"])
    assert len(rows) == 2
