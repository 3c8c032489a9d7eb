"""The command that runs saved queries."""

import json
import re
import subprocess
import sys

from medgraph.graph import catalogue


def test_queries_are_listed_and_run(medgraph, sample_graph):
    listed = json.loads(medgraph("query", "--json"))["rows"]
    saved = {q.name for q in catalogue.queries().values() if q.folder == "explore"}
    assert {row["name"] for row in listed} == saved | {"disease_subgraph", "paths"}
    rows = json.loads(medgraph("query", "counts", "--json"))["rows"]
    assert {"kind": "node", "name": "Document", "count": 60} in rows
    assert re.search(r"^node +Section +480$", medgraph("query", "counts"), re.MULTILINE)
    card = json.loads(medgraph("query", "disease_card", "-p", "name=Gout", "--json"))["rows"]
    assert {row["relation"] for row in card} >= {"HAS_RISK_FACTOR", "IS_A"}
    assert medgraph("query", "disease_card", "--param", "name=Nope") == "Nothing was found.\n"
    json.loads(medgraph("query", "is_a_tree", "--json"))
    assert medgraph("query", "cited_section").split()[:2] == ["cited", "about"]


def test_a_pipe_that_is_closed_is_no_error(environment, sample_graph):
    command = f"{sys.executable} -m medgraph query is_a_tree --json | head -1"
    done = subprocess.run(command, env=environment, shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("{\n", "")
