"""The service on recorded answers: what the real one gave for the sample, told again without a graph.

`pytest -n0 --record tests/api tests/client` asks the real service, and writes the file anew.
"""

import inspect
import json
from dataclasses import asdict, fields, is_dataclass
from typing import Any

import msgspec
import pytest

from medgraph import errors
from medgraph.answers.answer import Answer, Found, FoundPage, FoundSection
from medgraph.answers.assembly import Assembly
from medgraph.api.service import Overview, Service
from medgraph.queries.cards import Card
from medgraph.queries.enrichment import Enrichment
from medgraph.queries.find import FoundEntity
from medgraph.queries.paths import PairPaths
from medgraph.queries.subgraphs import Subgraph
from medgraph.queries.voices import Backing
from tests.support.linking import names_of
from tests.support.paths import FILES
from tests.support.service import service_over

FILE = FILES / "recorded" / "service.jsonl"
Row = dict[str, Any]
GIVES = {
    "answer": Answer,
    "choices": dict[str, list[str]],
    "document": Row | None,
    "entities": list[FoundEntity],
    "entity": Card | None,
    "enrich": Enrichment,
    "evidence": tuple[list[Row], list[Row]],
    "overview": Row,
    "paths": list[PairPaths],
    "section": Row | None,
    "sources": list[Row],
    "subgraph": Subgraph,
}
"""What the service is asked for, and what it gives."""

RECORDED = {}
"""Calls of this run, with what the real service gave."""


def pytest_addoption(parser):
    parser.addoption("--record", action="store_true", help="ask the real service, and write down what it gives")


@pytest.fixture
def service(request):
    """The service, on recorded answers; on the real graph where a test takes that, too."""
    recording = request.config.getoption("--record")
    names = [name for name in ("database", "sample_graph") if name in request.fixturenames]
    if not names and not recording:
        yield Recorded()
        return
    graph, encoder = (request.getfixturevalue(name) for name in ((names or ["sample_graph"])[0], "encoder"))
    real = service_over(graph, lambda: encoder, names_of(graph))
    yield real if names else Recorded(real)
    if recording:
        lines = (json.dumps([json.loads(asked), told], ensure_ascii=False) for asked, told in sorted(RECORDED.items()))
        FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


class Recorded(Service):
    """A service that tells again what was recorded; or asks the real one, and records what that gives."""

    def __init__(self, real=None):
        super().__init__(Assembly(None, None, None))
        self.real, self.told = real, RECORDED
        if real is None:
            pairs = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
            self.told = {json.dumps(asked, sort_keys=True): told for asked, told in pairs}

    def check(self):
        """It is always ready."""

    def warm_up(self):
        """It is always warm."""


def telling(name):
    def tell(self, *given, **options):
        bound = inspect.signature(getattr(Service, name)).bind(self, *given, **options).arguments
        said = {one: plain(value) for one, value in bound.items() if one not in {"self", "tell"}}
        asked = json.dumps([name, {one: value for one, value in said.items() if value}], sort_keys=True)
        if self.real:
            self.told[asked] = json.loads(json.dumps(gave(getattr(self.real, name), given, options)))
        assert asked in self.told, f"{asked} is not recorded; run: pytest -n0 --record tests/api tests/client"
        told = self.told[asked]
        if "error" in told:
            raise getattr(errors, told["error"])(told["text"])
        again = msgspec.convert(told["gave"], GIVES[name], dec_hook=found)
        if name == "evidence":
            cited, named = again
            again = cited, [row | {"said": list(map(backed, row["said"]))} for row in named]
        return Overview(**again) if name == "overview" else again

    return tell


for name in GIVES:
    setattr(Recorded, name, telling(name))


def backed(voice):
    return voice | {"backing": msgspec.convert(voice["backing"], Backing)}


def plain(value):
    """Write down what is asked for, without what is usual."""
    if isinstance(value, Answer):
        return value.question
    if hasattr(value, "scope"):
        usual = type(value)()
        return {name: str(one) for name, one in values(value).items() if one != getattr(usual, name)}
    return repr(value) if is_dataclass(value) else value


def values(record):
    return {field.name: getattr(record, field.name) for field in fields(record)}


def gave(call, given, options):
    try:
        told = call(*given, **options)
    except errors.MedgraphError as error:
        return {"error": type(error).__name__, "text": str(error)}
    return {"gave": msgspec.to_builtins(asdict(told) if isinstance(told, Overview) else told, enc_hook=str)}


def found(kind, value):
    assert kind is Found
    return next(msgspec.convert(value, one) for one in (FoundSection, FoundPage) if value.keys() == names_in(one))


def names_in(record):
    return {field.name for field in fields(record)}
