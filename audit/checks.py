"""The checks of an audit: each a file under queries/audit/, and what Python adds to some."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..schema.prefixes import prefix
from ..schema.vocabulary import KIN, METAGRAPH, RELATION_ENDS
from . import cycles, languages, ordinary, texts
from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..graph.database import Database

    Find = Callable[[Database, Mapping[str, Any]], Iterator[Finding]]

MANY_CLAIMS: Final = 5  # a concept that so many entities of one source claim is too broad for any of them
LIMIT: Final = 10_000  # findings a check at most; more of one kind are not read one by one


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look for.

    Attributes:
        query: Its statement under queries/audit/, whose header says what it looks for and what mends it.
        find: How rows become findings, where they are not findings already.
    """

    query: catalogue.Query
    find: Find | None = None

    @property
    def name(self) -> str:
        """Its name, and that of its file."""
        return self.query.name

    def run(self, database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
        """Look.

        Args:
            scope: The values of `source`, `examples` and `limit`.
        """
        if self.find is not None:
            yield from self.find(database, scope)
            return
        values = {name: value for name, value in {**scope, **VALUES}.items() if name in self.query.parameters}
        for row in database.stream(self.query, **values):
            row["keys"], row["examples"] = tuple(row["keys"]), tuple(row["examples"])
            yield Finding(check=self.name, **row)


@cache
def checks() -> dict[str, Check]:
    """Find the checks: every statement under queries/audit/ whose header says what mends its findings.

    Returns:
        The checks by name, in the order of the report.
    """
    found = (query for query in catalogue.queries().values() if query.folder == "audit" and query.mends)
    return {query.name: Check(query, FINDERS.get(query.name)) for query in found}


def unknown_prefixes(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find ids whose prefix nobody knows: neither the table of prefixes nor the source itself.

    Args:
        scope: The values of `source` and `examples`.

    Yields:
        A finding for each source, kind of id and prefix.
    """
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
    "foreign_texts": languages.find,
    "ordinary_names": ordinary.find,
}
