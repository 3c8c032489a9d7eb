"""Mappings of several tables: one source of the files of a folder or an archive, whose rows make records together."""

import gzip
import shutil
import tarfile
from pathlib import Path

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Row
from medgraph.loaders.commands import load_named, unload_named
from medgraph.loaders.mapping import source as mapping
from medgraph.schema.records import Entity
from medgraph.settings import Settings
from tests.support.foreign import told
from tests.support.graphs import run
from tests.support.mappings import HEAD
from tests.support.paths import FILES, ROOT

SHIPPED = ROOT / "loaders" / "mapping" / "examples"
LAID = FILES / "mappings"
EXAMPLES = {
    "omop": (
        "omop",
        [
            "OMOP:440674 name=Gout",
            "OMOP:440674 synonyms=Gouty state",
            "OMOP:440674 translations=Gicht@und",
            "OMOP:440674 translations=Goutte@fr",
            "OMOP:440674 xrefs=SNOMEDCT:90560007",
            'OMOP:35208847 name=Gout, "unspecified"',
            "OMOP:1 obsolete=True",
            "OMOP:440674 IS_A OMOP:4291025 predicate=Is a",
            "OMOP:35208847 RELATED_MATCH OMOP:440674",
            "reject: concept_id is '5', which has no row of the table concept",
            "remark: files are not read (DOMAIN.csv): 1",
        ],
        [
            "OMOP:440674 synonyms=Gicht",
            "OMOP:5",
            "OMOP:1 xrefs",
            "OMOP:440674 RELATED_MATCH",
            "OMOP:440674 IS_A OMOP:1",
        ],
    ),
    "ncbi-taxonomy": (
        "taxonomy",
        [
            "NCBITaxon:9606 name=Homo sapiens",
            "NCBITaxon:9606 synonyms=human",
            "NCBITaxon:9606 alternative_ids=NCBITaxon:63221",
            "NCBITaxon:9606 rank=species",
            "NCBITaxon:9606 IS_A NCBITaxon:9605",
            "NCBITaxon:9605 name=Homo|x",
            "remark: files are not read (delnodes.dmp): 1",
        ],
        ["reject", "NCBITaxon:1 IS_A", "NCBITaxon:63221"],
    ),
    "snomed-rf2": (
        "rf2",
        [
            "SNOMEDCT:90560007 name=Gout",
            "SNOMEDCT:90560007 label=Disease",
            'SNOMEDCT:90560007 synonyms=Gouty "arthritis" state',
            "SNOMEDCT:90560007 definition=Crystals of uric acid in joints.",
            "SNOMEDCT:3723001 name=Arthritis (joint)",
            "SNOMEDCT:999000 obsolete=True",
            "SNOMEDCT:90560007 IS_A SNOMEDCT:3723001 predicate=SNOMEDCT:116680003",
            "reject: conceptId is '77'",
            "reject: destinationId is '88'",
        ],
        ["SNOMEDCT:90560007 synonyms=Podagra", "SNOMEDCT:90560007 IS_A SNOMEDCT:999000", "SNOMEDCT:77"],
    ),
    "chebi": (
        "chebi",
        [
            "CHEBI:15365 name=acetylsalicylic acid",
            "CHEBI:15365 alternative_ids=CHEBI:2888",
            "CHEBI:15365 synonyms=Aspirin",
            "CHEBI:15365 xrefs=CAS:50-78-2",
            "CHEBI:15365 xrefs=DRUGBANK:DB00945",
            "reject: COMPOUND_ID is '9'",
        ],
        ["CHEBI:2888", "CHEBI:15365 synonyms=Aspirine", "CHEBI:9"],
    ),
}


def packed(folder, form, to):
    if form in {"folder", "here"}:
        return folder if form == "folder" else Path()
    if form == "zip":
        return to / shutil.make_archive(str(to / "release"), "zip", folder)
    with tarfile.open(to / "release.tar.gz", "w:gz") as archive:
        archive.add(folder, "release")
    return to / "release.tar.gz"


def lines(items):
    return [line for line in told(items) if line]


