"""Recipes: public addresses whose files the loaders take, and a project that is built of them in one command."""

import re
from urllib.parse import urlsplit

import pytest

from medgraph.errors import InputError
from medgraph.loaders import project, registry
from medgraph.loaders.addresses import expanded, refuse_terms
from medgraph.loaders.base import Row
from medgraph.loaders.commands import task_of
from medgraph.loaders.recipes import chosen, names, offers
from medgraph.schema.licences import identifier
from medgraph.settings import Settings
from tests.support.loads import dump
from tests.support.mirror import fill, mirrored

RECIPES = ("consumer-health", "drugs", "literature", "ontologies", "rare-diseases")


def test_the_recipes_are_those_that_the_help_names():
    assert tuple(names()) == RECIPES


@pytest.mark.parametrize("offer", [offer for offer in offers() if offer.addresses], ids=lambda offer: offer.file)
def test_an_offer_is_well_formed(offer):
    assert identifier(offer.licence)
    assert float(offer.megabytes) > 0
    assert int(offer.minutes) > 0
    assert offer.loader in registry.SOURCES
    refuse_terms(offer.loader, offer.addresses)
    for address in expanded(offer.addresses):
        parts = urlsplit(address)
        assert (parts.scheme, parts.query, parts.fragment, parts.username) == ("https", "", "", None)
        assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc)
        assert re.fullmatch(r"(/[\w.~-]+)+|.*\[date\].*", parts.path)


@pytest.mark.parametrize("recipe", RECIPES)
def test_each_loader_takes_the_files_that_its_addresses_give(site, tmp_path, recipe):
    """The files come through the mirror by their own names, and each is recognised and read by its loader."""
    fill(site, recipe)
    project.init(tmp_path / "mine", [recipe])
    settings = mirrored(Settings(tmp_path, tmp_path), site, tmp_path)
    entries = project.load_project(tmp_path / "mine")
    assert [entry.loader for entry in entries] == [offer.loader for offer in chosen([recipe])]
    for entry in entries:
        task = task_of(settings, entry.loader, entry.where, entry.wish)
        # MedQuAD is recognised by its archive's name alone, and GitHub calls it after the branch.
        assert entry.loader == "medquad" or registry.SOURCES[entry.loader].recognise(task.path), entry.where
        assert sum(isinstance(item, Row) for item in task.items()) > 1, entry.where
        assert task.address == " ".join(entry.where)


def test_a_project_of_addresses_is_built_asked_after_and_locked(database, own_settings, site, tmp_path, capsys):
    settings, folder = mirrored(own_settings, site, tmp_path), tmp_path / "mine"
    fill(site, "ontologies")
    address = "https://purl.obolibrary.org/obo/symp.obo"
    folder.mkdir()
    (folder / "sources.yaml").write_text(f"sources:\n  - load: obo\n    path: {address}\n")

    def build(**options):
        return {row.source: row for row in project.build(database, settings, folder, **options)}

    assert build()["symp"].report.added == 3
    assert f"to be fetched: {address}: An ontology in OBO format; licence CC0-1.0" in capsys.readouterr().err
    row = project._read_lock(folder)["symp"]
    assert row == {
        "file": "symp.obo",
        "sha256": row["sha256"],
        "fetched": [{"address": address, "sha256": row["sha256"], "date": row["fetched"][0]["date"]}],
    }
    asked, sent = len(site.requests), site.sent
    assert not build()["symp"].changed
    assert (len(site.requests), site.sent) == (asked + 1, sent)
    assert not build(locked=True)["symp"].changed
    assert not build(offline=True)["symp"].changed
    assert len(site.requests) == asked + 1
    path = "/purl.obolibrary.org/obo/symp.obo"
    site.files[path] = site.files[path].replace(b"part of", b"piece of")
    assert not build(locked=True)["symp"].changed
    assert build()["symp"].report.changed == 1
    (folder / "sources.yaml").write_text(f"sources:\n  - load: obo\n    path: {address}\n    sha256: {'0' * 64}\n")
    assert "is expected: it is another release" in build()["obo"].reason


def test_what_cannot_be_fetched_stops_nothing_else_and_takes_nothing_out(database, own_settings, site, tmp_path):
    settings, folder = mirrored(own_settings, site, tmp_path), tmp_path / "mine"
    fill(site, "ontologies")
    folder.mkdir()
    place = "https://purl.obolibrary.org/obo"
    text = "".join(f"  - load: obo\n    path: {place}/{name}.obo\n" for name in ("symp", "doid"))
    (folder / "sources.yaml").write_text("sources:\n" + text)
    list(project.build(database, settings, folder))
    before = dump(database)
    site.files.clear()
    text += "  - load: umls\n    path: https://example.org/umls.zip\n"
    text += "  - load: obo\n    path: https://example.org/x.obo\n"
    (folder / "sources.yaml").write_text("sources:\n" + text)
    rows = list(project.build(database, settings, folder))
    assert [row.source for row in rows] == ["umls", "obo", "symp", "doid"]
    assert [row.failed for row in rows] == [True, True, False, False]
    assert "is never fetched, because its terms are yours to accept" in rows[0].reason
    assert "there is no such file (404)" in rows[1].reason
    assert dump(database) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  - load: obo\n    path: ftp://x/a.obo\n", "yaml:2: ftp://x/a.obo cannot be fetched; addresses begin with"),
        ("  - load: obo\n    path:\n      - a.obo\n", "yaml:4: 'a.obo' is no address; a list has addresses alone"),
        ("  - load: pubmed\n    search: gout\n    most: 0\n", "yaml:4: `most` is a number from 1 to 9999"),
        ("  - load: obo\n    search: gout\n", "yaml:2: a search is one of PubMed"),
        ("  - load: obo\n    path: []\n", "yaml:3: `path` is empty"),
    ],
)
def test_mistakes_name_file_and_line(database, own_settings, tmp_path, text, message):
    (tmp_path / "sources.yaml").write_text("sources:\n" + text)
    with pytest.raises((InputError, project.SourceFileError), match=message):
        list(project.build(database, own_settings, tmp_path))
