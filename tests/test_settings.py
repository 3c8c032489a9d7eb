"""Settings: what each variable does, and what is refused."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from medgraph.errors import SettingsError
from medgraph.settings import DEFAULT_ENCODER, Settings

VARIABLES = {
    "NEO4J_URI": ("neo4j_uri", "bolt://example.org:7687", "bolt://example.org:7687"),
    "NEO4J_USERNAME": ("neo4j_username", "reader", "reader"),
    "NEO4J_PASSWORD": ("neo4j_password", "s3cret", "s3cret"),
    "NEO4J_DATABASE": ("neo4j_database", "medicine", "medicine"),
    "MEDGRAPH_FOREIGN_USERNAME": ("foreign_username", "reader", "reader"),
    "MEDGRAPH_FOREIGN_PASSWORD": ("foreign_password", "secret", "secret"),
    "MEDGRAPH_HOME": ("home", "/data/medgraph", Path("/data/medgraph")),
    "MEDGRAPH_CACHE": ("cache", "/data/cache", Path("/data/cache")),
    "MEDGRAPH_MIRROR": ("mirror", "http://mirror.example", "http://mirror.example"),
    "MEDGRAPH_FETCH_LIMIT": ("fetch_limit", "2", 2),
    "NCBI_API_KEY": ("ncbi_api_key", "k" * 36, "k" * 36),
    "NCBI_EMAIL": ("ncbi_email", "ann@example.org", "ann@example.org"),
    "MEDGRAPH_BOLT_PORT": ("bolt_port", "17687", 17687),
    "MEDGRAPH_HTTP_PORT": ("http_port", "17474", 17474),
    "MEDGRAPH_NEO4J_HEAP": ("heap", "2g", "2g"),
    "MEDGRAPH_NEO4J_PAGECACHE": ("page_cache", "512m", "512m"),
    "MEDGRAPH_JAVA": ("java", "/opt/java/bin/java", Path("/opt/java/bin/java")),
    "MEDGRAPH_ENCODER": ("encoder", "my/model", "my/model"),
    "MEDGRAPH_QUESTION_ENCODER": ("question_encoder", "my/questions", "my/questions"),
    "MEDGRAPH_RERANKER": ("reranker", "my/questions", "my/questions"),
    "MEDGRAPH_VERIFIER": ("verifier", "my/verifier", "my/verifier"),
    "MEDGRAPH_READER": ("reads", "none", False),
    "MEDGRAPH_THREADS": ("threads", "3", 3),
    "MEDGRAPH_PRECISION": ("precision", "int8", "int8"),
    "MEDGRAPH_API_KEY": ("api_key", "k" * 20, "k" * 20),
    "MEDGRAPH_RATE_LIMIT": ("rate_limit", "0", 0),
    "MEDGRAPH_UNSUPPORTED": ("unsupported", "flag", "flag"),
    "MEDGRAPH_COMPOSER": ("composer", "graph", "graph"),
    "MEDGRAPH_MODEL": ("model", "gguf:some.gguf", "gguf:some.gguf"),
    "MEDGRAPH_MODEL_CONTEXT": ("model_context", "4096", 4096),
    "MEDGRAPH_MODEL_TIMEOUT": ("model_timeout", "5", 5),
    "MEDGRAPH_MODEL_CALLS": ("model_calls", "2", 2),
    "MEDGRAPH_MODEL_READS": ("model_reads", "turns, messages", ("turns", "messages")),
    "MEDGRAPH_MODEL_PRICES": ("prices", "/data/prices.tsv", Path("/data/prices.tsv")),
    "MEDGRAPH_EMERGENCY_NUMBER": ("emergency_number", "144", "144"),
    "MEDGRAPH_CYPHER_TIMEOUT": ("cypher_timeout", "60", 60),
    "MEDGRAPH_SERVICE": ("service", "http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    "MEDGRAPH_BROWSER": ("browser", "http://graph.example/browser/", "http://graph.example/browser/"),
}


@pytest.fixture(autouse=True)
def _home(monkeypatch):
    monkeypatch.setenv("HOME", "/somewhere")


def test_defaults():
    settings = Settings.from_environment({})
    assert settings.home == Path("/somewhere/.local/share/medgraph")
    assert settings.cache == Path("/somewhere/.cache/medgraph")
    assert (settings.neo4j_uri, settings.neo4j_username, settings.neo4j_password) == (None, "neo4j", None)
    assert (settings.neo4j_database, settings.bolt_port, settings.http_port) == ("neo4j", 7687, 7474)
    assert (settings.heap, settings.page_cache, settings.java) == (None, None, None)
    assert (settings.encoder, settings.question_encoder, settings.reranker) == (DEFAULT_ENCODER, None, None)
    assert (settings.threads, settings.reads) == (0, True)
    assert (settings.api_key, settings.rate_limit, settings.browser) == (None, None, None)


def test_each_variable_sets_its_field_alone_and_an_empty_one_leaves_the_default():
    default = Settings.from_environment({})
    for name, (field, text, value) in VARIABLES.items():
        settings = Settings.from_environment({name: text})
        assert getattr(settings, field) == value
        assert {f for f in Settings.__slots__ if getattr(settings, f) != getattr(default, f)} == {field}
        assert Settings.from_environment({name: ""}) == default


def test_every_field_has_a_variable_and_is_described():
    assert {field for field, *_ in VARIABLES.values()} == set(Settings.__slots__)
    assert all(f"`{name}`" in Settings.__doc__ for name in VARIABLES)


def test_what_becomes_of_unsupported_sentences_is_one_of_two():
    assert Settings.from_environment({}).unsupported == "drop"
    with pytest.raises(SettingsError, match="MEDGRAPH_UNSUPPORTED is 'Flag'; set it to drop or flag, or unset it"):
        Settings.from_environment({"MEDGRAPH_UNSUPPORTED": "Flag"})


def test_what_a_model_reads_is_of_four_things():
    read = [
        Settings.from_environment({"MEDGRAPH_MODEL_READS": told}).model_reads for told in ("", "none", "turns, claims")
    ]
    assert read == [("messages", "claims"), (), ("turns", "claims")]
    assert Settings.from_environment({}).model_reads == ("messages", "claims")
    said = "MEDGRAPH_MODEL_READS has 'facts'; set it to any of messages,turns,passages,claims, or none, or unset it"
    with pytest.raises(SettingsError, match=said):
        Settings.from_environment({"MEDGRAPH_MODEL_READS": "turns,facts"})


def test_folders_follow_the_desktop_standard_and_tildes():
    settings = Settings.from_environment({"XDG_DATA_HOME": "/x/data", "XDG_CACHE_HOME": "/x/cache"})
    assert (settings.home, settings.cache) == (Path("/x/data/medgraph"), Path("/x/cache/medgraph"))
    settings = Settings.from_environment({"MEDGRAPH_HOME": "~/graphs", "MEDGRAPH_JAVA": "~/java"})
    assert (settings.home, settings.java) == (Path("/somewhere/graphs"), Path("/somewhere/java"))
    assert Settings.from_environment({"MEDGRAPH_CACHE": "c"}).cache == Path.cwd() / "c"


@pytest.mark.parametrize("name", ["MEDGRAPH_BOLT_PORT", "MEDGRAPH_HTTP_PORT", "MEDGRAPH_THREADS"])
@pytest.mark.parametrize("text", ["x", "-1", "70000", "9" * 5000])
def test_bad_numbers_name_the_variable_and_the_range(name, text):
    with pytest.raises(SettingsError, match=rf"{name} is .*; set it to a whole number from \d to \d+, or unset it"):
        Settings.from_environment({name: text})


def test_the_password_shows_nowhere_and_settings_cannot_change():
    settings = Settings.from_environment({"NEO4J_PASSWORD": "s3cret", "MEDGRAPH_API_KEY": "s3cret"})
    assert "s3cret" not in repr(settings)
    assert "s3cret" not in str(settings)
    with pytest.raises(FrozenInstanceError):
        settings.bolt_port = 1


def test_a_model_of_a_server_writes_answers_unless_told_otherwise():
    for model, composer, told in (
        ("openai:big", "generated", ""),
        ("gguf:small.gguf", "extractive", ""),
        ("openai:big", "graph", "graph"),
    ):
        made = Settings.from_environment({"MEDGRAPH_MODEL": model, "MEDGRAPH_COMPOSER": told})
        assert made.composer == composer
