"""Documents to cut and embed."""

import json
import subprocess
import sys
import time

import pytest

from medgraph.embeddings import index
from medgraph.graph import catalogue
from medgraph.loaders.commands import load_named
from medgraph.schema.migrate import Model
from tests.support.encoders import DOCUMENTS
from tests.support.graphs import run
from tests.support.schemas import ENCODER


@pytest.fixture(scope="session")
def encoder(encoder):
    """The encoder itself, which remembers nothing."""
    return encoder._model


@pytest.fixture(scope="session")
def sentence_reader(sentence_reader):
    """What reads sentences itself, which remembers nothing."""
    return sentence_reader._model


@pytest.fixture
def loaded(database, settings, tmp_path):
    """Loads documents; called again, it loads what became of them."""

    def load(documents):
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
        return load_named(database, settings, "documents", path)

    load(DOCUMENTS)
    return load


@pytest.fixture
def restored(graph):
    """Gives the graph its own encoder's indexes back, whatever a test has done."""
    yield
    for name in ("drop_chunk_embedding_index", "drop_question_embedding_index", "clear_embeddings"):
        graph.run(catalogue.get(name))
    index.make_anew(graph, Model(*ENCODER))


@pytest.fixture
def kill_indexing(database, environment):
    """Kills `medgraph index` in the middle, at batches of four."""

    def kill(batch, done):
        """Set which batch is small, as `module.NAME`, and kill once what counts what is done has come to eight."""
        child = (
            "import time; from medgraph.cli.main import main; from medgraph.embeddings import index\n"
            "from medgraph.embeddings.encoders.bert import BertEncoder\n"
            "def slow(self, texts, encode=BertEncoder.encode): time.sleep(0.2); return encode(self, texts)\n"
            f"{batch}, BertEncoder.encode = 4, slow; main(['index'])\n"
        )
        process = subprocess.Popen([sys.executable, "-c", child], env=environment, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 60
            while run(database, done)[0]["n"] < 8:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.02)
        finally:
            process.kill()
            process.wait()

    return kill
