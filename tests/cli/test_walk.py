"""Every command on a graph in every state: it does its work, or says in one line what is wrong."""

import re
import shlex
import shutil
from itertools import product

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.embeddings.index import index
from medgraph.errors import IndexNotReadyError
from medgraph.linking.mentions import index_links
from medgraph.linking.names import GraphNames, names_in_use
from medgraph.queries.concepts import concept_named
from medgraph.schema.records import Entity, Relation
from tests.support.commands import COMMANDS
from tests.support.graphs import prepared
from tests.support.joined import SOURCES
from tests.support.loads import Loading
from tests.support.paths import FILES
from tests.support.points import few

LATER = [
    Entity("OWN:1", "Disease", "sandfly fever"),
    Entity("OWN:2", "Symptom", "rash"),
    Relation("OWN:1", "HAS_SYMPTOM", "OWN:2"),
]
"""What is loaded after the graph was indexed."""

LINES = {
    "ask": [
        "'What are the symptoms of gout?' --keep",
        "'How is gout treated?' --pipeline hyke --explain",
        "'How is gout treated?' --concept gout --composer graph --json",
    ],
    "audit": ["--source mesh --json"],
    "chat": [""],
    "diff": ["sample", "nothing"],
    "doctor": [""],
    "enrich": ["{questions}"],
    "entity": ["gout", "DOID:1 --json --picture {tmp}/e.svg", "C0018099", "OWN:1", "nothing"],
    "evaluate adverse-reactions": ["{meqsum}"],
    "evaluate answers": ["{data}/ontology/obo.obo --sample 2"],
    "evaluate encoders": ["{meqsum} {grades}"],
    "evaluate graded": ["{meqsum} {grades}"],
    "evaluate induced": ["{data}/linking/none.txt"],
    "evaluate linking": ["{data}/linking/none.txt", "{meqsum}"],
    "evaluate medicines": ["{meqsum}"],
    "evaluate mentions": ["{data}/linking/none.tsv"],
    "evaluate messages": ["{meqsum} --sample 2"],
    "evaluate pages": ["{meqsum} {grades}"],
    "evaluate paths": ["{data}/paths/pairs.tsv {data}/paths/useful.tsv"],
    "evaluate relations": ["{data}/linking/none.tsv"],
    "evaluate pipelines": ["{questions} --sample 1 --out {tmp}/out"],
    "evaluate retrieval": ["--sample 2"],
    "evaluate sentences": ["{meqsum} {grades}"],
    "evaluate subgraphs": ["{meqsum} {grades}"],
    "evaluate verification": ["--sample 10"],
    "export kgx": ["{tmp}/kgx --tsv"],
    "export nquads": ["{tmp}/all.nq"],
    "export sssom": ["{tmp}/all.sssom.tsv"],
    "facts": ["gout HAS_SYMPTOM ?", "? ? DOID:1", "OWN:1 ? ?"],
    "forget": ["--all", "answer:1"],
    "index": ["concepts", "links", "subgraphs", "kge", "all"],
    "link": ["{texts}", "--names {texts}"],
    "load": ["sample --dry-run", "sample --limit 3", "documents"],
    "mapping check": ["{meqsum}"],
    "mapping schema": [""],
    "neo4j password": [""],
    "neo4j status": [""],
    "paths": ["gout fever", "DOID:1 SYMP:1 --json --question fever", "OWN:1 OWN:2", "gout nothing"],
    "predict": ["gout HAS_SYMPTOM", "OWN:1 HAS_SYMPTOM"],
    "query": ["", "disease_card -p name=Gout"],
    "replay": ["answer:1"],
    "reproduce": ["hyke --data {files} --sample 2"],
    "review accept": ["DOID:1 MESH:1"],
    "review export": ["{tmp}/reviews.tsv"],
    "review list": [""],
    "review reject": ["DOID:1 MESH:2"],
    "review show": ["gout", "DOID:1 MESH:1"],
    "review undo": ["DOID:1 MESH:1"],
    "schema apply": [""],
    "schema picture": ["{tmp}/s.svg"],
    "schema status": ["--json"],
    "search": ["gout", "gout --concept gout --explain --evidence", "gout --mode semantic --json", "x --concept OWN:1"],
    "similar": ["gout", "OWN:1"],
    "sources rank": ["mesh 3"],
    "subgraph": ["gout", "DOID:1 --json", "OWN:1", "'sandfly fever'", "nothing"],
    "train fusion": ["{tmp}/fusion.tsv --sample 2"],
    "train pseudo-queries": ["{tmp}/queries --sample 2"],
    "train verifier": ["{tmp}/verifier.tsv --sample 2"],
    "undo": ["mesh", "nothing"],
    "unload": ["mesh", "nothing"],
}
"""Command → lines of arguments for it."""

