"""Connecting with settings: to any server, or to the embedded one, which is started."""

from dataclasses import replace

import pytest

from medgraph.errors import AuthenticationError, DatabaseError, SettingsError
from medgraph.graph.connect import browser_address, connect
from tests.support.graphs import statement


@pytest.mark.parametrize("uri", ["nonsense", "http://localhost", "ftp://localhost:7687", "://"])
def test_addresses_that_are_none(settings, uri):
    with pytest.raises(SettingsError, match=r"NEO4J_URI is .*; it starts with one of bolt"):
        connect(replace(settings, neo4j_uri=uri))


def test_a_port_that_is_none(settings):
    with pytest.raises(DatabaseError, match="bolt://localhost:port cannot be used"):
        connect(replace(settings, neo4j_uri="bolt://localhost:port"))


def test_connecting_with_settings(settings, server):
    given = replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())
    with connect(given) as database:
        assert database.read(statement("RETURN 1 AS one")) == [{"one": 1}]
    with connect(settings) as embedded:
        assert embedded.uri == server.bolt_uri
    with pytest.raises(AuthenticationError):
        connect(replace(given, neo4j_password=None))


def test_the_address_of_browser_is_known_of_our_own_server_alone(settings, server):
    assert browser_address(settings) == server.status().browser_uri
    assert browser_address(replace(settings, neo4j_uri="bolt://example.org")) == ""
