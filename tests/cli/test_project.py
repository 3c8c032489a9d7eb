"""Projects: begun by one command, built by another, which loads what changed and takes out what is no longer named."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from medgraph.audit.run import audit
from medgraph.cli.main import main
from medgraph.errors import InputError, SourceFileError
from medgraph.files import locked
from medgraph.loaders import project
from medgraph.loaders.commands import load_task
from medgraph.loaders.life import load
from medgraph.loaders.mapping.checking import try_out
from tests.support.exchange import GOOD_MAPPING, SSSOM_HEAD
from tests.support.graphs import run

SECOND = """\
  - load: documents
    path: notes.jsonl
    as: notes
    licence: CC0-1.0
"""
TERM = """\
format-version: 1.2
ontology: lungs

[Term]
id: X:1
name: lung
synonym: "Lunge" EXACT [] {xml:lang="de"}
"""
NOTE = {
    "id": "notes:1",
    "title": "Gout",
    "sections": [{"id": "notes:1#1", "type": "treatment", "text": "Rest helps gout."}],
}


@pytest.fixture
def folder(tmp_path):
    project.init(tmp_path / "mine")
    (tmp_path / "mine" / "notes.jsonl").write_text(json.dumps(NOTE) + "\n")
    return tmp_path / "mine"


@pytest.fixture
def build(database, settings, folder):
    def built(**options):
        return {row.source: row for row in project.build(database, settings, folder, **options)}

    return built


def add(folder, text):
    (folder / "sources.yaml").write_text((folder / "sources.yaml").read_text() + text)


def sources(database):
    return {row["id"] for row in run(database, "MATCH (:Load)-[:FROM]->(s:Source) RETURN DISTINCT s.id AS id")}


def test_a_new_project_builds_and_a_second_time_nothing_is_read(build, database, folder, settings):
    first = build()["my-conditions"]
    assert (first.report.added > 0, first.changed, first.report.rejected) == (True, True, 0)
    symptoms = run(database, "MATCH (d:Disease)-[:HAS_SYMPTOM]->(s) RETURN d.name AS d, s.name AS s ORDER BY d, s")
    assert {"d": "Hay fever", "s": "itchy eyes"} in symptoms
    assert not project.is_indexed(database, settings, folder)
    project.note_index(database, settings, folder, current=True)
    again = build()["my-conditions"]
    assert (again.changed, again.report.known) == (False, True)
    assert project.is_indexed(database, settings, folder)


def test_a_new_project_answers_its_own_question_and_passes_its_audit(medgraph, database, tmp_path):
    guide = "".join((project.init(tmp_path / "mine")[0]).read_text())
    question = re.search(r'medgraph ask "(.+)"', guide)[1]
    assert "0 rejected\n" in medgraph("build", tmp_path / "mine")
    assert "The symptoms of hay fever are sneezing, itchy eyes and a runny nose. [1]" in medgraph("ask", question)
    assert medgraph("facts", "hay fever", "?", "?").count("one source alone") == 4
    counts = audit(database).counts()
    assert (counts["error"], counts["warning"], counts["failed"]) == (0, 0, 0)


def test_a_licence_that_is_no_expression_is_remarked(medgraph, database, tmp_path):
    folder = tmp_path / "mine"
    project.init(folder)
    mapping = folder / "conditions.yaml"
    mapping.write_text(mapping.read_text().replace("licence: CC0-1.0", "licence: Our terms"))
    remark = "the licence 'Our terms' is no SPDX expression: write one such as CC-BY-4.0, or LicenseRef-NAME"
    assert f"; {remark}" in medgraph("load", mapping, folder / "conditions.csv", "--dry-run")
    (found,) = try_out(mapping).remarks
    assert (Path(found.file), found.text) == (mapping, remark)
    assert "Our terms" in mapping.read_text().splitlines()[found.line - 1]


def test_a_file_that_changed_is_the_next_release_and_what_is_not_named_goes(build, database, folder, settings):
    add(folder, SECOND)
    build()
    assert sources(database) == {"my-conditions", "notes"}
    table = (folder / "conditions.csv").read_text().splitlines()
    (folder / "conditions.csv").write_text("\n".join(table[:2]) + "\n")
    assert build()["my-conditions"].report.withdrawn > 0
    assert run(database, "MATCH (d:Disease {name: 'Hay fever'}) RETURN count(d) AS n") == [{"n": 0}]
    (folder / "sources.yaml").write_text((folder / "sources.yaml").read_text().replace(SECOND, ""))
    project.note_index(database, settings, folder, current=True)
    assert build()["notes"].reason.endswith("taken out")
    assert sources(database) == {"my-conditions"}
    assert not project.is_indexed(database, settings, folder)


@pytest.mark.parametrize(("file", "old", "new"), [("conditions.csv", "Hay", "Cat"), ("conditions.yaml", '"1"', '"2"')])
def test_a_build_that_is_killed_has_no_index_of_what_changed(
    build, database, folder, monkeypatch, settings, file, old, new
):
    build()
    project.note_index(database, settings, folder, current=True)
    (folder / file).write_bytes(
        (folder / file).read_bytes().replace(b"\n", b"\r\n").replace(old.encode(), new.encode())
    )

    def killed(*given):
        load_task(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(project, "load_task", killed)
    with pytest.raises(KeyboardInterrupt):
        build()
    monkeypatch.undo()
    assert build()["my-conditions"].report.known
    assert not project.is_indexed(database, settings, folder)


def test_a_folder_in_the_place_of_a_file_is_told(build, folder):
    add(folder, SECOND)
    (folder / "conditions.csv").unlink()
    (folder / "conditions.csv").mkdir()
    rows = build()
    assert rows["my-conditions"].failed
    assert "conditions.csv" in rows["my-conditions"].reason
    assert rows["notes"].report.added > 0


def test_builds_wait_for_each_other(medgraph, here, tmp_path):
    assert f"medgraph build '{tmp_path / 'my graph'}'" in medgraph("init", tmp_path / "my graph")
    with ThreadPoolExecutor(1) as threads:
        with locked(here.home / "build.lock"):
            second = threads.submit(medgraph, "build", tmp_path / "my graph")
            with pytest.raises(TimeoutError):
                second.result(3)
        assert "audit: " in second.result()


def test_the_lock_file_holds_files_to_their_hashes(build, folder):
    with pytest.raises(InputError, match="my-conditions"):
        build(locked=True)
    build()
    build(locked=True)
    with (folder / "conditions.csv").open("a") as file:
        file.write("Gout,An arthritis.,pain,It hurts.\n")
    with pytest.raises(InputError, match="has them: my-conditions"):
        build(locked=True)
    (folder / "sources.lock").write_text("{")
    with pytest.raises(SourceFileError, match="remove it"):
        build()


def test_one_source_that_fails_stops_none_of_the_others(build, database, folder):
    (folder / "notes.jsonl").write_text("{nonsense\n")
    add(folder, SECOND)
    rows = build()
    assert rows["notes"].failed or rows["notes"].report.rejected
    assert not rows["my-conditions"].failed
    (folder / "notes.jsonl").write_text(json.dumps(NOTE) + "\n")
    assert build()["notes"].report.added > 0


def test_a_build_names_the_list_of_what_was_rejected(database, here, folder):
    (folder / "notes.jsonl").write_text(json.dumps(NOTE) + "\n{nonsense\n")
    add(folder, SECOND)
    result = CliRunner().invoke(main, ["build", str(folder), "--no-index"], obj=here)
    line = next(line for line in result.stdout.splitlines() if line.startswith("notes: "))
    assert Path(line.rpartition("; see ")[2]).exists()


def test_a_file_that_is_missing_stops_none_of_the_others(build, database, folder, medgraph):
    add(folder, SECOND)
    build()
    (folder / "notes.jsonl").rename(folder / "elsewhere.jsonl")
    (folder / "conditions.csv").write_text(
        (folder / "conditions.csv").read_text() + "Gout,An arthritis.,pain,It hurts.\n"
    )
    rows = build()
    assert rows["notes"].failed
    assert rows["my-conditions"].report.added > 0
    assert sources(database) == {"my-conditions", "notes"}
    assert set(json.loads((folder / "sources.lock").read_text())) == {"my-conditions", "notes"}
    said = medgraph("build", folder, "--no-index", fails="after printing")
    assert "not loaded whole: notes; the lines above say why" in said
    (folder / "elsewhere.jsonl").rename(folder / "notes.jsonl")
    assert not build()["notes"].changed


def test_what_a_lock_file_does_not_tell_goes_too(build, database, folder):
    """A lock file comes with the project from others; and what failed is not in it."""
    first = (folder / "sources.yaml").read_text()
    add(folder, SECOND)
    build()
    (folder / "sources.yaml").write_text(first)
    lock = json.loads((folder / "sources.lock").read_text())
    (folder / "sources.lock").write_text(json.dumps({"my-conditions": lock["my-conditions"]}))
    assert build()["notes"].reason.endswith("taken out")
    (folder / "notes.jsonl").write_text(json.dumps(NOTE) + "\n{nonsense\n")
    add(folder, f"{SECOND}    max_rejects: '0'\n")
    assert build()["notes"].failed
    assert sources(database) == {"my-conditions", "notes"}
    (folder / "sources.yaml").write_text(first)
    assert build()["notes"].reason.endswith("taken out")
    assert sources(database) == {"my-conditions"}
    assert not build().get("notes")


def test_a_rank_that_is_taken_out_counts_no_more_and_one_by_hand_stays(build, database, folder):
    shown, ranks = "MATCH (s:Source {id: 'my-conditions'}) RETURN s.curated_rank AS rank", []
    text = (folder / "sources.yaml").read_text()
    for line in ("    rank: 2\n", "    rank: 3\n", ""):
        (folder / "sources.yaml").write_text(text.replace("conditions.csv\n", f"conditions.csv\n{line}"))
        assert not build()["my-conditions"].failed
        ranks.append(run(database, shown)[0]["rank"])
    assert ranks == [2, 3, None]
    run(database, "MATCH (s:Source {id: 'my-conditions'}) SET s.curated_rank = 4")
    build()
    assert run(database, shown) == [{"rank": 4}]


def test_another_loader_of_the_same_file_reads_it(build, folder):
    (folder / "t.csv").write_text("disease,overview,question,answer\nGout,An arthritis.,What helps?,Rest.\n")
    entry = "  - load: disease-pages\n    path: t.csv\n    as: mine\n    title: Mine\n"
    add(folder, entry)
    build()
    (folder / "sources.yaml").write_text(
        (folder / "sources.yaml").read_text().replace("disease-pages", "question-tables")
    )
    assert not build()["mine"].report.known


def test_the_file_beside_a_table_is_read_again(build, folder):
    (folder / "m.sssom.tsv").write_text(SSSOM_HEAD + GOOD_MAPPING.replace("DOID:2", "O:2"))
    add(folder, "  - load: sssom\n    path: m.sssom.tsv\n    as: m\n    licence: CC0-1.0\n")
    for base in ("MONDO", "HP"):
        (folder / "m.sssom.yml").write_text(f"curie_map:\n  O: http://purl.obolibrary.org/obo/{base}_\n")
        assert build()["m"].report.added > 0
    assert build()["m"].report.known


@pytest.mark.parametrize("more", ["    options:\n      language: de\n", "    options:\n      label: Symptom\n"])
def test_other_options_of_the_same_file_are_read(build, database, folder, more):
    (folder / "a.obo").write_text(TERM)
    add(folder, "  - load: obo\n    path: a.obo\n    as: lungs\n")
    build()
    assert build()["lungs"].report.known
    add(folder, more)
    assert build()["lungs"].report.changed == 1
    assert build()["lungs"].report.known


def test_another_mapping_of_the_same_table_is_read(build, database, folder):
    build()
    mapping = folder / "conditions.yaml"
    mapping.write_text(mapping.read_text().replace("label: Symptom", "label: Phenotype"))
    assert build()["my-conditions"].report.changed > 0
    assert run(database, "MATCH (n:Symptom) RETURN count(n) AS n") == [{"n": 0}]
    assert build()["my-conditions"].report.known


def test_a_change_of_the_same_size_and_time_is_seen(build, folder, settings):
    add(folder, SECOND)
    notes = folder / "notes.jsonl"
    for word in ("Rust", "Rost"):  # the second at once
        notes.write_text(json.dumps(NOTE).replace("Rest", word) + "\n")
        assert not build()["notes"].report.known
    time, text = notes.stat().st_mtime_ns, notes.read_text()
    notes.write_text(text.replace("Rost", "Ruth"))
    os.utime(notes, ns=(time, time))
    assert build()["notes"].report.changed == 1
    kept = next((settings.home / "builds").glob("*.files"))
    for broken in ("[]", '{"a": 1}', "{"):
        kept.write_text(broken)
        assert build()["notes"].report.known


def test_files_that_did_not_change_are_not_read_again(build, folder, monkeypatch):
    monkeypatch.setattr(project, "_MOMENT", 0)
    build()
    monkeypatch.setattr(project, "fingerprint", None)
    monkeypatch.setattr(load, "fingerprint", None)
    assert not build()["my-conditions"].changed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  - path: x\n", "yaml:2: an entry has `load:`"),
        ("  - load: obo\n    nope: 1\n", "yaml:3: has the unknown key 'nope'"),
        ("  - load: obo\n    path: x\n    rank: 12\n", "yaml:4: `rank` is a number from 1 to 9"),
        ("  - load: nope\n    path: x\n", "yaml:2: .*nope"),
        ("  - load: obo\n    options: x\n", "yaml:3: `options` has a name and a value"),
        ("  - load: [a]\n", "yaml:2: a text is wanted here"),
        ("  - load: obo\n    path:\n", "yaml:3: `path` is empty"),
        ("  - load: obo\n    path: x\n    licence:\n", "yaml:4: `licence` is empty"),
        ("  - load: pubmed\n    path: .\n", "yaml:3: `path` is the project's own folder"),
        ("  - load: pubmed\n    path: ..\n", "yaml:3: `path` is the project's own folder"),
    ],
)
def test_mistakes_name_file_and_line(build, folder, text, message):
    (folder / "sources.yaml").write_text("sources:\n" + text)
    with pytest.raises((SourceFileError, InputError), match=message):
        build()


OWN = """\
id\tname\tabout\tsame
HOUSE:1\tGout\thttps://house.example/1\tEFO_0000270
"""


def test_prefixes_of_a_project_are_known_to_its_sources_the_audit_and_exports(build, database, folder, tmp_path):
    (folder / "own.tsv").write_text(OWN)
    (folder / "own.yaml").write_text(
        'source: {id: own, title: O, version: "1", licence: CC0-1.0}\n'
        'entities: [{id: "{about|curie}", label: Disease, name: "{name}", xrefs: "{same|curie}"}]\n'
    )
    add(folder, "  - {load: own.yaml, path: own.tsv}\nprefixes: {HOUSE: https://house.example/}\n")
    report = build()["own"].report
    assert (report.added, report.remarks, report.rejected) == (1, 0, 0)
    assert run(database, "MATCH (e:Entity {name: 'Gout'}) RETURN e.id AS id, e.xrefs AS xrefs") == [
        {"id": "HOUSE:1", "xrefs": ["EFO:0000270"]}
    ]
    assert not [one for one in audit(database, "own").findings if one.check == "unknown_prefixes"]
    assert build()["own"].report.known
    text = (folder / "sources.yaml").read_text()
    (folder / "sources.yaml").write_text(text.replace("{HOUSE:", "{DOID:"))
    with pytest.raises(SourceFileError, match=r"sources.yaml:\d+: prefixes.DOID: DOID is known, and stands for"):
        build()


def test_a_folder_without_a_project_and_a_project_that_is_there(tmp_path, folder):
    with pytest.raises(SourceFileError, match="medgraph init"):
        project.load_project(tmp_path)
    (tmp_path / "sources.yaml").write_text("# nothing yet\n")
    with pytest.raises(SourceFileError, match="has `sources:`, a list of what to load"):
        project.load_project(tmp_path)
    with pytest.raises(InputError, match="cannot be made: Not a directory"):
        project.init(tmp_path / "sources.yaml" / "mine")
    with pytest.raises(InputError, match="cannot be made: File name too long"):
        project.init(tmp_path / ("x" * 300))
    with pytest.raises(InputError, match="is there already"):
        project.init(folder)


def test_the_commands(medgraph, database, tmp_path):
    assert "medgraph build" in medgraph("init", tmp_path / "mine")
    built = medgraph("build", tmp_path / "mine")
    assert "my-conditions: " in built
    assert "audit: " in built
    again = medgraph("build", tmp_path / "mine", "--locked")
    assert "loaded already" in again
    assert "nothing was indexed" in again
    assert "is there already" in medgraph("init", tmp_path / "mine", fails=True)
