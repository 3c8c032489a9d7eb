"""Numbered migrations: applied once, in order, and never edited afterwards.

The constraints and indexes that they declare are compared with those that a graph has.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import EncoderMismatchError, MigrationChangedError, QueryError, SchemaError, SchemaMissingError
from ..graph import catalogue
from ..graph.catalogue import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..graph.database import Database

_MADE: Final = re.compile(r"CREATE (?:(\w+) )?(INDEX|CONSTRAINT) (\w+) IF NOT EXISTS")
_DROPPED: Final = re.compile(r"DROP (?:INDEX|CONSTRAINT) (\w+)")
_ON: Final = re.compile(r"[(\[](\w+):(\w+)")


@dataclass(frozen=True, slots=True)
class Rule:
    """A constraint or index as a migration declares it, on a label or type of relation, with its properties.

    Its `kind` is `CONSTRAINT`, `RANGE`, `FULLTEXT` or `VECTOR`, as the server calls them.
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


def rules_of(statements: Iterable[Query]) -> dict[str, Rule]:
    """Read which constraints and indexes stand after statements; later ones may drop what earlier ones made."""
    rules: dict[str, Rule] = {}
    for statement in statements:
        rules.pop(dropped(statement), None)
        if match := _MADE.search(statement.text):
            kind = match[2] if match[2] == "CONSTRAINT" else match[1] or "RANGE"
            on = _ON.search(statement.text)
            assert on is not None, statement.text
            properties = tuple(re.findall(rf"\b{on[1]}\.(\w+)", statement.text))
            rules[match[3]] = Rule(match[3], kind, on[2], properties, statement)
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


ROOT: Final = Path(__file__).parent
_NAME: Final = re.compile(r"V(\d{3})__(\w+)")

OLDEST: Final = "2026.07"  # The oldest release of Neo4j that takes the vector indexes of the schema, as found by trying


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file of schema statements, in order, with its fingerprint."""

    version: int
    name: str
    checksum: str
    statements: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class MigrationState:
    """A migration, and when a graph had it `applied`, as the graph writes it; None where it was not."""

    version: int
    name: str
    applied: str | None


@dataclass(frozen=True, slots=True)
class Model:
    """The text encoder that a graph's vectors are from, and their length.

    In which `slot` the graph has them makes no difference between encoders.
    """

    name: str
    dimension: int
    slot: str = field(default=catalogue.FIRST_SLOT, compare=False)


def migrations(root: Path = ROOT) -> list[Migration]:
    """Read all migrations of a folder, `V001__name.cypher` and so on without a gap; a `SchemaError` otherwise."""
    files = [_load(path) for path in sorted(root.glob("V*.cypher"))]
    if [m.version for m in files] != list(range(1, len(files) + 1)):
        raise SchemaError(f"the migrations in {root} are not numbered 001, 002, … without a gap")
    return files


def apply(
    database: Database, encoder: str, dimension: int, report: Callable[[str], None], root: Path = ROOT
) -> list[Migration]:
    """Apply what is missing, wait until all indexes are ONLINE, and record the encoder.

    What an applied migration declares and the graph has no longer, or has failed or otherwise, is made anew.

    Args:
        encoder: The name of the encoder that the vector indexes are made for.

    Raises:
        MigrationChangedError: One that was applied before has been edited since.
        EncoderMismatchError: The graph's vectors are from another encoder.
        IndexNotReadyError: An index failed.
    """
    check_encoder(database, encoder, dimension)
    done = _applied(database, migrations(root))
    fresh = [m for m in migrations(root) if m.version not in done]
    wanted = declared(root)
    # What has its last form already, as after `begin_indexes`, is not made a second time.
    right = wanted.keys() - {rule.name for rule, _ in faults(database, wanted.values(), dimension)}
    create(database, catalogue.get("constrain_migrations"), dimension)
    for migration in fresh:
        report(f"applying V{migration.version:03d} {migration.name}")
        for statement in migration.statements:
            if dropped(statement) not in right:
                create(database, statement, dimension)
        database.write(
            catalogue.get("record_migration"),
            version=migration.version,
            name=migration.name,
            checksum=migration.checksum,
        )
    _mend(database, dimension, report, root)
    if recorded_encoder(database) is None:
        database.write(catalogue.get("record_encoder"), name=encoder, dimension=dimension)
    database.wait_for_indexes()
    return fresh


def begin_indexes(database: Database, dimension: int) -> None:
    """Let a graph that has content and no schema begin with all indexes at once; `apply` must follow.

    They look through the nodes together, and go on while `apply` waits for its constraints.
    """
    indexes = [rule.statement for rule in declared().values() if rule.kind != "CONSTRAINT"]
    database.write_all([(made, {"dimension": dimension} if made.parameters else {}) for made in indexes])


def status(database: Database, root: Path = ROOT) -> list[MigrationState]:
    """List all migrations with when they were applied to a graph; as `check`, an error where one was edited since."""
    wanted = migrations(root)
    _applied(database, wanted)
    when = {row["version"]: row["applied"] for row in database.read(catalogue.get("migrations"))}
    return [MigrationState(m.version, m.name, when.get(m.version)) for m in wanted]


def check(database: Database, encoder: str | None = None, dimension: int = 0, root: Path = ROOT) -> None:
    """Make sure that the graph has this version's schema and, where one is given, this encoder's vectors.

    Args:
        encoder: The name of the encoder about to be used; None to leave it out.

    Raises:
        SchemaMissingError: A migration has not been applied.
        MigrationChangedError: One that was applied has been edited since.
        EncoderMismatchError: The graph's vectors are from another encoder.
    """
    wanted = migrations(root)
    done = _applied(database, wanted)
    missing = [m for m in wanted if m.version not in done]
    if missing:
        raise SchemaMissingError(
            f"the graph lacks the schema V{missing[0].version:03d} {missing[0].name}; run: medgraph schema apply"
        )
    if encoder is not None:
        check_encoder(database, encoder, dimension)
    elif database.slot is None and (serving := recorded_encoder(database)):
        database.slot = serving.slot


def check_encoder(database: Database, encoder: str, dimension: int) -> None:
    """Make sure that the graph's vectors, if any, are of this encoder, and let statements mean these."""
    recorded = recorded_encoders(database)
    for model in recorded:
        if model == Model(encoder, dimension):
            database.slot = model.slot
            return
    for model in recorded[:1]:
        raise EncoderMismatchError(
            f"the graph's vectors are from {model.name} ({model.dimension} dimensions), not from {encoder} "
            f"({dimension}); set MEDGRAPH_ENCODER back, or make all of them anew: medgraph index embeddings --rebuild"
        )


