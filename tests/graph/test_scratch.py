"""A graph of its own: settings apart from the user's, and a server that ends with it."""

import pytest

from medgraph.graph.connect import scratch_graph, scratch_settings
from medgraph.settings import Settings


def test_nothing_of_the_users_graph_is_used(tmp_path):
    users = Settings(
        tmp_path / "users", tmp_path / "cache", neo4j_uri="bolt://elsewhere", neo4j_password="theirs", heap="1g"
    )
    own = scratch_settings(users, tmp_path / "apart")
    assert (own.home, own.neo4j_uri, own.neo4j_password) == (tmp_path / "apart", None, None)
    assert len({own.bolt_port, own.http_port, users.bolt_port, users.http_port}) == 4
    assert (own.cache, own.encoder, own.heap) == (users.cache, users.encoder, "1g")


@pytest.mark.thorough
def test_its_server_ends_with_it_and_what_is_kept_is_there(second_server):
    settings, server = second_server
    with scratch_graph(settings, settings.home) as (database, own):
        assert own.home == settings.home
        assert database.uri == server.bolt_uri
    assert not server.status().running
    assert server.password()
