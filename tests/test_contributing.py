"""CONTRIBUTING, followed to the letter: its files are made, its commands run, and what they promise is in the graph."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from medgraph.loaders.mapping import keys
from medgraph.loaders.mapping import source as mapping
from tests.support.graphs import run
from tests.support.paths import ROOT

OWN = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Bring a source of your own\n")[2]
OWN = OWN.partition("\n## ")[0]
PAGE = (ROOT / "loaders" / "mapping" / "README.md").read_text(encoding="utf-8")


def files():
    """Give the files that CONTRIBUTING shows: a name in backquotes begins or ends the paragraph above a block."""
    blocks = re.findall(
        r"`([\w./-]+\.\w+)`[^`\n]*(?:`[^`\n]*`[^`\n]*|\[[^\n]*)*:\n\n```(?!sh)\w+\n(.*?)```", OWN, re.DOTALL
    )
    return dict(blocks)


def commands():
    return [line for block in re.findall(r"```sh\n(.*?)```", OWN, re.DOTALL) for line in block.splitlines()]


def test_it_shows_the_files_and_commands():
    assert list(files()) == [
        "symptoms.csv",
        "symptoms.yaml",
        "clinic-drugs/pyproject.toml",
        "clinic-drugs/clinic_drugs.py",
        "drugs.csv",
    ]
    assert commands() == [
        "medgraph mapping check symptoms.yaml symptoms.csv",
        "medgraph load symptoms.yaml symptoms.csv",
        "pip install ./clinic-drugs",
        "medgraph load clinic-drugs drugs.csv",
    ]


@pytest.fixture
def follow(tmp_path, environment):
    """Makes the files, and runs the commands as they stand; pip puts the package where these tests alone find it."""
    for name, text in files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    environment = environment | {"PYTHONPATH": str(tmp_path / "installed")}

    def call(line):
        words = shlex.split(line)
        if words[0] == "pip":
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
            words = [*pip, *words[1:], "--quiet", "--no-deps", "--target", str(tmp_path / "installed")]
        else:
            words[0] = str(Path(sys.executable).with_name(words[0]))
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        if "No matching distribution found for setuptools" in done.stderr:
            pytest.skip("pip cannot fetch setuptools, which builds the package")
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    return call


def relations(database, source):
    rows = run(
        database,
        "MATCH (a:Entity)-[r]->(b:Entity) WHERE r.source = $source RETURN a.name AS a, type(r) AS type, b.name AS b",
        source=source,
    )
    return {(row["a"], row["type"], row["b"]) for row in rows}


@pytest.mark.slow
def test_it_works_to_the_letter(follow, database):
    check, load_mapping, install, load_package = commands()
    assert "entities: 5" in follow(check)
    follow(load_mapping)
    assert relations(database, "clinic-symptoms") == {
        ("Gout", "HAS_SYMPTOM", "joint pain"),
        ("Gout", "HAS_SYMPTOM", "fever"),
        ("Common cold", "HAS_SYMPTOM", "fever"),
        ("Common cold", "HAS_SYMPTOM", "runny nose"),
    }
    follow(install)
    follow(load_package)
    assert relations(database, "clinic-drugs") == {
        ("Gout", "TREATED_BY", "Allopurinol"),
        ("Gout", "TREATED_BY", "Colchicine"),
    }
    sources = run(
        database, "MATCH (s:Source) RETURN s.id AS id, s.version AS version, s.licence AS licence ORDER BY id"
    )
    assert [(s["id"], s["version"], s["licence"]) for s in sources] == [
        ("clinic-drugs", "2026-03", "CC-BY-4.0"),
        ("clinic-symptoms", "2026-03", "CC-BY-4.0"),
    ]
    before = run(database, "MATCH (n) RETURN count(n) AS n")
    follow(load_mapping)
    follow("medgraph unload clinic-symptoms")
    follow("medgraph unload clinic-drugs")
    assert before[0]["n"] > 5
    assert run(database, "MATCH (n:Entity) RETURN count(n) AS n") == [{"n": 0}]


# The page about mappings.


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_the_mappings_of_the_page_are_sound(text, tmp_path):
    import jsonschema_rs

    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    assert mapping.check(tmp_path / "m.yaml")[1] == []
    jsonschema_rs.validate(keys.schema(), yaml.safe_load(text))


def test_the_page_names_every_key():
    forms = [keys.ROOT, keys.SOURCE, keys.TABLE, keys.COLUMN, keys.PROPERTY]
    forms += [*keys.RULES.values(), keys.SECTION, keys.QUESTION]
    assert [key for form in forms for key in form if f"`{key}`" not in PAGE] == []
    small = [*keys.STEPS, *keys.STEP, *keys.CONDITION]
    assert [key for key in small if not re.search(rf"`{key}`|\b{key}: ", PAGE)] == []
