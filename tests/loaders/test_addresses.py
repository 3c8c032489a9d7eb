"""Sources by address, from a real server of this machine: every way in which fetching them can go wrong."""

import gzip
import hashlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import (
    ChecksumError,
    DownloadError,
    InputError,
    NoSpaceError,
    SettingsError,
    SourceFileError,
    TermsError,
)
from medgraph.loaders.addresses import Store, announce, expanded, refuse_terms
from medgraph.server import fetch
from medgraph.settings import Settings
from tests.support.fetching import BLOCK
from tests.support.memory import at_most

DATA = os.urandom(1_000_000)
SHA = hashlib.sha256(DATA).hexdigest()
PROGRAM = """
import sys
from pathlib import Path
from medgraph.loaders.addresses import Store
from medgraph.settings import Settings
print(Store(Settings(Path(sys.argv[1]), Path(sys.argv[1]))).place([sys.argv[2]]).files[0].sha256)
"""


@pytest.fixture
def site(site):
    site.files["/a.obo"] = DATA
    return site


@pytest.fixture
def settings(tmp_path):
    return Settings(home=tmp_path / "home", cache=tmp_path / "cache")


@pytest.fixture
def get(site, settings):
    def got(address="/a.obo", *, expected="", offline=False, **changed):
        store = Store(replace(settings, **changed), offline=offline)
        return store.place([address if "://" in address else site.url + address], expected)

    return got


def leftovers(settings):
    return [path for path in settings.cache.rglob("*") if ".part" in path.name or path.name.endswith(".unpacked")]


def test_a_file_is_fetched_once_and_then_only_asked_after(get, site, settings):
    place = get()
    assert place.path.read_bytes() == DATA
    assert (place.path.name, place.address) == ("a.obo", f"{site.url}/a.obo")
    (file,) = place.files
    assert (file.sha256, file.size, file.address) == (SHA, len(DATA), f"{site.url}/a.obo")
    sent = site.sent
    assert get().path == place.path
    assert (site.sent, len(site.requests)) == (sent, 2)
    assert site.requests[1][2]["If-None-Match"] == file.version.etag
    assert leftovers(settings) == []


def test_a_changed_file_comes_anew_and_the_release_before_stays_for_who_reads_it(get, site):
    paths = [get().path]
    for number in (1, 2):
        site.files["/a.obo"] = b"release %d" % number
        paths.append(get().path)
    assert [path.exists() for path in paths] == [False, True, True]
    assert paths[2].read_bytes() == b"release 2"


@pytest.mark.parametrize(
    "faults",
    [
        [("cut", 300_000), ("cut", 1), ("cut", 400_000)],
        ["close", ("status", 503), ("status", 429), "close"],
        [("cut", 300_000), "shift"],
        [("cut", 70_000)] * 12,
        [("cut", 0), ("status", 500), ("cut", 0), ("cut", 200_000), ("status", 502)],
    ],
    ids=["cut", "busy", "wrong range", "many cuts", "mixed"],
)
@pytest.mark.parametrize("without", [(), ("etag",), ("etag", "modified"), ("ranges",)], ids=str)
def test_what_breaks_off_goes_on_and_comes_whole(get, site, settings, faults, without):
    site.faults["/a.obo"], site.without = list(faults), set(without)
    if without in {("etag", "modified"), ("ranges",)} and len(faults) > 4:
        pytest.skip("what cannot be taken up is begun anew, and given up after so many cuts")
    assert get().path.read_bytes() == DATA
    assert leftovers(settings) == []


def test_a_cut_line_costs_only_what_is_lacking(get, site):
    site.faults["/a.obo"] = [("cut", 900_000)]
    assert get().path.read_bytes() == DATA
    assert site.sent == len(DATA)
    assert site.requests[1][1] == "bytes=900000-"


def test_a_stalled_line_is_given_up_and_taken_up(get, site, monkeypatch):
    monkeypatch.setattr(fetch, "SILENCE", 0.3)
    site.faults["/a.obo"] = [("stall", 500_000)]
    assert get().path.read_bytes() == DATA
    assert len(DATA) <= site.sent < len(DATA) + BLOCK


