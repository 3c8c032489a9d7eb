"""Statements of others, such as agents: those that only read the graph are run, in another process, with bounds.

The server's plan says what a statement does. That a plan is of the type `r` is not enough: `LOAD CSV`, procedures that
read files or addresses, and commands such as `SHOW SETTINGS` are of this type, too. Every operator, procedure and
namespace of functions must therefore be in a list. Plans do not show statements within some expressions, so that the
text is looked through as well.
"""

from __future__ import annotations

import atexit
import json
import math
import re
import resource
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, MedgraphError, QueryError, QueryTimeoutError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from neo4j import Session

    from .database import Database

# Operators of plans that read the graph and nothing else.
OPERATORS: Final = frozenset(
    """
    AllNodesScan Anti AntiSemiApply Apply Argument ArgumentTracker AssertSameNode AssertSameRelationship
    AssertingMultiNodeIndexSeek BFSPruningVarLengthExpand CacheProperties CartesianProduct Distinct
    DynamicDirectedRelationshipTypeLookup DynamicLabelNodeLookup DynamicUndirectedRelationshipTypeLookup Eager
    EagerAggregation EmptyResult EmptyRow ErrorPlan ExhaustiveLimit Expand Filter IntersectionNodeByLabelsScan
    LeftOuterHashJoin LetAntiSemiApply LetSelectOrAntiSemiApply LetSelectOrSemiApply LetSemiApply Limit
    MultiNodeIndexSeek NodeByElementIdSeek NodeByIdSeek NodeByLabelScan NodeCountFromCountStore NodeHashJoin
    NodeIndexContainsScan NodeIndexEndsWithScan NodeIndexScan NodeIndexSeek NodeIndexSeekByRange
    NodeUniqueIndexSeek NodeUniqueIndexSeekByRange NodeVectorIndexSearch NonFuseable NonPipelined
    NonPipelinedStreaming Optional OptionalExpand OrderedAggregation OrderedDistinct OrderedUnion PartialSort
    PartialTop PartitionedUnwind ProcedureCall ProduceResults ProjectEndpoints Projection PruningVarLengthExpand
    RelationshipCountFromCountStore RelationshipVectorIndexSearch Repeat RightOuterHashJoin RollUpApply
    SelectOrAntiSemiApply SelectOrSemiApply SemiApply ShortestPath Skip Sort StatefulShortestPath
    SubtractionNodeByLabelsScan Top Top1WithTies Trail TriadicBuild TriadicFilter TriadicSelection Union
    UnionNodeByLabelsScan Unwind ValueHashJoin VarLengthExpand
    """.split()
)
# Operators that read relationships, of which there are many.
RELATIONSHIP_SCANS: Final = re.compile(
    r"(Directed|Undirected|PartitionedDirected|PartitionedUndirected)(All|Union)?"
    r"Relationship(s|Type|Types|ByElementId|ById|UniqueIndex|Index)*(Contains|EndsWith)?(Scan|Seek)(ByRange)?"
)
PROCEDURES: Final = frozenset(
    """
    db.index.fulltext.queryNodes db.index.fulltext.queryRelationships db.index.vector.queryNodes
    db.index.vector.queryRelationships db.labels db.propertyKeys db.relationshipTypes db.schema.nodeTypeProperties
    db.schema.relTypeProperties db.schema.visualization
    """.split()
)
# What stands before the dot in functions of Cypher itself.
NAMESPACES: Final = frozenset({"date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector"})
ROWS: Final = 100
TEXT: Final = 2_000  # characters of a text in a result
ITEMS: Final = 50  # items of a list or map in a result; a list of more numbers, such as a vector, is told by its length
RESULT: Final = 1_000_000  # characters of a whole result, written as JSON: lists may stand in lists
LENGTH: Final = 50_000  # characters of a statement
MEMORY: Final = 2 * 1024**3  # bytes of address space of the process that reads the result
SECONDS: Final = 10.0
USES: Final = 100  # statements of one process, so that none keeps memory for ever
VECTORS: Final = re.compile(r"(?:embedding|sentence_vectors)(?:_b)?$|kge(?:_bias)?$")  # properties that hold vectors
_NAMED: Final = "of yours"
_SPARE: Final = 5.0  # seconds that the process may need to begin and to write
# Texts, names in backticks and comments. The time of these expressions grows with the length alone, whatever it is.
_NO_CODE: Final = re.compile(
    r"'(?:\\.|[^'\\])*+'?|\"(?:\\.|[^\"\\])*+\"?|`(?:[^`]|``)*+`?|//[^\n\r]*|/\*.*?(?:\*/|\Z)", re.DOTALL
)
_NAME: Final = r"(?:`(?:[^`]|``)*`|\w+)"
_DOTTED: Final = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_CALLED: Final = re.compile(rf"\bCALL\b\s*({_DOTTED})", re.IGNORECASE)
_FUNCTION: Final = re.compile(rf"({_NAME})((?:\s*\.\s*{_NAME})*)(\s*\()?")
_ELSEWHERE: Final = re.compile(r"\b(LOAD\s+CSV|(?:IN|CONCURRENT)\s+TRANSACTIONS|USE(?=[\s`]))", re.IGNORECASE)


