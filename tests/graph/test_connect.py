"""Connecting with settings: to any server, or to the embedded one, which is started."""

from dataclasses import replace

import pytest

from medgraph.errors import AuthenticationError, SettingsError
from medgraph.graph.connect import connect
from tests.support.graphs import statement


@pytest.mark.parametrize("uri", ["nonsense", "http://localhost", "ftp://localhost:7687", "://"])
def test_addresses_that_are_none(settings, uri):
    with pytest.raises(SettingsError, match=r"NEO4J_URI is .*; it starts with one of bolt"):
        connect(replace(settings, neo4j_uri=uri))


def test_connecting_with_settings(settings, server):
    given = replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())
    with connect(given) as database:
        assert database.read(statement("RETURN 1 AS one")) == [{"one": 1}]
    with connect(settings) as embedded:
        assert embedded.uri == server.bolt_uri
    with pytest.raises(AuthenticationError):
        connect(replace(given, neo4j_password=None))