@pytest.mark.parametrize("without", [(), ("care",)], ids=str)
def test_a_file_that_changes_between_two_parts_is_not_mixed(get, site, without):
    site.without = set(without)
    site.faults["/a.obo"] = [("cut", 500_000)] + [("status", 503)] * 5
    with pytest.raises(DownloadError, match=r"could not be fetched \(the server answers 503\).*goes on where it broke"):
        get()
    site.files["/a.obo"] = other = os.urandom(800_000)
    assert get().path.read_bytes() == other


@pytest.mark.parametrize("without", [(), ("etag",), ("etag", "modified")], ids=str)
def test_packed_lines_are_unpacked_and_packed_files_stay_packed(get, site, settings, without):
    packed = gzip.compress(DATA, mtime=0)
    site.files |= {"/b.obo.gz": packed, "/text.obo": b"text " * 400_000}
    site.packed, site.without = "gzip", set(without)
    site.faults["/text.obo"] = [("cut", 1000)]
    assert get("/text.obo").path.read_bytes() == b"text " * 400_000
    for said in ("", "x-gzip"):
        site.packed = said
        assert get("/b.obo.gz").path.read_bytes() == packed
    site.packed = "br"
    with pytest.raises(DownloadError, match="comes packed as br, which was not asked for"):
        get()
    assert leftovers(settings) == []


def test_the_limit_holds_for_what_is_unpacked_and_for_what_has_no_length(get, site, settings):
    site.files["/bomb.txt"] = bytes(20_000_000)
    for way, value in (("packed", "gzip"), ("chunked", True)):
        setattr(site, way, value)
        with pytest.raises(DownloadError, match="has 10 MB or more, and 10 are allowed; MEDGRAPH_FETCH_LIMIT"):
            get("/bomb.txt", fetch_limit=0.01)
        setattr(site, way, "")
    sent = site.sent
    with pytest.raises(DownloadError, match="has 20 MB or more, and 10 are allowed"):
        get("/bomb.txt", fetch_limit=0.01)
    assert site.sent - sent < 10_000_000
    assert leftovers(settings) == []


def test_what_comes_without_length_must_have_a_hash(get, site):
    site.without = {"length"}
    with pytest.raises(DownloadError, match="comes without its length, so that a cut would go unseen; say its sha256"):
        get()
    site.faults["/a.obo"] = [("cut", 500_000)]
    assert get(expected=SHA).path.read_bytes() == DATA
    site.chunked, site.without = True, set()
    site.faults["/b.obo"], site.files["/b.obo"] = [("cut", 500_000)], DATA
    assert get("/b.obo").path.read_bytes() == DATA


def test_another_hash_is_refused_and_the_right_one_is_never_asked_for_again(get, site, settings):
    with pytest.raises(ChecksumError, match=f"has the SHA-256 {SHA}, and {'0' * 64} is expected"):
        get(expected="0" * 64)
    assert not any(path.is_file() and path.name == "a.obo" for path in settings.cache.rglob("*"))
    get(expected=SHA)
    asked = len(site.requests)
    get(expected=SHA)
    assert len(site.requests) == asked
    with pytest.raises(ChecksumError):
        get(expected="0" * 64)


def test_a_part_that_was_damaged_is_fetched_anew_where_the_hash_tells(get, site, settings):
    site.faults["/a.obo"] = [("cut", 500_000)] + ["close"] * 5
    with pytest.raises(DownloadError):
        get(expected=SHA)
    (part,) = settings.cache.rglob("*.part")
    part.write_bytes(b"x" + part.read_bytes()[1:])
    assert get(expected=SHA).path.read_bytes() == DATA


