"""The life of a source: releases that replace each other, parts, undoing, and entities of several sources."""

import itertools
import random
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.errors import InputError, UnknownSourceError
from medgraph.loaders.base import Reject, Remark, Row, Source
from medgraph.loaders.life import diff, load, undo, withdraw, write
from medgraph.schema.records import Document, Entity, Relation, Section, SourceInfo, Withdrawal
from tests.support.graphs import run
from tests.support.loads import Fragile, Interrupted, Loading, at_once, clear, counts, document, dump, forget_loads
from tests.support.points import STEPS, seeds

RANKS = {"first": 1, "second": 5, "third": 9}


class Ranked(Loading):
    """Loads sources whose words count differently."""

    def task(self, items, name="own", minimum=0, **options):
        task = super().task(items, name, minimum, **options)
        return replace(task, info=replace(task.info, rank=RANKS.get(name, 5), minimum=minimum))


@pytest.fixture
def loading(tmp_path, database):
    return Ranked(tmp_path, database)


def some_release(chance, owner):
    """Entities over few ids that other sources state too, relations among them, and documents of the owner's own."""
    ids = chance.sample([f"X:{n}" for n in range(5)], chance.randrange(1, 5))
    for name in ids:
        yield Entity(
            name,
            chance.choice(["Disease", "Symptom"]),
            chance.choice(["Asthma", "Wheeze", "asthma"]),
            tuple(chance.sample(["Asthma", "Wheezing", "Bronchial asthma"], chance.randrange(3))),
            chance.choice(["", "It wheezes."]),
            tuple(f"C000000{n}" for n in sorted(chance.sample(range(3), chance.randrange(3)))),
            tuple(chance.sample(["T047", "T184"], chance.randrange(2))),
            broad_synonyms=tuple(chance.sample(["Lungs", "Air"], chance.randrange(2))),
            xrefs=tuple(chance.sample(["MESH:D1", "ICD10:J45"], chance.randrange(3))),
            obsolete=chance.random() < 0.2,
            properties=(("level", chance.randrange(3)),) if chance.random() < 0.5 else (),
        )
    keys = set()
    for _ in range(chance.randrange(5)):
        key = (
            chance.choice(ids),
            chance.choice(["IS_A", "HAS_SYMPTOM"]),
            chance.choice(ids),
            chance.choice(["", "RO:1"]),
        )
        if key not in keys:
            keys.add(key)
            evidence = tuple(chance.sample(["PMID:1", "PMID:2"], chance.randrange(2)))
            yield Relation(*key[:3], predicate=key[3], evidence=evidence, score=chance.choice([None, 0.0, 0.5]))
    for n in chance.sample(range(4), chance.randrange(4)):
        yield Document(
            f"{owner}:{n}",
            chance.choice(["Asthma", "Gout"]),
            sections=(Section(f"{owner}:{n}#1", chance.choice(["A.", "B."]), question="Why?"),),
            about=tuple(chance.sample(ids, 1)),
            authors=("N. N.",) if chance.random() < 0.5 else (),
            properties=(("kind", ("review", "article")),) if chance.random() < 0.5 else (),
        )


def releases(seed, names=RANKS, count=1):
    chance = random.Random(seed)
    return {name: [list(some_release(chance, name)) for _ in range(count)] for name in names}


# Entities of several sources


@pytest.mark.parametrize("seed", seeds(3, 6))
def test_the_order_of_loads_makes_no_difference_and_unloading_leaves_what_the_others_say(loading, seed):
    files = {name: found[0] for name, found in releases(seed).items()}
    without = {}
    for kept in itertools.combinations(files, 2):
        clear(loading.database)
        for name in kept:
            loading(files[name], name)
        without[frozenset(files) - set(kept)] = dump(loading.database)
    everything = set()
    for order in itertools.permutations(files):
        clear(loading.database)
        for name in order:
            assert loading(files[name], name).rejected == 0
        everything.add(tuple(dump(loading.database)))
        gone = order[seed % 3]
        withdraw.unload(loading.database, gone)
        assert dump(loading.database) == without[frozenset([gone])]
    assert len(everything) == 1


