"""Engines: shards, and that steps on Ray give the rows that they give here, whatever is killed."""

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medgraph.errors import InputError, MedgraphError
from medgraph.graph import ray_engine as module
from medgraph.graph.engine import LOCAL, Processes
from medgraph.graph.ray_engine import key_of, ray_engine, read_shard, write_shard
from tests.support.paths import ROOT
from tests.support.points import seeds
from tests.support.steps import SQUARE, Inline, Stub, loading, pages

pytestmark = pytest.mark.filterwarnings("default::DeprecationWarning:ray", "default::ResourceWarning")
"""Ray warns of options of its own that it sets itself, and leaves files open."""

MANIFEST = {"input": "abc", "model": "stub", "medgraph": "1"}


def local(tmp_path, sizes):
    (tmp_path / "local").mkdir(exist_ok=True)
    return list(LOCAL.rows(SQUARE, Stub(tmp_path / "local"), pages(sizes)))


def test_several_processes_give_the_rows_of_one_in_order_and_few_pages_need_none(tmp_path):
    expected, notes = local(tmp_path, [1, 3, 2, 4, 1, 1, 2]), tmp_path / "notes"
    notes.mkdir()
    assert list(Processes(partial(Stub, notes), 2).rows(SQUARE, None, pages([1, 3, 2, 4, 1, 1, 2]))) == expected
    workers = set((notes / "workers").read_text().split())
    assert workers
    assert str(os.getpid()) not in workers
    assert list(Processes(partial(Stub, tmp_path), 2).rows(SQUARE, Stub(tmp_path), pages([1, 3]))) == expected[:2]
    assert set((tmp_path / "workers").read_text().split()) == {str(os.getpid())}  # one of the first may note late


def test_an_error_in_another_process_is_raised_here_and_one_that_is_killed_is_told_of(tmp_path):
    given_pages = list(pages([2] * 12))
    given_pages[6][0]["fail"] = True
    engine, found = Processes(partial(Stub, tmp_path, 0.2), 2), []
    with pytest.raises(ValueError, match="this page is bad"):
        found.extend(engine.rows(SQUARE, None, given_pages))
    rows = engine.rows(SQUARE, None, pages([2] * 40))
    next(rows)
    os.kill(int((tmp_path / "workers").read_text().split()[-1]), signal.SIGKILL)
    with pytest.raises(MedgraphError, match=r"a process that computed squares was ended from outside.*run it again"):
        list(rows)


def test_processes_end_with_the_one_that_began_them(tmp_path):
    code = (
        "import sys; from functools import partial; from tests.support.steps import SQUARE, Stub, pages\n"
        "from medgraph.graph.engine import Processes\n"
        "if __name__ == '__main__':\n"
        "    for page in Processes(partial(Stub, sys.argv[1], 0.2), 2).rows(SQUARE, None, pages([1] * 500)):\n"
        "        print('page', flush=True)\n"
    )
    (tmp_path / "run.py").write_text(code)
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(tmp_path / "run.py"), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}) as run:
        assert run.stdout.readline() == b"page\n"
        run.kill()
    workers = [int(one) for one in (tmp_path / "workers").read_text().split()]
    end = time.monotonic() + 30
    while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_without_the_extra_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=re.escape("pip install '.[ray]'")), ray_engine("", tmp_path):
        pass


@given(st.lists(st.dictionaries(st.text(), st.none() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False)
       | st.binary() | st.text() | st.lists(st.booleans()))))  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_shard_gives_its_rows_back_with_their_types(tmp_path, rows):
    write_shard(tmp_path / "a.parquet", rows, MANIFEST)
    assert repr(read_shard(tmp_path / "a.parquet", MANIFEST)) == repr(rows)


def test_a_shard_of_something_else_or_a_damaged_one_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    write_shard(path, [{"id": "a"}], MANIFEST)
    with pytest.raises(InputError, match=r"a.parquet has medgraph '1', not '2': workers need the same medgraph"):
        read_shard(path, MANIFEST | {"medgraph": "2"})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"a.parquet cannot be read: .*; delete it, and run the command again"):
        read_shard(path, MANIFEST)


