"""From the YAML of a mapping to rules, with every mistake at its key and line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.records import RESERVED, SourceInfo
from ...schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from ...text import did_you_mean
from . import keys
from .foreign_rows import ForeignGraph
from .forms import Form, Rule, Table
from .values import STEPS, Column, Condition, Template, dated, extract, joined, parse_template, replaced, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .keys import Key
    from .values import Step
    from .yaml_nodes import Node

_OTHERWISE: Final = "else"  # which may be empty
_TRUE: Final = {"true", "yes"}
_FALSE: Final = {"false", "no"}
DELIMITERS: Final = {"comma": ",", "tab": "\t", "semicolon": ";", "pipe": "|"}
_PROPERTY: Final = re.compile(r"[a-z][a-z0-9_]{0,60}")


class Reader:
    """Reads the nodes of a mapping, and keeps line and text of every mistake as it is found."""

    def __init__(self, faults: list[tuple[int, str]] | None = None) -> None:
        """Read a mapping; or, where the faults of one are given, one of its tables."""
        self._is_part = faults is not None
        self.faults: list[tuple[int, str]] = [] if faults is None else faults
        self._named: dict[str, tuple[int, str]] = {}
        self._columns: dict[str, Column] = {}

    def parse(self, root: Node) -> Form | None:
        """Read a whole mapping; None where there are faults."""
        parts = self._keys(root, keys.FORMS["root"], "the mapping")
        info = self._source(parts["source"]) if "source" in parts else None
        if info and "prefixes" in parts:
            info = replace(info, namespaces=self._prefixes(parts["prefixes"]))
        written = self._words(parts["table"], keys.FORMS["table"], "table") if "table" in parts else {}
        if "tables" in parts:
            for name in {"file", "query", "columns", *keys.RULES} & parts.keys():
                self._fault(root.keys[name], f"{name} goes without tables; write it below the table that it is of")
            tables = self._tables(parts["tables"], info, written)
            form = Form(info, {}, (), {}, tables=tables) if info else None
        else:
            form = self._form(root, parts, info, {**written, "graph": self._graph(parts)}, "the mapping")
        return None if self.faults else form

    def _form(
        self, node: Node, parts: dict[str, Node], info: SourceInfo | None, how: dict[str, Any], where: str
    ) -> Form | None:
        """Read what a table gives; `how` says how it is written, and where its rows are."""
        if not any(kind in parts for kind in ("key", *keys.RULES)):
            self._fault(node.line, f"{where} has no entities:, relations: or documents:; nothing would be loaded")
        if "columns" in parts:
            self._parse_columns(parts["columns"])
        rules = [rule for kind in keys.RULES if kind in parts for rule in self._rules(kind, parts[kind], kind)]
        own = {name: how.pop(name) for name in ("empty", "strip", "graph") if name in how}
        return Form(info, self._columns, tuple(rules), self._named, how, **own) if info else None

    def _tables(self, node: Node, info: SourceInfo | None, written: dict[str, Any]) -> tuple[Table, ...]:
        """Read several tables, and which columns they take from those above them."""
        found: dict[str, Table] = {}
        for name, value in (node.value if isinstance(node.value, dict) else {}).items():
            reader, where = Reader(self.faults), f"tables.{name}"
            parts = reader._keys(value, keys.FORMS["part"], where)
            said = reader._worded(parts, keys.FORMS["part"], where)
            how = {name: said[name] for name in keys.FORMS["table"] if name in said}
            joins = reader._dictionary(parts["join"], f"{where}.join") if "join" in parts else {}
            form = reader._form(value, parts, info, written | how, where)
            for column, target in joins.items():
                reader._named.setdefault(column, (parts["join"].line, f"{where}.join"))
                if form and (target not in found or not found[target].key):
                    told = ", ".join(name for name, table in found.items() if table.key) or "none"
                    missing = f"{where}.join: no table {target!r} with a key above; there: {told}"
                    self._fault(parts["join"].line, missing)
            if form:
                facts = {name: said[name] for name in ("key", "optional") if name in said}
                found[name] = Table(name, said.get("file", ""), form, value.line, joins=joins, **facts)
        if not found and not self.faults:
            wanted = "tables must have the names of tables as keys, each with file and what its rows give"
            self._fault(node.line, wanted)
        if not self.faults:
            for table in reversed(found.values()):
                table.take_columns(found)
        return tuple(found.values())

    def _fault(self, line: int, text: str) -> None:
        self.faults.append((line, text))

    def _keys(self, node: Node, known: dict[str, Key], where: str) -> dict[str, Node]:
        """Give the values of known keys, after complaints about unknown, missing and empty ones."""
        given = self._named_values(node, f"{where} must have keys, such as {next(iter(known))}:")
        for name, line in node.keys.items():
            if name not in known:
                self._fault(line, f"{where} has the unknown key {name!r}{did_you_mean(name, known)}")
            elif given[name].value in ("", [], {}) and name != _OTHERWISE:
                self._fault(line, f"{where}.{name} is empty; fill it, or take the key out")
        for name, key in known.items() if isinstance(node.value, dict) else ():
            if key.required and name not in given:
                self._fault(node.line, f"{where} has no {name}: {key.help[0].lower()}{key.help[1:]}")
        filled = {name: one for name, one in given.items() if name == _OTHERWISE or one.value not in ("", [], {})}
        return {name: one for name, one in filled.items() if name in known}

    def _named_values(self, node: Node, said: str) -> dict[str, Node]:
        """Give what keys have; a complaint, and nothing, where it has none."""
        if isinstance(node.value, dict):
            return node.value
        self._fault(node.line, said)
        return {}

    def _graph(self, parts: dict[str, Node]) -> ForeignGraph | None:
        texts = {name: self._word(parts[name], name) for name in ("file", "query") if name in parts}
        if len(texts) == 1:
            (name,) = texts
            self._fault(parts[name].line, f"{name} goes with {'query' if name == 'file' else 'file'}; give both")
        if len(texts) < 2 or not all(texts.values()):
            return None
        try:
            return ForeignGraph.of(texts["file"], texts["query"], parts["query"].line)
        except RecordError as error:
            self._fault(parts["file"].line if "no address" in str(error) else parts["query"].line, str(error))
            return None

    def _source(self, node: Node) -> SourceInfo | None:
        facts: dict[str, Any] = {"url": "", "table": True, **self._words(node, keys.FORMS["source"], "source")}
        if any(key.required and name not in facts for name, key in keys.FORMS["source"].items()):
            return None
        try:
            return SourceInfo(**facts)
        except RecordError as error:
            self._fault(node.line, f"source: {error}")
            return None

    def _prefixes(self, node: Node) -> tuple[str, ...]:
        found = self._dictionary(node, "prefixes")
        for name, base in found.items():
            if said := prefixes.fault(name, base):
                self._fault(node.keys[name], f"prefixes.{name}: {said}")
        return tuple(f"{name} {base}" for name, base in found.items())

    def _words(self, node: Node, known: dict[str, Key], where: str) -> dict[str, Any]:
        return self._worded(self._keys(node, known, where), known, where)

    def _worded(self, parts: dict[str, Node], known: dict[str, Key], where: str) -> dict[str, Any]:
        """Read those of the keys whose values are written out."""
        read: dict[str, Callable[[Node, str], Any]] = {
            "count": self._count,
            "flag": self._flag,
            "words": self._list,
            "delimiter": self._delimiter,
            "word": self._word,
        }
        written = {name: value for name, value in parts.items() if known[name].kind in read}
        found = {name: read[known[name].kind](value, f"{where}.{name}") for name, value in written.items()}
        if "empty" in found:
            found["empty"] = frozenset(found["empty"])
        return found

    def _word(self, node: Node, where: str) -> str:
        if isinstance(node.value, str):
            return node.value
        self._fault(node.line, f"{where} must be one text")
        return ""

    def _count(self, node: Node, where: str) -> int:
        if isinstance(node.value, str) and re.fullmatch(r"[1-9][0-9]{0,8}", node.value):
            return int(node.value)
        self._fault(node.line, f"{where} must be a whole number from 1")
        return 1

    def _flag(self, node: Node, where: str) -> bool:
        if not isinstance(node.value, str) or node.value.lower() not in _TRUE | _FALSE:
            self._fault(node.line, f"{where} must be true or false")
            return False
        return node.value.lower() in _TRUE

    def _delimiter(self, node: Node, where: str) -> str:
        word = self._word(node, where)
        found = DELIMITERS.get(word, word)
        if not found or set(found) & set('"\n\r') or (len(found) > 1 and found.isalnum()):
            said = f"must be comma, tab, semicolon, pipe, or one character, or several such as \\t|\\t; it is {word!r}"
            self._fault(node.line, f"{where} {said}")
        return found

    def _list(self, node: Node, where: str) -> tuple[str, ...]:
        if isinstance(node.value, list):
            return tuple(self._word(part, where) for part in node.value)
        return (self._word(node, where),)

    def _pattern(self, node: Node, where: str) -> re.Pattern[str]:
        try:
            return re.compile(self._word(node, where))
        except (re.error, OverflowError, RecursionError) as error:
            self._fault(node.line, f"{where} is no regular expression: {error}")
            return re.compile("")

    def _dictionary(self, node: Node, where: str) -> dict[str, str]:
        given = self._named_values(node, f"{where} must have keys, each with what it becomes")
        return {name: self._word(value, f"{where}.{name}") for name, value in given.items()}

    # Columns.

    def _parse_columns(self, node: Node) -> None:
        for name, value in self._named_values(node, "columns must have the names of columns as keys").items():
            where = f"columns.{name}"
            parts = self._keys(value, keys.FORMS["column"], where)
            heading = self._word(parts["from"], f"{where}.from") if "from" in parts else name
            split = self._word(parts["split"], f"{where}.split") if "split" in parts else ""
            steps = self._steps(parts["then"], f"{where}.then") if "then" in parts else ()
            optional = "optional" in parts and self._flag(parts["optional"], f"{where}.optional")
            join = self._word(parts["join"], f"{where}.join") if "join" in parts else ""
            self._columns[name] = Column(name, heading, split, steps, optional, join)
            if not optional:
                self._named.setdefault(heading, (node.keys[name], where))

    def _steps(self, node: Node, where: str) -> tuple[Step, ...]:
        nodes = node.value if isinstance(node.value, list) else [node]
        return tuple(step for part in nodes if (step := self._step(part, where)) is not None)

    def _step(self, node: Node, where: str) -> Step | None:
        if isinstance(node.value, str):
            if node.value in STEPS:
                return STEPS[node.value][0]
            meant = did_you_mean(node.value, [*STEPS, *keys.FORMS["step"]])
            self._fault(node.line, f"{where} has the unknown step {node.value!r}{meant}")
            return None
        parts = self._keys(node, keys.FORMS["step"], where)
        if "map" in parts and parts.keys() <= {"map", "else"}:
            otherwise = self._word(parts["else"], f"{where}.else") if "else" in parts else None
            return translate(self._dictionary(parts["map"], f"{where}.map"), otherwise)
        made: dict[str, Callable[[Node, str], Step]] = {
            "extract": lambda value, here: extract(self._pattern(value, here)),
            "replace": lambda value, here: replaced(self._dictionary(value, here)),
            "join": lambda value, here: joined(self._word(value, here)),
            "date": lambda value, here: dated(self._word(value, here)),
        }
        if len(parts) == 1 and (name := next(iter(parts))) in made:
            return made[name](parts[name], f"{where}.{name}")
        self._fault(node.line, f"{where} must be one step at a time, each behind a hyphen; only else goes beside map")
        return None

    # Rules.

    def _rules(self, kind: str, node: Node, where: str) -> list[Rule]:
        known = {**keys.RULES, "sections": keys.FORMS["section"], "questions": keys.FORMS["question"]}[kind]
        if not isinstance(node.value, list):
            self._fault(node.line, f"{where} must be a list, each item behind a hyphen")
            return []
        return [self._rule(kind, part, known, f"{where}[{place}]") for place, part in enumerate(node.value, 1)]

    def _rule(self, kind: str, node: Node, known: dict[str, Key], where: str) -> Rule:
        rule = Rule(kind, node.line, {}, {})
        if self._is_part and kind == "documents":  # another table may have it
            known = known | {"title": known["title"]._replace(required=False)}
        if kind == "entities" and isinstance(node.value, dict):
            self._named_entity(node, set(node.value), where)
        if kind == "sections" and isinstance(node.value, dict) and len({"text", "html"} & set(node.value)) != 1:
            self._fault(node.line, f"{where} has no text: what it says; or html, which is parted at its headings")
        extra: dict[str, Any] = {"parts": {}}
        for name, value in self._keys(node, known, where).items():
            here = f"{where}.{name}"
            match known[name].kind:
                case "when":
                    extra["when"] = self._when(value, here)
                case "columns":
                    extra[name] = self._list(value, here)
                    for column in extra[name]:
                        self._name(column, value.line, here)
                case "properties":
                    rule.properties.update(self._properties(value, here))
                case "sections" | "questions":
                    extra["parts"][name] = tuple(self._rules(name, value, here))
                case kind_of_value:
                    rule.values[name] = self._templates(kind_of_value, value, here)
        return Rule(kind, node.line, rule.values, rule.properties, **extra)

    def _named_entity(self, node: Node, given: set[str], where: str) -> None:
        """Look whether an entity has a label and a name; one that has neither adds to what other sources name."""
        missing = [name for name in ("label", "name") if name not in given]
        if (len(missing) == 1 and not self._is_part) or (missing and not given - {"id", "when", "each", "group_by"}):
            for name in missing:
                more = "; without label and name, it adds to an entity of other sources, and says something of it"
                said = keys.FORMS["entity"][name].help
                self._fault(node.line, f"{where} has no {name}: {said[0].lower()}{said[1:]}{more}")

    def _templates(self, kind: str, node: Node, where: str) -> tuple[Template, ...]:
        if kind in {"texts", "ids"} and isinstance(node.value, list):
            return tuple(template for part in node.value for template in self._templates(kind, part, where))
        if kind == "date" and isinstance(node.value, dict):
            parts = self._keys(node, keys.FORMS["date"], where)
            read = self._word(parts["format"], f"{where}.format") if "format" in parts else ""
            found = self._templates("date", parts["value"], f"{where}.value") if "value" in parts else ()
            return tuple(replace(template, steps=(dated(read),), plain="") for template in found)
        text = self._word(node, where)
        if not isinstance(node.value, str):
            return ()
        try:
            template = parse_template(text)
        except RecordError as error:
            self._fault(node.line, f"{where} {error}")
            return ()
        for column in template.columns:
            self._name(column, node.line, where)
        allowed = {"label": ENTITY_LABELS, "relation": RELATION_TYPES}.get(kind)
        if allowed and not template.columns and text not in allowed:
            self._fault(node.line, f"{where} is {text!r}{did_you_mean(text, allowed)}")
        return (template,)

    def _name(self, column: str, line: int, where: str) -> None:
        if column not in self._columns:
            self._named.setdefault(column, (line, where))

    def _when(self, node: Node, where: str) -> tuple[Condition, ...]:
        given = self._named_values(node, f"{where} must have the names of columns as keys")
        for name, line in node.keys.items():
            self._name(name, line, where)
        return tuple(self._condition(name, value, f"{where}.{name}") for name, value in given.items())

    def _condition(self, column: str, node: Node, where: str) -> Condition:
        if not isinstance(node.value, dict):
            return Condition(column, among=frozenset(self._list(node, where)))
        parts = self._keys(node, keys.FORMS["condition"], where)
        return Condition(
            column,
            besides=frozenset(self._list(parts["not"], f"{where}.not")) if "not" in parts else frozenset(),
            empty=self._flag(parts["empty"], f"{where}.empty") if "empty" in parts else None,
            matches=self._pattern(parts["matches"], f"{where}.matches") if "matches" in parts else None,
        )

    def _properties(self, node: Node, where: str) -> dict[str, tuple[str, Template]]:
        found = {}
        for name, value in self._named_values(node, f"{where} must have the names of properties as keys").items():
            here = f"{where}.{name}"
            if name in RESERVED or not _PROPERTY.fullmatch(name):
                reason = "the graph uses it itself, or it is no word of small letters, digits and _"
                self._fault(node.keys[name], f"{here} cannot name a property: {reason}")
            whole = isinstance(value.value, dict)
            parts = self._keys(value, keys.FORMS["property"], here) if whole else {"value": value}
            kind = self._word(parts["type"], f"{here}.type") if "type" in parts else "text"
            if kind not in keys.PROPERTY_TYPES:
                self._fault(value.line, f"{here}.type is {kind!r}{did_you_mean(kind, keys.PROPERTY_TYPES)}")
            for template in self._templates("text", parts["value"], here) if "value" in parts else ():
                found[name] = (kind, template)
        return found
