"""Loading a file into a real graph: twice, changed, cut short, interrupted, killed, and what is wrong with it."""

import json
import os
import random
import signal
import threading
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.errors import RecordError, SourceFileError, TooFewRecordsError, TooManyRejectsError
from medgraph.graph.database import Database
from medgraph.loaders import commands
from medgraph.loaders.base import Reject, Remark, Row, Source
from medgraph.loaders.life import load, withdraw
from medgraph.loaders.life.outcome import Tolerance
from medgraph.schema.records import Entity, Relation, SourceInfo
from tests.support.graphs import run
from tests.support.loads import (
    Fragile,
    Interrupted,
    batches_of,
    clear,
    count,
    counts,
    document,
    dump,
    forget_loads,
    rejects_of,
    some_file,
    start,
)
from tests.support.paths import FILES
from tests.support.points import STEPS, seeds


def load_named(database, settings, source, path=None, *, dry_run=False, **wishes):
    return commands.load_named(database, settings, source, path, commands.LoadOptions(**wishes), dry_run=dry_run)


NAMED = {
    "sample": (None, 190),
    "documents": (FILES / "documents" / "corpus.jsonl", 3),
    "medquad": (FILES / "medquad", 12),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_second_load_changes_nothing(database, own_settings, name):
    path, least = NAMED[name]
    first = load_named(database, own_settings, name, path)
    assert first.added >= least
    assert counts(first) == (first.added, 0, 0, 0)
    assert first.remarks == {"medquad": 2}.get(name, 0)
    before = dump(database)
    again = load_named(database, own_settings, name, path)
    assert again.known
    assert again.summary() == f"{name}: this file is loaded already; nothing changed ({first.added:,} records)"
    assert dump(database) == before
    assert count(database, "Load") == 1
    forget_loads(database)
    third = load_named(database, own_settings, name, path)
    assert counts(third) == (0, 0, first.added, 0)
    assert dump(database) == before


def test_what_a_load_of_medquad_leaves(database, own_settings):
    load_named(database, own_settings, "medquad", FILES / "medquad")
    labels = ["Document", "Section", "Question", "Entity", "Concept", "Source"]
    assert [count(database, label) for label in labels] == [7, 8, 12, 5, 4, 1]
    asked = run(
        database,
        "MATCH (d:Document {id: 'medquad:GARD_0000001'})<-[:ANSWERED_AT]-(q) "
        "RETURN q.id AS id, q.text AS text, q.type AS type",
    )
    assert asked == [{"id": "medquad:GARD_0000001#4", "text": "Is Alkaptonuria inherited ?", "type": "inheritance"}]
    answered = run(
        database,
        "MATCH (d:Document)-[:HAS_SECTION]->(s {id: 'medquad:GARD_0000001#3'})<-[:ANSWERED_BY]-(q:Question) "
        "MATCH (d)-[:ABOUT]->(e:Entity&Disease)-[:HAS_CUI]->(c:Concept) "
        "RETURN q.id AS id, s.position AS position, d.collection AS collection, e.name AS entity, c.cui AS cui, "
        "c.name AS concept, c.semantic_types AS types ORDER BY cui",
    )
    common = {"id": "medquad:GARD_0000001#3", "position": 2, "collection": "GARD", "entity": "ALKAPTONURIA"}
    shared = {"concept": "ALKAPTONURIA", "types": ["T033", "T047"]}
    assert answered == [common | shared | {"cui": cui} for cui in ("C0002066", "C0268467")]
    source = run(database, "MATCH (s:Source) RETURN s {.id, .licence, .version, .collections, .types} AS s")[0]["s"]
    assert source["licence"] == "CC-BY-4.0"
    assert source["collections"] == ["ADAM", "CDC", "GARD", "MPlusDrugs", "NIDDK", "NINDS"]
    assert "forget a dose" in source["types"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("seed", seeds(1, 3))
@pytest.mark.parametrize("commit", [False, True], ids=["before", "after"])
def test_a_load_that_is_interrupted_anywhere_is_taken_up(loading, monkeypatch, seed, commit, step):
    batches_of(monkeypatch, 2)
    chance = random.Random(seed)
    database = loading.database
    before, items = some_file(chance), some_file(chance)
    loading(before, minimum=0)
    whole = loading(items, minimum=0)
    expected, rejects = dump(database), rejects_of(whole)
    for good in range(chance.randrange(step), 100, step):
        clear(database)
        loading(before, minimum=0)
        with suppress(Interrupted):
            loading(items, minimum=0, database=Fragile(database, good, commit))
            break
        again = loading(items, minimum=0)
        assert dump(database) == expected
        if not again.known:
            assert counts(again) == counts(whole)
            assert rejects_of(again) == rejects
    assert good > len(items) / 2


def test_too_many_rejects_fail_the_load(loading):
    good = [document(n) for n in range(90)]
    assert counts(loading([*good, *[Reject("file", n, "bad") for n in range(10)]])) == (90, 0, 0, 10)
    items = [*good, *[Reject("file", n, "bad") for n in range(11)]]
    with pytest.raises(TooManyRejectsError) as caught:
        loading(items)
    assert str(caught.value).startswith(f"11 of 101 records of own were rejected; see {loading.folder}")
    assert "bad (file). What was good is in the graph; medgraph unload own takes it out. If they may be left" in str(
        caught.value
    )
    assert str(caught.value).endswith("--max-rejects goes on: a number, a share such as 20%, or all")
    assert run(loading.database, "MATCH (l:Load) RETURN l.status AS status ORDER BY l.started")[-1] == {
        "status": "failed"
    }
    with pytest.raises(
        TooManyRejectsError,
        match=r"11 of 101 records of own would be rejected; see .*own-dry-run\.tsv\. The .* 11: bad \(file\)\. If",
    ):
        loading(items, dry_run=True)
    for borne in ("11", "11%", "all"):
        assert loading(items, tolerance=Tolerance.of(borne), again=True).rejected == 11
    with pytest.raises(TooManyRejectsError):
        loading(items, tolerance=Tolerance.of("10"), again=True)


def test_a_load_of_rubbish_stops_early_and_starts_anew_the_next_time(loading):
    seen = []

    def endless(path):
        for n in range(1_000_000):
            seen.append(n)
            yield Reject("file", n, "bad") if n % 2 else Row(document(n), "file", n)

    _, path = loading.source(["rubbish"])
    source = Source(SourceInfo("own", "Own", "1", "CC0-1.0", ""), endless, lambda _: None)
    for attempt in (1, 2):
        with pytest.raises(TooManyRejectsError, match=r"500 of 1,000 records of own were rejected"):
            load.load(loading.database, load.Task(source, path, source.info, loading.folder / "rejects"))
        assert len(seen) < 4_000 * attempt
    loads = run(loading.database, "MATCH (l:Load) RETURN l.status AS status, l.position AS position")
    assert [row["status"] for row in loads] == ["failed"] * 2
    assert all(1000 <= row["position"] < 4_000 for row in loads)
    assert dump(loading.database)


def test_what_was_rejected_for_an_entity_that_has_come_since_is_read_again(loading):
    waiting = [Entity("X:1", "Disease", "Asthma"), Relation("X:1", "IS_A", "X:2")]
    assert counts(loading(waiting)) == (1, 0, 0, 1)
    known = loading(waiting)
    assert known.known
    assert "1 record rejected, and what they lack has not come" in known.summary()
    loading([Entity("X:2", "Disease", "Disease of the lungs")], "other")
    assert counts(loading(waiting)) == (1, 0, 1, 0)
    assert loading(waiting).summary() == "own: this file is loaded already; nothing changed (2 records)"
    again = loading(waiting, again=True)
    assert (again.known, counts(again)) == (False, (0, 0, 2, 0))


def test_a_file_that_cannot_be_read_to_its_end_fails_the_load_and_leaves_nothing(loading):
    def broken(path):
        yield Row(Entity("X:1", "Disease", "Asthma"), "file", 1)
        raise SourceFileError("is cut off", path)

    _, path = loading.source(["broken"])
    source = Source(SourceInfo("own", "Own", "1", "CC0-1.0", ""), broken, lambda _: None)
    with pytest.raises(SourceFileError, match="is cut off"):
        load.load(loading.database, load.Task(source, path, source.info, loading.folder / "rejects"))
    assert run(loading.database, "MATCH (l:Load) RETURN l.loader AS loader") == []


def test_a_release_that_replaces_nothing_says_how_much_of_the_last_one_stays(loading):
    first = [Entity("X:1", "Disease", "Asthma"), Entity("X:2", "Disease", "Gout"), document(1)]
    assert loading(first).left == 0
    second = loading(first[:1])
    assert second.left == 2
    assert second.summary().endswith("; 2 entities and documents of earlier loads stay: --replace withdraws them")
    assert loading(first[:1], limit=1).left == 0
    replaced = loading(first[:1], replace=True)
    assert (replaced.known, replaced.withdrawn, replaced.left) == (False, 2, 0)
    assert loading(first[:1], replace=True).known
    withdraw.undo(loading.database, "own")
    assert loading(first[:1], replace=True).withdrawn == 2


def test_a_release_that_lacks_most_is_refused_unless_that_is_meant(loading):
    first = [*(Entity(f"X:{n}", "Disease", f"Name {n}") for n in range(15)), Relation("X:0", "IS_A", "X:1")]
    first += [document(n) for n in range(4)]
    assert loading(first).added == 20
    few, new = first[:9], [Entity(f"X:{n}", "Disease", "New") for n in range(50, 90)]
    said = r"own\.txt lacks 11 of the 20 records that the source own has: is it whole\? They stay"
    with pytest.raises(TooFewRecordsError, match=rf"{said}\. If they are to go, --allow-shrink"):
        loading(few, replace=True, dry_run=True)
    with pytest.raises(TooFewRecordsError, match=rf"{said}, and medgraph undo own takes back what is new"):
        loading([*few, *new], replace=True)
    assert (count(loading.database, "Document"), count(loading.database, "Entity")) == (4, 55)
    withdraw.undo(loading.database, "own")
    assert loading(first[:10], replace=True, dry_run=True).withdrawn == 10
    assert loading(few, replace=True, shrink=True).withdrawn == 11
    assert loading([*few[:1], *new], replace=True).withdrawn == 8  # most of a few


def test_a_load_that_is_refused_before_it_stored_anything_leaves_nothing(loading):
    wrong = [Reject("file", n, "bad") for n in range(11)]
    with pytest.raises(TooManyRejectsError, match=r"see .*own-1\.tsv"):
        loading(wrong)
    assert list((loading.folder / "rejects").iterdir())
    assert run(loading.database, "MATCH (n:Source|Load) RETURN n") == []
    loading([document(1, "One.")])
    loading([document(1, "Two.")])
    before = dump(loading.database)
    task = loading.task(wrong)
    with pytest.raises(TooManyRejectsError):
        load.load(loading.database, replace(task, info=replace(task.info, title="Other", version="2", rank=7)))
    assert dump(loading.database) == before
    assert run(loading.database, "MATCH (l:Load) RETURN l.status AS s") == [{"s": "finished"}] * 2
    assert withdraw.undo(loading.database, "own").restored == 1


def test_a_name_as_long_as_may_be_is_indexed(loading):
    name = "İ" * 2600
    assert loading([Entity("X:1", "Disease", name, concepts=("C0000001",))]).added == 1
    for longer in ("x" * 8001, "İ" * 2700):
        with pytest.raises(RecordError, match=r"^the name '.{60}'… has more than 8,000 bytes; shorten it$"):
            Entity("X:1", "Disease", longer)


def test_what_belongs_to_another_source_is_told_once_with_a_remedy(loading):
    loading([document(1)], "other")
    with pytest.raises(TooFewRecordsError) as caught:
        loading([document(1)], minimum=1, dry_run=True)
    said = "d1: this id belongs to the source other; put a prefix before yours, such as own:d1"
    assert str(caught.value).count(said) == 1


def test_a_refused_load_says_the_commonest_reason(loading):
    def rejects(*reasons):
        return [Reject("t.csv", line, reason) for line, reason in enumerate(reasons, 1)]

    odd = rejects("the name is empty", *(f"clinic:{n}: the date '{n}' is none" for n in range(11)), "odd")
    for dry_run in (True, False):
        with pytest.raises(
            TooManyRejectsError,
            match=r"The commonest reason, of 11 of 13: clinic:0: the date '0' is none \(t\.csv:2\)",
        ):
            loading(odd, dry_run=dry_run)
    with pytest.raises(TooFewRecordsError, match=r"at least 3: elements of Old are not read"):
        loading([document(1), Remark("file", 1, "elements of Old are not read"), Remark("file", 2, "more")], minimum=3)


def test_too_few_records_fail_the_load(loading, own_settings, tmp_path):
    with pytest.raises(TooFewRecordsError, match="own gave 1 records; a sound file holds at least 3: is it whole"):
        loading([document(1)], minimum=3)
    with pytest.raises(TooFewRecordsError, match=r"at least 3: 1 of 2 records of own were rejected; see /.*\.tsv"):
        loading([document(1), Remark("file", 1, "odd"), Reject("file", 1, "bad")], minimum=3)
    loading([document(1), document(2)], minimum=3, limit=2)
    with pytest.raises(TooFewRecordsError):
        loading([document(1)], minimum=3, dry_run=True)
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"\n")
    with pytest.raises(TooFewRecordsError, match="documents gave 0 records; a sound file holds at least 1"):
        load_named(loading.database, own_settings, "documents", empty)
    (tmp_path / "empty").mkdir()
    with pytest.raises(TooFewRecordsError, match="medquad gave 0 records"):
        load_named(loading.database, own_settings, "medquad", tmp_path / "empty")
    assert [row["source"] for row in commands.list_sources(loading.database) if row["loaded"]] == ["own"]


CORPUS = 1500


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A corpus of three batches."""
    return corpus_of(CORPUS, tmp_path_factory.mktemp("corpus"))


def corpus_of(size, folder):
    path = folder / "corpus.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for n in range(size):
            sections = [
                {"type": "causes", "question": f"What causes {n}?", "text": f"It is due to {n}. " * 20},
                {"type": "signs", "text": f"One feels {n}."},
            ]
            json.dump({"id": f"d{n}", "title": f"Disease {n}", "sections": sections}, file)
            file.write("\n")
    return path


def position(database):
    rows = run(database, "MATCH (l:Load) RETURN l.position AS position ORDER BY l.started DESC LIMIT 1")
    return rows[0]["position"] if rows else 0


def wait_for(database, reached):
    deadline = time.monotonic() + 60
    while position(database) < reached:
        assert time.monotonic() < deadline, "the load does not get on"
        time.sleep(0.01)


def test_a_killed_load_is_taken_up_where_it_was(database, corpus, environment, own_settings):
    load_named(database, own_settings, "documents", corpus)
    expected = dump(database)
    clear(database)
    for reached in (500, 1000):
        killed = start(environment, "load", "documents", corpus, slowly=True)
        wait_for(database, reached)
        killed.kill()
        killed.communicate()
        assert killed.returncode == -signal.SIGKILL
    time.sleep(0.2)  # a transaction that was under way may still be committed
    left = position(database)
    assert 1000 <= left < CORPUS
    done = start(environment, "load", "documents", corpus).communicate()
    said = f"{CORPUS:,} records added, 0 changed, 0 unchanged, 0 rejected (taken up at record {left:,})"
    assert done == (f"documents: {said}\n", "")
    assert dump(database) == expected
    assert load_named(database, own_settings, "documents", corpus).known


@pytest.mark.thorough
def test_a_load_that_is_stopped_by_its_user_says_how_to_go_on(database, corpus, environment):
    stopped = start(environment, "load", "documents", corpus, slowly=True)
    wait_for(database, 500)
    stopped.send_signal(signal.SIGINT)
    assert stopped.communicate() == ("", "Error: interrupted; run the same command again to go on\n")
    assert stopped.returncode == 1


@pytest.mark.thorough
@pytest.mark.parametrize("ways", [("stopped",), ("killed", "stopped")], ids=" and ".join)
def test_a_database_that_goes_away_is_one_clear_error_and_nothing_is_lost(
    database, tmp_path, own_settings, second_server, monkeypatch, ways
):
    corpus = corpus_of(120, tmp_path)
    load_named(database, own_settings, "documents", corpus)
    expected = dump(database)
    monkeypatch.setattr("medgraph.graph.database.RETRY_TIME", 2)
    batches_of(monkeypatch, 5)
    own, server = second_server

    def lose(reached, way):
        with Database(server.bolt_uri, "neo4j", server.password()) as other:
            wait_for(other, reached)
        if way == "stopped":
            server.stop()
        else:
            os.kill(server.status().pid, signal.SIGKILL)

    for reached, way in zip((30, 80), ways, strict=False):
        thread = threading.Thread(target=lose, args=(reached, way))
        thread.start()
        result = CliRunner().invoke(main, ["load", "documents", str(corpus)], obj=own)
        thread.join()
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == (
            f"Error: no answer from the database at {server.bolt_uri}; "
            "see whether it runs (medgraph neo4j status) and try again\n"
        )
        server.start()
    done = CliRunner().invoke(main, ["load", "documents", str(corpus)], obj=own)
    assert done.exit_code == 0
    assert "(taken up at record " in done.stdout
    with Database(server.bolt_uri, "neo4j", server.password()) as other:
        assert dump(other) == expected