def test_redirects_lead_to_http_alone_and_never_back_from_https(get, site, monkeypatch):
    site.faults["/moved.obo"] = [("to", "/a.obo")]
    place = get("/moved.obo")
    assert (place.path.name, place.path.read_bytes()) == ("moved.obo", DATA)
    for target in ("file:///etc/passwd", "ftp://127.0.0.1/a.obo", "data:,x"):
        site.faults["/file.obo"] = [("to", target)]
        with pytest.raises(DownloadError, match="leads to what is not HTTP, which is never followed"):
            get("/file.obo")
    site.faults["/loop.obo"] = [("to", "/loop.obo")] * 100
    with pytest.raises(DownloadError, match="TooManyRedirects"):
        get("/loop.obo")
    # A server of this machine has no certificate: the session is told that the first step was HTTPS.
    session = fetch.session_of()
    with pytest.raises(DownloadError, match="where nobody vouches"):
        fetch.answer(Downgraded(session), "GET", "https://example.org/a.obo", stream=True, where=site.url)


class Downgraded:
    """A session whose HTTPS server redirects to HTTP."""

    def __init__(self, session):
        self._session = session

    def request(self, method, address, *, where, **given):
        return self._session.request(method, f"{where}/a.obo", **given)


def test_what_is_not_there_or_refused_is_told_at_once(get, site):
    with pytest.raises(DownloadError, match=r"/none\.obo: there is no such file \(404\)"):
        get("/none.obo")
    site.faults["/a.obo"] = [("status", 403)]
    with pytest.raises(DownloadError, match=r"the server answers 403; a name and password may stand in ~/\.netrc"):
        get()
    assert len(site.requests) == 2


@pytest.mark.parametrize(
    "page", [b"<!DOCTYPE html><p>Log in", b" <html>", b"version https://git-lfs.github.com/spec/v1\n"]
)
def test_a_page_in_the_place_of_a_file_is_refused(get, site, settings, page):
    site.files |= {"/a.zip": page, "/page.html": b"<html>", "/leaflet": b"<html>"}
    with pytest.raises(DownloadError, match="gives a page, or a pointer of Git LFS, and not the file"):
        get("/a.zip")
    assert leftovers(settings) == []
    assert get("/page.html").path.read_bytes() == get("/leaflet").path.read_bytes() == b"<html>"


def test_without_a_network_what_is_here_goes_on_and_what_is_missing_is_told(get, site, capsys):
    place = get()
    site.faults["/a.obo"] = [("status", 503)] * 5
    assert get().path == place.path
    assert "(the server answers 503); check the network" in (said := capsys.readouterr().err)
    assert "going on with what came on 2" in said
    asked = len(site.requests)
    assert get(offline=True).path == place.path
    with pytest.raises(DownloadError, match=r"/b\.obo is not in the cache, and nothing is fetched offline"):
        get("/b.obo", offline=True)
    assert len(site.requests) == asked
    site.faults["/a.obo"] = [("status", 404)]
    assert get().path == place.path


def test_where_no_name_is_known_it_is_given_up_at_once_and_else_told_what_is_waited_for(get, site, monkeypatch, capsys):
    site.faults["/a.obo"] = [("status", 503), "close"]
    get()
    told = capsys.readouterr().err
    assert "/a.obo: the server answers 503; trying again in 0 s" in told
    assert told.count("trying again") == 2
    asked = []

    def unknown(host, *_, **__):
        asked.append(host)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(DownloadError, match="could not be fetched"):
        get("https://files.example/a.obo")
    assert asked == ["files.example"]
    assert "trying again" not in capsys.readouterr().err


def test_a_file_of_the_cache_that_is_cut_is_fetched_anew(get, site):
    place = get()
    place.path.write_bytes(DATA[:10])
    assert get().path.read_bytes() == DATA


def test_secrets_are_sent_and_never_told(get, site, capsys, settings):
    host = site.url.removeprefix("http://")
    given = "format=obo&api_key=hidden&X-Amz-Signature=hidden"
    place = get(f"http://ann:word@{host}/a.obo?{given}")
    assert place.address == f"http://{host}/a.obo?format=obo&api_key=…&X-Amz-Signature=…"
    asked, _, headers = site.requests[0]
    assert (asked, headers["Authorization"]) == (f"/a.obo?{given}", "Basic YW5uOndvcmQ=")
    kept = b"".join(path.read_bytes() for path in settings.cache.rglob("*.json"))
    for path in ("/b.obo", "/c.obo"):
        site.faults[path] = ["close"] * 5 if path == "/c.obo" else []
        with pytest.raises(DownloadError) as failed:
            get(f"http://ann:word@{host}{path}?token=hidden")
        kept += str(failed.value).encode()
    announce(settings, "T", "CC0-1.0", [f"http://ann:word@{host}/d.obo?token=hidden"])
    kept += capsys.readouterr().err.encode()
    assert not any(secret in kept for secret in (b"ann", b"word", b"hidden"))


