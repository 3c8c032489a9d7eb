"""Mappings: what a curator writes becomes records, and each mistake is named with its key and line."""

import json
import os
import re
import subprocess
import sys

import jsonschema_rs
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.cli.main import main
from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.mapping import keys, yaml_nodes
from medgraph.loaders.mapping import source as mapping
from medgraph.loaders.sources import do_symptoms, hpo_lay
from medgraph.schema.records import Document, Entity, Question, Relation, Section
from medgraph.settings import Settings
from tests.support.paths import FILES, ROOT

EXAMPLES = sorted((FILES / "mappings").glob("*.yaml"))
HEAD = "source: {id: clinic, title: T, version: 1.10, licence: CC-BY-4.0}\n"
ENTITY = 'entities: [{id: "clinic:{id}", label: Disease, name: "{name}"}]\n'


@pytest.fixture
def use(tmp_path):
    """Reads a table by a mapping: its records in order, and every other item."""

    def read(text, table, name="t.csv"):
        (tmp_path / "m.yaml").write_text(HEAD + text, encoding="utf-8")
        path = tmp_path / name
        path.write_bytes(table if isinstance(table, bytes) else table.encode())
        items = list(mapping.from_file(tmp_path / "m.yaml").records(path))
        return [item.record for item in items if isinstance(item, Row)], [i for i in items if not isinstance(i, Row)]

    return read


@pytest.fixture
def faults(tmp_path):
    """Gives the mistakes of a mapping as line and text."""

    def read(text):
        path = tmp_path / "m.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return mapping.check(path)[1]

    return read


# Tables that Python loaders read too.


@pytest.mark.parametrize(
    ("name", "file", "loader"),
    [
        ("do-symptoms", "doid/disease-symptom.tsv", do_symptoms),
        ("hpo-lay", "hpo/layperson-synonyms.tsv", hpo_lay),
    ],
)
def test_a_real_table_by_mapping_gives_what_its_loader_gives(data, name, file, loader):
    source = mapping.from_file(EXAMPLES[0].with_name(f"{name}.yaml"))
    by_mapping, by_loader = list(source.records(data / file)), list(loader.records(data / file))
    assert len(by_mapping) > 3000
    assert {item.record for item in by_mapping} == {item.record for item in by_loader}
    assert {(item.record, item.line) for item in by_mapping} == {(item.record, item.line) for item in by_loader}
    assert source.info.licence == loader.INFO.licence


# What a mapping can say.


def test_every_key_of_an_entity(use):
    text = """
columns:
  synonyms: {from: Other names, split: "|", then: lower}
  old: {split: list, optional: true}
entities:
  - id: "clinic:{id|slug}"
    label: "{kind}"
    name: "{name}"
    synonyms: ["{synonyms}", "{name|upper}", "the {name}"]
    narrow_synonyms: "{narrow}"
    broad_synonyms: broad
    related_synonyms: ["{{x}}"]
    definition: "{text} ({name})"
    concepts: "{cui}"
    semantic_types: T047
    xrefs: ["MESH:{mesh}", "{omim|curie}"]
    alternative_ids: "clinic:{old}"
    obsolete: "{gone}"
    replaced_by: "clinic:{new}"
    properties:
      size: {value: "{n}", type: integer}
      share: {value: "{f}", type: number}
      rare: {value: "{gone}", type: boolean}
      words: {value: ["x"], type: texts}
      note: "{text}"
"""
    text = text.replace('{value: ["x"], type: texts}', '{value: "{synonyms}", type: texts}')
    table = (
        "id,kind,name,Other names,narrow,text,cui,mesh,omim,gone,new,n,f,old\n"
        "A b,Disease, Gout ,Podagra| GOUT ||podagra,,Pain,C0018099,D006073,mim:138900,no,,3,0.5,\"['x', 'y']\"\n"
    )
    (record,), others = use(text, table)
    assert not others
    assert record == Entity(
        id="clinic:a-b",
        label="Disease",
        name="Gout",
        synonyms=("podagra", "the Gout"),
        broad_synonyms=("broad",),
        related_synonyms=("{x}",),
        definition="Pain (Gout)",
        concepts=("C0018099",),
        semantic_types=("T047",),
        xrefs=("MESH:D006073", "OMIM:138900"),
        alternative_ids=("clinic:x", "clinic:y"),
        properties=(("note", "Pain"), ("rare", False), ("share", 0.5), ("size", 3), ("words", ("podagra", "gout"))),
    )


