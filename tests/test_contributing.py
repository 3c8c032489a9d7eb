"""CONTRIBUTING, followed to the letter: its files are made, its commands run, and what they promise is in the graph."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from medgraph.loaders.mapping import keys
from medgraph.loaders.mapping import source as mapping
from medgraph.loaders.mapping.values import STEPS
from tests.support.graphs import run
from tests.support.paths import ROOT
from tests.support.tree import files

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGE = (ROOT / "loaders" / "mapping" / "README.md").read_text(encoding="utf-8")


def section(title):
    return TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]


OWN = section("Bring a source of your own")


def shown(text):
    """Give the files that a section shows: a name in backquotes begins or ends the paragraph above a block."""
    blocks = re.findall(
        r"`([\w./-]+\.\w+)`[^`\n]*(?:`[^`\n]*`[^`\n]*|\[[^\n]*)*:\n\n```(?!sh)\w+\n(.*?)```", text, re.DOTALL
    )
    return dict(blocks)


def commands(text):
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]


def test_it_shows_the_files_and_commands():
    assert list(shown(OWN)) == [
        "symptoms.csv",
        "symptoms.yaml",
        "clinic-drugs/pyproject.toml",
        "clinic-drugs/clinic_drugs.py",
        "drugs.csv",
    ]
    assert commands(OWN) == [
        "medgraph mapping check symptoms.yaml symptoms.csv",
        "medgraph load symptoms.yaml symptoms.csv",
        "pip install ./clinic-drugs",
        "medgraph load clinic-drugs drugs.csv --as clinic-drugs",
        'medgraph entity "Common cold"',
        "medgraph entity clinic-drugs:gout",
    ]


@pytest.fixture
def follow(tmp_path, environment):
    """Makes the files, and runs the commands as they stand; pip puts the package where these tests alone find it."""
    for name, text in shown(OWN).items():
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


@pytest.mark.thorough
def test_it_works_to_the_letter(follow, database):
    check, load_mapping, install, load_package, show_cold, show_gout = commands(OWN)
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
    assert "C0009443" in follow(show_cold)
    assert "others of the same concepts" in follow(show_gout)
    assert "clinic-symptoms:gout" in follow(show_gout)
    assert "drugs: " in follow("medgraph load clinic-drugs drugs.csv --dry-run")
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


# What medgraph itself is extended by: one file each.


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the project without its tests, in which the recipes of CONTRIBUTING have been followed."""
    folder = tmp_path_factory.mktemp("checkout") / "medgraph"
    for path in files():
        name = path.relative_to(ROOT)
        if name.parts[0] not in {"tests", "benchmarks"}:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / name)
    for what in ("source", "query", "check", "command"):
        for name, text in shown(section(f"Add a {what}")).items():
            assert not (folder / name).exists()
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    for name, text in shown(section("Add a route")).items():
        (folder / "api" / "resources" / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def inside(checkout, environment):
    """Runs the commands of a section, or any other, as somebody who works on the copy does; gives what each printed."""
    environment = environment | {"PYTHONPATH": str(checkout.parent)}

    def call(line, status=0):
        # -P: the folder itself is no place to import from, as it holds the package and not what the package is in.
        words = [sys.executable, "-P", "-m", *shlex.split(line)]
        done = subprocess.run(
            words, cwd=checkout, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == status, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    return call


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("source", ["loaders/sources/short_names.py", "tests/data/short-names/names.csv"]),
        ("query", ["queries/explore/longest_sections.cypher"]),
        ("check", ["queries/audit/untitled_documents.cypher"]),
        ("command", ["cli/licences.py"]),
    ],
)
def test_what_is_added_is_one_file(what, names):
    assert list(shown(section(f"Add a {what}"))) == names
    assert commands(section(f"Add a {what}"))