def test_two_processes_fetch_a_file_once(site, settings):
    site.seconds_per_block = 0.03
    command = [sys.executable, "-c", PROGRAM, str(settings.cache), f"{site.url}/a.obo"]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: subprocess.run(command, capture_output=True, text=True, check=True), range(3)))
    assert {one.stdout.strip() for one in done} == {SHA}
    assert site.sent == len(DATA)
    assert any("another command fetches" in one.stderr for one in done)


def test_a_fetch_that_is_killed_goes_on(site, settings, get):
    site.seconds_per_block = 0.05
    command = [sys.executable, "-c", PROGRAM, str(settings.cache), f"{site.url}/a.obo"]
    with subprocess.Popen(command) as running:
        while site.sent < 400_000:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
    begun, site.seconds_per_block = site.sent, 0.0
    assert get().path.read_bytes() == DATA
    assert site.sent < begun + len(DATA) - 200_000


def test_memory_stays_flat(get, site):
    site.files["/large.obo"] = bytes(100_000_000)
    with at_most(20_000_000):
        get("/large.obo")


def test_several_addresses_are_a_folder_that_follows_each_of_them(settings, site):
    site.files |= {f"/n{number:02d}.obo": b"%d" % number for number in range(8, 12)}
    store = Store(settings)
    place = store.place([f"{site.url}/n[08-11].obo"])
    assert [(path.name, path.read_text()) for path in sorted(place.path.iterdir())] == [
        ("n08.obo", "8"),
        ("n09.obo", "9"),
        ("n10.obo", "10"),
        ("n11.obo", "11"),
    ]
    assert place.address == f"{site.url}/n[08-11].obo"
    site.files["/n09.obo"] = b"nine"
    other = store.place([f"{site.url}/n[08-11].obo"]).path
    assert (other / "n09.obo").read_text() == "nine"
    assert not (place.path / "n09.obo").exists() or place.path != other
    del site.files["/n09.obo"]
    site.files["/m/n08.obo"] = b"8"
    with pytest.raises(DownloadError, match=r"/n12\.obo: there is no such file"):
        store.place([f"{site.url}/n[08-12].obo"])
    with pytest.raises(InputError, match=r"two of the addresses have files called n08\.obo"):
        store.place([f"{site.url}/n08.obo", f"{site.url}/m/n08.obo"])
    with pytest.raises(InputError, match="sha256 goes with one address"):
        store.place([f"{site.url}/n[08-11].obo"], SHA)


def test_of_a_dated_name_the_newest_file_is_taken(settings, site):
    from datetime import UTC, datetime, timedelta

    today = datetime.now(UTC).date()
    before, now = (f"/topics_{today - timedelta(days)}.zip" for days in (3, 1))
    store, address = Store(settings), f"{site.url}/topics_[date].zip"
    with pytest.raises(DownloadError, match="there is no such file"):
        store.place([address])
    site.files[before] = b"old"
    first = store.place([address])
    assert (first.path.read_bytes(), first.files[0].address) == (b"old", site.url + before)
    sent = site.sent
    assert store.place([address]).path == first.path
    assert site.sent == sent
    site.files[now] = b"new"
    assert store.place([address]).path.read_bytes() == b"new"


def test_a_mirror_gives_what_others_have(get, site, settings):
    site.files["/example.org/sub/a.obo"] = b"mirrored"
    place = get("https://ann:word@example.org/sub/a.obo", mirror=f"{site.url}/")
    assert (place.path.read_bytes(), place.address) == (b"mirrored", "https://example.org/sub/a.obo")