def test_relations_with_evidence_and_lists(use):
    text = """
columns:
  drugs: {split: ";"}
  doses: {split: ";"}
relations:
  - subject: "clinic:{d}"
    type: TREATED_BY
    object: "clinic:{drugs|slug}"
    predicate: RO:0002302
    method: expert
    evidence: "PMID:{pmid}"
    score: "{score}"
    properties: {dose: "{doses}"}
    each: [drugs, doses]
    when: {drugs: {not: [None, none]}}
"""
    made, others = use(text, "d,drugs,doses,pmid,score\na,X y;none;Z,1;2;3,7,0.5\nb,,,,\nc,p;q,1,,\nd,p,1,,high\n")
    common = {"predicate": "RO:0002302", "method": "expert"}
    assert made == [
        Relation(
            "clinic:a",
            "TREATED_BY",
            "clinic:x-y",
            **common,
            evidence=("PMID:7",),
            score=0.5,
            properties=(("dose", "1"),),
        ),
        Relation(
            "clinic:a", "TREATED_BY", "clinic:z", **common, evidence=("PMID:7",), score=0.5, properties=(("dose", "3"),)
        ),
    ]
    assert [(item.line, item.reason.partition(" (")[0]) for item in others] == [
        (4, "the columns of each: have different numbers of items"),
        (5, "score is 'high', which is no number"),
    ]
    assert "(relations, line 7 of m.yaml)" in others[0].reason


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_items_that_go_together_stay_together(use, suffix):
    rows = {"csv": "d,a,b\nx,\"['p', 'p', '', 'q']\",1;2;3;3\n"}
    rows["jsonl"] = '{"d": "x", "a": ["p", "p", null, "q"], "b": [1, 2, 3, 3]}\n'
    text = """
columns: {a: {split: list}, b: {split: ";"}}
relations:
  - {subject: "clinic:{d}", type: RESEMBLES, object: "clinic:{a}-{b}", each: [a, b], when: {a: {empty: false}}}
"""
    made, others = use(text, rows[suffix], f"t.{suffix}")
    assert [record.object for record in made] == ["clinic:p-1", "clinic:p-2", "clinic:q-3"]
    assert not others


def test_documents_from_columns(use):
    text = """
documents:
  - id: "doc:{id}"
    title: "{name}"
    url: "{url}"
    published: "{year}"
    about: "clinic:{id}"
    authors: "{by}"
    sections:
      - {type: Signs and Symptoms, heading: Symptoms, text: "{symptoms}", question: "What are the symptoms of {name}?"}
      - {type: treatment, text: "{cure}", when: {checked: "yes"}}
      - {text: "{more}", id: "doc:{id}#more"}
    questions: {}
"""
    text = text.replace("    questions: {}\n", '    questions: [{text: "{ask}", type: causes}]\n')
    table = "id,name,url,year,by,symptoms,cure,more,checked,ask\n"
    table += "1,Gout,u,2024,A|B,Pain.,Rest.,More.,yes,Why?\n2,Flu,,,,Ache.,No.,,no,\n"
    made, others = use("columns: {by: {split: '|'}}\n" + text, table)
    question = "What are the symptoms of"
    assert made == [
        Document(
            "doc:1", "Gout", url="u", published="2024", about=("clinic:1",), authors=("A", "B"),
            sections=(
                Section("doc:1#1", "Pain.", "symptoms", "Symptoms", f"{question} Gout?"),
                Section("doc:1#2", "Rest.", "treatment"),
                Section("doc:1#more", "More."),
            ),
            questions=(Question("doc:1#q1", "Why?", "causes"),),
        ),
        Document("doc:2", "Flu", about=("clinic:2",), sections=(
            Section("doc:2#1", "Ache.", "symptoms", "Symptoms", f"{question} Flu?"),)),
    ]  # fmt: skip
    assert not others


def test_rows_of_one_document_come_together(use):
    text = 'documents: [{id: "{d}", title: "{t}", group_by: d, sections: [{type: "{q}", text: "{a}"}]}]\n'
    made, _ = use(
        text, "d,t,q,a\n1,Gout,causes,Acid.\n2,Flu,causes,Virus.\n1,Gout,causes,Acid.\n1,Gout,therapy,Rest.\n"
    )
    assert [[(s.id, s.type, s.text) for s in d.sections] for d in made] == [
        [("1#1", "causes", "Acid."), ("1#2", "treatment", "Rest.")],
        [("2#1", "causes", "Virus.")],
    ]


