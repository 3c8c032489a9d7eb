"""Rows of another Neo4j: what a mapping's query returns, kept as JSONL on the disk while it is read."""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import InputError, RecordError, SourceFileError
from ...graph.foreign import look_at_plan, look_through
from ...settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESS: Final = re.compile(r"((?:bolt|neo4j)(?:\+s|\+ssc)?://[^/@\s]+)(?:/([A-Za-z0-9.-]+))?/?")
_FETCH: Final = 1000  # rows that are under way at once
_PATIENCE: Final = 15.0  # seconds to wait for a connection, and for a plan


@dataclass(frozen=True, slots=True)
class ForeignGraph:
    """A server, its database (empty: its own choice), the query, and its line in the mapping."""

    uri: str
    database: str
    query: str
    line: int

    @classmethod
    def of(cls, address: str, query: str, line: int) -> ForeignGraph:
        """Take an address apart; raises `RecordError` where it is none, or the query is none that only reads."""
        found = _ADDRESS.fullmatch(address)
        if not found:
            raise RecordError(f"{address.rpartition('@')[2]!r} is no address such as bolt://host:7687/neo4j")
        try:
            look_through(query)
        except InputError as error:
            raise RecordError(str(error)) from error
        return cls(found[1], found[2] or "", query, line)

    @contextmanager
    def spooled(self, mapping: Path) -> Iterator[tuple[Path, list[str]]]:
        """Run the query, and give a file with its rows, and its columns."""
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "rows.jsonl"
            try:
                columns = self._fetch(table)
            except SourceFileError as error:
                raise SourceFileError(error.message, mapping, self.line) from error
            yield table, columns

    def _fetch(self, table: Path) -> list[str]:
        import neo4j
        from neo4j.exceptions import AuthError, DriverError, Neo4jError, ServiceUnavailable

        settings = Settings.from_environment()
        auth = (settings.foreign_username, settings.foreign_password or "")
        patience: Any = {"connection_timeout": _PATIENCE, "connection_acquisition_timeout": _PATIENCE}
        try:
            with (
                neo4j.GraphDatabase.driver(self.uri, auth=auth, notifications_min_severity="OFF", **patience) as driver,
                driver.session(
                    database=self.database or None, default_access_mode=neo4j.READ_ACCESS, fetch_size=_FETCH
                ) as session,
            ):
                look_at_plan(session, self.query, {}, _PATIENCE)
                with session.begin_transaction() as transaction, table.open("w", encoding="utf-8") as file:
                    result = transaction.run(self.query)
                    columns = list(result.keys())
                    for record in result:
                        row = {name: _plain(record[name]) for name in columns}
                        file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
        except InputError as error:
            raise SourceFileError(f"the query is refused: {error}", "") from error
        except AuthError as error:
            who = "MEDGRAPH_FOREIGN_USERNAME and MEDGRAPH_FOREIGN_PASSWORD"
            raise SourceFileError(f"{self.uri} does not accept us; set {who}", "") from error
        except (ServiceUnavailable, OSError) as error:
            raise SourceFileError(f"nothing answers at {self.uri}; start it, or mend the address", "") from error
        except (Neo4jError, DriverError, ValueError) as error:
            said = " ".join(str(getattr(error, "message", None) or error).split())[:500]
            raise SourceFileError(f"{self.uri} refuses the query: {said}", "") from error
        if not table.stat().st_size:
            raise SourceFileError(f"the query gives no rows at {self.uri}; check its labels and properties", "")
        return columns


def _plain(value: Any) -> Any:
    """Give a value as JSON has it: properties of nodes and relationships, texts for times and points."""
    from neo4j.graph import Entity

    if isinstance(value, Entity | dict):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value
