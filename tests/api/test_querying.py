"""Pages of saved queries: with parameters, as a table, as files, and what is wrong with them."""

import csv
import html
import io
import re

from medgraph.api.pages import _csv
from medgraph.queries.saved import saved_queries
from tests.support.graphs import run

HOSTILE = '<script>alert(1)</script>, "quoted" =1+1'


def test_a_saved_query_is_a_table_and_two_files(client):
    listed = re.findall(r'href="/queries/(\w+)"', client.get("/queries").text)
    assert set(listed) == set(saved_queries())
    page = client.get("/queries/who_treats").text
    assert re.search(r'name="condition"[^>]*value="Gout"', page)
    assert "<table>" not in page
    page = client.get("/queries/questions_about?name=gout").text
    assert page.count("<tr>") > 3
    links = map(html.unescape, re.findall(r'class="button" href="([^"]+)"', page))
    as_csv, as_json = (client.get(link) for link in links)
    rows = list(csv.DictReader(io.StringIO(as_csv.text)))
    assert [row["question"] for row in rows] == [row["question"] for row in as_json.get_json()]
    assert page.count("<tr>") == len(rows) + 1
    assert 'filename="questions_about.csv"' in as_csv.headers["Content-Disposition"]


def test_what_is_wrong_is_told_beside_the_form_and_nothing_loaded_runs(client, database):
    assert client.get("/queries/nope").status_code == 404
    assert client.get("/queries/section").status_code == 404
    assert client.get("/queries/counts?run=1&as=exe").status_code == 400
    page = client.get("/queries/who_treats?condition=gout&limit=many")
    assert page.status_code == 400
    assert "limit is a number, such as 25, and not &#39;many&#39;" in page.text
    for number in ("-1", "1.5", "true", "null", "100001", "9" * 30):
        page = client.get("/queries/who_treats", query_string={"condition": "gout", "limit": number})
        assert page.status_code == 400
        assert "write a whole number from 0 to 100,000" in page.text
    run(database, "CREATE (:Source {id: 'x', title: $t})", t=HOSTILE)
    assert "<script>" not in client.get("/queries/sources?run=1").text
    page = client.get("/queries/who_treats", query_string={"condition": HOSTILE, "drug": "\u202e" + "x" * 9000})
    assert "<script>" not in page.text


def test_cells_of_a_file_are_no_formulas_of_a_spreadsheet():
    bad = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"]
    rows = [{"cell": value} for value in (*bad, ["=1", "b"], "a=1", -0.5, None)]
    cells = [row["cell"] for row in csv.DictReader(io.StringIO(_csv(["cell"], rows)))]
    assert cells == [*(f"'{text}" for text in bad), "'=1; b", "a=1", "-0.5", ""]


def test_errors_are_pages_for_browsers_and_json_for_programs(client):
    for path in ("/nowhere", "/v1/sections/nope"):
        page = client.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert (page.status_code, page.mimetype) == (404, "text/html")
        for accepted in ("*/*", "application/json"):
            assert client.get(path, headers={"Accept": accepted}).mimetype == "application/problem+json"
