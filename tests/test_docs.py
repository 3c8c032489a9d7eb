"""The documents say what the program does: commands, settings, sources, and what the graph holds."""

import re
import shlex
from dataclasses import fields

import click
import pytest
from click.testing import CliRunner

from docs import generate
from medgraph.api.routes import ROUTES
from medgraph.cli.main import main
from medgraph.loaders.registry import SOURCES
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES, SECTION_TYPES
from medgraph.settings import Settings
from tests.support.commands import COMMANDS, parse
from tests.support.graphs import run
from tests.support.paths import ROOT
from tests.support.tree import files

MADE = generate.pages()
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMA = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
PAGES = [
    *ROOT.glob("*.md"),
    ROOT / "schema" / "README.md",
    ROOT / "docker" / "README.md",
    *(ROOT / "queries" / "explore").glob("*.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def shown():
    """Yield every command line in a code block of a page; not those of commands that the page itself adds."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        added = re.findall(r"`cli/(\w+)\.py`:\n\n```", text)
        for block in re.findall(r"```(?:\w+)?\n(.*?)```", text, re.DOTALL):
            for line in block.splitlines():
                for part in line.split("#")[0].split("&&"):
                    if part.strip().startswith("medgraph ") and part.split()[1] not in added:
                        yield part.strip()


@pytest.mark.parametrize("name", MADE)
def test_generated_pages_are_up_to_date(name):
    assert (generate.FOLDER / name).read_text(encoding="utf-8") == MADE[name], "run: make docs"


def test_every_command_and_option_has_its_place_and_explains_itself():
    for names, command in COMMANDS.items():
        name = " ".join(["medgraph", *names])
        assert f"| [`{name}`](#" in MADE["commands.md"]
        section = MADE["commands.md"].partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        rows = [re.split(r"[ ,]+", row) for row in re.findall(r"^\| `(.*?)` \| \S", section, re.MULTILINE)]
        assert (command.help or "").strip().endswith("."), name
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, (name, option.name)
                assert any(option.opts[-1] in row for row in rows), (name, option.name)


def test_command_lines_in_the_documents_parse():
    lines = list(shown())
    assert len(lines) >= 10
    for line in lines:
        parse(line)
    with pytest.raises(click.UsageError):
        parse("medgraph entity")
    with pytest.raises(click.UsageError):
        parse("medgraph search x --topk 5")


def test_every_setting_has_a_row():
    variables = re.findall(r"`((?:NEO4J|MEDGRAPH|NCBI)_\w+)`", Settings.__doc__)
    assert len(variables) == len(fields(Settings))
    rows = re.findall(r"^\| `(\w+)` \| \S.* \| \S.* \|$", MADE["settings.md"], re.MULTILINE)
    assert rows == variables


def test_the_pages_name_no_setting_that_is_not_there():
    places = [*ROOT.glob("*.py"), ROOT / "tests" / "conftest.py", ROOT / "docker" / "compose.yml"]
    code = "".join(path.read_text(encoding="utf-8") for path in places)
    for page in PAGES:
        for name in set(re.findall(r"`(MEDGRAPH_\w+|NEO4J_\w+|NCBI_\w+)`", page.read_text(encoding="utf-8"))):
            assert name in code, f"{page} speaks of {name}"


def test_every_source_is_on_its_page():
    text = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    assert [name for name in SOURCES if f"| `{name}` |" not in text] == []


def test_every_route_is_on_its_page():
    for route in ROUTES:
        assert f"\n## {route.method} {route.path}\n" in MADE["http-api.md"]


def test_the_readme_and_the_decisions_are_short():
    assert len(README.splitlines()) <= 150
    assert len(README.encode()) <= 8192
    for page in (ROOT / "docs" / "decisions").glob("0*.md"):
        assert len(page.read_text(encoding="utf-8").splitlines()) <= 40, page.name
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in changes if len(line) > 200] == []


def test_every_page_is_linked():
    linked = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
    }
    assert [page for page in PAGES if page.parts[-2] != ROOT.name and page.resolve() not in linked] == [
        ROOT / "docs" / "index.md"
    ]


def test_the_patterns_of_the_readme_and_the_tutorial_find_something(sample_graph):
    pages = README + (ROOT / "docs" / "tutorials" / "explorers.md").read_text(encoding="utf-8")
    patterns = re.findall(r"```cypher\n(.*?)```", pages, re.DOTALL)
    assert len(patterns) == 2
    for pattern in patterns:
        assert run(sample_graph, pattern), pattern


def test_the_commands_of_the_readme_run(sample_graph, here, tmp_path, monkeypatch):
    """Run those that ask, search and look up: the loads need files, `serve` runs on, and no browser is opened."""
    block = README.partition("## Ask, search, explore")[2].partition("```\n")[2].partition("```")[0]
    lines = [line for line in block.splitlines() if line != "medgraph neo4j browser"]
    assert [line.split()[1] for line in lines] == ["ask", "search", "entity", "query"]
    monkeypatch.chdir(tmp_path)
    for line in lines:
        done = CliRunner().invoke(main, shlex.split(line)[1:], obj=here)
        assert done.exit_code == 0, f"{line}\n{done.stderr}"
        assert done.stdout
    assert (tmp_path / "gout.png").stat().st_size > 1000


def test_the_vocabulary_is_in_the_schemas_readme():
    assert [label for label in ENTITY_LABELS if f"`:{label}`" not in SCHEMA] == []
    assert [name for name in RELATION_TYPES if f"| `{name}` |" not in SCHEMA] == []
    types = " ".join(SCHEMA.partition("## Section types")[2].split())
    for name, others in SECTION_TYPES.items():
        said = f"{name} ({', '.join(others)})" if others else name
        assert re.search(rf"(?:^|[,.] ){re.escape(said)}[,.]", types), said


def test_whatever_the_graph_holds_is_in_the_schemas_readme(sample_graph):
    labels = {row["label"] for row in run(sample_graph, "CALL db.labels() YIELD label RETURN label")}
    used = {label for label in labels if run(sample_graph, f"MATCH (n:`{label}`) RETURN n LIMIT 1")}
    assert {"Document", "Disease", "Migration"} <= used
    assert [label for label in used if f"`:{label}`" not in SCHEMA] == []
    relations = run(sample_graph, "MATCH ()-[r]->() RETURN DISTINCT type(r) AS name")
    assert [row["name"] for row in relations if f"| `{row['name']}` |" not in SCHEMA] == []


@pytest.mark.parametrize("what", ["source", "query", "check", "route", "command"])
def test_contributing_takes_five_steps(what):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(f"## Add a {what}\n")[2].partition("\n## ")[0]
    assert re.findall(r"^(\d)\. ", section, re.MULTILINE) == list("12345")


def test_links_lead_somewhere():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", text):
            assert (page.parent / target).exists(), (page, target)
        examples = set(re.findall(r"`([^`\n]+)`:\n\n```", text))  # files that the page itself shows
        for path in set(re.findall(r"`((?:[a-z]+/)+[a-z_]+\.\w+)`", text)) - examples:
            ours = (ROOT / path.split("/")[0]).is_dir()
            assert not ours or (ROOT / path).exists(), (page, path)


@pytest.mark.parametrize("kind", ["*.py", "*.md", "*.ipynb"])
def test_medgraph_is_installed_from_its_clone(kind):
    """A package of this name, of any other place, may be a stranger's."""
    wrong = re.compile(r"pip install ['\"\\]*medgraph\b")
    assert [path for path in files(kind) if wrong.search(path.read_text(encoding="utf-8"))] == []