def test_the_word_of_the_better_source_goes_first_and_the_names_of_the_others_are_kept(loading):
    table = Entity("X:1", "Topic", "Asthma attacks", definition="From a table.", properties=(("cases", 7),))
    ontology = Entity("X:1", "Disease", "asthma", ("bronchial asthma",), xrefs=("MESH:D001249",))
    loading([table], "third")
    assert run(loading.database, "MATCH (e:Entity)-[f:FROM]->() RETURN f.name AS name") == [{"name": None}]
    loading([ontology], "first")
    rows = run(
        loading.database,
        "MATCH (e:Entity {id: 'X:1'}) RETURN labels(e) AS labels, properties(e) AS e, "
        "COLLECT { MATCH (e)-[f:FROM]->(s) RETURN [s.id, f.label, f.name] ORDER BY s.id } AS told",
    )
    assert sorted(rows[0]["labels"]) == ["Disease", "Entity"]
    assert rows[0]["e"] == {
        "id": "X:1",
        "name": "asthma",
        "synonyms": ["bronchial asthma", "Asthma attacks"],
        "definition": "From a table.",
        "xrefs": ["MESH:D001249"],
        "cases": 7,
        "sources": ["first", "third"],
    }
    assert rows[0]["told"] == [["first", "Disease", "asthma"], ["third", "Topic", "Asthma attacks"]]


def test_sources_that_state_the_same_entities_may_be_loaded_at_once(loading, server, monkeypatch):
    monkeypatch.setattr(write, "BATCH_ROWS", 10)
    files = {}
    for name in RANKS:
        files[name] = [Entity(f"X:{n}", "Disease", f"{name} {n % 7}", concepts=(f"C000000{n % 5}",)) for n in range(60)]
        files[name] += [Relation(f"X:{n}", "IS_A", f"X:{n // 2}") for n in range(1, 60)]
    for name, items in files.items():
        loading(items, name)
    expected = dump(loading.database)
    clear(loading.database)
    results = at_once(server, *(partial(loading, items, name) for name, items in files.items()))
    assert [counts(report) for report in results] == [(119, 0, 0, 0)] * 3
    assert dump(loading.database) == expected


def test_a_source_whose_relation_went_with_anothers_entity_is_read_again(loading):
    theirs = [Entity("X:1", "Disease", "Asthma"), Entity("X:2", "Disease", "Wheeze")]
    loading(theirs, "first")
    ours = [Entity("X:3", "Disease", "Cough"), Relation("X:3", "IS_A", "X:1")]
    loading(ours, "second")
    expected = dump(loading.database)
    withdraw.unload(loading.database, "first")
    assert run(loading.database, "MATCH (:Entity)-[r:IS_A]->() RETURN r") == []
    loading(theirs, "first")
    assert counts(loading(ours, "second")) == (1, 0, 1, 0)
    assert dump(loading.database) == expected
    loading(theirs[1:], "first", replace=True)
    loading(theirs, "first", replace=True)
    assert counts(loading(ours, "second")) == (1, 0, 1, 0)
    assert dump(loading.database) == expected


def test_documents_are_linked_to_entities_that_come_later(loading):
    loading([document(1, about=("X:1", "X:2"))], "second")
    loading([Entity("X:2", "Disease", "Asthma")], "first")
    linked = "MATCH (d:Document)-[a:ABOUT]->(e) RETURN d.id AS document, a.position AS position, e.id AS entity"
    assert run(loading.database, linked) == [{"document": "d1", "position": 2, "entity": "X:2"}]


# The next release


@pytest.mark.parametrize("seed", seeds(3, 6))
def test_a_release_that_replaces_another_leaves_what_it_alone_would(loading, seed):
    files = releases(seed, ("first", "second"), 2)
    old, new = files["first"]
    loading(new, "first")
    loading(files["second"][0], "second")
    expected = dump(loading.database)
    clear(loading.database)
    loading(files["second"][0], "second")
    loading(old, "first")
    before = dump(loading.database)
    dry = loading(new, "first", replace=True, dry_run=True)
    differences = list(diff.diff(loading.database, loading.task(new, "first", replace=True)))
    assert dump(loading.database) == before
    real = loading(new, "first", replace=True)
    assert dump(loading.database) == expected
    assert (counts(dry), dry.withdrawn) == (counts(real), real.withdrawn)
    told = {change: sum(one.change == change for one in differences) for change in ("added", "changed", "withdrawn")}
    assert told == {"added": real.added, "changed": real.changed, "withdrawn": real.withdrawn}
    undone = undo.undo(loading.database, "first")
    assert (undone.removed, undone.restored) == (real.added, real.changed + real.withdrawn)
    assert dump(loading.database) == before
    assert loading(old, "first").known


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("commit", [False, True], ids=["before", "after"])
def test_a_replacement_and_its_undoing_are_taken_up_wherever_they_are_interrupted(loading, monkeypatch, commit, step):
    monkeypatch.setattr(write, "BATCH_ROWS", 2)
    monkeypatch.setattr(withdraw, "PAGE", 2)
    files = releases(3, ("first", "second"), 2)
    old, new = files["first"]
    loading(files["second"][0], "second")
    loading(old, "first")
    before = dump(loading.database)
    loading(new, "first", replace=True)
    expected = dump(loading.database)
    for good in range(1, 200, step):
        clear(loading.database)
        loading(files["second"][0], "second")
        loading(old, "first")
        with suppress(Interrupted):
            loading(new, "first", replace=True, database=Fragile(loading.database, good, commit))
            break
        loading(new, "first", replace=True)
        assert dump(loading.database) == expected
        with suppress(Interrupted):
            undo.undo(Fragile(loading.database, good, commit), "first")
        if run(loading.database, "MATCH (l:Load {source: 'first'}) WHERE l.status = 'undone' RETURN l") == []:
            undo.undo(loading.database, "first")
        assert dump(loading.database) == before
    assert good > 5


