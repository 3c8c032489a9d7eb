"""Searches of PubMed, against a server of this machine that answers as NCBI's E-utilities do."""

import json
from dataclasses import replace

import pytest

from medgraph.errors import DownloadError, InputError, SourceFileError
from medgraph.loaders import project, searches
from medgraph.loaders.commands import LoadOptions, load_named, unload_named
from medgraph.loaders.searches import source_id
from medgraph.server import fetch
from tests.support.graphs import run
from tests.support.pubmed import article

TITLES = "MATCH (d:Document)-[:FROM]->(s:Source) RETURN d.id AS id, d.title AS title, s.id AS source ORDER BY id"


@pytest.fixture
def asking(own_settings, pubmed, tmp_path):
    return replace(own_settings, cache=tmp_path / "cache", mirror=pubmed.site.url)


@pytest.fixture
def search(database, asking):
    def searched(words="gout AND colchicine", **options):
        wish = LoadOptions(search=words, **options)
        return load_named(database, asking, "pubmed", None, wish)

    return searched


def documents(database):
    return {row["id"]: (row["title"], row["source"]) for row in run(database, TITLES)}


def test_a_search_is_a_source_of_its_own_that_is_brought_up_to_date_and_taken_out(search, pubmed, database, asking):
    pubmed.has("11", "12", "13")
    report = search()
    assert (report.source, report.added) == ("pubmed-gout-and-colchicine", 3)
    (row,) = run(database, "MATCH (l:Load) RETURN l {.file, .url, .title, .licence} AS load")
    page = "https://pubmed.ncbi.nlm.nih.gov/?term=gout+AND+colchicine"
    assert row["load"] == {
        "file": page,
        "url": page,
        "title": "PubMed: gout AND colchicine",
        "licence": "LicenseRef-NLM-PubMed",
    }
    assert search().known
    pubmed.articles["12"] = article(
        "12", title="Gout, revised", citation="<DateRevised><Year>2026</Year></DateRevised>"
    )
    pubmed.found.remove("13")
    pubmed.has("14")
    report = search()
    assert (report.added, report.changed, report.withdrawn, report.unchanged) == (1, 1, 1, 1)
    assert sorted(documents(database)) == ["PMID:11", "PMID:12", "PMID:14"]
    unload_named(database, asking, report.source)
    assert documents(database) == {}


def test_what_is_asked_names_who_asks_and_keeps_the_key_out_of_addresses(database, pubmed, asking):
    pubmed.has("1")
    keyed = replace(asking, ncbi_api_key="hidden", ncbi_email="ann@example.org")
    load_named(database, keyed, "pubmed", None, LoadOptions(search="gout", most=7))
    (_, first), (_, second) = pubmed.asked
    common = {"db": "pubmed", "tool": "medgraph", "email": "ann@example.org", "api_key": "hidden"}
    assert first == common | {"term": "gout", "retmax": "7", "sort": "relevance", "retmode": "json"}
    assert second == common | {"id": "1", "retmode": "xml"}
    assert not any("hidden" in path for path, *_ in pubmed.site.requests)
    kept = b"".join(path.read_bytes() for path in asking.cache.rglob("*") if path.is_file())
    assert b"hidden" not in kept


def test_batches_are_of_two_hundred_and_an_interrupted_search_goes_on(search, pubmed, monkeypatch):
    numbers = [str(number) for number in range(1000, 1450)]
    pubmed.has(*numbers)
    monkeypatch.setattr(fetch, "TRIES", 1)
    answer, asked = pubmed.answer, []

    def broken(what, form):
        asked.append(what)
        return (500, b"") if len(asked) == 4 else answer(what, form)

    monkeypatch.setattr(pubmed, "answer", broken)
    with pytest.raises(DownloadError, match="the server answers 500"):
        search(most=450)
    monkeypatch.undo()
    monkeypatch.setattr(searches, "_RATES", {False: 1000, True: 2000})
    before = len(pubmed.asked)
    assert search(most=450).added == 450
    assert [(what, len(form.get("id", "").split(","))) for what, form in pubmed.asked[before:]] == [
        ("esearch", 1),
        ("efetch", 50),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        (429, b'{"error":"API rate limit exceeded"}'),
        (200, b'{"error":"API rate limit exceeded"}'),
        (200, b'{"esearchresult": {"ERROR": "Search Backend failed"}}'),
        (502, b"<html>"),
    ],
    ids=["429", "200", "error", "502"],
)
def test_a_service_that_is_busy_is_asked_again(search, pubmed, wrong):
    pubmed.has("1")
    pubmed.wrong = [wrong, wrong]
    assert search().added == 1


@pytest.mark.parametrize(
    "wrong",
    [
        b"<PubmedArticleSet><PubmedArticle>",
        b"<eFetchResult><ERROR>Unable to obtain query</ERROR></eFetchResult>",
        b"<PubmedArticleSet></PubmedArticleSet>",
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><PubmedArticleSet>&e;</PubmedArticleSet>',
        f"<PubmedArticleSet>{article('999')}</PubmedArticleSet>".encode(),
    ],
    ids=["cut", "error", "empty", "entity", "other"],
)
def test_a_batch_that_is_not_whole_is_fetched_again(search, pubmed, database, wrong):
    pubmed.has("1")
    answer, given = pubmed.answer, []

    def broken(what, form):
        given.append(what)
        return (200, wrong) if given.count("efetch") == 1 and what == "efetch" else answer(what, form)

    pubmed.answer = broken
    assert search().added == 1
    assert list(documents(database)) == ["PMID:1"]


