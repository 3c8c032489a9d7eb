"""Files that workers read apart give the items of a folder that is read file by file."""

from collections import deque

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medgraph.errors import InputError, SourceFileError
from medgraph.graph.engine import LOCAL
from medgraph.loaders import registry
from medgraph.loaders.base import Row
from medgraph.loaders.registry import read_apart
from medgraph.schema.records import Entity
from tests.support.pubmed import article, heading, written

PUBMED = registry.get("pubmed")


@given(st.lists(st.lists(st.integers(1, 6), max_size=5), min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_items_are_those_of_the_folder_read_at_once(tmp_path_factory, files):
    folder = tmp_path_factory.mktemp("pubmed")
    for number, headings in enumerate(files, 1):
        cited = [article(pmid=f"{number}{n}", headings=heading(h)) for n, h in enumerate(headings, 1)]
        written(folder, *cited, name=f"pubmed26n{number:04}.xml")
    items = list(read_apart(PUBMED, "pubmed", LOCAL)[0].records(folder))
    assert items == list(PUBMED.records(folder))
    entities = [item.record.id for item in items if isinstance(item, Row) and isinstance(item.record, Entity)]
    assert sorted(entities) == sorted({f"MESH:D{h:06}" for headings in files for h in headings})


def test_a_file_that_is_cut_off_gives_what_came_before_and_the_same_error(tmp_path):
    path = written(tmp_path, article("1"), article("2"))
    path.write_text(path.read_text()[:-60])
    apart, _ = read_apart(PUBMED, "pubmed", LOCAL)
    (items, error), again = until_error(PUBMED.records(tmp_path)), until_error(apart.records(tmp_path))
    assert again == (items, error)
    assert len(items) == 1
    assert error[0].startswith(f"{path}:")


def until_error(items):
    """What a reader gives, and the error that ends it."""
    found = []
    with pytest.raises(SourceFileError) as caught:
        deque(map(found.append, items))
    return found, (str(caught.value), caught.value.line)


def test_a_source_that_is_read_as_a_whole_is_refused():
    with pytest.raises(InputError, match=r"the source mesh is read as a whole, .*; it goes with: pubmed"):
        read_apart(registry.get("mesh"), "mesh", LOCAL)
