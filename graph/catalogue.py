"""The catalogue: every .cypher file with its header, read and checked into `Query` objects.

A file holds one statement under a header that explorers can paste into Neo4j Browser:

```
// name: neighbourhood
// Relations around one entity, best supported first.
// :param entity => 'DOID:2841'
// returns: source, relation, target
```

Programs take a statement and its example values from here, whichever driver they use: `get` shows how.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from ..errors import CatalogueError, InputError
from ..text import did_you_mean

ROOT: Final = Path(__file__).parents[1] / "queries"

# Two slots for vectors, so that those of another encoder can be made while the former ones serve: a statement is
# written for the first slot; for the second one its properties and indexes of vectors have another name.
FIRST_SLOT: Final = ""
SECOND_SLOT: Final = "_b"
_IN_A_SLOT: Final = re.compile(
    r"(?<=\.)(?:embedding|embedding_model|sentence_model|sentence_vectors)\b"
    r"|(?<=')embedding(?=')"
    r"|(?<=INDEX )(?:chunk|question)_embedding(?:_model)?\b"
)

_PARAM = re.compile(r":param\s+(\w+)\s*=>\s*(.+)")
_USED = re.compile(r"\$(\w+)")
_STRING_OR_COMMENT = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*")


@dataclass(frozen=True, slots=True)
class Query:
    """One catalogued statement."""

    name: str  # unique in the catalogue; the file is named after it
    purpose: str
    parameters: dict[str, str]  # example value (Cypher text) of each `$name` in the statement
    columns: tuple[str, ...]  # the columns it returns; empty for one that returns nothing
    text: str
    path: Path
    mends: str = ""  # for a check of an audit, what mends what it finds
    # for a check of an audit, a statement that puts the fault into a sound graph, by which tests try it
    fault: str = ""

    @property
    def folder(self) -> str:
        """The folder it is filed under, such as `retrieve`."""
        return self.path.parent.name

    @property
    def examples(self) -> dict[str, Any]:
        """The example values of the header, for drivers; what they do not fit can be replaced with `|`."""
        return {name: _literal(text) for name, text in self.parameters.items()}

    @property
    def with_examples(self) -> str:
        """The statement with the example values written out, which runs as it stands."""
        return _USED.sub(lambda match: self.parameters[match[1]], self.text)

    def filled(self, **values: str) -> str:
        """Give the statement with its parameters as quoted literals, for people to paste into Neo4j Browser."""
        literals = {name: "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'" for name, value in values.items()}
        return _USED.sub(lambda match: literals[match[1]], self.text)


@cache
def queries(root: Path = ROOT) -> dict[str, Query]:
    """Read every query below a folder, by name, sorted.

    Raises:
        CatalogueError: A file breaks the rules, or two share a name.
    """
    by_name: dict[str, Query] = {}
    for path in sorted(root.glob("*/*.cypher")):
        query = parse(path)
        if query.name in by_name:
            raise CatalogueError(f"the name {query.name} is taken by {by_name[query.name].path}", path, 1)
        by_name[query.name] = query
    return dict(sorted(by_name.items()))


def get(name: str) -> Query:
    """Look a query up by name.

    Example:
        >>> query = get("disease_card")  # and, with a driver: execute_query(query.text, query.examples)
        >>> query.examples | {"name": "Gout"}
        {'name': 'Gout', 'limit': 10}

    Raises:
        InputError: There is none of this name; the message lists the names that explorers can use.
    """
    query = queries().get(name)
    if query is None:
        known = [q.name for q in queries().values() if q.folder == "explore"]
        raise InputError(f"there is no query {name!r}{did_you_mean(name, known)}")
    return query


def parse(path: Path) -> Query:
    """Read one .cypher file; CatalogueError where its header is incomplete, or has other parameters than its text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    size = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    header = [line[2:].strip() for line in lines[:size]]
    text = "\n".join(lines[size:]).strip()
    if not text:
        raise CatalogueError("there is no statement under the header", path, size + 1)
    query = _header(header, text, path)
    used = set(_USED.findall(_STRING_OR_COMMENT.sub(" ", text)))
    if missing := used - query.parameters.keys():
        raise CatalogueError(f"no ':param {min(missing)} => …' for ${min(missing)}", path, 1)
    if unused := query.parameters.keys() - used:
        line = next(i for i, h in enumerate(header, 1) if (m := _PARAM.fullmatch(h)) and m[1] == min(unused))
        raise CatalogueError(f"the parameter {min(unused)} is not used in the statement", path, line)
    return query


@lru_cache(maxsize=512)
def renamed(text: str, slot: str) -> str:
    """Write a statement, given for the first slot of vectors, for another one, whose names end with `slot`."""
    return _IN_A_SLOT.sub(lambda found: found[0] + slot, text)


def _literal(text: str) -> Any:
    """Read an example value: a quoted text, or what is the same in Cypher and JSON."""
    if text.startswith("'"):
        return text[1:-1]
    try:
        return json.loads(text)
    except ValueError:
        return text


def _header(lines: list[str], text: str, path: Path) -> Query:
    purpose, parameters = [], {}
    facts = dict.fromkeys(("name", "returns", "mends", "fault"))
    for number, line in enumerate(lines, 1):
        word, _, rest = line.partition(":")
        if word in facts:
            facts[word] = rest.strip()
        elif line.startswith(":param"):
            match = _PARAM.fullmatch(line)
            if not match:
                raise CatalogueError("write a parameter as ':param name => example'", path, number)
            parameters[match[1]] = match[2]
        elif line:
            purpose.append(line)
    name, returns = facts["name"] or "", facts["returns"]
    if name != path.stem:
        raise CatalogueError(f"the header says 'name: {name}', the file is called {path.stem}", path, 1)
    if not purpose or returns is None:
        raise CatalogueError("the header needs a sentence on the purpose and a 'returns:' line", path, 1)
    columns = tuple(c.strip() for c in returns.split(",") if c.strip())
    mends, fault = facts["mends"] or "", facts["fault"] or ""
    return Query(name, " ".join(purpose), parameters, columns, text, path, mends, fault)
