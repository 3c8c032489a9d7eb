"""What the embedded server is told: only this machine, bounded memory, and the ports that can be read back."""

from dataclasses import replace
from pathlib import Path

import pytest

from medgraph.errors import SettingsError
from medgraph.server import conf
from medgraph.settings import Settings

SETTINGS = Settings(home=Path("home"), cache=Path("cache"), bolt_port=17687, http_port=17474, heap="1g")


def values(settings=SETTINGS):
    lines = conf.configuration(settings).splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_it_listens_on_this_machine_alone_and_asks_for_a_password():
    given = values()
    addresses = {name: value for name, value in given.items() if name.endswith("_address")}
    assert addresses
    assert {value.partition(":")[0] for value in addresses.values()} == {conf.HOST}
    assert given["dbms.security.auth_enabled"] == "true"
    outside = ("server.https.enabled", "dbms.usage_report.enabled", "client.allow_telemetry")
    assert {given[name] for name in outside} == {"false"}


def test_memory_is_bounded_by_the_heap():
    assert values()["dbms.memory.transaction.total.max"] == "614m"
    assert values(replace(SETTINGS, heap="2g", page_cache="300m"))["server.memory.pagecache.size"] == "300m"


def test_a_log_file_has_the_size_that_a_start_makes_room_for():
    given = values()
    assert (given["db.tx_log.preallocate"], given["db.tx_log.rotation.size"]) == ("true", f"{conf.LOG_BYTES >> 20}m")


def test_ports_are_read_back(tmp_path):
    file = tmp_path / "neo4j.conf"
    assert conf.configured_ports(file) is None
    file.write_text(conf.configuration(SETTINGS))
    assert conf.configured_ports(file) == (17687, 17474)
    file.write_text("server.bolt.listen_address=127.0.0.1:17687\n")
    assert conf.configured_ports(file) is None


@pytest.mark.parametrize("total", [1 << 30, 8 << 30, 64 << 30])
def test_what_is_set_wins_over_what_the_machine_has(total):
    given = replace(SETTINGS, heap="3g", page_cache="200m")
    assert conf.memory_sizes(given, total) == ("3g", "200m")
    assert conf.memory_sizes(replace(given, heap=None), total)[0] in {"512m", "1g", "2g"}
    with pytest.raises(SettingsError, match="MEDGRAPH_NEO4J_PAGECACHE is 'much'; set it to a size such as 1g"):
        conf.memory_sizes(replace(given, page_cache="much"), total)


def test_the_class_path_is_a_file_in_which_quotes_are_safe(tmp_path):
    file = tmp_path / "class path"
    argument = conf.class_path_argument([Path('/a "b"/c.jar'), Path("/d\\e.jar")], file)
    assert argument == f"@{file}"
    assert file.read_text() == '-cp\n"/a \\"b\\"/c.jar:/d\\\\e.jar"\n'
