"""Another encoder by commands: made beside and killed on the way, compared, switched to under load, and dropped."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from medgraph.api.app import create_app
from tests.support import servers
from tests.support.encoders import give_back
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.points import seeds
from tests.support.service import service_over

pytestmark = pytest.mark.thorough

OLD = "all-MiniLM-L6-v2"
MADE = [
    "(n:Encoder {id: 'beside'})",
    "(n:Chunk) WHERE n.embedding_b IS NOT NULL",
    "(n:Question) WHERE n.embedding_b IS NOT NULL",
    "(n:Section) WHERE n.sentence_vectors_b IS NOT NULL",
]
"""What is there by the time that the first command is killed."""
DIFFER = "MATCH (c:Chunk) WHERE c.embedding_model IS NULL OR c.embedding_model_b IS NULL RETURN count(c) AS n"


@pytest.fixture
def new(settings, tmp_path, graph):
    """A folder with another encoder: the usual one by another name."""
    folder = tmp_path / "new"
    folder.symlink_to(settings.cache / "models" / OLD)
    yield folder
    give_back(graph)


@pytest.fixture
def command(settings, server):
    """Runs a command in a process of its own; one that fails gives its line of complaint."""

    def call(*arguments, fails=False, **environment):
        words = [sys.executable, "-m", "medgraph", *map(str, arguments)]
        surroundings = servers.surroundings(settings) | environment
        done = subprocess.run(words, env=surroundings, capture_output=True, text=True, check=False)
        assert (done.returncode == 1) is fails, done.stderr
        return done.stderr.strip().splitlines()[-1] if fails else done.stdout

    return call


@pytest.fixture
def load(server, encoder):
    """Asks a service without a pause until it is told to end, and gives the statuses."""
    statuses, ended = [], threading.Event()
    with servers.connect(server) as serving:
        client = create_app(service_over(serving, lambda: encoder, names_of(serving))).test_client()

        def ask():
            while not ended.wait(0.02):
                statuses.append(client.post("/v1/search", json={"q": "gout"}).status_code)
                statuses.append(client.post("/v1/answers", json={"question": "How is gout treated?"}).status_code)

        asking = threading.Thread(target=ask)
        asking.start()

        def end():
            ended.set()
            asking.join()
            return statuses

        yield end
        end()


@pytest.mark.parametrize("seed", seeds(1, 4))
def test_an_encoder_is_replaced_by_commands_while_the_graph_serves(
    sample_graph, settings, command, new, load, tmp_path, seed
):
    beside = ("index", "embeddings", "--encoder", new, "--beside")
    assert "no vectors of new-" in command("index", "switch", new, fails=True)
    first = servers.command(settings, *beside)
    while first.poll() is None and not run(sample_graph, f"MATCH {MADE[seed]} RETURN count(n) AS n")[0]["n"]:
        time.sleep(0.005)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert command(*beside).startswith("0 chunks made; ")
    assert command(*beside).startswith("0 chunks made; 0 chunks, 0 questions and 0 sentences embedded by new-")
    assert run(sample_graph, DIFFER) == [{"n": 0}]

    questions = tmp_path / "questions.tsv"
    questions.write_text("1\tHow is gout treated?\n2\tWhat causes asthma?\n")
    said = command("index", "compare", OLD, new, "--questions", questions)
    assert "2 questions: " in said
    assert "the first one for 2" in said
    assert f"{OLD} serves; let another one serve first: medgraph index switch NEW" in command(
        "index", "switch", "--drop", OLD, fails=True
    )
    name = command("index", "switch", new).split()[0]
    assert f"{name} serves; let another" in command("index", "switch", "--drop", name, fails=True)
    assert {*load()} == {200}

    changed = {"MEDGRAPH_ENCODER": str(new)}
    assert command("index", **changed).startswith("0 chunks made; 0 chunks, 0 questions and 0 sentences embedded by")
    assert "gout" in command("search", "How is gout treated?", **changed).lower()
    assert f"the vectors of {OLD} are dropped" in command("index", "switch", "--drop", OLD)
    assert "from new-" in command("search", "gout", fails=True)


@pytest.mark.extra
def test_an_encoder_beside_on_ray_has_the_vectors_that_are_made_here(sample_graph, command, new):
    def vectors():
        rows = run(sample_graph, "MATCH (c:Chunk) RETURN c.id AS id, c.embedding AS one, c.embedding_b AS other")
        return {row["id"]: (list(row["one"]), list(row["other"] or [])) for row in rows}

    os.environ.setdefault("RAY_worker_niceness", "0")
    command("index", "embeddings", "--encoder", new, "--beside", "--engine", "ray")
    found = vectors()
    assert found
    assert all(one == other for one, other in found.values())
