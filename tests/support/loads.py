"""Loads of records that a test makes up, interrupted, repeated, at once; and everything that the graph then holds."""

import json
import random
import signal
import subprocess
import sys
import threading
from functools import partial

from medgraph.graph.database import Database
from medgraph.loaders.base import Reject, Remark, Row, Source
from medgraph.loaders.life import kinds, load, write
from medgraph.loaders.life.kind import Kind, StoredKind
from medgraph.schema.records import Document, Entity, Question, Relation, Section, SourceInfo
from tests.support.graphs import run

KEY = "coalesce(n.id, n.cui)"


ORPHANS = """
MATCH (n) WHERE (n:Document AND NOT EXISTS { (n)-[:FROM]->(:Source) })
   OR (n:Section AND NOT EXISTS { (n)<-[:HAS_SECTION]-(:Document) })
   OR (n:Chunk AND NOT EXISTS { (n)<-[:HAS_CHUNK]-(:Section) })
   OR (n:Question AND COUNT { (n)-[:ANSWERED_BY|ANSWERED_AT]->() } <> 1)
   OR (n:Entity AND NOT EXISTS { (n)-[:FROM]->(:Source) } AND NOT (n:Stub AND EXISTS { (n)--(:Entity) }))
   OR (n:Concept AND NOT EXISTS { (n)<-[:HAS_CUI]-(:Entity) })
   OR (n:Document AND COUNT { (n)-[:FROM]->() } <> 1)
   OR (n:Section AND COUNT { (n)<-[:HAS_SECTION]-() } <> 1)
RETURN labels(n) AS labels, coalesce(n.id, n.cui) AS key
"""


def dump(database):
    """Everything in the graph but the records of loads; makes sure that nothing is left hanging on the way."""
    assert run(database, ORPHANS) == []
    return contents(database)


def contents(database):
    """Everything in the graph but the records of loads."""
    nodes = run(
        database,
        f"MATCH (n) WHERE NOT n:Load AND NOT n:Former AND NOT n:Migration AND NOT n:Encoder "
        f"RETURN labels(n) AS labels, {KEY} AS key, properties(n) AS properties",
    )
    relations = run(
        database,
        "MATCH (a)-[r]->(b) WHERE NOT a:Load AND NOT a:Former "
        "RETURN labels(a)[0] AS label, coalesce(a.id, a.cui) AS a, "
        "type(r) AS type, properties(r) AS properties, coalesce(b.id, b.cui) AS b",
    )
    for relation in relations:
        for own in ("load", "seen"):
            relation["properties"].pop(own, None)
    for node in nodes:
        node["labels"].sort()
    return sorted(json.dumps(row, sort_keys=True, default=repr) for row in [*nodes, *relations])


def count(database, label):
    return run(database, f"MATCH (n:{label}) RETURN count(n) AS n")[0]["n"]


def forget_loads(database):
    """Make loads read their file again, though it is the one they loaded."""
    run(database, "MATCH (l:Load) SET l.sha256 = 'another'")


def counts(report):
    return (report.added, report.changed, report.unchanged, report.rejected)


RANKS = {"first": 1, "second": 5, "third": 9}
"""Sources whose words count differently."""


class Loading:
    """Loads records of the test's own, as a source would yield them."""

    def __init__(self, folder, database):
        self.folder = folder
        self.database = database

    def source(self, items, name="own", minimum=0):
        rows = [item if isinstance(item, Reject | Remark) else Row(item, "file", n) for n, item in enumerate(items, 1)]
        info = SourceInfo(name, name.title(), "1", "CC0-1.0", "", minimum=minimum, rank=RANKS.get(name, 5))
        path = self.folder / f"{name}.txt"
        path.write_text(repr(items), encoding="utf-8")
        return Source(info, lambda _: iter(rows), lambda _: len(rows)), path

    def task(self, items, name="own", minimum=0, **options):
        source, path = self.source(items, name, minimum)
        return load.Task(source, path, source.info, self.folder / "rejects", **options)

    def __call__(self, items, name="own", minimum=0, database=None, dry_run=False, **options):
        return load.load(database or self.database, self.task(items, name, minimum, **options), dry_run=dry_run)


def document(number, text="Asthma is common.", **changes):
    return Document(
        **{"id": f"d{number}", "title": "Asthma", "sections": (Section(f"d{number}#1", text, "causes"),)} | changes
    )