def test_a_thing_that_many_rows_name_is_one_entity(use):
    both = ENTITY + 'relations: [{subject: "clinic:{id}", type: HAS_SYMPTOM, object: "clinic:{s}"}]\n'
    made, others = use(both, "id,name,s\na,A,x\nb,B,x\na,A,y\na,A,y\na,Other,z\n")
    assert [r.name for r in made if isinstance(r, Entity)] == ["A", "B", "Other"]  # the writer rejects the last
    assert [r.subject[-1] + r.object[-1] for r in made if isinstance(r, Relation)] == ["ax", "bx", "ay", "az"]
    assert not others


def test_rows_that_are_grouped_have_to_agree(use):
    text = ENTITY.replace("}]", ', synonyms: "{s}", definition: "{text}", group_by: id}]')
    made, others = use(text, "id,name,s,text\na,A,x,\nb,B,x,T\na,A,y,First.\na,Other,z,\na,A,w,Second.\na,a,,\n")
    assert made == [
        Entity("clinic:a", "Disease", "A", ("x", "y"), "First."),
        Entity("clinic:b", "Disease", "B", ("x",), "T"),
    ]
    assert [(item.line, item.reason.partition(" and")[0]) for item in others] == [
        (5, "says name is 'Other',"),
        (6, "says definition is 'Second.',"),
        (7, "says name is 'a',"),
    ]


def test_every_kind_of_value_has_to_agree_in_a_group(use):
    text = """
relations:
  - subject: "clinic:{a}"
    type: RESEMBLES
    object: "clinic:b"
    score: "{n}"
    evidence: "PMID:{e}"
    properties: {n: {value: "{n}", type: number}, w: {value: "{e}", type: texts}, t: "{t}"}
    group_by: a
"""
    made, others = use(text, "a,n,e,t\nx,0,1,\nx,0.5,2,\nx,0.0,3,t\nx,,4,u\n")
    properties = (("n", 0.0), ("t", "t"), ("w", ("1", "3")))
    (record,) = made
    assert record == Relation(
        "clinic:x", "RESEMBLES", "clinic:b", evidence=("PMID:1", "PMID:3"), score=0.0, properties=properties
    )
    assert [(i.line, i.reason.partition(";")[0]) for i in others] == [
        (3, "says score is '0.5', and a row before it of the same group '0.0'"),
        (5, "says properties.t is 'u', and a row before it of the same group 't'"),
    ]


def test_a_large_group_is_quick_and_has_an_end(use, monkeypatch):
    text = ENTITY.replace("}]", ', synonyms: "{s}", group_by: id}]')
    (record,), others = use(text, "id,name,s\n" + "".join(f"a,A,s{n}\n" for n in range(30_000)))
    assert len(record.synonyms) == 30_000
    assert not others
    monkeypatch.setattr("medgraph.loaders.mapping.records.MAX_DOCUMENT", 5)
    _, others = use(text, "id,name,s\na,A,sss\na,A,ttt\n")
    assert [item.line for item in others] == [3]
    assert "its rows together have more than 5 characters; do not group them" in others[0].reason


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.text("xyz", max_size=2), st.sampled_from(["", "p", "q"])), max_size=12
    ),
    st.randoms(),
)
@settings(max_examples=60, deadline=None)
def test_the_order_of_rows_changes_no_content(tmp_path_factory, rows, random):
    folder = tmp_path_factory.mktemp("m")
    extra = 'relations: [{subject: "clinic:{id}", type: RESEMBLES, object: "clinic:{o}", when: {o: {empty: false}}}]\n'
    text = 'entities: [{id: "clinic:{id}", label: Disease, name: "N {id}", synonyms: "{s}", group_by: id}]\n'
    (folder / "m.yaml").write_text(HEAD + text + extra)
    seen = []
    for _ in range(2):
        (folder / "t.csv").write_text("id,s,o\n" + "".join(",".join(row) + "\n" for row in rows))
        items = list(mapping.from_file(folder / "m.yaml").records(folder / "t.csv"))
        kinds = [isinstance(item.record, Relation) for item in items]
        assert kinds == sorted(kinds)
        seen.append({(r.id, frozenset(r.synonyms)) if isinstance(r, Entity) else r for r in (i.record for i in items)})
        random.shuffle(rows)
    assert seen[0] == seen[1]
    assert {e[0] for e in seen[0] if isinstance(e, tuple)} == {f"clinic:{row[0]}" for row in rows}
    assert {e for e in seen[0] if isinstance(e, Relation)} == {
        Relation(f"clinic:{a}", "RESEMBLES", f"clinic:{o}") for a, _, o in rows if o
    }


