"""Mappings: a table that is read by one gives the records, rejects and remarks of a source."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.mapping import source as mapping
from medgraph.loaders.polarity import NEGATED, NEVER
from medgraph.schema.records import Entity, Relation
from tests.support.mappings import ENTITY, EXAMPLES, HEAD
from tests.support.memory import growth
from tests.support.paths import ROOT

# Tables that Python loaders read too.


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("do-symptoms", "doid/disease-symptom.tsv"),
        ("hpo-lay", "hpo/layperson-synonyms.tsv"),
    ],
)
def test_a_real_table_by_mapping_gives_what_its_loader_gives(data, name, file):
    source = mapping.from_file(EXAMPLES[0].with_name(f"{name}.yaml"))
    loader = registry.SOURCES[name]
    by_mapping, by_loader = list(source.records(data / file)), list(loader.records(data / file))
    assert len(by_mapping) > 3000
    assert {item.record for item in by_mapping} == {item.record for item in by_loader}
    assert {(item.record, item.line) for item in by_mapping} == {(item.record, item.line) for item in by_loader}
    assert source.info.licence == loader.info.licence


SHIPPED = ROOT / "loaders" / "mapping" / "examples" / "nhs.yaml"


def test_the_mapping_for_the_nhs_makes_sections_of_lists(tmp_path):
    page = {"condition": "Ankle pain", "page_type": "symptom", "overview": "", "symptoms": [], "causes": ["Sprains."]}
    page |= {
        "self_care": ["You can:", "rest", "", "raise it"],
        "treatment": [],
        "prevention": [],
        "when_to_seek_help": [],
    }
    page |= {"last_reviewed": "7 October 2025", "source_url": "https://www.nhs.uk/symptoms/ankle-pain/"}
    other = page | {"condition": "Gout", "page_type": "condition", "last_reviewed": ""}
    (tmp_path / "pages.jsonl").write_text(f"{json.dumps(page)}\n{json.dumps(other)}\n")
    source = mapping.from_file(SHIPPED)
    ankle, gout, document, _ = [item.record for item in source.records(tmp_path / "pages.jsonl")]
    assert (ankle.label, gout.label, document.published) == ("Symptom", "Topic", "2025-10-07")
    assert (document.url, document.about) == (page["source_url"], ("nhs:ankle-pain",))
    assert [(part.type, part.heading, part.text) for part in document.sections] == [
        ("causes", "Causes", "Sprains."),
        ("treatment", "Self-care", "You can:\nrest\nraise it"),
    ]
    assert source.info.licence == "OGL-UK-3.0"
    assert "Open Government Licence v3.0" in source.info.citation


@pytest.mark.thorough
def test_the_mapping_for_the_nhs_takes_every_page(data):
    items = list(mapping.from_file(SHIPPED).records(data / "nhs" / "nhs_structured.jsonl"))
    assert all(isinstance(item, Row) for item in items)
    assert len(items) == 2 * 746


def test_a_thing_that_many_rows_name_is_one_entity(use):
    both = ENTITY + 'relations: [{subject: "clinic:{id}", type: HAS_SYMPTOM, object: "clinic:{s}"}]\n'
    made, others = use(both, "id,name,s\na,A,x\nb,B,x\na,A,y\na,A,y\na,Other,z\n")
    assert [r.name for r in made if isinstance(r, Entity)] == ["A", "B", "Other"]  # the writer rejects the last
    assert [r.subject[-1] + r.object[-1] for r in made if isinstance(r, Relation)] == ["ax", "bx", "ay", "az"]
    assert not others


def test_what_a_row_denies_is_left_out_and_counted(use):
    relation = (
        '{subject: "clinic:{id}", type: HAS_SYMPTOM, object: "clinic:{s}", negated: "{q}", '
        'properties: {frequency: {value: "{f}"}}'
    )
    table = "id,name,s,q,f\na,A,x,,3/30\na,A,y,NOT,\na,A,z,true,\na,A,w,,0/30\na,A,v,false,HP:0040283\na,A,u,maybe,\n"
    for group in ("", ", group_by: [id, s]"):
        made, others = use(f"{ENTITY}relations: [{relation}{group}}}]\n", table)
        assert [r.object for r in made if isinstance(r, Relation)] == ["clinic:x", "clinic:v"]
        (reject,) = [item for item in others if isinstance(item, Reject)]
        assert reject.reason.startswith("negated is 'maybe', which is neither true nor false; translate it with map:")
        assert {(item.line, item.text) for item in others if isinstance(item, Remark)} == {
            (3, f"{NEGATED}: 2, the first is clinic:a HAS_SYMPTOM clinic:y"),
            (5, f"{NEVER}: 1, the first is clinic:a HAS_SYMPTOM clinic:w"),
        }
    relation = '{subject: "clinic:{id}", type: RELATED_TO, object: "clinic:{s}", predicate: "{p}"}'
    table = "id,name,s,p\na,A,x,lacks_part\na,A,y,likes\n"
    made, (remark,) = use(f"{ENTITY}relations: [{relation}]\n", table)
    assert [r.object for r in made if isinstance(r, Relation)] == ["clinic:y"]
    assert remark.text.startswith("statements of what is not so (lacks_part) are left out: 1")


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.text("xyz", max_size=2), st.sampled_from(["", "p", "q"])),
        min_size=1,
        max_size=12,
    ),
    st.randoms(),
)
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


@pytest.mark.thorough
@pytest.mark.parametrize("group", ["", ", group_by: id"])
def test_memory_is_flat(tmp_path, group):
    rows, table, rules = 16_000, tmp_path / "t.csv", tmp_path / "m.yaml"
    with table.open("w") as file:
        file.write("id,name,s,text\n")
        for n in range(rows):
            key = n % (rows // 2)
            file.write(f"{key},N{key},s{n},{key:02500}\n")
    text = ENTITY.replace("}]", f', synonyms: "{{s}}", definition: "{{text}}"{group}}}]')
    rules.write_text(HEAD + text)
    read = "sum(1 for _ in mapping.from_file(files[0]).records(files[1]))"
    made, grown = growth("from medgraph.loaders.mapping import source as mapping", read, rules, table)
    assert made == (rows // 2 if group else rows)
    assert grown < 22_000_000  # all records at once would take 30 MB, and 50 ungrouped


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


# The commands.


def test_the_registry_takes_a_mapping_for_a_source(tmp_path):
    (tmp_path / "My.YAML").write_text(HEAD + ENTITY)
    assert registry.get(os.fspath(tmp_path / "My.YAML")).info.version == "1.10"
    with pytest.raises(SourceFileError, match="No such file"):
        registry.get("none.yml")
    (tmp_path / "m.yaml").write_text(HEAD.replace("clinic", "medquad") + ENTITY)
    with pytest.raises(SourceFileError, match=r"source\.id is 'medquad', the name of a source that medgraph brings"):
        registry.get(os.fspath(tmp_path / "m.yaml"))
