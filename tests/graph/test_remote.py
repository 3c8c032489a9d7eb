"""Another server by its own address: encrypted, routed, and through a line that cuts and delays."""

import json
import logging
import re
import statistics
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.api.app import create_app
from medgraph.cli.main import main
from medgraph.errors import DatabaseUnavailableError
from medgraph.graph.connect import connect
from medgraph.graph.database import Database
from medgraph.loaders.commands import load_named
from medgraph.server import lifecycle
from tests.support import servers
from tests.support.graphs import empty, state_of, statement
from tests.support.linking import names_of
from tests.support.points import few
from tests.support.proxies import FaultyProxy
from tests.support.service import service_over

ASKED = ["How is gout treated?", "What are the symptoms of asthma?", "What causes gout?", "Is asthma inherited?"]


@pytest.fixture
def faulty(settings):
    proxy = FaultyProxy(settings.bolt_port, cuts=0.01, jitter=0.1, seed=7)
    yield proxy
    proxy.close()


@pytest.mark.thorough
@pytest.mark.parametrize("requests", few([60, 1000], 2))
def test_through_a_faulty_line_no_answer_is_wrong(sample_graph, server, encoder, faulty, requests):
    def answers(database, number):
        app = create_app(service_over(database, lambda: encoder, names_of(database)))

        def answer(n):
            path, name = ("/v1/answers", "question") if n % 8 == 0 else ("/v1/search", "q")
            begun = time.perf_counter()
            return n, app.test_client().post(path, json={name: ASKED[n % len(ASKED)]}), time.perf_counter() - begun

        with ThreadPoolExecutor(4) as clients:
            yield from clients.map(answer, range(number))

    def told(response):
        return {key: value for key, value in response.get_json().items() if key != "timing_ms"}

    right = {n: told(response) for n, response, _ in answers(sample_graph, 8)}
    refused, seconds = 0, []
    with Database(f"bolt://127.0.0.1:{faulty.port}", "neo4j", server.password()) as distant:
        for n, response, took in answers(distant, requests):
            seconds.append(took)
            assert response.status_code in {200, 503}, response.text
            refused += response.status_code == 503
            assert response.status_code == 503 or told(response) == right[n % 8]
    p95 = statistics.quantiles(seconds, n=20)[-1]
    logging.getLogger(__name__).info("p95 %.2f s; %s cut off, %s refused", p95, faulty.cut_off, refused)
    assert refused <= requests / 100
    assert faulty.cut_off


@pytest.mark.slow
def test_a_load_through_a_faulty_line_is_whole(database, server, settings, faulty):
    load_named(database, settings, "sample")
    expected = state_of(database)
    empty(database)
    with Database(f"bolt://127.0.0.1:{faulty.port}", "neo4j", server.password()) as distant:
        # Where the line is cut while a transaction is committed, nobody knows whether it was, and the user tries again.
        for _ in range(3):
            with suppress(DatabaseUnavailableError):
                load_named(distant, settings, "sample")
    assert state_of(database) == expected


def test_a_statement_outside_a_transaction_is_run_again(server, settings):
    proxy = FaultyProxy(settings.bolt_port, cuts=0.05, jitter=0, seed=3)
    try:
        with Database(f"bolt://127.0.0.1:{proxy.port}", "neo4j", server.password()) as distant:
            assert [distant.run(statement(f"RETURN {n} AS n")) for n in range(40)] == [[{"n": n}] for n in range(40)]
        assert proxy.cut_off
    finally:
        proxy.close()


@pytest.fixture(scope="module")
def encrypted(settings, tmp_path_factory):
    """A second server, which takes encrypted connections."""
    own = servers.at(settings, tmp_path_factory.mktemp("tls"), page_cache="64m")
    keys = own.home / "certificates"
    keys.mkdir()
    names = ["-subj", "/CN=localhost", "-keyout", keys / "private.key", "-out", keys / "public.crt"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names]
    subprocess.run(made, check=True, capture_output=True)
    policy = {"bolt.enabled": "true", "bolt.base_directory": keys}
    lines = [f"dbms.ssl.policy.{name}={value}\n" for name, value in policy.items()]
    configuration = lifecycle.configuration
    with pytest.MonkeyPatch.context() as patch:
        more = "".join(["server.bolt.tls_level=OPTIONAL\n", *lines])
        patch.setattr(lifecycle, "configuration", lambda settings: configuration(settings) + more)
        with servers.started(own) as server:
            yield own, server


@pytest.mark.thorough
@pytest.mark.server
@pytest.mark.parametrize("scheme", ["bolt+ssc", "neo4j+ssc"])
def test_commands_on_an_encrypted_server(encrypted, settings, scheme, tmp_path):
    own, server = encrypted
    address = replace(
        settings, home=tmp_path, neo4j_uri=f"{scheme}://localhost:{own.bolt_port}", neo4j_password=server.password()
    )

    def medgraph(*arguments):
        result = CliRunner().invoke(main, arguments, obj=address)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "schema is complete" in medgraph("schema", "apply")
    assert medgraph("load", "sample").startswith("sample: ")
    medgraph("index")
    assert json.loads(medgraph("search", "How is gout treated?", "--json"))["results"][0]["section"] == "sample:gout#6"
    assert "removed" in medgraph("unload", "sample")


@pytest.mark.thorough
@pytest.mark.server
def test_a_certificate_that_nobody_vouches_for_is_refused(encrypted, settings):
    own, server = encrypted
    uri = f"bolt+s://localhost:{own.bolt_port}"
    with pytest.raises(DatabaseUnavailableError, match=re.escape(f"no answer from the database at {uri}")):
        connect(replace(settings, neo4j_uri=uri, neo4j_password=server.password()), retry_time=0.5)
