"""The constraints and indexes that migrations declare, compared with those that a graph has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import QueryError
from ..graph import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..graph.catalogue import Query
    from ..graph.database import Database

_MADE: Final = re.compile(r"CREATE (?:(\w+) )?(INDEX|CONSTRAINT) (\w+) IF NOT EXISTS")
_DROPPED: Final = re.compile(r"DROP (?:INDEX|CONSTRAINT) (\w+)")
_ON: Final = re.compile(r"[(\[](\w+):(\w+)")


@dataclass(frozen=True, slots=True)
class Rule:
    """A constraint or index as a migration declares it.

    Attributes:
        name: Its name.
        kind: `CONSTRAINT`, `RANGE`, `FULLTEXT` or `VECTOR`, as the server calls them.
        label: The label, or the type of relation, that it is on.
        properties: What it is over, those that filter included.
        statement: What makes it.
    """

    name: str
    kind: str
    label: str
    properties: tuple[str, ...]
    statement: Query

    @property
    def what(self) -> str:
        """The rule in words, such as `vector index chunk_embedding`."""
        return f"{self.kind.lower()}{'' if self.kind == 'CONSTRAINT' else ' index'} {self.name}"


def dropped(statement: Query) -> str:
    """Give the name of the constraint or index that a statement drops, if any."""
    match = _DROPPED.search(statement.text)
    return match[1] if match else ""


def declared(statements: Iterable[Query]) -> dict[str, Rule]:
    """Read which constraints and indexes stand after statements; later ones may drop what earlier ones made."""
    rules: dict[str, Rule] = {}
    for statement in statements:
        rules.pop(dropped(statement), None)
        if match := _MADE.search(statement.text):
            rules[match[3]] = _rule(match, statement)
    return rules


def fault(rule: Rule, actual: Mapping[str, Any] | None, dimension: int | None) -> str:
    """Say in what a graph's rule is not the declared one, empty where it is; None for no rule or unknown length."""
    if actual is None:
        return "is missing"
    if actual["state"] == "FAILED":
        return f"has failed: {' '.join((actual['failure'] or '').split())[:300]}".removesuffix(": ")
    if (actual["kind"], actual["label"], tuple(actual["properties"])) != (rule.kind, rule.label, rule.properties):
        return f"is another one: {actual['kind']} on {actual['label']} ({', '.join(actual['properties'])})"
    if dimension is not None and actual["dimension"] not in {None, dimension}:
        return f"is for vectors of {actual['dimension']} numbers, not of {dimension}"
    return ""


def faults(database: Database, rules: Iterable[Rule], dimension: int | None) -> list[tuple[Rule, str]]:
    """Find the declared rules that a graph lacks or has otherwise, each with what is wrong; see `fault`."""
    actual = {row["name"]: row for row in database.read(catalogue.get("schema_rules"))}
    return [(rule, wrong) for rule in rules if (wrong := fault(rule, actual.get(rule.name), dimension))]


def clear(database: Database, rule: Rule) -> None:
    """Drop whatever stands under a rule's name, so that the rule can be made anew."""
    try:
        database.run(catalogue.get("drop_index"), name=rule.name)
    except QueryError:  # it belongs to a constraint
        database.run(catalogue.get("drop_constraint"), name=rule.name)


def _rule(made: re.Match[str], statement: Query) -> Rule:
    kind = made[2] if made[2] == "CONSTRAINT" else made[1] or "RANGE"
    on = _ON.search(statement.text)
    assert on is not None, statement.text
    properties = tuple(re.findall(rf"\b{on[1]}\.(\w+)", statement.text))
    return Rule(made[3], kind, on[2], properties, statement)
