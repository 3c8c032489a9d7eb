"""Sources by the names that commands know them by, and what cannot be loaded."""

import os
import shutil
from pathlib import Path

import pytest

from medgraph.audit.run import audit
from medgraph.errors import (
    InputError,
    SourceFileError,
    UnknownSourceError,
)
from medgraph.loaders import commands, registry
from medgraph.loaders.base import Row, fingerprint
from medgraph.schema.records import Entity
from tests.support.graphs import run
from tests.support.loads import corpus_lines, counts
from tests.support.paths import FILES


def load_named(database, settings, source, path=None, *, dry_run=False, **wishes):
    return commands.load_named(database, settings, source, path, commands.LoadOptions(**wishes), dry_run=dry_run)


def test_a_dry_run_writes_nothing_at_all(database, own_settings, tmp_path):
    path = FILES / "documents" / "corpus.jsonl"
    report = load_named(database, own_settings, "documents", path, dry_run=True)
    assert counts(report) == (3, 0, 0, 0)
    assert report.load == 0
    assert report.summary() == "documents: 3 records would be added, 0 would be changed, 0 unchanged, 0 rejected"
    assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    assert not own_settings.home.exists()


def test_bad_lines_are_listed_and_the_others_are_loaded(database, own_settings, tmp_path):
    path = corpus_lines(
        tmp_path / "corpus.jsonl", b"{broken", b"\xff", b'{"id": "x", "title": "\\ud800", "sections": []}', good=4
    )
    report = load_named(database, own_settings, "documents", path)
    assert counts(report) == (4, 0, 0, 3)
    assert report.rejects_file.parent == own_settings.home / "rejects"
    listed = report.rejects_file.read_text(encoding="utf-8").splitlines()
    assert listed[0] == "record\tkind\tfile\tline\treason"
    assert [line.split("\t")[:4] for line in listed[1:]] == [
        [str(n), "reject", str(path), str(n + 1)] for n in (2, 3, 4)
    ]
    assert "is not valid JSON, column 2" in listed[1]
    assert "is not UTF-8" in listed[2]
    assert "'sections' must be a list" in listed[3]
    known = load_named(database, own_settings, "documents", path)
    assert known.summary() == "documents: this file is loaded already; nothing changed (4 records)"


def cut_off(folder):
    path = folder / "cut.zip"
    path.write_bytes(b"PK\x03\x04 and no end")
    return path


@pytest.mark.parametrize("dry_run", [False, True], ids=["load", "dry run"])
@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("documents", lambda folder: folder / "nowhere.jsonl", r"nowhere\.jsonl: there is no such file or folder"),
        ("documents", lambda folder: folder, r"is a folder; give a file"),
        ("medquad", lambda folder: folder / "nowhere.zip", r"nowhere\.zip: there is no such file or folder"),
        ("medquad", cut_off, r"cut\.zip: is not a whole zip archive .* fetch it again"),
        ("sample", lambda folder: folder, r"conditions\.jsonl: cannot be read"),
    ],
    ids=["no file", "a folder", "no archive", "a cut archive", "no sample"],
)
def test_a_file_that_cannot_be_read_leaves_the_graph_as_it_was(
    database, own_settings, tmp_path, name, make, message, dry_run
):
    with pytest.raises(SourceFileError, match=message):
        load_named(database, own_settings, name, make(tmp_path), dry_run=dry_run)
    assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("wikipedia",), UnknownSourceError, "there is no source 'wikipedia'; known are disease-pages, disease-tables"),
        (("../etc",), UnknownSourceError, "there is no source"),
        (("medquad",), InputError, "the source medquad needs a path: medgraph load medquad PATH"),
        (("documents",), InputError, "needs a path"),
    ],
)
def test_a_source_that_is_not_known_or_not_given(database, own_settings, arguments, error, message):
    with pytest.raises(error, match=message):
        load_named(database, own_settings, *arguments)


