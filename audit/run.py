"""The checks of an audit, each a file under queries/audit/ with what Python adds to some, and their run in turn.

Each runs by itself, so that one that fails leaves the others.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ..errors import DatabaseUnavailableError, InputError, MedgraphError, UnknownSourceError
from ..graph import catalogue
from ..progress import progress
from ..schema import migrate
from ..schema.prefixes import prefix
from ..schema.vocabulary import KIN, METAGRAPH, RELATION_ENDS
from . import cycles, texts
from .findings import Audit, Finding, Result, ordered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..graph.database import Database

    Find = Callable[[Database, Mapping[str, Any]], Iterator[Finding]]

MANY_CLAIMS: Final = 5  # a concept that so many entities of one source claim is too broad for any of them
LIMIT: Final = 10_000  # findings a check at most; more of one kind are not read one by one


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look for: its statement under queries/audit/, and how rows become findings if they are none yet."""

    query: catalogue.Query
    find: Find | None = None

    @property
    def name(self) -> str:
        """Its name, and that of its file."""
        return self.query.name

    def run(self, database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
        """Look, with the values of `source`, `examples` and `limit`."""
        if self.find is not None:
            yield from self.find(database, scope)
            return
        values = {name: value for name, value in {**scope, **VALUES}.items() if name in self.query.parameters}
        for row in database.stream(self.query, **values):
            row["keys"], row["examples"] = tuple(row["keys"]), tuple(row["examples"])
            yield Finding(check=self.name, **row)


@cache
def checks() -> dict[str, Check]:
    """Find the checks by name, in the order of the report: all under queries/audit/ that say what mends them."""
    found = (query for query in catalogue.queries().values() if query.folder == "audit" and query.mends)
    return {query.name: Check(query, FINDERS.get(query.name)) for query in found}


def unknown_prefixes(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find ids whose prefix neither the table of prefixes nor the source knows, by source, kind of id and prefix."""
    own = {row["source"] for row in database.read(catalogue.get("sources"))}
    for row in database.stream(catalogue.get("unknown_prefixes"), source=scope["source"], examples=scope["examples"]):
        word = row["prefix"]
        if word and (word in own or prefix(word)):
            continue
        what = f"{row['field']} with the unknown prefix {word}" if word else f"{row['field']} that are no CURIEs"
        severe = row["field"] == "ids"
        keys = (row["source"] or "", row["field"], word)
        examples = tuple(row["examples"])
        yield Finding("unknown_prefixes", "warning" if severe else "note", keys[0], keys, what, row["count"], examples)


# What the vocabulary gives to a check whose statement has a parameter of the name.
VALUES: Final = {
    "ends": [{"type": t, "subjects": [*s], "objects": [*o]} for t, (s, o) in RELATION_ENDS.items()],
    "kin": [list(group) for group in KIN],
    "design": [list(shape) for shape in METAGRAPH],
    "many": MANY_CLAIMS,
}
# What reads the rows of the checks that take more than Cypher.
FINDERS: Final[Mapping[str, Find]] = {
    "unknown_prefixes": unknown_prefixes,
    "is_a_cycles": cycles.find,
    "suspicious_names": texts.names,
    "suspicious_texts": texts.texts,
    "foreign_texts": texts.foreign,
    "ordinary_names": texts.ordinary,
}

EXAMPLES: Final = 5


def audit(
    database: Database, source: str = "", examples: int = EXAMPLES, only: Sequence[str] = (), *, limit: int = LIMIT
) -> Audit:
    """Look through what the graph says, or one source, by all checks or some; nothing is changed.

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