@dataclass(frozen=True)  # the MCP library describes no class with slots
class Table:
    """What a statement gave."""

    columns: list[str]  # names of the columns
    rows: list[list[Any]]  # the rows; long texts and lists are shortened
    more: bool  # whether there are more rows


def read_foreign(
    database: Database, text: str, parameters: Mapping[str, Any] | None = None, seconds: float = SECONDS
) -> Table:
    """Run a statement of somebody else, if it only reads the graph.

    Raises:
        InputError: It does something else, or is too long; the message says what is refused.
        QueryError: The server does not take it.
        QueryTimeoutError: It took too long.
    """
    look_through(text)
    address = {"uri": database.uri, "auth": database.auth, "database": database.name}
    said = _carried_out({**address, "text": text, "parameters": dict(parameters or {}), "seconds": seconds}, seconds)
    if "refused" in said:
        raise InputError(said["refused"])
    if "failed" in said:
        raise QueryError(said["failed"], _NAMED)
    return Table(**said)


class _Reader:
    """A process that runs statements, one after another, until it is ended or this one ends."""

    def __init__(self) -> None:
        command, pipe = [sys.executable, "-P", "-m", __name__], subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)  # noqa: S603
        self.left = USES

    def ask(self, order: Mapping[str, Any], seconds: float) -> bytes:
        """Give what it says of an order, a line; nothing where it ended, or took longer and was ended for that."""
        assert self._process.stdin
        assert self._process.stdout
        timer = threading.Timer(seconds, self._process.kill)
        timer.start()
        self.left -= 1
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
            return self._process.stdout.readline()
        except BrokenPipeError:
            return b""
        finally:
            timer.cancel()

    def end(self) -> None:
        """End it; its pipes, too."""
        self._process.kill()
        with suppress(BrokenPipeError):
            self._process.communicate()


_waiting: list[_Reader] = []  # the process that waits for the next statement, if one does
_lock: Final = threading.Lock()