def test_a_file_whose_name_is_not_utf8_can_be_loaded(database, own_settings, tmp_path):
    remarked = b'{"id": "x", "title": "T", "sections": [{"text": "Text.", "type": "strange"}]}'
    path = corpus_lines(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl")), b"{", remarked, good=2)
    report = load_named(database, own_settings, "documents", path)
    assert (counts(report), report.remarks) == ((3, 0, 0, 1), 1)
    assert run(database, "MATCH (l:Load) RETURN l.file AS file") == [{"file": "\\udcff.jsonl"}]


def test_what_no_reader_takes_up_is_kept_with_the_load_and_listed(database, own_settings, tmp_path):
    path = tmp_path / "a.obo"
    path.write_text(
        "format-version: 1.2\n\n[Term]\nid: HP:1\nname: a\nis_anonymous: false\ndisjoint_from: HP:2\n\n"
        "[Typedef]\nid: p\nname: p\nis_transitive: true\n"
    )
    load_named(database, own_settings, "obo", path, name="t")
    found = audit(database, only=["unread"]).findings
    assert {(finding.source, finding.what, finding.count) for finding in found} == {
        ("t", "statements of is_anonymous on terms are not read", 1),
        ("t", "statements of is_transitive on relations (Typedef) are not read", 1),
        ("t", "statements that classes have nothing in common are passed over", 1),
    }
    assert f"{path}:6 HP:1 false" in [finding.examples[0] for finding in found]


def test_a_file_is_read_again_once_an_unload_has_made_its_rejected_rows_loadable(database, own_settings, tmp_path):
    load_named(database, own_settings, "documents", FILES / "documents" / "corpus.jsonl", name="t-b")
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "nodes.tsv").write_text("id\tname\tprovided_by\nMONDO:1\ta\tinfores:b\nMONDO:2\tb\t\n")
    (tmp_path / "g" / "edges.tsv").write_text("subject\tpredicate\tobject\nMONDO:1\tbiolink:related_to\tMONDO:2\n")
    first, known = (load_named(database, own_settings, "kgx", tmp_path / "g", name="t") for _ in range(2))
    assert (first.rejected > 0, known.known) == (True, True)
    commands.unload_named(database, own_settings, "t-b")
    again = load_named(database, own_settings, "kgx", tmp_path / "g", name="t")
    assert (again.known, again.rejected) == (False, 0)
    assert run(database, "MATCH (:Entity {id: 'MONDO:1'})-[:FROM]->(s) RETURN s.id AS id") == [{"id": "t-b"}]


def test_parts_have_the_name_licence_title_release_and_rank_that_are_wished(database, own_settings, tmp_path):
    meta, files = FILES / "umls", {"nodes.tsv": "id\tcategory\tname\nMONDO:1\tbiolink:Disease\ta\n"}
    files["edges.tsv"] = "subject\tpredicate\tobject\tprovided_by\nMONDO:1\tbiolink:related_to\tMONDO:1\tinfores:b\n"
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    load_named(database, own_settings, "kgx", tmp_path, name="t", licence="CC0-1.0", title="T", version="2", rank=3)
    facts = "MATCH (s:Source) WHERE s.part_of IS NOT NULL RETURN s.id, s.licence, s.title, s.version, s.curated_rank"
    assert [list(row.values()) for row in run(database, facts)] == [["t-b", "CC0-1.0", "T: infores:b", "2", 3]]
    parts = "MATCH (s:Source {part_of: $whole}) RETURN s.id AS id ORDER BY id"
    first = load_named(database, own_settings, "umls", meta, name="y2025")
    second = load_named(database, own_settings, "umls", meta, name="y2026")
    assert (first.added, first.rejected) == (second.added, second.rejected)
    names = [[row["id"] for row in run(database, parts, whole=whole)] for whole in ("y2025", "y2026")]
    assert names == [[f"{whole}-{word}" for word in ("hpo", "msh", "mth", "rxnorm")] for whole in ("y2025", "y2026")]


def test_every_source_of_a_folder_gets_the_rank_that_is_wished(database, own_settings, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copy(FILES / "ontology" / "lungs.obo", folder)
    wish, ranks = commands.LoadOptions(rank=2), "MATCH (s:Source) RETURN s.curated_rank AS rank"
    (dry,) = commands.load_all(database, own_settings, folder, wish, dry_run=True)
    assert (dry.failed, run(database, ranks)) == (False, [])
    (real,) = commands.load_all(database, own_settings, folder, wish)
    assert not real.failed
    assert run(database, ranks) == [{"rank": 2}]


def test_a_folder_is_gone_through_with_its_links_and_says_what_it_does_not_take(tmp_path):
    held = tmp_path / "held"
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(FILES / "gaf" / "small.gaf", tmp_path / "elsewhere")
    for name in ("", "sub", ".hidden"):
        (held / name).mkdir()
    (held / "notes.bin").write_text("x")
    (held / ".hidden" / "notes.bin").write_text("x")
    (held / "sub" / "link").symlink_to(tmp_path / "elsewhere")
    (held / "sub" / "loop").symlink_to(held)
    (held / "sub" / "dead").symlink_to(tmp_path / "nowhere")
    found = [(path.relative_to(held).as_posix(), name, reason) for path, name, reason in registry.recognised(held)]
    assert sorted(found[:3]) == [
        ("notes.bin", "", "is not recognised as a source"),
        ("sub/dead", "", "is no file, but a link that leads nowhere"),
        ("sub/loop", "", "leads back to a folder that it is in"),
    ]
    assert {(path.rpartition("/")[0], name) for path, name, _ in found[3:]} == {("sub/link", "gaf")}
    before = fingerprint(held)
    (tmp_path / "elsewhere" / "more.txt").write_text("y")
    assert fingerprint(held) != before


def test_a_folder_that_is_one_source_is_loaded_as_one(tmp_path):
    gpi = "!gpi-version: 2.0\nMGI:3\tAaa1\ta gene\t\tSO:0001217\tNCBITaxon:10090\t\t\t\t\t\n"
    gpad = "!gpad-version: 2.0\nMGI:3\t\tRO:0002331\tGO:1\tPMID:1\tECO:1\t\t\t2020-01-01\tMGI\t\t\n"
    for name, text in (("a.gpi", gpi), ("b.gpad", gpad)):
        (tmp_path / name).write_text(text)
    assert registry.recognised(tmp_path) == [(tmp_path, "gaf", "")]
    (tmp_path / "README").write_text("Genes.")
    found = registry.recognised(tmp_path)
    assert [(path.name, name) for path, name, _ in found] == [("README", ""), (tmp_path.name, "gaf")]
    rows = [item.record for item in registry.get("gaf").records(tmp_path) if isinstance(item, Row)]
    assert {row.name for row in rows if isinstance(row, Entity)} == {"Aaa1", ""}
    (tmp_path / "c.obo").write_text("format-version: 1.2\n\n[Term]\nid: HP:1\nname: a\n")
    assert {path.name for path, name, _ in registry.recognised(tmp_path) if name} == {"a.gpi", "b.gpad", "c.obo"}