def test_steps(use):
    text = """
columns:
  id: {then: [lower, {extract: "([0-9]+)"}]}
  name: {then: {replace: {_: " ", "  ": " "}}}
  kind: {then: {map: {d: Disease, s: Symptom}}}
  other: {from: kind, then: {map: {d: Disease}, else: Topic}}
entities:
  - {id: "clinic:{id}", label: "{kind}", name: "{name} {other}"}
"""
    made, others = use(text, "id,name,kind\nX-12a,a_b__c,d\nX-3,e,s\nX-4,f,t\nX,g,d\n")
    assert made == [Entity("clinic:12", "Disease", "a b c Disease"), Entity("clinic:3", "Symptom", "e Topic")]
    remedy = "pass such rows over with when: {id: {empty: false}} (entities, line 9 of m.yaml)"
    assert [(i.line, i.reason) for i in others] == [
        (4, "the column 'kind': 't' is not in the map, which has d, s; add it, or an else:"),
        (5, f"has no id: the column 'id' is empty; {remedy}"),
    ]


def test_an_empty_cell_empties_an_id_and_leaves_a_text(use):
    text = 'entities: [{id: "clinic:{a}-{b}", label: Disease, name: "{a}/{b}", xrefs: "MESH:{b}"}]\n'
    made, (reject,) = use(text.replace("clinic:{a}-{b}", "clinic:{a}"), "a,b\nx,\n,y\n")
    assert made == [Entity("clinic:x", "Disease", "x/")]
    made, others = use(text, "a,b\nx,\nx,y\n")
    assert made == [Entity("clinic:x-y", "Disease", "x/y", xrefs=("MESH:y",))]
    assert [(i.line, i.reason.partition(";")[0]) for i in (reject, *others)] == [
        (3, "has no id: the column 'a' is empty"),
        (2, "has no id: the column 'b' is empty"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("group", ["", ", group_by: id"])
def test_memory_is_flat(tmp_path, group):
    grown = []
    for rows in (20_000, 80_000):
        with (tmp_path / "t.csv").open("w") as file:
            file.write("id,name,s,text\n")
            file.writelines(f"{n % (rows // 2)},N{n % (rows // 2)},s{n},{'x' * 500}\n" for n in range(rows))
        text = ENTITY.replace("}]", f', synonyms: "{{s}}", definition: "{{text}}"{group}}}]')
        (tmp_path / "m.yaml").write_text(HEAD + text)
        code = (
            "import resource, sys, pathlib; from medgraph.loaders.mapping import source as mapping\n"
            "source, table = map(pathlib.Path, sys.argv[1:])\n"
            "n = sum(1 for _ in mapping.from_file(source).records(table))\n"
            "print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        command = [sys.executable, "-c", code, tmp_path / "m.yaml", tmp_path / "t.csv"]
        made, size = map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
        assert made == (rows // 2 if group else rows)
        grown.append(size)
    assert grown[1] - grown[0] < 15_000  # KiB, of 32 MB more


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("x", "1"), ("[x, y]", "12"), ('""', "3"),
        ("{not: x}", "234"), ("{not: [x, y]}", "34"), ("{empty: true}", "3"),
        ("{empty: no}", "124"),
        ('{matches: "^[xy]$"}', "12"), ('{matches: "[xz]", not: x}', "4"), ("true", ""), ("zz", "4"),
    ],
)  # fmt: skip
def test_conditions(use, condition, kept):
    text = f'entities: [{{id: "clinic:{{id}}", label: Disease, name: n, when: {{k: {condition}}}}}]\n'
    made, others = use(text, "id,k\n1,x\n2,y\n3,\n4,zz\n")
    assert "".join(record.id[-1] for record in made) == kept
    assert not others


def test_a_condition_on_a_list_holds_for_one_item(use):
    text = 'columns: {k: {split: ";"}}\nentities: [{id: "clinic:{id}", label: Disease, name: n, when: {k: x}}]\n'
    assert [r.id for r in use(text, "id,k\n1,x;y\n2,y\n3,\n")[0]] == ["clinic:1"]


def test_the_form_of_the_table(use):
    text = 'table: {delimiter: semicolon, comment: "#", empty: [NA, "-"], strip: false}\n' + ENTITY
    made, _ = use(text.replace('name: "', 'definition: "{d}", name: "'), "#v1\nid;name;d\na; A ;NA\n")
    assert made == [Entity("clinic:a", "Disease", " A ")]
    text = "table: {header: [id, name], quoted: no, delimiter: tab}\n" + ENTITY
    assert use(text, 'a\t"A"\n')[0] == [Entity("clinic:a", "Disease", '"A"')]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "csv", "tsv"])