def recorded_encoder(database: Database) -> Model | None:
    """Read which encoder the graph's vectors are from; None for a graph that never had a whole schema."""
    return next(iter(recorded_encoders(database)), None)


def recorded_encoders(database: Database) -> list[Model]:
    """Read which encoders the graph has vectors of: the one that serves, and the one beside it."""
    return [Model(**row) for row in database.read(catalogue.get("encoder"))]


def index_names(root: Path = ROOT, slot: str | None = None) -> set[str]:
    """List the indexes that the migrations make, for vectors in a slot; a constraint's index has its name."""
    return set(declared(root, slot))


def declared(root: Path = ROOT, slot: str | None = None) -> dict[str, Rule]:
    """List the constraints and indexes that the graph has after all migrations, for vectors in a slot."""
    statements = (statement for migration in migrations(root) for statement in migration.statements)
    return rules_of(replace(one, text=catalogue.renamed(one.text, slot or catalogue.FIRST_SLOT)) for one in statements)


def create(database: Database, statement: Query, dimension: int) -> None:
    """Run one schema statement; one that another process has just run is fine."""
    parameters = {"dimension": dimension} if statement.parameters else {}
    try:
        run = database.run if "IN TRANSACTIONS" in statement.text else database.write
        run(statement, **parameters)
    except QueryError as error:
        if "EquivalentSchemaRuleAlreadyExists" in str(error.__cause__):
            return
        release = database.read(catalogue.get("server_facts"))[0]["version"]
        if is_too_old(release):
            raise SchemaError(f"Neo4j {release} is too old; upgrade it to {OLDEST} or later: {error}") from error
        raise


def is_too_old(release: str) -> bool:
    """Tell whether a release of Neo4j lacks what the schema declares."""
    numbers, oldest = ([int(number) for number in re.findall(r"\d+", text)[:2]] for text in (release, OLDEST))
    return numbers < oldest


def _mend(database: Database, dimension: int, report: Callable[[str], None], root: Path) -> None:
    for rule, fault in faults(database, declared(root, database.slot).values(), dimension):
        report(f"making {rule.what} anew, which {fault}")
        clear(database, rule)
        try:
            create(database, rule.statement, dimension)
        except QueryError as error:
            reason = " ".join(str(error).split())
            raise SchemaError(
                f"the {rule.what} cannot be made: {reason}; where two nodes have one id, take out what wrote them "
                "with `medgraph unload SOURCE` and load it again"
            ) from error


def _applied(database: Database, wanted: list[Migration]) -> set[int]:
    rows = {row["version"]: row for row in database.read(catalogue.get("migrations"))}
    for migration in wanted:
        row = rows.get(migration.version)
        if row and row["checksum"] != migration.checksum:
            raise MigrationChangedError(
                f"V{migration.version:03d} {migration.name} was edited after it was applied on {row['applied'][:10]}; "
                "put the file back as it was and add a new migration for the change"
            )
    if newer := rows.keys() - {m.version for m in wanted}:
        raise SchemaError(f"the graph has the schema V{max(newer):03d} of a newer medgraph; upgrade this one")
    return set(rows)


def _load(path: Path) -> Migration:
    match = _NAME.fullmatch(path.stem)
    if not match:
        raise SchemaError(f"{path} is not called V001__what_it_does.cypher")
    text = path.read_text(encoding="utf-8")
    plain = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
    parts = [part.strip() for part in plain.split(";") if part.strip()]
    statements = tuple(
        Query(f"{path.stem}:{number}", "", {"dimension": "384"} if "$dimension" in part else {}, (), part, path)
        for number, part in enumerate(parts, 1)
    )
    checksum = hashlib.sha256(text.encode()).hexdigest()
    return Migration(int(match[1]), match[2], checksum, statements)
