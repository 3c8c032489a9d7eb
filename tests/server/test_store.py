"""The stopped database in its folder: what it needs, who wrote it, and an exchange that can be undone at any point."""

import pytest

from medgraph.errors import SettingsError
from medgraph.server import store

PARTS = ("databases", "transactions")


def put(folder, text):
    folder.mkdir(parents=True)
    (folder / "file").write_text(text)


@pytest.fixture
def home(tmp_path):
    """A folder with a database, and another one beside it."""
    for part in PARTS:
        put(tmp_path / "data" / part / "neo4j", "former")
        put(tmp_path / "restore" / "new" / "data" / part / "neo4j", "new")
    return tmp_path


def content(home):
    return [(home / "data" / part / "neo4j" / "file").read_text() for part in PARTS]


def test_a_start_needs_room_for_the_logs_that_are_missing(tmp_path):
    assert store.room_to_start(tmp_path / "none") == 256 << 20
    for database, room in (("system", 192 << 20), ("neo4j", 128 << 20)):
        put(tmp_path / "data" / "transactions" / database, "")
        (tmp_path / "data" / "transactions" / database / "neostore.transaction.db.3").touch()
        assert store.room_to_start(tmp_path) == room


def test_a_folder_is_for_its_owner_alone(tmp_path):
    store.make_home(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"cannot be used .*; set MEDGRAPH_HOME to a folder that you may write to"):
        store.make_home(tmp_path / "file" / "b")


@pytest.mark.parametrize("moves", range(5))
def test_an_exchange_that_was_broken_off_is_undone(home, moves):
    (home / "restore" / "old").mkdir()
    steps = [
        (home / "data" / "databases" / "neo4j", home / "restore" / "old" / "databases"),
        (home / "restore" / "new" / "data" / "databases" / "neo4j", home / "data" / "databases" / "neo4j"),
        (home / "data" / "transactions" / "neo4j", home / "restore" / "old" / "transactions"),
        (home / "restore" / "new" / "data" / "transactions" / "neo4j", home / "data" / "transactions" / "neo4j"),
    ]
    for start, end in steps[:moves]:
        start.rename(end)
    assert store.is_half_done(home)
    store.undo_exchange(home)
    assert content(home) == ["former", "former"]
