"""This tree against an earlier revision of it, by turns: loading, indexing, searching and asking.

    python lab/benchmarks/revisions.py REVISION [--medquad medquad.zip] [--documents 800] [--questions 100] [--rounds 3]

Each tree has an embedded server of its own, both use the packages of the Python that runs this. They are measured from
outside, by commands and by `POST /v1/answers`, so that the code behind them may have moved. At the smallest size the
revision is HEAD unless one is named.
"""

from __future__ import annotations

import http.client
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from contextlib import ExitStack
from pathlib import Path

import harness
from harness import COMMAND, DATA, ROOT, SMALL, own_home, post, run, served, statement

from medgraph.graph.connect import connect

QUESTIONS = statement("MATCH (q:Question)-[:ANSWERED_BY]->() RETURN q.text AS text ORDER BY q.id LIMIT $limit")


def main() -> None:
    named = [word for word in sys.argv[1:2] if not word.startswith("-")]
    del sys.argv[1 : 1 + len(named)]
    options = harness.options(
        __doc__,
        {"medquad": (DATA / "medquad.zip", SMALL / "medquad")},
        documents=(800, 10, "documents of MedQuAD"),
        questions=(100, 2, "questions"),
        rounds=(3, 1, "rounds"),
    )
    revision = (named or (["HEAD"] if options.smallest else sys.exit("name a revision")))[0]
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="medgraph-benchmark-")))
        sides = {}
        for name, tree in ((revision, unpacked(revision, scratch / "earlier")), ("this tree", ROOT)):
            settings, environment = stack.enter_context(own_home())
            folder = scratch / name.replace("/", "-")
            folder.mkdir()
            (folder / "medgraph").symlink_to(tree)
            sides[name] = environment | {"PYTHONPATH": str(folder)}, folder
        documents, rounds = options.medquad, options.rounds
        if documents.is_file():
            documents = chosen(documents, scratch / "medquad", options.documents)

        def seconds(*words: object) -> dict[str, list[float]]:
            ways = {
                name: lambda _, side=side: run([*COMMAND, *words], *side).seconds * 1000 for name, side in sides.items()
            }
            return harness.by_turns(ways, [None], 1, warm=0)

        def show(step: str, turns: list[dict[str, list[float]]]) -> None:
            spent = {name: [one[name][0] / 1000 for one in turns] for name in sides}
            harness.medians(step, spent, revision)

        seconds("schema", "apply")
        loads, indexes = [], []
        for number in range(rounds + 1):  # the first time everything is slow
            if number:
                seconds("unload", "medquad")
            loads.append(seconds("load", "medquad", documents, "--limit", 100_000))
            indexes.append(seconds("index"))
        show("`load`", loads[1:])
        show("`index`", indexes[1:])
        with connect(settings) as database:
            questions = [row["text"] for row in database.read(QUESTIONS, limit=options.questions)]
        topics = scratch / "topics.tsv"
        topics.write_text("".join(f"q{n}\t{text}\n" for n, text in enumerate(questions)))
        search = ("search", "--topics", topics, "--run")
        show("`search --topics`", [seconds(*search, scratch / f"{n}.run") for n in range(rounds)])
        asked = {}
        for name, side in sides.items():
            port, _ = stack.enter_context(served(*side))
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            asked[name] = lambda text, connection=connection: post(connection, text)
        harness.times("An answer of the service", harness.by_turns(asked, questions, rounds), revision)


def unpacked(revision: str, folder: Path) -> Path:
    git = ["git", "-C", str(ROOT), "archive", "--format=tar", revision]
    with tarfile.open(fileobj=io.BytesIO(subprocess.run(git, check=True, capture_output=True).stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def chosen(archive: Path, folder: Path, number: int) -> Path:
    """Unpack as many files of MedQuAD as asked for, of the nine collections that have answers."""
    with zipfile.ZipFile(archive) as medquad:
        places = ((name, Path(name).parent.name) for name in medquad.namelist() if name.endswith(".xml"))
        names = sorted(name for name, collection in places if collection[:1].isdigit() and collection[1:2] == "_")
        medquad.extractall(folder, names[:: max(1, len(names) // number)][:number])
    return folder


if __name__ == "__main__":
    main()