def test_what_a_diff_tells(loading):
    loading(
        [
            Entity("X:1", "Disease", "Asthma"),
            Entity("X:2", "Disease", "Gout"),
            Relation("X:1", "IS_A", "X:2", evidence=("PMID:1",)),
            document(1),
        ]
    )
    items = [
        Entity("X:1", "Symptom", "Asthma", ("Wheeze",)),
        Entity("X:3", "Disease", "Cough"),
        Relation("X:1", "IS_A", "X:9"),
        document(1, "Changed."),
        Reject("file", 7, "broken"),
    ]
    told = [
        (d.change, d.kind, d.element, d.detail) for d in diff.diff(loading.database, loading.task(items, replace=True))
    ]
    assert told == [
        ("added", "Entity", "X:3", ""),
        ("changed", "Entity", "X:1", "label, synonyms"),
        ("rejected", "", "file:3", "X:1 IS_A X:9: there is no entity 'X:9'; load first what has it"),
        ("changed", "Document", "d1", "sections"),
        ("rejected", "", "file:7", "broken"),
        ("withdrawn", "Entity", "X:2", ""),
        ("withdrawn", "Relation", "X:1 IS_A X:2", ""),
    ]


def test_only_the_last_load_can_be_taken_back(loading):
    loading([document(1), document(2)])
    loading([document(1, "Two.")])
    loading([document(1, "Three.")])
    text = "MATCH (s:Section {id: 'd1#1'}) RETURN s.text AS text"
    assert undo.undo(loading.database, "own").restored == 1
    assert run(loading.database, text) == [{"text": "Two."}]
    with pytest.raises(InputError, match="only the last load can be taken back; load the earlier file with --replace"):
        undo.undo(loading.database, "own")
    loading([document(1, "Four.")])
    undo.undo(loading.database, "own")
    assert run(loading.database, text) == [{"text": "Two."}]
    with pytest.raises(UnknownSourceError, match="no load of 'other'"):
        undo.undo(loading.database, "other")


