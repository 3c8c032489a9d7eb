"""What was learned of servers, from one command to the next."""

from medgraph.models.openai_server import Learned, recall, remember

LEARNED = Learned("text", ("seed",))


def test_what_was_learned_is_known_again(tmp_path):
    assert recall(tmp_path, "a") == Learned()
    remember(tmp_path, "a", LEARNED)
    remember(tmp_path, "b", Learned("json_object"))
    assert (recall(tmp_path, "a"), recall(tmp_path, "b").structure) == (LEARNED, "json_object")


def test_a_damaged_file_is_learned_anew(tmp_path):
    (tmp_path / "models.json").write_text("{")
    assert recall(tmp_path, "a") == Learned()
    remember(tmp_path, "a", LEARNED)
    assert recall(tmp_path, "a") == LEARNED


def test_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    remember(tmp_path / "file" / "cache", "a", LEARNED)
    assert recall(tmp_path / "file" / "cache", "a") == Learned()
