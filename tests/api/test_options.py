"""How the service is run follows from where it is served."""

import pytest

from medgraph.api.access import RATE, Options, is_loopback, make_options, read_keys
from medgraph.errors import InputError, SettingsError
from medgraph.settings import Settings
from tests.support.service import KEY


def test_keys_that_cannot_be_used_are_refused_without_being_shown():
    assert read_keys(None) == read_keys("") == read_keys(" , ") == ()
    assert read_keys(f" {KEY} , {'n' * 16},") == (KEY, "n" * 16)
    for bad in ("short", f"{KEY},short", "é" * 20, "a" * 20 + "\n" + "b", "two words of a key"):
        with pytest.raises(SettingsError, match="MEDGRAPH_API_KEY") as caught:
            read_keys(bad)
        assert bad not in str(caught.value)
    assert KEY not in repr(Options(keys=(KEY,)))


def test_other_addresses_than_this_machines_need_a_key(tmp_path):
    settings = Settings(home=tmp_path, cache=tmp_path)
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "localhost")))
    for host in ("0.0.0.0", "::", "10.0.0.1", "example.org", ""):
        assert not is_loopback(host)
        with pytest.raises(InputError, match="set MEDGRAPH_API_KEY"):
            make_options(settings, host)
    with pytest.raises(InputError, match="through the proxy: set MEDGRAPH_API_KEY"):
        make_options(settings, "127.0.0.1", proxy="127.0.0.1")
    for proxy in ("*", "proxy.example", "10.0.0.0/8"):
        with pytest.raises(InputError, match="is no address of a proxy"):
            make_options(settings, "127.0.0.1", proxy=proxy)


def test_what_follows_from_where_it_is_served(tmp_path):
    settings = Settings(home=tmp_path, cache=tmp_path)
    local = make_options(settings, "127.0.0.1", "http://b/")
    assert (local.keys, local.rate, local.browser) == ((), 0, "http://b/")
    assert "localhost" in local.hosts
    assert "127.0.0.2" in make_options(settings, "127.0.0.2").hosts
    assert "[::1]" in make_options(settings, "::1").hosts
    keyed = Settings(home=tmp_path, cache=tmp_path, api_key=KEY)
    for options in (
        make_options(keyed, "0.0.0.0", "http://b/"),
        make_options(keyed, "127.0.0.1", "http://b/", proxy="::1"),
    ):
        assert (options.keys, options.rate, options.hosts, options.browser) == ((KEY,), RATE, (), "")
    assert make_options(keyed, "127.0.0.1").hosts == ()
    told = Settings(home=tmp_path, cache=tmp_path, api_key=KEY, rate_limit=0, browser="http://graph/")
    assert (make_options(told, "0.0.0.0").rate, make_options(told, "0.0.0.0").browser) == (0, "http://graph/")
