"""The commands that show the graph: `medgraph entity` and `medgraph schema picture`."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from defusedxml.ElementTree import fromstring

from medgraph.cli.main import main
from medgraph.graph import catalogue
from medgraph.pictures import relations, svg
from tests.support.entities import write_entities
from tests.support.graphs import run
from tests.support.joined import joined


@pytest.fixture
def call(settings, server, tmp_path, monkeypatch):
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    here = replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())

    def called(*arguments, fails=False):
        result = CliRunner().invoke(main, [str(a) for a in arguments], obj=here)
        assert result.exit_code == int(fails), result.output
        if fails:
            assert isinstance(result.exception, SystemExit), result.exception
            assert result.stdout == ""
            (line,) = result.stderr.splitlines()
            return line
        return result

    return called


def test_an_entity_as_text_and_as_json(call, sample_graph):
    text = call("entity", "Type 2 diabetes").stdout
    assert text.startswith("Type 2 diabetes  [Disease]  sample:type-2-diabetes\n   also: ")
    for line in (
        "   from sample, 1, Apache-2.0",
        "concepts: 1",
        "   C0011860 Type 2 diabetes",
        "IS_A: 1",
        "   one source alone:",
        "      diabetes mellitus C0011849 (stated by sample)",
        "   Type 2 diabetes sample:type-2-diabetes",
    ):
        assert line in text.splitlines()
    data = json.loads(call("entity", "niddm", "--json").stdout)
    assert data["id"] == "sample:type-2-diabetes"
    assert data["counts"]["sections"] == 8
    assert list(data)[-3:] == ["meaning", "description", "others"]
    assert data["others"] == []
    below = call("entity", "sample:diabetes-mellitus").stdout
    assert "      Type 1 diabetes C0011854 (stated by sample)" in below.splitlines()


VOICES = """
CREATE (a:Source {id: 'one', version: '1', licence: 'CC0-1.0'})
CREATE (b:Source {id: 'two', version: '2', licence: 'CC-BY-4.0'})
CREATE (e:Entity:Phenotype {id: 'HP:0000020', name: 'Urinary incontinence', synonyms: ['Bladder incontinence'],
                            translations: ['Harninkontinenz@de', 'Incontinence urinaire@fr-CA']})
CREATE (e)-[:FROM {label: 'Phenotype', name: 'Urinary incontinence', definition: 'Loss of urine.',
                   xrefs: ['MESH:D014549']}]->(a)
CREATE (e)-[:FROM {label: 'Stub', synonyms: ['Bladder incontinence'], translations: ['Harninkontinenz@de'],
                   obsolete: true}]->(b)
"""


def test_who_says_which_name_definition_and_id_elsewhere(call, database):
    run(database, VOICES)
    assert call("entity", "HP_0000020", "--by-source").stdout.splitlines() == [
        "Urinary incontinence  [Phenotype]  HP:0000020",
        "   one, 1, CC0-1.0",
        "      calls it: Urinary incontinence",
        "      defines it: Loss of urine.",
        "      elsewhere: MESH:D014549",
        "   two, 2, CC-BY-4.0",
        "      also: Bladder incontinence",
        "      in other languages: Harninkontinenz@de",
        "      has given it up",
    ]


def test_a_name_in_another_language_finds_an_entity_and_is_shown_where_it_is_asked_for(call, database):
    run(database, VOICES)
    run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    found = call("entity", "harninkontinenz")
    assert found.stdout.startswith("Urinary incontinence  [Phenotype]  HP:0000020\n")
    assert "   in other languages: Harninkontinenz@de; Incontinence urinaire@fr-CA" in found.stdout.splitlines()
    german = call("entity", "HP:0000020", "--language", "de").stdout
    assert german.startswith("Harninkontinenz (Urinary incontinence)  [Phenotype]")
    assert call("entity", "HP:0000020", "--language", "FR").stdout.startswith("Incontinence urinaire (Urinary")
    assert call("entity", "HP:0000020", "--language", "it").stdout.startswith("Urinary incontinence  [")


def test_what_was_understood_is_noted_apart_from_the_result(call, sample_graph):
    result = call("entity", "astma", "--json")
    assert json.loads(result.stdout)["name"] == "Asthma"
    assert result.stderr == "'astma' is understood as Asthma\n"


JOINED = """
CREATE (a:Source {id: 'one', licence: 'CC0-1.0'}), (b:Source {id: 'two', licence: 'CC-BY-4.0'})
CREATE (c:Concept:Disease {cui: 'C0018099', name: 'gout', ids: ['a:1', 'b:1']})
CREATE (x:Entity:Disease {id: 'a:1', name: 'Gout'})-[:MEANS {method: 'itself', score: 1.0, evidence: []}]->(c)
CREATE (y:Entity:Disease {id: 'b:1', name: 'Podagra', related_synonyms: ['toe'], icd: 'M10'})
CREATE (y)-[:MEANS {method: 'synonym', score: 0.93, evidence: ['a:1', 'gout']}]->(c)
CREATE (x)-[:FROM {label: 'Disease', name: 'Gout', definition: 'Crystals.'}]->(a)
CREATE (y)-[:FROM {label: 'Disease', name: 'Podagra', synonyms: ['gout']}]->(b)
CREATE (x)-[:TREATED_BY {source: 'one'}]->(z:Entity:Drug {id: 'a:2', name: 'Salt'})
CREATE (z)-[:MEANS]->(d:Concept {cui: 'a:2', name: 'Salt'})
CREATE (c)-[:TREATED_BY {sources: ['one', 'two'], stated: ['one'], told: ['two'], sections: ['t#1', 't#2'],
                         section_count: 2, told_score: 0.75, score: 0.95, polarity: 'affirmed'}]->(d)