def test_files_of_this_machine_are_read_where_they_are(get, tmp_path):
    path = tmp_path / "a b.obo"
    path.write_bytes(DATA)
    place = get(path.as_uri(), expected=SHA)
    assert (place.path, place.files[0].sha256) == (path, SHA)
    with pytest.raises(SourceFileError, match="is no file of this machine"):
        get((tmp_path / "none.obo").as_uri())
    with pytest.raises(SourceFileError, match="is no file of this machine"):
        get("file://elsewhere/a.obo")
    with pytest.raises(ChecksumError):
        get(path.as_uri(), expected="0" * 64)


@pytest.mark.parametrize("address", ["ftp://example.org/a.obo", "gopher://x/y", "javascript://x", "smb://host/a.obo"])
def test_other_schemes_are_refused(address):
    with pytest.raises(InputError, match="addresses begin with https://, http:// or file://"):
        expanded([address])


def test_ranges_are_bounded():
    assert expanded(["https://x/a[9-11]-of-[01-02]"])[3] == "https://x/a10-of-02"
    for text in ("https://x/[2-1]", "https://x/[1-99999999999]", "https://x/[0-999]/[0-999]"):
        with pytest.raises(InputError, match="stands for no file, or for more than 10,000"):
            expanded([text])


@given(low=st.integers(0, 400), more=st.integers(0, 60), width=st.integers(1, 5))
def test_a_range_writes_each_number_once_in_its_width(low, more, width):
    found = expanded([f"https://x/a[{low:0{width}}-{low + more}].gz"])
    numbers = [text.removeprefix("https://x/a").removesuffix(".gz") for text in found]
    assert list(map(int, numbers)) == list(range(low, low + more + 1))
    assert all(len(text) >= len(f"{low:0{width}}") for text in numbers)


@pytest.mark.parametrize(
    ("loader", "address", "name"),
    [
        ("umls", "https://example.org/umls.zip", "the UMLS Metathesaurus"),
        ("rxnorm", "https://download.nlm.nih.gov/umls/kss/rxnorm/RxNorm_full_01062026.zip", "UMLS Terminology"),
        ("obo", "https://files.example/SNOMED/ct.obo", "SNOMED CT"),
        ("files", "https://www.meddra.org/x.zip", "MedDRA"),
    ],
)
def test_what_has_terms_to_accept_is_never_fetched(loader, address, name):
    with pytest.raises(TermsError, match=f"{name}.* is never fetched, because its terms are yours to accept: https://"):
        refuse_terms(loader, [address])
    refuse_terms("obo", ["https://example.org/umls-free.obo"])


def test_a_full_disk_and_a_cache_that_cannot_be_written_are_told(get, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "SPARE", 1 << 60)
    with pytest.raises(NoSpaceError, match="MEDGRAPH_CACHE"):
        get()
    assert not list(settings.cache.rglob("*.part"))
    (tmp_path / "file").write_text("")
    with pytest.raises((SettingsError, NotADirectoryError)):
        get(cache=tmp_path / "file")


@pytest.mark.thorough
def test_of_a_thousand_files_on_a_bad_line_none_is_wrong_and_none_comes_twice(settings, site):
    """Faults are drawn for each; what the server sent beyond the files is what a part without a sign began anew."""
    draw = random.Random(7)
    site.files = {f"/n{number:04d}.bin": draw.randbytes(draw.randint(0, 400_000)) for number in range(1000)}
    kinds, anew = ["cut", "close", "503", "429", "shift", None], 0
    for path, data in site.files.items():
        drawn = draw.choices(kinds, k=draw.randint(0, 4))
        anew += len(data) * drawn.count("shift")
        faults = {"cut": ("cut", draw.randint(0, 300_000)), "503": ("status", 503), "429": ("status", 429)}
        site.faults[path] = [faults.get(kind, kind) for kind in drawn]
    place = Store(settings).place([f"{site.url}/n[0000-0999].bin"])
    assert {f"/{path.name}": path.read_bytes() for path in place.path.iterdir()} == site.files
    total, asked = sum(map(len, site.files.values())), len(site.requests)
    assert total <= site.sent <= total + anew
    sent, site.faults = site.sent, {}
    assert Store(settings).place([f"{site.url}/n[0000-0999].bin"]).path == place.path
    assert (site.sent, len(site.requests)) == (sent, asked + 1000)