def some_documents(chance, owner, count, parts):
    """Documents over few ids, so that repeats and clashes are common; entities may have the same ids."""
    for _ in range(count):
        number = chance.randrange(4)
        ids = chance.sample([f"{owner}p{n}" for n in range(parts)], chance.randrange(3))
        cut = chance.randrange(3)
        yield Document(
            f"{owner}e{number}",
            chance.choice(["Asthma", "Gout"]),
            url="https://example.org",
            collection=chance.choice(["", "GARD"]),
            sections=tuple(
                Section(i, chance.choice(["A.", "B."]), "causes", question=chance.choice(["", "Why?"]))
                for i in ids[:cut]
            ),
            questions=tuple(Question(i, "When?", "outlook") for i in ids[cut:]),
            about=tuple(chance.sample([f"{owner}e{n}" for n in range(3)], chance.randrange(2))),
        )


def some_entities(chance, owner, count):
    for _ in range(count):
        yield Entity(
            f"{owner}e{chance.randrange(3)}",
            chance.choice(["Disease", "Drug"]),
            chance.choice(["Asthma", "Wheeze"]),
            concepts=tuple(f"C000000{n}" for n in sorted(chance.sample(range(3), chance.randrange(3)))),
            semantic_types=tuple(chance.sample(["T001", "T002"], chance.randrange(3))),
        )


def some_relations(chance, owner, count):
    for _ in range(count):
        yield Relation(f"{owner}e{chance.randrange(4)}", "IS_A", f"{owner}e{chance.randrange(4)}")


def some_file(chance, owner="", parts=5, sound=False):
    """A file as sources give it: mostly entities, relations and documents in this order, with rejects in between."""
    items = [
        *some_entities(chance, owner, chance.randrange(5)),
        *some_relations(chance, owner, chance.randrange(4)),
        *some_documents(chance, owner, chance.randrange(8), parts),
    ]
    if sound:
        return list({(type(i), getattr(i, "id", i)): i for i in items}.values())
    if chance.random() < 0.2:
        chance.shuffle(items)
    for _ in range(chance.randrange(3)):
        items.insert(chance.randrange(len(items) + 1), Reject("file", 0, "broken"))
    return items


def rejects_of(report):
    return report.rejects_file.read_text(encoding="utf-8").splitlines() if report.rejects_file else []


def corpus_lines(path, *bad, good=1):
    """Write a corpus with bad lines in the middle."""
    corpus = [json.dumps({"id": f"d{n}", "title": "T", "sections": [{"text": "Text."}]}).encode() for n in range(good)]
    path.write_bytes(b"\n".join([*corpus[: good // 2], *bad, *corpus[good // 2 :]]))
    return path


CUT = """
MATCH (s:Section)
CREATE (s)-[:HAS_CHUNK]->(:Chunk {id: s.id + 'a'})-[:NEXT]->(:Chunk {id: s.id + 'b'})<-[:HAS_CHUNK]-(s)
"""


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


def batches_of(monkeypatch, size):
    """Store so many items a batch, whatever kind they are of."""
    for kind in {Kind, *map(type, kinds.KINDS.values())}:
        monkeypatch.setattr(kind, "batch_rows", size)
    monkeypatch.setattr(write, "BATCH_ROWS", size)


def pages_of(monkeypatch, size):
    """Take so many records out in a transaction."""
    monkeypatch.setattr(StoredKind, "page_rows", size)


class Interrupted(Exception):
    """What the tests throw into a load, as a power failure would."""


class Fragile:
    """A real database whose transactions fail from a certain one on, before they happen or just afterwards."""

    def __init__(self, database, good, commit):
        self._database = database
        self._left = good
        self._commit = commit

    def __getattr__(self, name):
        call = getattr(self._database, name)
        if name not in {"write", "transaction", "run"}:
            return call

        def fragile(*args, **kwargs):
            self._left -= 1
            if self._left < 0:
                if self._commit:
                    call(*args, **kwargs)
                raise Interrupted
            return call(*args, **kwargs)

        return fragile


def at_once(server, *works):
    """Run functions of a database of their own at the same time, and give what they return."""
    start, results = threading.Barrier(len(works)), [None] * len(works)

    def work(place):
        with Database(server.bolt_uri, "neo4j", server.password()) as database:
            start.wait()
            try:
                results[place] = works[place](database=database)
            except BaseException as error:  # noqa: BLE001 - looked at by the test
                results[place] = error

    threads = [threading.Thread(target=work, args=(place,)) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def clear(database):
    run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")


SLOWLY = """
import sys, threading, time
from medgraph.cli.main import main
from medgraph.loaders.life.write import Writer

one_by_one = threading.Lock()

def store(*arguments, store=Writer.store):
    with one_by_one:
        outcome = store(*arguments)
        time.sleep(0.5)
    return outcome

Writer.store = store
main(sys.argv[1:])
"""


def start(environment, *arguments, slowly=False):
    """Run a command; slowly, so that it cannot end before it is stopped."""
    command = [sys.executable, *(["-c", SLOWLY] if slowly else ["-m", "medgraph"]), *map(str, arguments)]
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - jobs in the background ignore it
    )