def test_every_form_of_table_gives_the_same(use, tmp_path, suffix):
    rows = [{"id": "a", "name": "A", "s": ["x", "y"]}, {"id": "b", "name": "B", "s": []}]
    text = "columns: {s: {split: '|'}}\n" + ENTITY.replace("}]", ', synonyms: "{s}"}]')
    if suffix == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "x")
        table = (tmp_path / "x").read_bytes()
    elif suffix == "jsonl":
        table = "".join(json.dumps(row) + "\n" for row in rows)
    else:
        mark = {"csv": ",", "tsv": "\t"}[suffix]
        table = "".join(mark.join(line) + "\n" for line in (["id", "name", "s"], ["a", "A", "x|y"], ["b", "B", ""]))
    made, others = use(text, table, f"t.{suffix}")
    assert made == [Entity("clinic:a", "Disease", "A", ("x", "y")), Entity("clinic:b", "Disease", "B")]
    assert not others


def test_unknown_prefixes_are_remarked_on_once(use):
    text = ENTITY.replace("clinic:", "").replace("}]", ', xrefs: "{x}"}]')
    made, others = use(text, "id,name,x\nDOID:1,A,zz:1\nzz:2,B,\nq,C,yy:1\nr,D,\nclinic:1,E,zz:3\n")
    assert len(made) == 5
    assert [(type(i), i.line, i.text.partition(" are kept")[0]) for i in others] == [
        (Remark, 2, "the prefix 'zz' is unknown: ids like 'zz:1'"),
        (Remark, 4, "an id has no prefix: ids like 'q'"),
        (Remark, 4, "the prefix 'yy' is unknown: ids like 'yy:1'"),
    ]


def test_bad_rows_are_rejected_once_though_the_table_is_read_twice(use):
    text = ENTITY + 'relations: [{subject: "clinic:{id}", type: RESEMBLES, object: "clinic:{name}"}]\n'
    text += 'documents: [{id: "{id}", title: "{name}", url: u, group_by: id}]\n'
    made, others = use(text, b'id,name\na,A\nb\nc,\xe9\n"d,D\ne,E\n' + b"f," + b"x" * 1_000_000 + b"\n")
    assert [type(r).__name__ for r in made] == ["Entity"] * 3 + ["Relation"] * 2 + ["Document"] * 3
    assert sorted(item.line for item in others) == [3, 4, 5, 7]
    assert "the id 'clinic:x" in next(item.reason for item in others if item.line == 7)


