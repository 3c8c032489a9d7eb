"""The adapter against a real server, `transformers serve`, with a tiny model; where its extra is installed."""

import subprocess
import sys
import time
import urllib.request
from urllib.error import URLError

import pytest

from medgraph.errors import ModelError
from medgraph.models.open import open_model
from medgraph.settings import Settings
from tests.support.llms import ASKED, STRUCTURED, tiny
from tests.support.servers import free_port

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder, port = tiny(tmp_path_factory.mktemp("tiny"), "llama"), free_port()
    start = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", start, "serve", folder, "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen([*command, "--device", "cpu"], stderr=subprocess.DEVNULL) as process:
        try:
            await_health(process, f"http://127.0.0.1:{port}/health")
            yield folder, f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def await_health(process, address):
    for _ in range(240):
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(address):
                return
        except URLError:
            time.sleep(0.5)
    raise AssertionError("the server did not come up")


def test_a_real_server(served, tmp_path, monkeypatch):
    folder, address = served
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    model = open_model(Settings(tmp_path, tmp_path, model=f"openai:{folder}"))
    reply = model.complete(ASKED)
    *pieces, last = model.stream(ASKED)
    assert (reply.finish, reply.usage.reply_tokens, reply.usage.estimated) == ("length", 50, False)
    assert "".join(pieces).strip() == last.text == reply.text
    with pytest.raises(ModelError):  # it knows no schema, and the model writes any words
        model.complete(STRUCTURED)
