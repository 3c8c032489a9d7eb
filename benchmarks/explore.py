"""What people see: every saved query on MedQuAD, and the page in a real browser, from the click to the answer.

    python benchmarks/explore.py [--rounds 20]

Needs a graph with MedQuAD loaded and indexed where the usual settings point, and Chromium for the page. The saved
queries run through the same code as `medgraph query`, once in mixed order and then by turns; their floor is `RETURN 1`.
Names and ids are those of the diseases that most sections describe. The page's floor is the same request without a
browser.
"""

from __future__ import annotations

import argparse
import http.client
import random
import shutil
import time
from urllib.parse import urlencode

from report import quantile, statement, table
from service import asked, served

from medgraph.graph.connect import connect
from medgraph.queries.saved import list_saved, run_saved
from medgraph.settings import Settings

ARGUMENTS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--rounds", type=int, default=20, help="times that each query runs, and pages that are asked for"
    )
    options = parser.parse_args()
    settings = Settings.from_environment()
    with connect(settings) as database:
        questions = asked(database, options.rounds)[::2]
        queries(database, options.rounds)
    if settings.neo4j_uri:
        print("\nThe page is measured on the embedded server only: unset NEO4J_URI.")
    elif chromium := shutil.which("chromium"):
        page(chromium, questions)
    else:
        print("\nNo Chromium is found, so the page was not measured.")


def values(database) -> dict[str, str]:
    """Choose parameters that find much."""
    first, second = (row["disease"] for row in run_saved(database, "most_described")[:2])
    section = next(
        row["section"] for row in run_saved(database, "questions_about", [f"name={first}"]) if row["section"]
    )
    found = {"name": first, "first": first, "second": second, "document": section.rpartition("#")[0]}
    return found | {"section": section, "cui": run_saved(database, "lay_names", [f"name={first}"])[0]["concept"]}


def queries(database, rounds: int) -> None:
    """Time every saved query."""
    chosen = values(database)
    names = {row["name"]: row["parameters"] for row in list_saved()}
    given = {name: [f"{k}={v}" for k, v in chosen.items() if f"{k}=" in told] for name, told in names.items()}
    spent: dict[str, list[float]] = {name: [] for name in names}
    rows_of, floor, order = {}, [], list(names)
    for _ in range(rounds + 1):
        random.Random(0).shuffle(order)
        for name in order:
            started = time.perf_counter()
            rows_of[name] = len(run_saved(database, name, given[name]))
            spent[name].append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        database.read(statement("RETURN 1 AS one"))
        floor.append((time.perf_counter() - started) * 1000)
    base = quantile(floor[1:], 0.5)
    lines = []
    for name in sorted(names, key=lambda name: -quantile(spent[name][1:], 0.5)):
        first, rest = spent[name][0], spent[name][1:]
        p50 = quantile(rest, 0.5)
        lines.append([name, rows_of[name], f"{first:.0f}", f"{p50:.1f}", f"{max(rest):.0f}", f"{p50 / base:.0f}"])
    columns = ["saved query", "rows", "first ms", "p50 ms", "longest ms", "p50 / floor"]
    table(f"Saved queries, {rounds} times each after the first; floor {base:.1f} ms.", columns, lines)


def page(chromium: str, questions: list[str]) -> None:
    """Time the page from the click to the answer on screen, by turns with the bare request."""
    from playwright.sync_api import sync_playwright

    bare, seen = [], []
    with served() as (port, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        shown = browser.new_page()
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for question in questions:
            shown.goto(f"http://127.0.0.1:{port}/")
            shown.get_by_label("Your question").fill(question)
            started = time.perf_counter()
            shown.get_by_role("button", name="Ask").click()
            shown.get_by_role("heading", level=2).first.wait_for()
            seen.append((time.perf_counter() - started) * 1000)
            started = time.perf_counter()
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", "/", urlencode({"question": question}), form)
            connection.getresponse().read()
            bare.append((time.perf_counter() - started) * 1000)
        browser.close()
    base = quantile(bare[1:], 0.5)
    rows = [
        [
            what,
            f"{spent[0]:.0f}",
            f"{quantile(spent[1:], 0.5):.0f}",
            f"{max(spent[1:]):.0f}",
            f"{quantile(spent[1:], 0.5) / base:.1f}",
        ]
        for what, spent in (("bare request (floor), asked second", bare), ("**click to answer on screen**", seen))
    ]
    table(f"The page, {len(questions)} questions.", ["what", "first ms", "p50 ms", "longest ms", "p50 / floor"], rows)


if __name__ == "__main__":
    main()
