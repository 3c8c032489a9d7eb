"""Import files for another operator's server: with the command that goes with them, the graph of an ordinary load."""

import shlex

import pytest

from medgraph.errors import InputError
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.loaders.import_folder import COMMAND, finish_import, write_import_folder
from medgraph.schema.migrate import Model
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.server.store import AdminTool
from tests.support import servers
from tests.support.graphs import empty, run, state_of
from tests.support.paths import FILES
from tests.support.schemas import ENCODER


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