CREATE (:Document {id: 't', title: 'Toes', source: 'two'})-[:ABOUT]->(y)
"""


def test_an_entity_is_told_with_all_that_means_the_same(call, database):
    run(database, JOINED)
    lines = call("entity", "b:1").stdout.splitlines()
    assert lines == [
        "gout  [Disease]  C0018099",
        "   asked for as Podagra b:1",
        "   related words: toe",
        "   ids: a:1; b:1",
        "   Crystals. (one)",
        "   icd: M10",
        "   from one, CC0-1.0; two, CC-BY-4.0",
        "",
        "names: 2",
        "   gout (one, two)",
        "   Podagra (two)",
        "",
        "joined here: 2",
        "   Gout [Disease] a:1 (itself)",
        "   Podagra [Disease] b:1 (synonym: a:1, gout, 0.93)",
        "",
        "TREATED_BY: 1",
        "   Salt a:2 (stated by one | told in 2 sections (two); t#1; t#2)",
        "",
        "documents about it: 1",
        "   Toes t",
    ]
    assert call("entity", "b:1", "--by-source").stdout.splitlines()[-3:] == [
        "   one, CC0-1.0: a:1",
        "      calls it: Gout",
        "      defines it: Crystals.",
    ]
    assert call("entity", "C0018099").stdout.splitlines()[:2] == ["gout  [Disease]  C0018099", "   ids: a:1; b:1"]
    alone = call("entity", "a:2").stdout.splitlines()
    assert (alone[0], alone[-1]) == (
        "Salt  [Drug]  a:2",
        "   gout C0018099 (stated by one | told in 2 sections (two); t#1; t#2)",
    )


def test_a_card_tells_all_that_sources_say(call, database):
    run(
        database,
        "CREATE (e:Entity:Disease {id: 'x', name: 'X', synonyms: ['s1'], narrow_synonyms: ['n1'], "
        "broad_synonyms: ['b1'], related_synonyms: [i IN range(1, 25) | 'r' + i], xrefs: ['MESH:1'], "
        "alternative_ids: ['DOID:9'], obsolete: true, replaced_by: ['y', 'z'], inchikey: 'K', slims: ['a', 'b']}) "
        "CREATE (e)-[:FROM {label: 'Disease', name: 'Ex'}]->(:Source {id: 's', version: '3', licence: 'CC0-1.0'}) "
        "CREATE (y:Entity:Drug {id: 'y', name: 'Y'})-[:TREATS {source: 's', predicate: 'RO:1', method: 'guessed', "
        "evidence: ['PMID:1', 'PMID:2', 'PMID:3', 'PMID:4'], score: 0.25, dose: 'low'}]->(e) "
        "WITH e UNWIND range(1, 30) AS i "
        "CREATE (e)-[:HAS_SYMPTOM {source: 's'}]->(:Entity:Symptom {id: 'h' + i, name: 'H' + i})",
    )
    run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    result = call("entity", "MESH:1")
    lines = result.stdout.splitlines()
    assert result.stderr == "'MESH:1' is an id elsewhere of X\n"
    for line in (
        "   obsolete; use y Y, z",
        "   also: s1",
        "   narrower words: n1",
        "   broader words: b1",
        "   formerly: DOID:9",
        "   elsewhere: MESH:1",
        "   inchikey: K",
        "   slims: a, b",
        "   from s, 3, CC0-1.0: Ex",
        "      Y TREATS X y (s; RO:1; guessed; score 0.25; PMID:1; PMID:2; PMID:3; and 1 more; dose: low)",
        "   of all: HAS_SYMPTOM 30, TREATS to it 1",
    ):
        assert line in lines, line
    assert "r20; and 5 more" in " ".join(result.stdout.split())


def test_others_of_the_same_name_stand_beneath(call, database):
    rows = [
        {"id": "a:1", "name": "Flu"},
        {"id": "b:1", "name": "flu", "definition": "What it is."},
        {"id": "c:1", "name": "Grippe", "synonyms": ["FLU"], "label": "Symptom", "sources": ["s", "t"]},
    ]
    write_entities(database, *rows)
    result = call("entity", "Flu")
    lines = result.stdout.splitlines()
    assert (lines[0], result.stderr) == ("flu  [Disease]  b:1", "")
    assert lines[-3:] == ["others called Flu: 2", "   Grippe [Symptom] c:1 (s, t)", "   Flu [Disease] a:1 (s)"]
    data = json.loads(call("entity", "Flu", "--json").stdout)
    assert (data["id"], [other["id"] for other in data["others"]]) == ("b:1", ["c:1", "a:1"])
    assert data["others"][0] == {"id": "c:1", "name": "Grippe", "label": "Symptom", "sources": ["s", "t"]}


def test_a_concept_has_the_documents_about_all_that_mean_it(call, graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    assert call("entity", "C0018099").stdout.endswith("\ndocuments about it: 1\n   Gout p1\n")


def test_a_concept_is_shown_itself(call, database):
    write_entities(database, *({"id": f"a:{i:02}", "name": f"Flu {i}", "concepts": ["C0021400"]} for i in range(40)))
    run(
        database,
        "MATCH (c:Concept) SET c.name = 'Flu 7', c.semantic_types = ['T047'], c.sources = ['s'] WITH c "
        "MATCH (e:Entity {id: 'a:07'}) SET e.synonyms = ['Grippe']",
    )
    result = call("entity", "C0021400", "--picture", "flu.svg")
    lines = result.stdout.splitlines()
    assert lines[:4] == ["Flu 7  [Concept]  C0021400", "   also: Grippe", "   semantic types: T047", "   from s"]
    assert lines[5:7] == ["entities: 40", "   Flu 7 [Disease] a:07 (s)"]
    assert lines[-1] == "   and 15 more"
    assert max(map(len, lines)) < 100
    assert result.stderr == "flu.svg written\n"
    data = json.loads(call("entity", "UMLS:C0021400", "--json").stdout)
    assert list(data) == [
        "cui",
        "name",
        "names",
        "semantic_types",
        "sources",
        "entities",
        "documents",
        "counts",
        "meaning",
    ]
    assert data["counts"] == {"entities": 40, "documents": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["C9999999"], "Error: no entity has the id or name 'C9999999'"),
        (["zzzz"], "Error: no entity has the id or name 'zzzz'"),
        (["gouut"], "Error: no entity has the id or name 'gouut'; did you mean Gout?"),
        (
            ["kidney st"],
            "Error: no entity has the id or name 'kidney st'; did you mean Kidney stones (sample:kidney-stones)",
        ),
        (["asthma and gout"], "Error: 'asthma and gout' names 2 entities; did you mean "),
        ([""], "Error: nothing to look up; give an id or a name, such as Gout"),
        (["gout\nx" * 2000], "Error: the name has 12,000 characters; 10,000 are the most"),
        (["gout", "--picture", "gout.gif"], "Error: gout.gif ends in neither .svg nor .png"),
        (["gout", "--picture", "no/gout.svg"], "Error: no/gout.svg cannot be written: there is no folder "),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_what_cannot_be_shown_is_one_line(call, sample_graph, tmp_path, arguments, message):
    assert call("entity", *arguments, fails=True).startswith(message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["gout.svg", "gout.png"])
def test_an_entity_is_drawn(call, sample_graph, tmp_path, name):
    result = call("entity", "gout", "--picture", name, "--json")
    json.loads(result.stdout)
    assert result.stderr == f"{name} written\n"
    data = (tmp_path / name).read_bytes()
    if name.endswith("png"):
        assert data.startswith(b"\x89PNG")
    else:
        assert "Gout IS_A arthritis" in fromstring(data).find("{http://www.w3.org/2000/svg}desc").text


def test_what_the_graph_holds_is_drawn(call, sample_graph, tmp_path):
    assert call("schema", "picture").stdout == "metagraph.svg written\nmetagraph.png written\n"
    rows = sample_graph.read(catalogue.get("metagraph"))
    assert (tmp_path / "metagraph.svg").read_text(encoding="utf-8") == svg.draw(relations.picture_of_contents(rows))
    assert (tmp_path / "metagraph.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "folder").mkdir()
    data = json.loads(call("schema", "picture", "folder/a.PNG", "b.svg", "--json").stdout)
    assert data == {"files": ["folder/a.PNG", "b.svg"], "rows": rows}
    assert {path.name for path in tmp_path.iterdir()} == {"metagraph.svg", "metagraph.png", "folder", "b.svg"}


def test_the_design_is_drawn_without_a_database(tmp_path, settings):
    away = replace(settings, neo4j_uri="bolt://127.0.0.1:1", neo4j_password="x")
    target = tmp_path / "d.svg"
    result = CliRunner().invoke(main, ["schema", "picture", "--design", str(target)], obj=away)
    assert (result.exit_code, result.stdout) == (0, f"{target} written\n")
    assert target.read_text(encoding="utf-8") == svg.draw(relations.picture_of_schema())


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no/a.svg", "Error: no/a.svg cannot be written: there is no folder "),
        ("a.pdf", "Error: a.pdf ends in neither .svg nor .png"),
        (".", "Error: . ends in neither .svg nor .png"),
    ],
)
def test_where_pictures_cannot_be_written_nothing_is(call, sample_graph, tmp_path, target, message):
    assert call("schema", "picture", "ok.svg", target, fails=True).startswith(message)
    assert list(tmp_path.iterdir()) == []