@pytest.mark.parametrize("form", ["folder", "here", "zip", "tar"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_vocabulary_of_several_files_is_one_source(tmp_path, monkeypatch, name, form):
    folder, wanted, unwanted = EXAMPLES[name]
    monkeypatch.chdir(LAID / folder)
    found = lines(mapping.from_file(SHIPPED / f"{name}.yaml").records(packed(LAID / folder, form, tmp_path)))
    assert [text for text in wanted if not any(line.startswith(text) for line in found)] == []
    assert [line for line in found if any(line == text or line.startswith(f"{text} ") for text in unwanted)] == []


def test_each_record_and_reject_has_the_line_of_its_own_file(tmp_path):
    source = mapping.from_file(SHIPPED / "snomed-rf2.yaml")
    places = {}
    for item in source.records(packed(LAID / "rf2", "zip", tmp_path)):
        if isinstance(item, Row | Reject):
            what = item.reason[:15] if isinstance(item, Reject) else getattr(item.record, "id", "relation")
            places.setdefault(what, (item.file.rpartition("/")[2].split("_")[1], item.line))
    assert places == {
        "SNOMEDCT:90560007": ("Description", 2),
        "SNOMEDCT:3723001": ("Description", 6),
        "SNOMEDCT:138875005": ("Description", 7),
        "SNOMEDCT:999000": ("Description", 8),
        "conceptId is '7": ("Description", 9),
        "relation": ("Relationship", 2),
        "destinationId i": ("Relationship", 5),
    }


TABLES = """tables:
  thing:
    file: things.csv
    key: code
    entities: [{id: "clinic:{code}", label: Disease, name: "{name}"}]
  more:
    file: "more*.csv"
    join: {of: thing}
    entities:
      - {id: "clinic:{of}", synonyms: "{said} of {of.name}", properties: {kind: "{kind}"}, when: {kind: {not: none}}}
"""


@pytest.fixture
def read(tmp_path):
    def records(text, **files):
        (tmp_path / "m.yaml").write_text(HEAD + text, encoding="utf-8")
        (tmp_path / "t").mkdir(exist_ok=True)
        for name, content in files.items():
            (tmp_path / "t" / f"{name}.csv").write_text(content, encoding="utf-8")
        return list(mapping.from_file(tmp_path / "m.yaml").records(tmp_path / "t"))

    return records


def test_rows_of_a_key_make_one_record_and_what_disagrees_is_rejected(read):
    items = read(
        TABLES,
        things="code,name\n1,A\n2,B\n2,C\n,D\n",
        more1="of,said,kind\n1,x,k\n,y,k\n",
        more2="of,said,kind\n1,z,other\n2,w,k\n3,v,k\n4,v,none\n",
    )
    assert [item.record for item in items if isinstance(item, Row)] == [
        Entity("clinic:1", "Disease", "A", synonyms=("x of A",), properties=(("kind", "k"),)),
        Entity("clinic:2", "Disease", "B", synonyms=("w of B",), properties=(("kind", "k"),)),
    ]
    rejected = {(item.file.rpartition("/")[2], item.line): item.reason for item in items if isinstance(item, Reject)}
    assert sorted(rejected) == [
        ("more1.csv", 3),
        ("more2.csv", 2),
        ("more2.csv", 4),
        ("things.csv", 4),
        ("things.csv", 5),
    ]
    assert "says properties.kind is 'other', and a row before it of the same group 'k'" in rejected["more2.csv", 2]
    assert "of is '3', which has no row of the table thing" in rejected["more2.csv", 4]
    assert "remark: rows with the key of another row are not looked up: 1, the first is 2" in lines(items)


def test_a_row_that_cannot_be_held_takes_nothing_else_along(read):
    text = """tables:
  thing: {file: things.csv, key: code, entities: [{id: "clinic:{code}", label: Disease, name: "{name}"}]}
  label: {file: labels.csv, entities: [{id: "clinic:{code}", label: "{label}", xrefs: "{same}"}]}
  list:
    file: lists.csv
    join: {of: thing}
    columns: {said: {split: ";"}}
    entities: [{id: "clinic:{of}", synonyms: "{said}"}]
"""
    items = read(
        text,
        things="code,name\n1,A\n",
        labels='code,label,same\n1,Disease,MESH:D1\n1,Disease,"a\tb"\n1,Gene,MESH:D2\n',
        lists='{"of": "1", "said": "x;y"}\n{"of": ["1", "2"], "said": "z"}\n',
    )
    (row,) = [item for item in items if isinstance(item, Row)]
    assert (row.record.xrefs, row.record.synonyms) == (("MESH:D1",), ("x", "y"))
    rejected = {(item.file.rpartition("/")[2], item.line): item.reason for item in items if isinstance(item, Reject)}
    assert sorted(rejected) == [("labels.csv", 3), ("labels.csv", 4), ("lists.csv", 2)]
    assert "says label is 'Gene', and a row before it of the same group 'Disease'" in rejected["labels.csv", 4]
    assert rejected["lists.csv", 2].startswith("the column 'of' holds a list where one text is needed")


def test_documents_gather_their_sections_from_another_table(read):
    text = """tables:
  page: {file: pages.csv, key: id, documents: [{id: "clinic:{id}", title: "{title}"}]}
  part:
    file: parts.csv
    join: {page: page}
    documents: [{id: "clinic:{page}", sections: [{heading: "{h}", text: "{t}"}]}]
"""
    (row,) = read(text, pages="id,title\n1,Gout\n", parts="page,h,t\n1,a,x\n1,b,y\n")
    assert (row.record.title, [(part.heading, part.text) for part in row.record.sections]) == (
        "Gout",
        [("a", "x"), ("b", "y")],
    )


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("file: things.csv\n", "strip: true\n"), 4, "tables.thing has no file: the table's file"),
        (("    key: code\n", ""), 8, "tables.more.join: no table 'thing' with a key above; there: none"),
        (
            ("{of: thing}", "{of: more}"),
            9,
            "tables.more.join: no table 'more' with a key above; there: thing",
        ),
        (("tables:", "columns: {x: {from: y}}\ntables:"), 2, "columns goes without tables"),
        (
            ('    entities:\n      - {id: "clinic:{of}"', '    extra:\n      - {id: "clinic:{of}"'),
            8,
            "tables.more has no entities:, relations: or documents:; nothing would be loaded; and 1 more",
        ),
        (("{of.name}", "{of.nam}"), 11, "things.csv has no column 'nam', which"),
        (
            ("join: {of: thing}", "join: {off: thing, of: thing}"),
            9,
            "more1.csv has no column 'off', which tables.more.join names",
        ),
        (("things.csv", "thing.csv"), None, "has no file thing.csv, which tables.thing names; it has things.csv"),
    ],
)
def test_a_mistake_is_named_with_key_and_line(read, change, line, message):
    with pytest.raises(SourceFileError, match=message) as caught:
        read(TABLES.replace(*change), things="code,name\n1,A\n", more1="of,said,kind\n1,x,k\n")
    assert caught.value.line == line


