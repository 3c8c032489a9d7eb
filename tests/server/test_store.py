"""The stopped database in its folder: what it needs, who wrote it, and an exchange that can be undone at any point."""

import pytest

from medgraph.errors import DataVersionError, EmbeddedServerError, SettingsError
from medgraph.server import store
from medgraph.server.jars import NEO4J_VERSION

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


def test_a_secret_is_written_whole_and_for_its_owner_alone(tmp_path):
    for secret in ("first", "second"):
        store.write_secret(tmp_path / "password", secret)
        assert (tmp_path / "password").read_text() == f"{secret}\n"
    assert (tmp_path / "password").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["password"]


def test_a_folder_of_another_version_is_refused(tmp_path):
    assert store.noted_version(tmp_path) is None
    store.refuse_other_version(tmp_path)
    store.note_version(tmp_path)
    assert store.noted_version(tmp_path) == NEO4J_VERSION
    store.refuse_other_version(tmp_path)
    (tmp_path / "version").write_text("2031.01.0\n")
    with pytest.raises(DataVersionError, match=r"was written by Neo4j 2031\.01\.0, and this medgraph runs Neo4j 20"):
        store.refuse_other_version(tmp_path)


def test_a_dump_overwrites_nothing(tmp_path):
    store.refuse_existing(tmp_path / "new")
    (tmp_path / "old").touch()
    with pytest.raises(EmbeddedServerError, match="old exists already"):
        store.refuse_existing(tmp_path / "old")
    with pytest.raises(EmbeddedServerError, match="is not a folder"):
        store.refuse_existing(tmp_path / "none" / "new")


@pytest.mark.parametrize("complete", [True, False])
def test_an_exchange_is_undone(home, complete):
    store.exchange(home, complete=complete)
    assert content(home) == ["new", "new"]
    assert (store.is_exchanged(home), store.is_half_done(home)) == (complete, not complete)
    store.undo_exchange(home)
    assert content(home) == ["former", "former"]
    assert not (store.is_exchanged(home))
    assert not (store.is_half_done(home))
    assert not ((home / "restore").exists())


def test_an_exchange_is_kept(home):
    store.exchange(home)
    store.keep_exchange(home)
    store.undo_exchange(home)
    assert content(home) == ["new", "new"]
    assert [path.name for path in home.iterdir()] == ["data"]


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
