"""Files that workers read apart, and import files for another operator's server."""

import shlex
from collections import deque

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medgraph.errors import InputError, SourceFileError
from medgraph.graph.engine import LOCAL
from medgraph.loaders import registry
from medgraph.loaders.base import Row
from medgraph.loaders.commands import COMMAND, LoadOptions, finish_import, load_named, write_import_folder
from medgraph.loaders.registry import records_by_engine
from medgraph.schema.migrate import Model
from medgraph.schema.records import Entity
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.server.store import AdminTool
from tests.support import servers
from tests.support.graphs import empty, run, state_of
from tests.support.paths import FILES
from tests.support.pubmed import article, heading, written
from tests.support.schemas import ENCODER

PUBMED = registry.get("pubmed")


@given(st.lists(st.lists(st.integers(1, 6), max_size=5), min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_items_are_those_of_the_folder_read_at_once(tmp_path_factory, files):
    folder = tmp_path_factory.mktemp("pubmed")
    for number, headings in enumerate(files, 1):
        cited = [article(pmid=f"{number}{n}", headings=heading(h)) for n, h in enumerate(headings, 1)]
        written(folder, *cited, name=f"pubmed26n{number:04}.xml")
    items = list(records_by_engine(PUBMED, "pubmed", LOCAL)[0].records(folder))
    assert items == list(PUBMED.records(folder))
    entities = [item.record.id for item in items if isinstance(item, Row) and isinstance(item.record, Entity)]
    assert sorted(entities) == sorted({f"MESH:D{h:06}" for headings in files for h in headings})


def test_a_file_that_is_cut_off_gives_what_came_before_and_the_same_error(tmp_path):
    path = written(tmp_path, article("1"), article("2"))
    path.write_text(path.read_text()[:-60])
    apart, _ = records_by_engine(PUBMED, "pubmed", LOCAL)
    (items, error), again = until_error(PUBMED.records(tmp_path)), until_error(apart.records(tmp_path))
    assert again == (items, error)
    assert len(items) == 1
    assert error[0].startswith(f"{path}:")


def until_error(items):
    """What a reader gives, and the error that ends it."""
    found = []
    with pytest.raises(SourceFileError) as caught:
        deque(map(found.append, items))
    return found, (str(caught.value), caught.value.line)


def test_a_source_that_is_read_as_a_whole_is_refused():
    with pytest.raises(InputError, match=r"the source mesh is read as a whole, .*; it goes with: pubmed"):
        records_by_engine(registry.get("mesh"), "mesh", LOCAL)


@pytest.fixture
def operator(second, monkeypatch):
    """Runs a command as the operator of the second server, within a folder, while the server is stopped."""
    own, server = second

    def call(command, folder):
        program, *arguments = shlex.split(command)
        assert program == "neo4j-admin"
        server.stop()
        admin = EmbeddedNeo4j(own)._admin()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            AdminTool(admin.java, admin.jars, admin.home).run(*arguments)
        server.start()

    return call


@pytest.mark.thorough
def test_what_the_operator_imports_becomes_the_graph_of_an_ordinary_load(second_server, operator, settings, tmp_path):
    _, server = second_server
    folder = tmp_path / "files for them"
    with servers.connect(server) as database:
        load_named(database, settings, "pubmed", FILES / "pubmed")
        expected = state_of(database)
        empty(database)
        line = write_import_folder(settings, "pubmed", FILES / "pubmed", LoadOptions(), folder)
        assert line == f"cd '{folder}' && {(folder / COMMAND).read_text().strip()}"
        with pytest.raises(InputError, match="the graph is empty; its operator imports"):
            finish_import(settings, database, folder, Model(*ENCODER))
    operator((folder / COMMAND).read_text(), folder)
    with servers.connect(server) as database:
        report = finish_import(settings, database, folder, Model(*ENCODER))
        assert report.added > 0
        assert state_of(database) == expected
        assert run(database, "SHOW INDEXES YIELD state WHERE state <> 'ONLINE' RETURN *") == []
    with pytest.raises(InputError, match="is not empty; name another folder"):
        write_import_folder(settings, "pubmed", FILES / "pubmed", LoadOptions(), folder)
    with pytest.raises(InputError, match="is no folder of import files"):
        finish_import(settings, None, tmp_path, Model(*ENCODER))
