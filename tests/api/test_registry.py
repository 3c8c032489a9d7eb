"""Every file of `api/resources/` brings its routes, and each is whole."""

from pathlib import Path

from medgraph.api import resources
from medgraph.api.registry import ROUTES
from medgraph.api.request import Request

FILES = {path.stem for path in Path(resources.__file__).parent.glob("*.py")} - {"__init__"}


def test_every_resource_has_a_route_and_no_two_are_one():
    assert {route.answer.__module__.rpartition(".")[2] for route in ROUTES} == FILES
    assert len({(route.method, route.path) for route in ROUTES}) == len(ROUTES)


def test_the_interface_comes_first_by_path():
    paths = [route.path for route in ROUTES]
    inside = [path for path in paths if path.startswith("/v1/")]
    assert paths == sorted(inside) + sorted(set(paths) - set(inside))


def test_what_stands_in_a_path_is_a_field_of_what_the_route_takes():
    for route in ROUTES:
        assert route.method in {"GET", "POST"}
        assert route.takes is None or issubclass(route.takes, Request)
        assert ("{id}" in route.path) == (route.takes is not None and "id" in route.takes.__struct_fields__)


def test_only_health_and_readiness_are_open_to_whom_has_no_key():
    assert {route.path for route in ROUTES if route.watched} == {"/healthz", "/readyz"}
