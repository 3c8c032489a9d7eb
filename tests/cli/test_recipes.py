"""Recipes and addresses as people use them: told before anything is fetched, and built in one command."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.errors import InputError
from medgraph.loaders import project
from medgraph.loaders.commands import LoadOptions, list_sources, load_named, unload_named
from medgraph.loaders.recipes import chosen
from tests.support.loads import count, dump
from tests.support.mirror import fill, mirrored


def test_a_recipe_is_told_before_anything_is_fetched(medgraph, site, tmp_path):
    said = medgraph("init", tmp_path / "mine", "--recipe", "drugs", "--recipe", "ontologies")
    assert re.search(r"^RxNorm_full_prescribe_current\.zip +\d+ +\d+ +LicenseRef-UMLS-level-0$", said, re.MULTILINE)
    assert re.search(r"\nto be fetched: 2,\d\d\d MB; to be loaded, in about \d+ minutes, and then indexed\n", said)
    text = (tmp_path / "mine" / "sources.yaml").read_text()
    assert text.count("https://purl.obolibrary.org/obo/doid.obo") == 1
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["README.md", "sources.yaml"]
    assert "conditions" not in (tmp_path / "mine" / "README.md").read_text()
    with pytest.raises(InputError, match=r"there is no recipe 'drink'; known are consumer-health, drugs"):
        project.init(tmp_path / "other", ["drink"])
    assert site.requests == []


def test_the_commands_take_addresses(medgraph, database, here, site, tmp_path):
    settings = mirrored(here, site, tmp_path)
    fill(site, "ontologies")
    address = "https://ann:word@purl.obolibrary.org/obo/symp.obo"
    said = medgraph("load", "obo", address, settings=settings)
    assert "added" in said
    loads = medgraph("query", "loads", settings=settings)
    assert "https://purl.obolibrary.org/obo/symp.obo" in loads
    assert "word" not in loads
    assert "nothing would change" in medgraph("diff", "obo", address, "--offline", settings=settings)
    command = ["build", str(tmp_path / "mine"), "--recipe", "ontologies", "--no-index"]
    done = CliRunner().invoke(main, command, obj=settings)
    assert done.stdout.count("added") == 5
    # The sample of MeSH has a descriptor without its parent.
    assert done.stderr.splitlines()[-1] == "Error: not loaded whole: mesh; the lines above say why"


@pytest.mark.thorough
@pytest.mark.timeout(1800)
def test_two_recipes_in_one_command_that_is_killed_twice_are_loads_by_hand(database, here, site, data, tmp_path):
    settings, recipes = mirrored(here, site, tmp_path), ["consumer-health", "ontologies"]
    fill(site, *recipes, real=True)
    environment = {
        **os.environ,
        "NEO4J_URI": here.neo4j_uri,
        "NEO4J_PASSWORD": here.neo4j_password,
        "MEDGRAPH_HOME": str(settings.home),
        "MEDGRAPH_CACHE": str(settings.cache),
        "MEDGRAPH_MIRROR": site.url,
    }
    command = [sys.executable, "-m", "medgraph", "build", str(tmp_path / "mine"), "--no-index"]
    command += [word for name in recipes for word in ("--recipe", name)]
    site.seconds_per_block = 0.01
    for waits in (lambda: site.sent > 5_000_000, lambda: count(database, "Document") > 200):
        with subprocess.Popen(command, env=environment) as running:
            while not waits():
                assert running.poll() is None
                time.sleep(0.05)
            running.send_signal(signal.SIGKILL)
        site.seconds_per_block = 0.0
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    # The sample of MedlinePlus has topics that are no topics.
    assert done.stderr.splitlines()[-1] == "Error: not loaded whole: medlineplus; the lines above say why"
    total = sum(len(data) for data in site.files.values())
    assert site.sent < total + 1_000_000
    built, sources = dump(database), [row["source"] for row in list_sources(database) if row["loaded"]]
    for source in sources:
        unload_named(database, settings, source)
    assert count(database, "Entity") == 0
    for offer in chosen(recipes):
        load_named(database, settings, offer.loader, offer.addresses, LoadOptions(replace=True, offline=True))
    by_hand = dump(database)
    for source in sources:  # a server of tests has too little memory to delete all at once
        unload_named(database, settings, source)
    assert by_hand == built