def _carried_out(order: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Have an order carried out by the process that waits or, while others use that, by a new one."""
    with _lock:
        reader = _waiting.pop() if _waiting else None
    reader = reader or _Reader()
    began = time.monotonic()
    line = reader.ask(order, seconds + _SPARE)
    with _lock:
        keeps = line.endswith(b"\n") and reader.left > 0 and not _waiting
        if keeps:
            _waiting.append(reader)
    if not keeps:
        reader.end()
    if line.endswith(b"\n"):
        said: dict[str, Any] = json.loads(line)
        return said
    if time.monotonic() - began >= seconds + _SPARE:
        raise QueryTimeoutError(f"it took more than {seconds:.0f} s; ask for less", _NAMED)
    raise QueryError("it gives more than fits into memory; ask for less", _NAMED)


@atexit.register
def _end() -> None:
    while _waiting:
        _waiting.pop().end()


def look_through(text: str) -> None:
    """Look for what plans do not show; InputError where the text has something of it, or is too long."""
    if len(text) > LENGTH:
        raise InputError(f"the statement has {len(text):,} characters; {LENGTH:,} are taken")
    if r"\u" in text.lower():
        raise InputError(r"the statement has an escape \u; write the character itself")
    code = _NO_CODE.sub(_code_of, text)
    if found := _ELSEWHERE.search(code):
        raise InputError(f"{' '.join(found[1].split())} is not taken; statements may only read this graph")
    for found in _CALLED.finditer(code):
        _take_procedure(found[1])
    for found in _FUNCTION.finditer(code):
        name = _plain(found[1] + found[2])
        if found[2] and found[3] and _plain(found[1]).lower() not in NAMESPACES and name not in PROCEDURES:
            raise InputError(f"the function {name} is not taken; those of Cypher itself are")


def _code_of(found: re.Match[str]) -> str:
    """Write texts and comments as nothing, and a name in backticks without what could be taken for more."""
    if found[0][0] == "`":
        return "`" + re.sub(r"\W", "_", found[0].strip("`")) + "`"
    return " " if found[0][0] == "/" else " '' "


def _take_procedure(name: str) -> None:
    if _plain(name) not in PROCEDURES:
        raise InputError(f"the procedure {_plain(name)} is not taken; these are: {', '.join(sorted(PROCEDURES))}")


def _plain(name: str) -> str:
    return re.sub(r"[`\s]", "", name)


def look_at_plan(session: Session, text: str, given: Mapping[str, Any], seconds: float = SECONDS) -> None:
    """Let the server plan a statement, and look at each step.

    Raises:
        InputError: A step does more than read the graph.
        neo4j.exceptions.Neo4jError: The server does not take the statement.
    """
    import neo4j

    looked = session.run(neo4j.Query(f"EXPLAIN {text}", timeout=seconds), dict(given)).consume()
    if looked.query_type != "r" or not looked.plan:
        raise InputError("the statement writes or manages; statements may only read this graph")
    for step in _steps(looked.plan):
        name = re.split(r"[@(]", step["operatorType"])[0]
        if name not in OPERATORS and not RELATIONSHIP_SCANS.fullmatch(name):
            raise InputError(f"the statement needs {name}, which is not taken; statements may only read this graph")
        if name == "ProcedureCall":
            _take_procedure(step["args"].get("Details", "").partition("(")[0])


def _steps(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for child in plan.get("children", ()):
        yield from _steps(child)


def without_vectors(value: Any) -> Any:
    """Leave vectors out of nodes, however deep these stand in what a query of medgraph gives."""
    if isinstance(value, dict):
        return {name: without_vectors(item) for name, item in value.items() if not VECTORS.match(name)}
    return [without_vectors(item) for item in value] if isinstance(value, list) else value


def _shown(value: Any) -> Any:
    from neo4j.graph import Entity, Path

    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Path):
        return [_shown(part) for part in _alternating(value)]
    if isinstance(value, Entity):
        return _kind(value) | _shown(without_vectors(dict(value.items())))
    if isinstance(value, dict):
        return {str(key): _shown(item) for key, item in list(value.items())[:ITEMS]}
    if isinstance(value, list):
        return _shown_list(value)
    text = f"{len(value):,} bytes" if isinstance(value, bytes | bytearray) else str(value)
    return text if len(text) <= TEXT else text[:TEXT] + "…"


def _shown_list(values: Sequence[Any]) -> Any:
    if len(values) > ITEMS and isinstance(values[0], int | float):
        return f"{len(values):,} numbers"
    more = [f"… {len(values) - ITEMS:,} more"] if len(values) > ITEMS else []
    return [_shown(item) for item in values[:ITEMS]] + more


def _kind(entity: Any) -> dict[str, Any]:
    """Give labels of a node; type and ends of a relationship."""
    if hasattr(entity, "labels"):
        return {"is": sorted(entity.labels)}
    return {"is": entity.type, "from": _named(entity.start_node), "to": _named(entity.end_node)}


def _named(node: Any) -> Any:
    return node.get("id") or node.get("name") if node is not None else None


def _alternating(path: Any) -> Iterator[Any]:
    for node, relationship in zip(path.nodes, path.relationships, strict=False):
        yield node
        yield relationship
    yield path.end_node


def _run(order: dict[str, Any]) -> dict[str, Any]:
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError

    text, given = order["text"], order["parameters"]
    with (
        neo4j.GraphDatabase.driver(order["uri"], auth=tuple(order["auth"]), notifications_min_severity="OFF") as driver,
        driver.session(database=order["database"], default_access_mode="READ", fetch_size=ROWS + 1) as session,
    ):
        try:
            look_at_plan(session, text, given, order["seconds"])
            with session.begin_transaction(timeout=order["seconds"]) as transaction:
                result = transaction.run(text, given)
                records = result.fetch(ROWS + 1)
                rows = [[_shown(value) for value in record.values()] for record in records[:ROWS]]
                return {"columns": list(result.keys()), "rows": rows, "more": len(records) > ROWS}
        except MedgraphError as error:
            return {"refused": str(error)}
        except (Neo4jError, DriverError, ValueError, OverflowError) as error:  # the last two: a value cannot be sent
            return {"failed": " ".join(str(getattr(error, "message", None) or error).split())[:TEXT]}


def _main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for order in sys.stdin:
        said = json.dumps(_run(json.loads(order)), default=str)
        if len(said) > RESULT:
            said = json.dumps({"failed": f"it gives {len(said):,} characters; {RESULT:,} are taken; ask for less"})
        print(said, flush=True)  # noqa: T201


if __name__ == "__main__":
    _main()