def test_a_shard_is_named_by_its_input_and_its_model():
    (page, other) = pages([2, 2])
    assert key_of(page, "a") == key_of([dict(row) for row in page], "a")
    assert len({key_of(page, "a"), key_of(page, "b"), key_of(other, "a"), key_of(page[:1], "a")}) == 4


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(0, 99), st.integers(1, 5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_are_those_of_the_local_engine_in_any_batches_and_order(tmp_path, monkeypatch, sizes, seed, at_once):
    monkeypatch.setattr(module, "ROUND", at_once)
    monkeypatch.setattr(Inline, "order", staticmethod(lambda shards: Random(seed).sample(shards, len(shards))))
    engine, stored = Inline(tmp_path / "shards", loading(tmp_path)), []
    expected = local(tmp_path, sizes)
    assert list(engine.rows(SQUARE, None, pages(sizes))) == expected
    engine.forget(SQUARE)
    assert list(engine.store(SQUARE, None, pages(sizes), stored.append)) == expected
    assert sorted(map(repr, stored)) == sorted(map(repr, expected))
    assert [path.name for path in (tmp_path / "shards" / "squares").iterdir()] == ["lock"]


@pytest.mark.parametrize("seed", seeds(3, 50))
def test_a_finished_shard_is_never_computed_again(tmp_path, seed):
    """A writer fails after some pages; those that it has stored are no longer asked for, as in the graph."""
    engine, stored, sizes = Inline(tmp_path / "shards", loading(tmp_path)), {}, [3] * 12

    def write(rows):
        if len(stored) == seed % 11 and fails:
            raise OSError("the server is away")
        stored[rows[0]["id"]] = rows

    fails = True
    with pytest.raises(OSError, match="the server is away"):
        list(engine.store(SQUARE, None, pages(sizes), write))
    fails = False
    left = [page for page in pages(sizes) if page[0]["id"] not in stored]
    list(engine.store(SQUARE, None, left, write))
    assert [stored[name] for name in sorted(stored)] == local(tmp_path, sizes)
    computed = Stub(tmp_path).computed
    assert sorted(computed) == sorted(set(computed))


@pytest.fixture(scope="module")
def on_ray(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ray")
    with ray_engine("", folder, 2) as engine:
        yield engine


@pytest.mark.extra
def test_ray_gives_the_rows_of_the_local_engine(on_ray, tmp_path):
    sizes = [1, 7, 3, 2, 9, 4]
    engine = on_ray.loading(loading(tmp_path))
    assert list(engine.rows(SQUARE, None, pages(sizes))) == local(tmp_path, sizes)
    assert len(Stub(tmp_path).computed) == len(sizes)


@pytest.mark.extra
def test_what_a_worker_cannot_compute_is_told_in_a_line(on_ray, tmp_path):
    engine = on_ray.loading(loading(tmp_path))
    bad = [*pages([2]), [{"id": "x", "n": 5, "fail": True}]]
    with pytest.raises(InputError, match=r"a worker failed: ValueError: this page is bad; mend that, and run"):
        list(engine.rows(SQUARE, None, bad))
    with pytest.raises(InputError, match=r"a worker failed: FileNotFoundError"):
        list(on_ray.loading(loading(tmp_path / "missing")).rows(SQUARE, None, pages([3])))


@pytest.mark.extra
def test_a_killed_worker_is_replaced(on_ray, tmp_path):
    engine, sizes = on_ray.loading(loading(tmp_path, 0.1)), [2] * 30
    killed, rows = set(), []
    for page in engine.rows(SQUARE, None, pages(sizes)):
        rows.append(page)
        if len(rows) in {5, 15}:
            worker = int((tmp_path / "workers").read_text().split()[-1])
            os.kill(worker, signal.SIGKILL)
            killed.add(worker)
    assert rows == local(tmp_path, sizes)
    computed = Stub(tmp_path).computed
    assert len(killed) == 2
    assert len(computed) - len(set(computed)) <= len(killed)


DRIVER = """
import sys
from pathlib import Path
from medgraph.graph.ray_engine import ray_engine
from tests.support.steps import SQUARE, loading, pages
folder = Path(sys.argv[1])
with ray_engine("", folder / "shards", 2) as engine:
    kept = folder / "stored"
    done = set(kept.read_text().split()) if kept.exists() else set()
    left = (page for page in pages([2] * 40) if page[0]["id"] not in done)
    def write(rows):
        with kept.open("a") as file:
            file.write(rows[0]["id"] + "\\n")
    for rows in engine.loading(loading(folder, 0.1)).store(SQUARE, None, left, write):
        pass
"""


@pytest.mark.extra
@pytest.mark.parametrize("seed", seeds(1, 10))
def test_a_killed_driver_goes_on_where_it_was(tmp_path, seed):
    def begin():
        return subprocess.Popen([sys.executable, "-c", DRIVER, str(tmp_path)], stderr=subprocess.PIPE, text=True)

    first = begin()
    computed = lambda: Stub(tmp_path).computed  # noqa: E731
    while len(computed()) < 8 + seed:
        assert first.poll() is None, first.stderr.read()
        time.sleep(0.02)
    first.kill()
    first.communicate()
    second = begin()
    assert second.communicate(timeout=120)[1].count("Error") == 0
    assert sorted((tmp_path / "stored").read_text().split()) == [page[0]["id"] for page in pages([2] * 40)]
    assert len(computed()) - len(set(computed())) <= 2
    assert [path.name for path in Path(tmp_path, "shards", "squares").iterdir()] == ["lock"]


KILLING = """
import os, signal, sys, time
from pathlib import Path
from medgraph.graph.ray_engine import ray_engine
from tests.support.steps import SQUARE, loading, pages
folder = Path(sys.argv[1])
with ray_engine("", folder / "shards", 1) as engine:
    for place, _ in enumerate(engine.loading(loading(folder, 0.1)).rows(SQUARE, None, pages([2] * 20))):
        if place == 3:
            os.kill(int((folder / "workers").read_text().split()[-1]), signal.SIGKILL)
    time.sleep(5)
print("done")
"""


@pytest.mark.extra
def test_what_ray_tells_of_dead_workers_is_no_output(tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLING, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "done\n"
    assert "A worker died" in done.stderr