def test_what_is_added_keeps_the_rules_of_the_house(checkout):
    names = [name for what in ("source", "command") for name in shown(section(f"Add a {what}")) if name.endswith(".py")]
    for action in (["check"], ["format", "--check"]):
        command = [Path(sys.executable).with_name("ruff"), *action, "--config", ROOT / "pyproject.toml", *names]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_source_that_is_added_is_listed_and_loaded(inside, database):
    listed, load = commands(section("Add a source"))
    assert re.search(
        r"^short-names +false +0 +0 +CC0-1\.0 +2026-03 +Short names of diseases", inside(listed), re.MULTILINE
    )
    assert inside(load, status=1) == "short-names: 2 records added, 0 changed, 0 unchanged, 1 rejected\n"
    names = run(database, "MATCH (e:Disease) RETURN e.name AS name, e.synonyms AS synonyms ORDER BY name")
    assert [(row["name"], row["synonyms"]) for row in names] == [
        ("Chronic obstructive pulmonary disease", ["COPD"]),
        ("Myocardial infarction", ["MI"]),
    ]
    inside("medgraph unload short-names")
    assert run(database, "MATCH (e:Entity) RETURN e.id") == []


def test_a_route_that_is_added_answers(checkout):
    assert list(shown(section("Add a route"))) == ["release.py"]
    code = (
        "import json\n"
        "from medgraph.api.app import create_app\n"
        "from medgraph.api.service import Service\n"
        "client = create_app(Service.__new__(Service)).test_client()\n"
        "answers = [client.get('/v1/release?parts=' + parts) for parts in '10']\n"
        "described = '/v1/release' in client.get('/openapi.json').get_json()['paths']\n"
        "print(json.dumps([[a.status_code, a.get_json()] for a in answers] + [described]))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout.parent)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    (status, answer), (refused, problem), described = json.loads(done.stdout)
    assert (status, answer) == (200, {"version": "0"})
    assert (refused, described) == (400, True)
    assert "parts" in problem["detail"]


def test_a_query_that_is_added_is_run(inside, database):
    (line,) = commands(section("Add a query"))
    run(
        database,
        "CREATE (d:Document {id: 'd', title: 'Gout'})-[:HAS_SECTION]->"
        "(:Section {id: 'd#1', type: 'symptoms', heading: 'Signs', text: 'Pain.'})",
    )
    assert inside(line).split()[-3:] == ["Gout", "Signs", "5"]
    assert "longest_sections" in inside("medgraph query")


def test_a_check_that_is_added_finds_its_fault(inside, database):
    (line,) = commands(section("Add a check"))
    (text,) = shown(section("Add a check")).values()
    run(database, "CREATE (:Document {id: 's:d', title: 'Gout', source: 's'})")
    assert "1 of 1 checks found nothing" in inside(line)
    run(database, re.search("// fault: (.*)", text)[1])
    found = inside(line)
    assert "documents without a title: 1 [s]" in found
    assert "to mend it: give them a title in the source, and load it again" in found


def test_a_command_that_is_added_is_in_the_help_and_runs(inside, database):
    plain, as_json = commands(section("Add a command"))
    assert re.search(r"^  licences +List the licence of each source", inside("medgraph --help"), re.MULTILINE)
    run(database, "CREATE (:Source {id: 'clinic', title: 'Ours', version: '1', licence: 'CC0-1.0', url: ''})")
    assert inside(plain).splitlines()[2:] == ["clinic  CC0-1.0"]
    assert json.loads(inside(as_json)) == {"sources": [{"source": "clinic", "licence": "CC0-1.0"}]}


# The page about mappings.


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_the_mappings_of_the_page_are_sound(text, tmp_path):
    import jsonschema_rs

    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    assert mapping.check(tmp_path / "m.yaml")[1] == []
    jsonschema_rs.validate(json.loads(keys.SCHEMA.read_text(encoding="utf-8")), yaml.safe_load(text))


def test_the_page_names_every_key():
    forms = [form for name, form in keys.FORMS.items() if name not in {"step", "condition", "date"}]
    assert [key for form in forms for key in form if f"`{key}`" not in PAGE] == []
    small = [*STEPS, *keys.FORMS["step"], *keys.FORMS["condition"]]
    assert [key for key in small if not re.search(rf"`{key}`|\b{key}: ", PAGE)] == []