# What can be wrong.


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD, 1, "the mapping has no entities:, relations: or documents:"),
        ("title: x\n" + HEAD + ENTITY, 1, "the mapping has the unknown key 'title'; known are source, table"),
        (HEAD + ENTITY.replace("entities", "entitys"), 2, "the unknown key 'entitys'; did you mean 'entities'"),
        (ENTITY, 1, "the mapping has no source: facts about the source"),
        ("source:\n  id: x\n  title: T\n  licence: L\n" + ENTITY, 2, "source has no version"),
        (HEAD.replace("clinic", "My Clinic") + ENTITY, 1, "source: 'My Clinic' cannot name a source"),
        (HEAD.replace("1.10", "1.10, rank: high") + ENTITY, 1, "source.rank must be a whole number from 1"),
        (HEAD.replace("1.10", "[1]") + ENTITY, 1, "source.version must be one text"),
        (HEAD + "entities: {id: x}\n", 2, "entities must be a list, each item behind a hyphen"),
        (HEAD + "entities:\n  - x\n", 3, "entities[1] must have keys, such as id:"),
        (HEAD + "entities:\n", 2, "the mapping.entities is empty; fill it, or take the key out"),
        (HEAD + "entities:\n  - id: a\n    label: Disease\n", 3, "entities[1] has no name: the preferred name"),
        (HEAD + ENTITY.replace("label", "\n  lable"), 3, "the unknown key 'lable'; did you mean 'label'?"),
        (HEAD + ENTITY.replace("Disease", "\n  disease"), 3, "entities[1].label is 'disease'; did you mean 'Disease'?"),
        (HEAD + ENTITY.replace("{name}", "{name"), 2, "entities[1].name has a { without its other half"),
        (HEAD + ENTITY.replace("{name}", "name}"), 2, "entities[1].name has a } without its other half"),
        (HEAD + ENTITY.replace("{name}", "{}"), 2, "entities[1].name has {} without the name of a column"),
        (HEAD + ENTITY.replace("{name}", "{name|lowr}"), 2, "has the unknown step 'lowr'; known are strip, lower"),
        (HEAD + ENTITY.replace('"{name}"', "[a, b]"), 2, "entities[1].name must be one text"),
        (
            HEAD + ENTITY.replace("}]", ", properties: {Big: x}}]"),
            2,
            "entities[1].properties.Big cannot name a property",
        ),
        (HEAD + ENTITY.replace("}]", ", properties: {source: x}}]"), 2, "the graph uses it itself"),
        (HEAD + ENTITY.replace("}]", ", properties: {n: {value: x, type: int}}}]"), 2, "type is 'int'"),
        (HEAD + ENTITY.replace("}]", ", when: x}]"), 2, "entities[1].when must have the names of columns as keys"),
        (HEAD + ENTITY.replace("}]", ", when: {a: {is: x}}}]"), 2, "entities[1].when.a has the unknown key 'is'"),
        (HEAD + ENTITY.replace("}]", ", when: {a: {matches: '('}}}]"), 2, "when.a.matches is no regular expression"),
        (HEAD + ENTITY.replace("}]", ", when: {a: {empty: maybe}}}]"), 2, "when.a.empty must be true or false"),
        (HEAD + "relations: [{subject: a, type: HAS_SYMPTON, object: b}]", 2, "did you mean 'HAS_SYMPTOM'"),
        (HEAD + "columns:\n  a: {splt: x}\n" + ENTITY, 3, "columns.a has the unknown key 'splt'; did you mean 'split'"),
        (
            HEAD + "columns:\n  a: {then: lwer}\n" + ENTITY,
            3,
            "columns.a.then has the unknown step 'lwer'; did you mean 'lower'",
        ),
        (HEAD + "columns:\n  a:\n    then: [{map: {a: b}, extract: x}]\n" + ENTITY, 4, "must be one step at a time"),
        (HEAD + "columns: [a]\n" + ENTITY, 2, "columns must have the names of columns as keys"),
        (HEAD + "table: {delimiter: ab}\n" + ENTITY, 2, "table.delimiter must be comma, tab, semicolon, pipe, or one"),
        (
            HEAD + "documents: [{id: a, title: b, sections: [{tekst: x}]}]",
            2,
            "documents[1].sections[1] has the unknown key",
        ),
    ],
)
def test_a_mistake_is_named_with_key_and_line(faults, text, line, message):
    found = faults(text)
    assert (line, True) in [(at, message in said) for at, said in found], found
    assert all(len(said) < 1000 for _, said in found)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: !!python/object/apply:os.system ['touch HACKED']\n", 1, "has the tag !!python/object/apply:os.system"),
        ("a: b\nc: !!python/name:os.system\n", 2, "has the tag !!python/name:os.system, and tags are never followed"),
        ("a: !include /etc/passwd\n", 1, "has the tag !include"),
        ("? !!python/object/new:os.system [x]\n: b\n", 1, "has the tag !!python/object/new:os.system"),
        ("a: b\na: c\n", 2, "has the key 'a' twice, first in line 1; keep one"),
        ("a: &x [*x]\n", 1, "is not valid YAML: found undefined|has an alias that stands for something it is part of"),
        ("a: &x {b: *x}\n", 1, "has an alias that stands for something it is part of; write it out"),
        ("[a]: b\n", 1, "has a key that is no text"),
        ("a: [b\nc: d\n", 2, "is not valid YAML: while parsing a flow sequence expected"),
        ("a: b\n\tc: d\n", 2, "is not valid YAML"),
        ("a: 'b\n", 2, "is not valid YAML: while scanning a quoted scalar found unexpected end"),
        ("a: *b\n", 1, "is not valid YAML: found undefined alias"),
        ("a: b\n---\nc: d\n", 2, "is not valid YAML: expected a single document"),
        ("a: \x07\n", 1, "is not valid YAML: unacceptable character"),
        ("[" * 100_000, 1, "is not usable YAML: nested too deep"),
        (b"a: b\nc: \xe9\n", 2, "is not UTF-8: byte 0xE9; save the file as UTF-8"),
        (b"x" * 1_000_001, None, "is longer than 1,000,000 bytes, which no mapping is; is it the table?"),
        ("", None, "is empty; a mapping has at least"),
        ("# only a comment\n", None, "is empty; a mapping has at least"),
    ],
)
def test_yaml_that_is_none_or_means_harm_is_one_clear_error(faults, tmp_path, monkeypatch, text, line, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceFileError, match=message) as caught:
        faults(text)
    assert caught.value.line == line
    assert not (tmp_path / "HACKED").exists()


def test_a_bomb_of_aliases_is_not_built(faults):
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 12))
    with pytest.raises(SourceFileError, match=r"has more than 20,000 values; its aliases repeat too much"):
        faults("l0: &l0 [x]\n" + levels)


def test_an_alias_is_what_it_stands_for(use):
    text = 'entities:\n  - &e {id: "clinic:{id}", label: Disease, name: &n "{name}", synonyms: *n}\n  - *e\n'
    assert use(text, "id,name\na,A\n")[0] == [Entity("clinic:a", "Disease", "A")]


