"""The catalogue: every .cypher file is sound, and runs on a real server with the parameters and columns it states."""

import json
import re
from pathlib import Path

import neo4j
import pytest

from medgraph.errors import CatalogueError
from medgraph.graph import catalogue as cypher
from medgraph.graph.catalogue import Query, parse, queries
from tests.support.graphs import run
from tests.support.points import few

NAMES = sorted(path.stem for path in cypher.ROOT.glob("*/*.cypher"))
GOOD = "// name: q\n// What it does.\n// :param name => 'x'\n// returns: n\nMATCH (n {name: $name}) RETURN n\n"
READING = ["audit", "evaluate", "explore", "export", "filter", "retrieve", "stored", "subgraph", "train"]
WRITING = ["write"]
WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP)\b")


@pytest.fixture
def write(tmp_path):
    """Writes a .cypher file into a catalogue of the test's own."""

    def written(text, name="q", folder="explore"):
        path = tmp_path / folder / f"{name}.cypher"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture(scope="module")
def session(graph, server):
    """A session of the driver itself, which knows the columns of a statement that gives no rows."""
    driver = neo4j.GraphDatabase.driver(server.bolt_uri, auth=("neo4j", server.password()))
    with driver, driver.session() as session:
        yield session


def example(text):
    """Read an example value as Neo4j Browser would."""
    if text.startswith("'"):
        return text[1:-1]
    plain = re.sub(r"'((?:[^'\\]|\\.)*)'", lambda match: json.dumps(match[1]), text)
    return json.loads(re.sub(r"([{,]\s*)(\w+):", r'\1"\2":', plain))


@pytest.mark.parametrize("name", few(NAMES, 4))
def test_every_statement_is_understood_by_the_server_and_returns_what_it_says(session, name):
    query = cypher.get(name)
    parameters = {key: example(text) for key, text in query.parameters.items()}
    result = session.run(explained(query), parameters)
    assert result.keys() == list(query.columns)
    result.consume()


def explained(query):
    return re.sub(r"^(CYPHER \d+\s+)?", r"\1EXPLAIN ", query.text, count=1)


def writes(name):
    """Tell whether a statement has a word that writes, outside of texts, quoted names and comments."""
    bare = re.sub(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*", " ", cypher.get(name).text)
    return bool(WRITES.search(bare))


def test_statements_write_where_their_folder_says_so():
    assert [q.name for q in queries().values() if q.folder in READING and writes(q.name)] == []
    assert [q.name for q in queries().values() if q.folder in WRITING and not writes(q.name)] == []


# What a file must look like.


def test_a_check_says_what_mends_it_and_how_to_try_it(write):
    query = parse(
        write(GOOD.replace("// returns", "// mends: load it again: whole\n// fault: CREATE (:X)\n// returns"))
    )
    assert (query.purpose, query.mends, query.fault) == ("What it does.", "load it again: whole", "CREATE (:X)")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (GOOD.replace("name: q", "name: other"), 1, "the header says 'name: other', the file is called q"),
        (GOOD.replace("// name: q\n", ""), 1, "the header says 'name: ', the file is called q"),
        (GOOD.replace("// What it does.\n", ""), 1, "the header needs a sentence on the purpose and a 'returns:' line"),
        (GOOD.replace("// returns: n\n", ""), 1, "the header needs a sentence"),
        (GOOD.replace(":param name => 'x'", ":param name = 'x'"), 3, "write a parameter as ':param name => example'"),
        (GOOD.replace(":param name => 'x'", ":param name =>"), 3, "write a parameter as"),
        (GOOD.replace("// :param name => 'x'\n", ""), 1, "no ':param name => …' for $name"),
        (GOOD.replace("{name: $name}", "{name: '$name'}"), 3, "the parameter name is not used in the statement"),
        (GOOD.replace("RETURN n", "RETURN n // $more"), None, ""),
        (GOOD.replace("{name: $name}", "{name: $nam}"), 1, "no ':param nam => …' for $nam"),
        (
            GOOD.replace("// :param name", "// :param  names => 1\n// :param   name").replace(
                "n {name: $name}", "n $names"
            ),
            4,
            "the parameter name is not used in the statement",
        ),
        (GOOD[: GOOD.index("MATCH")], 5, "there is no statement under the header"),
        ("", 1, "there is no statement under the header"),
    ],
)
def test_a_broken_file_is_named_with_its_line(write, text, line, message):
    path = write(text)
    if line is None:
        parse(path)
        return
    with pytest.raises(CatalogueError, match=re.escape(message)) as caught:
        parse(path)
    assert (caught.value.path, caught.value.line) == (path, line)
    assert str(caught.value).startswith(f"{path}:{line}: ")


def test_a_name_twice_is_refused(write):
    first = write(GOOD)
    second = write(GOOD, folder="retrieve")
    with pytest.raises(CatalogueError, match=re.escape(f"{second}:1: the name q is taken by {first}")):
        queries(first.parents[1])


@pytest.mark.parametrize(
    "value", ["x", "it's", "back\\slash", "\\'", "'", "$name", "\\u0027}) RETURN 1 //", "\n", "喘"]
)
def test_filled_statements_say_the_same_as_with_parameters(graph, tmp_path, value):
    query = Query("q", "", {"name": "''"}, ("n",), "RETURN $name AS n, '$' AS dollar", Path("q.cypher"))
    assert run(graph, query.filled(name=value)) == [{"n": value, "dollar": "$"}]