APART = {
    "build": "fills the graph",
    "completion": "needs no graph",
    "evaluate consumer": "starts a server of its own",
    "evaluate gate": "starts a server of its own",
    "evaluate judged": "starts a server of its own",
    "export import-files": "writes files of a source, and needs no graph",
    "init": "needs no graph",
    "mcp": "runs until its input ends",
    "models get": "needs no graph",
    "models list": "needs no graph",
    "models try": "needs no graph",
    "neo4j browser": "opens a browser",
    "neo4j dump": "stops the server",
    "neo4j restore": "stops the server",
    "neo4j start": "starts a server",
    "neo4j stop": "stops the server",
    "pipelines": "needs no graph",
    "prompts": "needs no graph",
    "quickstart": "fills the graph with the sample",
    "serve": "runs until it is stopped",
    "evaluate emergencies": "needs no graph",
    "train emergencies": "trains, which needs an extra",
    "train encoder": "trains, which needs an extra",
    "train generator": "needs no graph",
    "train likelihood": "needs sections that people graded",
    "train reranker": "trains, which needs an extra",
    "train roles": "needs no graph",
}
"""Commands that are not walked, and why."""

ALL = [f"{command} {line}".strip() for command, lines in LINES.items() for line in lines]

FILLED = {"empty": (), "loaded": (), "half indexed": ("chunks", "concepts"), "indexed": ("chunks", "all", "concepts")}
"""State of the graph → what is indexed; of the half indexed one a source came since."""


LAB = ("evaluate", "reproduce", "train")
OURS = [line for line in ALL if not line.startswith(LAB)]

WALKS = [
    *product(["indexed"], OURS),
    *few(product(["indexed"], [line for line in ALL if line.startswith(LAB)]), 0),
    *few(product(["empty"], OURS), 8),
    *few(product(["empty"], [line for line in ALL if line.startswith(LAB)]), 0),
    *few(product(["loaded", "half indexed"], ALL), 0),
]


def test_every_command_is_walked_or_there_is_a_reason():
    assert {" ".join(names) for names in COMMANDS} == LINES.keys() | APART.keys()
    assert not LINES.keys() & APART.keys()


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Small files that commands take, and the names that were packed for each state."""
    folder = tmp_path_factory.mktemp("given")
    files = {
        "meqsum": "File,CHQ,Summary\n1,My father has gout. How is it treated?,How is gout treated?\n",
        "grades": "1\tHow is gout treated?\tp1#2\t0\t18\t3\n",
        "questions": '{"question": "What is gout?"}\n{"question": "How is gout treated?"}\n',
        "texts": '{"id": "1", "text": "Gout gives a fever.", "name": "gout"}\n',
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in files} | {"data": FILES, "files": folder}


@pytest.fixture
def fill(graph, settings, encoder, tmp_path, given):
    """Brings the graph, and the names that are packed beside it, into a state."""
    names = settings.home / "names"

    def put(state):
        shutil.rmtree(names, ignore_errors=True)
        load = Loading(tmp_path, graph)
        for name, items in SOURCES.items() if state != "empty" else ():
            load(items, name)
        for what in FILLED[state]:
            if what == "concepts":
                index_links(graph, *names_in_use(settings, graph))
            else:
                index(graph, encoder, what)
        if state == "half indexed":
            load(LATER, "own")
        if names.exists():
            shutil.copytree(names, given["files"] / state)

    def of(state):
        prepared(graph, f"walk {state}", lambda: put(state))
        shutil.rmtree(names, ignore_errors=True)
        if (given["files"] / state).exists():
            shutil.copytree(given["files"] / state, names)

    return of


@pytest.mark.parametrize(("state", "line"), WALKS)
def test_a_command_works_or_says_in_one_line_why_not(state, line, fill, given, here, medgraph, tmp_path):
    fill(state)
    done = CliRunner().invoke(main, shlex.split(line.format(tmp=tmp_path, **given)), obj=here, input="gout\nquit\n")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code in {0, 1}
    assert not re.search(r"Traceback|\b\w+(Error|Exception)\b", done.output)
    if done.exit_code:
        last = done.stderr.splitlines()[-1]
        assert re.match(r"Error: .*\w+ \w+ \w+", last), done.stderr


@pytest.mark.parametrize("named", few(["gout", "DOID:1", "C0018099"], 3))
@pytest.mark.parametrize("command", ["subgraph {}", "facts {} ? MESH:3", "paths {} allopurinol"])
def test_what_was_loaded_and_not_indexed_can_be_asked_about(fill, medgraph, command, named):
    fill("loaded")
    assert "allopurinol" in medgraph(*command.format(named).split())
    fill("half indexed")
    later = command.format("OWN:1").replace("allopurinol", "rash").replace("MESH:3", "rash")
    assert "rash" in medgraph(*later.split())


def test_what_only_reads_says_what_to_run(fill, graph, settings):
    fill("half indexed")
    linker = GraphNames(settings, graph)
    assert concept_named(graph, linker, "gout") == concept_named(graph, linker, "C0018099") == "C0018099"
    for name in ("OWN:1", "sandfly fever"):
        with pytest.raises(IndexNotReadyError, match=r"was loaded after .*; run: medgraph index concepts"):
            concept_named(graph, linker, name)
    fill("loaded")
    with pytest.raises(IndexNotReadyError, match="'C0018099' was loaded after"):
        concept_named(graph, linker, "C0018099")
