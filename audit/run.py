"""Run an audit: every check in turn, each by itself, so that one that fails leaves the others."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Final

from ..errors import DatabaseUnavailableError, InputError, MedgraphError, UnknownSourceError
from ..graph import catalogue
from ..progress import progress
from ..schema import migrate
from .checks import LIMIT, Check, checks
from .findings import Audit, Result, ordered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..graph.database import Database

EXAMPLES: Final = 5


def audit(
    database: Database, source: str = "", examples: int = EXAMPLES, only: Sequence[str] = (), *, limit: int = LIMIT
) -> Audit:
    """Look through what the graph says; nothing is changed.

    Args:
        source: The one source to look at; empty for all.
        examples: How many elements to name for each finding.
        only: Names of the checks to run; all by default.
        limit: Findings a check at most.

    Raises:
        UnknownSourceError: The graph holds nothing of this source.
        InputError: There is no check of a given name.
        SchemaMissingError: The schema has not been applied.
        DatabaseUnavailableError: The database went away.
    """
    migrate.check(database)
    if source and source not in {row["source"] for row in database.read(catalogue.get("sources"))}:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    if unknown := set(only) - checks().keys():
        raise InputError(f"there is no check {min(unknown)!r}; the checks are: {', '.join(checks())}")
    scope = {"source": source, "examples": examples, "limit": limit}
    wanted = [check for name, check in checks().items() if not only or name in only]
    with progress("auditing", "check", len(wanted)) as bar:
        results = []
        for check in wanted:
            results.append(_result(database, check, scope))
            bar.update(1)
    return Audit(source, results)


def _result(database: Database, check: Check, scope: Mapping[str, Any]) -> Result:
    result = Result(check.name, check.query.purpose, check.query.mends)
    start = time.perf_counter()
    try:
        result.findings = ordered(itertools.islice(check.run(database, scope), scope["limit"]))
    except DatabaseUnavailableError:
        raise
    except MedgraphError as error:
        result.failure = " ".join(str(error).split())
    result.seconds = time.perf_counter() - start
    return result
