"""The documents say what the program does: commands, settings, sources, and what the graph holds."""

import re
from dataclasses import fields

import click
import pytest

from medgraph.loaders.registry import SOURCES
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES, SECTION_TYPES
from medgraph.settings import Settings
from tests.support.commands import COMMANDS, parse
from tests.support.graphs import run
from tests.support.paths import ROOT

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


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_command_is_in_the_readme(names):
    *group, name = names
    begin = " ".join(["`medgraph", *group, ""])
    rows = [line for line in README.splitlines() if line.startswith(f"| {begin}")]
    assert any(re.search(rf"(?:{begin}|{'`' if group else begin}){name}\b", row.split(" | ")[0]) for row in rows)


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_command_and_option_explains_itself(names):
    command = COMMANDS[names]
    assert command.help
    assert command.help.strip().endswith(".")
    for option in command.params:
        assert not isinstance(option, click.Option) or option.help, option.name


def test_command_lines_in_the_documents_parse():
    lines = list(shown())
    assert len(lines) >= 10
    for line in lines:
        parse(line)
    with pytest.raises(click.UsageError):
        parse("medgraph ask")
    with pytest.raises(click.UsageError):
        parse("medgraph search x --topk 5")


def test_every_setting_is_in_the_readme():
    variables = re.findall(r"`((?:NEO4J|MEDGRAPH)_\w+)`", Settings.__doc__)
    assert len(variables) == len(fields(Settings))
    assert [name for name in variables if f"`{name}`" not in README] == []


def test_the_readme_names_no_setting_that_is_not_there():
    places = [*ROOT.glob("*.py"), ROOT / "tests" / "conftest.py", ROOT / "docker" / "compose.yml"]
    code = "".join(path.read_text(encoding="utf-8") for path in places)
    for page in PAGES:
        for name in set(re.findall(r"`(MEDGRAPH_\w+|NEO4J_\w+)`", page.read_text(encoding="utf-8"))):
            assert name in code, f"{page} speaks of {name}"


def test_every_source_is_in_the_readme():
    assert [name for name in SOURCES if f"| `{name}` |" not in README] == []


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", text):
        assert (page.parent / target).exists(), target
    examples = set(re.findall(r"`([^`\n]+)`:\n\n```", text))  # files that the page itself shows
    for path in set(re.findall(r"`((?:[a-z]+/)+[a-z_]+\.\w+)`", text)) - examples:
        ours = (ROOT / path.split("/")[0]).is_dir()
        assert not ours or (ROOT / path).exists(), path