def test_what_another_source_has_stays_with_it(search, pubmed, database, asking, capsys):
    pubmed.has("1", "2", "3")
    search("gout")
    pubmed.found = ["2", "3", "4"]
    pubmed.articles["4"] = article("4")
    report = search("colchicine")
    assert (report.added, report.rejected) == (1, 0)
    assert "2 citations of these come with pubmed-gout already" in capsys.readouterr().err
    unload_named(database, asking, "pubmed-gout")
    assert search("colchicine").added == 2
    with pytest.raises(SourceFileError, match="all 3 citations that PubMed finds come with pubmed-colchicine already"):
        search("gout")
    assert {source for _, source in documents(database).values()} == {"pubmed-colchicine"}


def test_books_and_citations_that_are_gone_are_left_out(search, pubmed, capsys):
    pubmed.has("1", "2", "3")
    pubmed.articles["2"] = "<PubmedBookArticle><BookDocument><PMID>2</PMID></BookDocument></PubmedBookArticle>"
    del pubmed.articles["3"]
    report = search()
    assert (report.added, report.rejected) == (1, 0)
    assert "PubMed has 1 citation no more of those that it found" in capsys.readouterr().err


def test_without_a_network_what_was_found_before_goes_on(search, pubmed, capsys):
    pubmed.has("1")
    with pytest.raises(DownloadError, match="PubMed was never asked for gout AND colchicine"):
        search(offline=True)
    search()
    pubmed.wrong = [(503, b"")] * 5
    assert search().known
    assert "going on with what PubMed gave on 2" in capsys.readouterr().err
    asked = len(pubmed.asked)
    assert search(offline=True).known
    assert len(pubmed.asked) == asked


def test_a_search_that_finds_nothing_takes_nothing_out(search, pubmed, database):
    pubmed.has("1")
    search()
    pubmed.found = []
    assert search().known
    with pytest.raises(DownloadError, match="PubMed finds nothing for gaut; use other words"):
        search("gaut")
    assert list(documents(database)) == ["PMID:1"]


def test_a_build_asks_anew_and_the_lock_holds_what_was_found(database, asking, pubmed, tmp_path):
    pubmed.has("1", "2")
    (tmp_path / "sources.yaml").write_text("sources:\n  - load: pubmed\n    search: gout\n    most: 20\n")

    def build(**options):
        return {row.source: row for row in project.build(database, asking, tmp_path, **options)}

    assert build()["pubmed-gout"].report.added == 2
    row = json.loads((tmp_path / "sources.lock").read_text())["pubmed-gout"]
    assert row["file"] == row["fetched"][0]["address"] == "https://pubmed.ncbi.nlm.nih.gov/?term=gout"
    assert row["sha256"] == row["fetched"][0]["sha256"]
    assert not build()["pubmed-gout"].changed
    pubmed.has("3")
    asked = len(pubmed.asked)
    assert not build(locked=True)["pubmed-gout"].changed
    assert len(pubmed.asked) == asked
    assert build()["pubmed-gout"].report.added == 1
    (tmp_path / "sources.yaml").write_text("sources: []\n")
    assert build()["pubmed-gout"].reason.endswith("taken out")
    assert documents(database) == {}


def test_wrong_use_is_told(search, database, asking, tmp_path):
    with pytest.raises(InputError, match="a search is one of PubMed, in the place of a path"):
        load_named(database, asking, "medquad", None, LoadOptions(search="gout"))
    with pytest.raises(InputError, match="a search is one of PubMed, in the place of a path"):
        load_named(database, asking, "pubmed", tmp_path, LoadOptions(search="gout"))
    with pytest.raises(InputError, match="a search has words"):
        search(" ")


def test_the_service_is_asked_at_most_three_times_a_second_or_ten_with_a_key(database, asking, pubmed, monkeypatch):
    pubmed.has(*map(str, range(1, 900)))
    monkeypatch.setattr(searches, "_RATES", {False: 3, True: 10})
    for key, least in ((None, 1 / 3), ("k", 1 / 10)):
        pubmed.site.requests.clear()
        keyed = replace(asking, ncbi_api_key=key)
        for number in range(2):
            load_named(database, keyed, "pubmed", None, LoadOptions(search="gout", most=300 + number))
        times = [when for *_, when in pubmed.site.requests]
        assert len(times) >= 4
        assert times[-1] - times[0] > least * (len(times) - 1.5)  # they come with delays of their own


def test_two_searches_never_have_one_name():
    words = [
        "gout",
        "gout AND colchicine",
        "gout colchicine",
        "gout, colchicine",
        "x" * 60,
        "x" * 61,
        "痛風",
        "痛",
    ]
    names = [source_id(one) for one in words]
    assert (names[0], len({*names})) == ("pubmed-gout", len(words))
    assert all(len(name) <= 50 for name in names)
