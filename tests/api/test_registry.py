"""Every file of `api/resources/` brings its routes, and each is whole."""

from pathlib import Path

from medgraph.api import resources
from medgraph.api.routes import ROUTES

FILES = {path.stem for path in Path(resources.__file__).parent.glob("*.py")} - {"__init__"}


def test_every_resource_has_a_route_and_no_two_are_one():
    assert {route.answer.__module__.rpartition(".")[2] for route in ROUTES} == FILES
    assert len({(route.method, route.path) for route in ROUTES}) == len(ROUTES)


def test_only_health_and_readiness_are_open_to_whom_has_no_key():
    assert {route.path for route in ROUTES if route.watched} == {"/healthz", "/readyz"}