def test_a_table_that_may_be_missing_or_is_packed(read, tmp_path):
    text = TABLES.replace("    join", "    optional: true\n    join")
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "things.csv.gz").write_bytes(gzip.compress(b"code,name\n1,A\n"))
    (row,) = read(text)
    assert (row.record.name, row.file.rpartition("/")[2], row.line) == ("A", "things.csv.gz", 2)


def test_a_broken_file_of_an_archive_is_named_by_its_member(tmp_path):
    folder = tmp_path / "t"
    shutil.copytree(LAID / "taxonomy", folder)
    (folder / "nodes.dmp").write_bytes(b"PK\x03\x04")
    with pytest.raises(SourceFileError, match=r"release.zip!/nodes.dmp:1: is a zip archive"):
        list(mapping.from_file(SHIPPED / "ncbi-taxonomy.yaml").records(packed(folder, "zip", tmp_path)))


def test_tables_are_loaded_once_changed_and_taken_out(database, tmp_path):
    folder, settings = tmp_path / "t", Settings.from_environment({"MEDGRAPH_HOME": str(tmp_path / "home")})
    shutil.copytree(LAID / "taxonomy", folder)

    def load(**more):
        return load_named(database, settings, str(SHIPPED / "ncbi-taxonomy.yaml"), folder, **more)

    assert load(dry_run=True).added == 5
    assert load().added == 5
    assert load().known
    names = (folder / "names.dmp").read_text().replace("\thuman\t", "\tman\t")
    (folder / "names.dmp").write_text(names)
    report = load()
    assert (report.added, report.changed, report.unchanged) == (0, 1, 4)
    said = run(database, "MATCH (e:Entity {id: 'NCBITaxon:9606'}) RETURN e.name AS name, e.synonyms AS synonyms")
    assert said == [{"name": "Homo sapiens", "synonyms": ["man"]}]
    assert unload_named(database, settings, "ncbi-taxonomy").removed >= 3
    assert run(database, "MATCH (e:Entity) RETURN count(e) AS n") == [{"n": 0}]
