"""Clients that others' programs make of the description: they compile, and call every route."""

import compileall
import importlib
import json
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from medgraph.api.routes import ROUTES
from tests.support.linking import names_of
from tests.support.service import fetch, running, service_over

ASKED = {
    "answer": {"body": {"question": "How is gout treated?"}},
    "entities": {"q": "gout"},
    "entity": {"id": "sample:gout"},
    "health": {},
    "metrics": {},
    "paths": {"name": ["gout", "asthma"]},
    "pipelines": {},
    "readiness": {},
    "search_by_get": {"q": "gout", "since": ""},
    "search_by_post": {"body": {"q": "gout"}},
    "section": {"id": "sample:gout#6"},
    "similar": {"id": "sample:gout"},
    "sources": {},
    "subgraph": {"name": "gout"},
}
TYPES = ("openapi-typescript@7", "typescript@5")


@pytest.fixture
def served(sample_graph, encoder, tmp_path):
    """A service's port, and a file with its description."""
    with running(service_over(sample_graph, lambda: encoder, names_of(sample_graph))) as server:
        described = tmp_path / "openapi.json"
        described.write_bytes(fetch(server.port, "/openapi.json")[1])
        yield SimpleNamespace(port=server.port, described=described)


@pytest.mark.extra
def test_a_python_client_calls_every_route(served, tmp_path, monkeypatch):
    folder = tmp_path / "generated"
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--path", served.described]
    done = subprocess.run([*command, "--output-path", folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "parsing" not in done.stdout.lower(), done.stdout
    assert compileall.compile_dir(folder, quiet=1)
    monkeypatch.syspath_prepend(tmp_path)
    models, made = importlib.import_module("generated.models"), importlib.import_module("generated.client")
    calls = {path.stem for path in (folder / "api" / "default").glob("[!_]*.py")}
    assert calls == ASKED.keys()
    with made.Client(base_url=f"http://127.0.0.1:{served.port}", timeout=60.0) as client:
        for name in sorted(calls):
            call = importlib.import_module(f"generated.api.default.{name}")
            asked = dict(ASKED[name])
            if "body" in asked:
                kind = models.AnswerRequest if name == "answer" else models.SearchRequest
                asked["body"] = kind(**asked["body"])
            response = call.sync_detailed(client=client, **asked)
            route = next(r for r in ROUTES if name in {r.answer.__name__, f"{r.answer.__name__}_by_{r.method.lower()}"})
            gives = route.gives.__name__ if response.status_code == 200 else "Problem"
            assert type(response.parsed).__name__ == gives, name
            assert (response.status_code == 200) == (name != "similar"), "the sample has no learned vectors"
            if name == "entity":
                assert response.parsed.to_dict() == json.loads(response.content)


@pytest.mark.extra
def test_types_for_typescript_compile(served, tmp_path):
    if shutil.which("npm") is None:
        pytest.skip("npm is not here")
    npm = ["npm", "install", "--no-audit", "--no-fund", "--prefix", tmp_path, *TYPES]
    had = subprocess.run(npm, capture_output=True, text=True, check=False)
    if had.returncode:
        pytest.skip(f"npm gives no {TYPES[0]}: {had.stderr[-200:]}")
    for command in (
        ["openapi-typescript", served.described, "-o", "api.ts"],
        ["tsc", "--noEmit", "--strict", "api.ts"],
    ):
        done = subprocess.run(
            ["npx", "--prefix", tmp_path, *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    types = (tmp_path / "api.ts").read_text()
    assert all(f"        {name}: {{" in types for name in ("Answer", "Entity", "Problem", "SearchResults"))