def test_taking_back_the_first_load_takes_the_source_out(loading):
    loading([document(1), Entity("X:1", "Disease", "Asthma")])
    undone = undo.undo(loading.database, "own")
    assert (undone.removed, undone.restored, undone.documents) == (2, 0, 0)
    assert run(loading.database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


def test_only_documents_that_return_want_chunks_again(loading, settings):
    def taken_back():
        result = CliRunner().invoke(main, ["undo", "own"], obj=settings)
        assert result.exit_code == 0, result.output
        return result.stdout, result.stderr

    asthma = Entity("X:1", "Disease", "Asthma")
    loading([document(1), asthma])
    loading([document(1), replace(asthma, name="Bronchial asthma")], replace=True)
    assert taken_back() == ("own: the load of own.txt is taken back: 0 removed, 1 restored\n", "")
    loading([document(1, "Two."), asthma], replace=True)
    assert taken_back() == (
        "own: the load of own.txt is taken back: 0 removed, 1 restored\n",
        "documents that returned want chunks and vectors again: medgraph index\n",
    )


def test_facts_about_a_source_are_taken_back_too(loading):
    loading([document(1)])
    task = loading.task([document(1, "Two.")])
    load.load(loading.database, replace(task, info=replace(task.info, version="2", licence="CC-BY-4.0")))
    facts = "MATCH (s:Source) RETURN s.version AS version, s.licence AS licence"
    assert run(loading.database, facts) == [{"version": "2", "licence": "CC-BY-4.0"}]
    undo.undo(loading.database, "own")
    assert run(loading.database, facts) == [{"version": "1", "licence": "CC0-1.0"}]


# Parts of a source


def part(name, **changes):
    return SourceInfo(**{"id": name, "title": name, "version": "3", "licence": "CC-BY-4.0", "url": ""} | changes)


def test_parts_of_a_source_have_their_own_words_versions_and_licences(loading):
    rows = [
        Row(part("own-a", rank=1), "file", 1),
        Row(part("own-b"), "file", 2),
        Row(Entity("X:1", "Disease", "Asthma"), "file", 3, "own-a"),
        Row(Entity("X:1", "Disease", "Bronchial asthma"), "file", 4, "own-b"),
        Row(Entity("X:2", "Disease", "Gout"), "file", 5, "own-b"),
        Row(Relation("X:1", "IS_A", "X:2"), "file", 6, "own-a"),
        Row(Relation("X:1", "IS_A", "X:2"), "file", 7, "own-b"),
        Row(document(1), "file", 8, "own-b"),
        Row(Entity("X:3", "Disease", "Cough"), "file", 9, "own-c"),
    ]
    source = Source(SourceInfo("own", "Own", "1", "CC0-1.0", ""), lambda _: iter(rows))
    path = loading.folder / "own.txt"
    path.write_text("own")
    report = load.load(loading.database, load.Task(source, path, source.info, loading.folder / "rejects"))
    assert counts(report) == (8, 0, 0, 1)
    assert "the source own-c was not announced before" in report.rejects_file.read_text()
    told = "MATCH (:Entity)-[r:IS_A]->(:Entity) RETURN r.source AS source ORDER BY source"
    assert run(loading.database, told) == [{"source": "own-a"}, {"source": "own-b"}]
    sources = "MATCH (s:Source) RETURN s.id AS id, s.version AS version, s.part_of AS whole ORDER BY id"
    assert run(loading.database, sources) == [
        {"id": "own", "version": "1", "whole": None},
        {"id": "own-a", "version": "3", "whole": "own"},
        {"id": "own-b", "version": "3", "whole": "own"},
    ]
    names = "MATCH (e:Entity {id: 'X:1'}) RETURN e.name AS name, e.synonyms AS synonyms"
    assert run(loading.database, names) == [{"name": "Asthma", "synonyms": ["Bronchial asthma"]}]
    before = dump(loading.database)
    forget_loads(loading.database)
    again = load.load(loading.database, load.Task(source, path, source.info, loading.folder / "rejects"))
    assert counts(again) == (0, 0, 8, 1)
    assert dump(loading.database) == before
    withdraw.unload(loading.database, "own")
    assert run(loading.database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


def test_a_part_cannot_take_the_name_of_a_source_that_is_there(loading):
    loading([document(1)], "other")
    report = loading([document(2), part("other")])
    assert counts(report) == (1, 0, 0, 1)
    assert "loaded by itself; to load it from here, run first: medgraph unload other" in report.rejects_file.read_text()


# Updates


def test_of_one_document_in_several_updates_the_last_counts(loading):
    task = loading.task([document(1, "One."), document(2), document(1, "Two."), Withdrawal("d2"), Withdrawal("d9")])
    task = replace(task, source=replace(task.source, last_wins=True))
    report = load.load(loading.database, task)
    assert (counts(report), report.withdrawn) == ((2, 1, 1, 0), 1)
    stored = run(loading.database, "MATCH (s:Section) RETURN s.id AS id, s.text AS text")
    assert stored == [{"id": "d1#1", "text": "Two."}]
    forget_loads(loading.database)
    dry, again = load.load(loading.database, task, dry_run=True), load.load(loading.database, task)
    assert (counts(dry), dry.withdrawn) == (counts(again), again.withdrawn) == ((1, 2, 1, 0), 1)


def test_an_earlier_revision_does_not_replace_a_later_one(loading):
    loading([document(1, "New.", revision="2|2026-05-01")])
    assert counts(loading([document(1, "Old.", revision="1|2026-06-01")])) == (0, 0, 1, 0)
    assert counts(loading([document(1, "Newest.", revision="2|2026-06-01")])) == (0, 1, 0, 0)
    assert run(loading.database, "MATCH (s:Section) RETURN s.text AS text") == [{"text": "Newest."}]


def test_a_withdrawal_of_somebody_elses_document_is_refused(loading):
    loading([document(1)], "other")
    report = loading([Withdrawal("d1"), document(2)])
    assert counts(report) == (1, 0, 0, 1)
    assert "d1: this id belongs to the source other" in report.rejects_file.read_text()


def test_remarks_are_listed_and_nothing_is_lost(loading):
    report = loading([document(1), Remark("file", 3, "the prefix FOO is not known"), document(2)])
    assert (counts(report), report.remarks) == ((2, 0, 0, 0), 1)
    assert report.rejects_file.read_text().splitlines() == [
        "record\tkind\tfile\tline\treason",
        "1\tremark\tfile\t3\tthe prefix FOO is not known",
    ]
    assert report.summary().endswith("0 rejected, 1 remarks")