def test_texts_are_what_is_written(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text("a: [no, 1.10, 2026-03-01, ~, 0x1F, null]\n")
    values = [node.value for node in yaml_nodes.read(path).value["a"].value]
    assert values == ["no", "1.10", "2026-03-01", "~", "0x1F", "null"]


@pytest.mark.parametrize("what", ["folder", "missing"])
def test_a_mapping_that_cannot_be_opened(tmp_path, what):
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(
        SourceFileError, match=r"\.yaml: (is a folder; give a \.yaml file|cannot be read: No such file)"
    ):
        mapping.from_file(tmp_path / f"{what}.yaml")


@given(st.text(st.sampled_from("{}[]:,-&*!#'\" \nab|>%@`?"), max_size=40) | st.text(max_size=30))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_mapping_or_a_clear_error(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("m") / "m.yaml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        form, found = mapping.check(path)
    except SourceFileError:
        return
    assert (form is None) == bool(found)


def test_the_first_mistake_is_the_error_and_the_others_are_counted(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text(HEAD + "entities: [{ids: x}]\ntabel: x\n")
    with pytest.raises(
        SourceFileError, match=r"m\.yaml:2: entities\[1\] has .*; and 4 more: medgraph mapping check .*m\.yaml"
    ):
        mapping.from_file(path)


def test_a_column_that_the_table_lacks_is_named_where_the_mapping_names_it(use, tmp_path):
    lacks = r"m\.yaml:2: t\.csv has no column 'name', which entities\[1\]\.name names; "
    with pytest.raises(SourceFileError, match=lacks + r"did you mean 'Nam'\? known are id, Nam"):
        use(ENTITY, "id,Nam\na,A\n")
    with pytest.raises(SourceFileError, match=r"m\.yaml:3: t\.csv has no column 'Y', which columns\.x names"):
        use("columns:\n  x: {from: Y}\n" + ENTITY, "id,name\na,A\n")
    made, (remark,) = use(
        ENTITY.replace("}]", ', definition: "{text}"}]'), '{"id": "a", "name": "A", "txt": "x"}\n', "t.jsonl"
    )
    assert made == [Entity("clinic:a", "Disease", "A")]
    assert (remark.line, remark.text.partition(";")[0]) == (
        2, "entities[1].definition names 'text', a key that no line of t.jsonl has")  # fmt: skip


@pytest.mark.parametrize(
    ("table", "reason"),
    [("id,name,s\na,A,x;y\n", "the column 's' holds a list where one text is needed; say each: s beside it")],
)
def test_a_list_where_one_text_is_needed(use, table, reason):
    made, (reject,) = use("columns: {s: {split: ';'}}\n" + ENTITY.replace("{name}", "{s}"), table)
    assert not made
    assert reject.reason.startswith(reason)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet", "t.csv.gz"])
@pytest.mark.parametrize("table", [b"", b"\xff\xfe", b"PK\x03\x04"])
def test_a_broken_table_is_one_clear_error(use, name, table):
    with pytest.raises(SourceFileError, match=rf"{name}(:1)?: is "):
        use(ENTITY, table, name)


# The schema for editors.


def as_editors_read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_schema_that_ships_is_the_one_of_the_keys():
    shipped = (ROOT / "loaders" / "mapping" / keys.SCHEMA_NAME).read_text(encoding="utf-8")
    assert json.loads(shipped) == keys.schema()
    assert CliRunner().invoke(main, ["mapping", "schema"], obj=Settings.from_environment()).stdout == shipped


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_sound_for_the_schema_and_for_us(path):
    jsonschema_rs.validate(keys.schema(), as_editors_read(path))
    assert mapping.check(path)[1] == []


@pytest.mark.parametrize(
    "text",
    [
        ENTITY.replace("label", "lable"),
        ENTITY.replace("Disease", "disease"),
        ENTITY.replace("entities", "entitys"),
        ENTITY.replace("}]", ", when: {a: {is: x}}}]"),
        ENTITY.replace("}]", ", properties: {n: {value: x, type: int}}}]"),
        "entities: [x]\n",
        "entities: []\n",
        "relations: [{subject: a, type: KNOWS, object: b}]\n",
        "columns: {a: {then: lwer}}\n" + ENTITY,
        "documents: [{id: a, title: b, sections: [{tekst: x}]}]\n",
        "table: {quoted: maybe}\n" + ENTITY,
        "",
    ],
)
def test_the_schema_refuses_what_we_refuse(faults, text):
    assert faults(HEAD + text)
    assert not jsonschema_rs.is_valid(keys.schema(), yaml.safe_load(HEAD + text))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_every_key_of_the_schema_is_one_of_ours(tmp_path_factory, data):
    """A mapping with a key that the schema offers is never told that the key is unknown."""
    kind = data.draw(st.sampled_from([*keys.RULES]))
    key = data.draw(st.sampled_from([*keys.RULES[kind]]))
    path = tmp_path_factory.mktemp("m") / "m.yaml"
    path.write_text(HEAD + f"{kind}: [{{{key}: '{{x}}'}}]\n")
    assert not [said for _, said in mapping.check(path)[1] if "unknown key" in said]


# The commands.


@pytest.fixture
def command(tmp_path):
    def call(*arguments):
        result = CliRunner().invoke(main, ["mapping", "check", *map(str, arguments)], obj=Settings.from_environment())
        return result.exit_code, result.stdout, result.stderr

    return call


def test_check_prints_the_first_records_and_every_error(command, tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    (tmp_path / "t.csv").write_text("id,name\n" + "".join(f"{n},N{n}\n" for n in range(9)) + "x\ny,\n")
    code, out, err = command(tmp_path / "m.yaml", tmp_path / "t.csv", "--show", "2")
    assert code == 1
    assert out.splitlines() == [
        "entities: 9",
        "  line 2: id 'clinic:0', label 'Disease', name 'N0'",
        "  line 3: id 'clinic:1', label 'Disease', name 'N1'",
    ]
    first, second, last = err.splitlines()
    assert first.startswith(f"{tmp_path}/t.csv:11: has 1 cell where the header has 2")
    assert second.startswith(f"{tmp_path}/t.csv:12: has no name: the column 'name' is empty")
    assert last == f"Error: 2 records of {tmp_path}/t.csv would be rejected"


def test_check_lists_every_mistake_of_a_mapping(command, tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + "entities: [{ids: x}]\ntabel: x\n")
    code, out, err = command(tmp_path / "m.yaml")
    assert (code, out) == (1, "")
    assert [line.split(":")[1] for line in err.splitlines()[:-1]] == ["2", "2", "2", "2", "3"]
    assert err.splitlines()[-1].startswith("Error: 5 mistakes in ")


def test_check_of_a_sound_mapping_and_its_json(command, tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + ENTITY)
    assert command(tmp_path / "m.yaml") == (0, "clinic: the mapping is sound\n", "")
    (tmp_path / "t.csv").write_text("id,name\na,A\n")
    code, out, _ = command(tmp_path / "m.yaml", tmp_path / "t.csv", "--json")
    assert code == 0
    assert json.loads(out)["records"] == {
        "entities": [{"line": 2, "record": {"id": "clinic:a", "label": "Disease", "name": "A"}}]
    }


@pytest.mark.parametrize(
    ("mapping_text", "table", "message"),
    [
        (None, None, r"m\.yaml:1: cannot be read: No such file"),
        ("a: !!python/object/apply:os.system [x]", None, r"m\.yaml:1: has the tag"),
        (HEAD + ENTITY, None, r"t\.csv:1: cannot be read: No such file"),
        (HEAD + ENTITY, "id,nam\n", r"m\.yaml:2: t\.csv has no column 'name', which"),
    ],
)
def test_check_of_files_that_cannot_be_used(command, tmp_path, mapping_text, table, message):
    if mapping_text:
        (tmp_path / "m.yaml").write_text(mapping_text)
    if table:
        (tmp_path / "t.csv").write_text(table)
    code, out, err = command(tmp_path / "m.yaml", tmp_path / "t.csv")
    assert (code, out) == (1, "")
    assert re.search(message, err), err
    assert re.search(r"Error: 1 mistakes? in", err)


def test_the_registry_takes_a_mapping_for_a_source(tmp_path):
    (tmp_path / "My.YAML").write_text(HEAD + ENTITY)
    assert registry.get(os.fspath(tmp_path / "My.YAML")).info.version == "1.10"
    with pytest.raises(SourceFileError, match="No such file"):
        registry.get("none.yml")
    (tmp_path / "m.yaml").write_text(HEAD.replace("clinic", "medquad") + ENTITY)
    with pytest.raises(SourceFileError, match=r"source\.id is 'medquad', the name of a source that medgraph brings"):
        registry.get(os.fspath(tmp_path / "m.yaml"))


def test_rejects_name_the_table_and_not_the_mapping(use, tmp_path):
    _, (reject,) = use(ENTITY, "id,name\na,\n")
    assert isinstance(reject, Reject)
    assert reject.file == str(tmp_path / "t.csv")
