"""Rules and forms: what the YAML of a mapping says, once it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...schema.records import SourceInfo
    from .foreign_rows import ForeignGraph
    from .values import Column, Condition, Template


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to make records of rows, such as `entities` or `sections`.

    Templates by key, several for lists; properties with type and template; columns whose items are taken one by one,
    and those whose cells bring rows together; and rules of sections and questions.
    """

    kind: str
    line: int
    values: dict[str, tuple[Template, ...]]
    properties: dict[str, tuple[str, Template]]
    when: tuple[Condition, ...] = ()
    each: tuple[str, ...] = ()
    group_by: tuple[str, ...] = ()
    parts: dict[str, tuple[Rule, ...]] = field(default_factory=dict)

    def columns(self) -> set[str]:
        """Give every column that decides what it makes of a row."""
        templates = (*chain(*self.values.values()), *(template for _, template in self.properties.values()))
        inner = (rule.columns() for rule in chain(*self.parts.values()))
        named = (*self.each, *self.group_by, *(condition.column for condition in self.when))
        return set(named).union(*(template.columns for template in templates), *inner)


@dataclass(frozen=True, slots=True)
class Form:
    """A mapping: facts, columns by its own names, rules in order, and how the table is `written` (see `tables.read`).

    `named` has every column of the table that it needs, with the line and the key that names it first.
    """

    info: SourceInfo
    columns: dict[str, Column]
    rules: tuple[Rule, ...]
    named: dict[str, tuple[int, str]]
    written: dict[str, Any] = field(default_factory=dict)
    empty: frozenset[str] = frozenset()  # texts of cells that say nothing
    strip: bool = True
    graph: ForeignGraph | None = None  # where the rows come from that are in no file
    tables: tuple[Table, ...] = ()  # in place of rules of its own


@dataclass(frozen=True, slots=True)
class Table:
    """One of several tables of a source: its name, its files as a name or a pattern, and what its rows give.

    `joins` are columns that hold the key of another table, each with the name of that; `wanted` are the columns that
    others take from it.
    """

    name: str
    file: str
    form: Form
    line: int
    key: str = ""
    joins: dict[str, str] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    optional: bool = False

    def take_columns(self, known: Mapping[str, Table]) -> None:
        """Note which columns it takes from those that it joins, which then have to have them."""
        for column in {*self.form.named, *(column.heading for column in self.form.columns.values())}:
            start, _, name = column.partition(".")
            if name and start in self.joins:
                target = known[self.joins[start]]
                target.wanted.add(name)
                if name not in target.form.columns:
                    where = self.form.named.get(column, (self.line, f"tables.{self.name}"))
                    target.form.named.setdefault(name, where)
        if self.key and self.key not in self.form.columns:
            self.form.named.setdefault(self.key, (self.line, f"tables.{self.name}.key"))
