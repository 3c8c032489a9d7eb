"""The command that serves: it asks for a key before it starts, and answers what it has begun before it ends."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.settings import Settings
from tests.support.service import ASK, JSON, KEY, fetch


def test_the_command_serves_and_ends_when_told(environment, here, sample_graph):
    command = [sys.executable, "-m", "medgraph", "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment | {"PYTHONUNBUFFERED": "1"}, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line for line in process.stderr if line.startswith("serving at ")).split()[-1]
        request = urllib.request.Request(f"{address}/v1/answers", b'{"question": "How is gout treated?"}', JSON)
        with urllib.request.urlopen(request, timeout=60) as response:
            assert json.load(response)["status"] == "answered"
            assert "Server" not in response.headers
        line = json.loads(process.stderr.readline())
        assert (line["route"], line["status"]) == ("/v1/answers", 200)
        port = int(address.rpartition(":")[2])
        taken = CliRunner().invoke(main, ["serve", "--port", str(port)], obj=here)
        assert taken.exit_code == 1
        assert taken.stderr.startswith(f"Error: 127.0.0.1:{port} cannot be served at: ")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            pass
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


@pytest.mark.thorough
def test_the_command_under_load_ends_without_a_broken_answer(environment, sample_graph):
    command = [sys.executable, "-m", "medgraph", "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment | {"PYTHONUNBUFFERED": "1"}, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line for line in process.stderr if line.startswith("serving at ")).split()[-1]
        port = int(address.rpartition(":")[2])
        drained = threading.Thread(target=lambda: list(process.stderr), daemon=True)
        drained.start()
        assert fetch(port, "/v1/answers", ASK)[0].status == 200
        outcomes, stop, answered = [], threading.Event(), threading.Semaphore(0)

        def ask():
            while not stop.is_set():
                try:
                    response, data = fetch(port, "/v1/answers", ASK)
                    outcomes.append((response.status, json.loads(data)["status"]))
                    answered.release()
                except ConnectionRefusedError:
                    return
                except (ConnectionResetError, http.client.RemoteDisconnected) as error:
                    # Accepted by the system, but never by the service: nothing was begun.
                    outcomes.append(("not begun", type(error).__name__))
                    return

        with ThreadPoolExecutor(6) as pool:
            for _ in range(6):
                pool.submit(ask)
            for _ in range(10):
                assert answered.acquire(timeout=60)
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
            stop.set()
        assert outcomes.count((200, "answered")) >= 10
        assert {status for status, _ in outcomes} <= {200, "not begun"}
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        drained.join(10)
        process.stderr.close()


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (None, "'0.0.0.0' can be reached from other machines: set MEDGRAPH_API_KEY"),
        ("short", "a key in MEDGRAPH_API_KEY has 5 characters"),
    ],
)
def test_the_command_asks_for_a_key_before_it_starts_anything(key, told, tmp_path):
    # Were it to start a server, that would fail a test without the mark of one.
    own = replace(Settings.from_environment(), home=tmp_path / "home", neo4j_uri=None, api_key=key)
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--host", "0.0.0.0"], obj=own)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {told}")
    assert not own.home.exists()


@pytest.mark.thorough
def test_the_command_serves_others_who_have_the_key(environment, sample_graph):
    command = [sys.executable, "-m", "medgraph", "serve", "--port", "0", "--host", "0.0.0.0"]
    guarded = environment | {"PYTHONUNBUFFERED": "1", "MEDGRAPH_API_KEY": KEY, "MEDGRAPH_RATE_LIMIT": "3"}
    process = subprocess.Popen(command, env=guarded, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line for line in process.stderr if line.startswith("serving at ")).split()[-1]
        port = int(address.rpartition(":")[2])
        # In a minute that begins in between, what came before would count a little less.
        time.sleep(60 - second if (second := time.time() % 60) > 48 else 0)
        assert fetch(port, "/v1/sources")[0].status == 401
        assert fetch(port, "/v1/sources", **{"X-API-Key": KEY})[0].status == 200
        assert fetch(port, "/v1/answers", ASK, Authorization=f"Bearer {KEY}")[0].status == 200
        assert fetch(port, "/v1/sources", **{"X-API-Key": KEY})[0].status == 429
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
