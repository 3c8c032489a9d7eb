"""Settings: one frozen object, read from the environment once and passed in."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_args

from .errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

_Default = TypeVar("_Default", int, None)

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
NOTHING = "none"
# What may read a question and a sentence together, to tell whether the one helps to answer the other
READERS = ("ms-marco-MiniLM-L-12-v2", NOTHING)
UNSUPPORTED = ("drop", "flag")  # What may become of sentences of an answer that what they cite does not support
AUTO = "auto"
# What encoders and readers may compute in; `auto` is the fastest that the processor has instructions for
PRECISIONS = (AUTO, "f32", "bf16", "int8")
MODEL_READS = ("messages", "turns", "passages", "claims")
"""What a language model may read in place of rules: what a message or a question asks, put plainly; a turn of a
dialogue as a question that is whole by itself; whether passages answer; and whether they say a claim."""
MODEL_READ = ("messages", "claims")  # What it reads unless told, if it is not small
Composer = Literal["extractive", "graph", "generated"]
# What answers may be composed of: sentences quoted from texts, relations of the graph, or a language model's words
COMPOSERS = get_args(Composer)
# Fields that are a variable's text, or None
_TEXTS: Final = {
    "mirror": "MEDGRAPH_MIRROR",
    "ncbi_api_key": "NCBI_API_KEY",
    "ncbi_email": "NCBI_EMAIL",
    "neo4j_uri": "NEO4J_URI",
    "neo4j_password": "NEO4J_PASSWORD",
    "foreign_password": "MEDGRAPH_FOREIGN_PASSWORD",
    "heap": "MEDGRAPH_NEO4J_HEAP",
    "page_cache": "MEDGRAPH_NEO4J_PAGECACHE",
    "question_encoder": "MEDGRAPH_QUESTION_ENCODER",
    "reranker": "MEDGRAPH_RERANKER",
    "verifier": "MEDGRAPH_VERIFIER",
    "api_key": "MEDGRAPH_API_KEY",
    "emergency_number": "MEDGRAPH_EMERGENCY_NUMBER",
    "browser": "MEDGRAPH_BROWSER",
    "service": "MEDGRAPH_SERVICE",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be configured, with the environment variable each value comes from.

    Example:
        >>> Settings.from_environment({"MEDGRAPH_BOLT_PORT": "7690"}).bolt_port
        7690

    Attributes:
        home: `MEDGRAPH_HOME`; the embedded server's data, its password, and files of rejected records.
        cache: `MEDGRAPH_CACHE`; downloads that are kept: the server's jars and the models.
        mirror: `MEDGRAPH_MIRROR`; a server that has what others give out, each below its host's name, as
            `http://mirror/ftp.ncbi.nlm.nih.gov/…`; None means that files are fetched from where they are.
        fetch_limit: `MEDGRAPH_FETCH_LIMIT`; GB that a file which is fetched may have.
        ncbi_api_key: `NCBI_API_KEY`; a key of NCBI, with which PubMed may be asked ten times a second instead of three.
        ncbi_email: `NCBI_EMAIL`; the address by which NCBI reaches who asks PubMed too much.
        neo4j_uri: `NEO4J_URI`; the server to use (Docker, Aura, a cluster); None means the embedded one.
        neo4j_username: `NEO4J_USERNAME`; the user to log in as.
        neo4j_password: `NEO4J_PASSWORD`; the embedded server makes its own when it is not set.
        neo4j_database: `NEO4J_DATABASE`; the database to use on that server.
        foreign_username: `MEDGRAPH_FOREIGN_USERNAME`; the user of another Neo4j, whose rows a mapping reads.
        foreign_password: `MEDGRAPH_FOREIGN_PASSWORD`; that user's password.
        bolt_port: `MEDGRAPH_BOLT_PORT`; the embedded server's port for drivers.
        http_port: `MEDGRAPH_HTTP_PORT`; the embedded server's port for Neo4j Browser.
        heap: `MEDGRAPH_NEO4J_HEAP`, such as `2g`; None means chosen from the machine's memory.
        page_cache: `MEDGRAPH_NEO4J_PAGECACHE`, such as `1g`; None means chosen from the machine's memory.
        java: `MEDGRAPH_JAVA`; a Java 21 or newer to run the server with instead of the packaged one.
        encoder: `MEDGRAPH_ENCODER`; `bge-small-en-v1.5`, or the name or folder of a sentence-transformers model.
        question_encoder: `MEDGRAPH_QUESTION_ENCODER`; a folder that `medgraph train encoder` wrote, or `none`; None
            means the one that comes with the default encoder.
        reranker: `MEDGRAPH_RERANKER`; a folder that `medgraph train reranker` wrote; None means that no result is
            read anew.
        verifier: `MEDGRAPH_VERIFIER`; a folder that `medgraph train verifier FOLDER --cross` wrote, or of a BERT model
            for natural language inference; None means that claims are judged by rules and two small models.
        reads: `MEDGRAPH_READER`; the cross-encoder that reads promising sentences together with the question; `none`
            switches it off.
        threads: `MEDGRAPH_THREADS`; processor threads for encoding, and for learning vectors of relations; 0 means all.
        precision: `MEDGRAPH_PRECISION`; `f32`, `bf16` or `int8`, in which encoders and readers compute; `auto` lets the
            processor's features decide.
        api_key: `MEDGRAPH_API_KEY`; keys of the service, with commas between them; None is allowed on loopback only.
        rate_limit: `MEDGRAPH_RATE_LIMIT`; requests a minute from one client of the service; 0 means no limit, None
            means 120 where other machines can reach it.
        unsupported: `MEDGRAPH_UNSUPPORTED`; `drop` leaves out sentences of an answer that what they cite does not
            support, `flag` shows them with a mark.
        composer: `MEDGRAPH_COMPOSER`; `extractive` quotes sentences of texts, `graph` writes them from relations alone,
            and `generated` lets the language model write them, which is the default where a server has the model.
        model: `MEDGRAPH_MODEL`; the language model, as `openai:NAME`, `gguf:FILE`, `transformers:FOLDER` or a name that
            `medgraph models list` shows; None means that no language model is used.
        model_context: `MEDGRAPH_MODEL_CONTEXT`; tokens that prompt and reply may have together; None means as the model
            says, or 8,192 where nothing tells.
        model_timeout: `MEDGRAPH_MODEL_TIMEOUT`; seconds that a language model may be silent before a call is given up.
        model_calls: `MEDGRAPH_MODEL_CALLS`; calls to a language model that may run at once.
        model_reads: `MEDGRAPH_MODEL_READS`; what the language model reads in place of rules, any of `messages`,
            `turns`, `passages` and `claims` with commas between, or `none`; by default messages and claims, unless it
            is small.
        prices: `MEDGRAPH_MODEL_PRICES`; a table of prices by model; None means that no cost is told.
        emergency_number: `MEDGRAPH_EMERGENCY_NUMBER`; the number to call where the service is used, such as `144`; None
            means that several are said with their countries.
        cypher_timeout: `MEDGRAPH_CYPHER_TIMEOUT`; seconds that a statement of an agent may take.
        browser: `MEDGRAPH_BROWSER`; address of Neo4j Browser for links from the service's page; None means the
            embedded server's.
        service: `MEDGRAPH_SERVICE`; the address of a service, such as `http://127.0.0.1:8080`, that `medgraph ask` and
            `search` use with the first of the service's keys; None means that they open the graph themselves.
    """

    home: Path
    cache: Path
    mirror: str | None = None
    fetch_limit: int = 20
    ncbi_api_key: str | None = field(default=None, repr=False)
    ncbi_email: str | None = None
    neo4j_uri: str | None = None
    neo4j_username: str = "neo4j"
    neo4j_password: str | None = field(default=None, repr=False)
    neo4j_database: str = "neo4j"
    foreign_username: str = "neo4j"
    foreign_password: str | None = field(default=None, repr=False)
    bolt_port: int = 7687
    http_port: int = 7474
    heap: str | None = None
    page_cache: str | None = None
    java: Path | None = None
    encoder: str = DEFAULT_ENCODER
    question_encoder: str | None = None
    reranker: str | None = None
    verifier: str | None = None
    reads: bool = True
    threads: int = 0
    precision: str = AUTO
    api_key: str | None = field(default=None, repr=False)
    rate_limit: int | None = None
    unsupported: str = UNSUPPORTED[0]
    composer: str = COMPOSERS[0]
    model: str | None = None
    model_context: int | None = None
    model_timeout: int = 60
    model_calls: int = 4
    model_reads: tuple[str, ...] = MODEL_READ
    prices: Path | None = None
    emergency_number: str | None = None
    cypher_timeout: int = 10
    browser: str | None = None
    service: str | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the settings from environment variables.

        Returns:
            The settings; a variable that is unset or empty leaves its default.

        Raises:
            SettingsError: A number, a folder or a choice cannot be used; the message names the variable.
        """
        env = os.environ if environment is None else environment
        java, model = env.get("MEDGRAPH_JAVA"), env.get("MEDGRAPH_MODEL") or None
        texts: dict[str, Any] = {field: env.get(name) or None for field, name in _TEXTS.items()}
        served = model is not None and model.startswith("openai:")
        return cls(
            **texts,
            fetch_limit=_integer(env, "MEDGRAPH_FETCH_LIMIT", 20, 1, 1_000_000),
            neo4j_username=env.get("NEO4J_USERNAME") or "neo4j",
            neo4j_database=env.get("NEO4J_DATABASE") or "neo4j",
            foreign_username=env.get("MEDGRAPH_FOREIGN_USERNAME") or "neo4j",
            home=_folder(env, "MEDGRAPH_HOME", "XDG_DATA_HOME", "~/.local/share"),
            cache=_folder(env, "MEDGRAPH_CACHE", "XDG_CACHE_HOME", "~/.cache"),
            bolt_port=_integer(env, "MEDGRAPH_BOLT_PORT", 7687, 1, 65_535),
            http_port=_integer(env, "MEDGRAPH_HTTP_PORT", 7474, 1, 65_535),
            java=Path(java).expanduser() if java else None,
            encoder=env.get("MEDGRAPH_ENCODER") or DEFAULT_ENCODER,
            reads=_choice(env, "MEDGRAPH_READER", READERS) != NOTHING,
            threads=_integer(env, "MEDGRAPH_THREADS", 0, 0, 1024),
            precision=_choice(env, "MEDGRAPH_PRECISION", PRECISIONS),
            rate_limit=_integer(env, "MEDGRAPH_RATE_LIMIT", None, 0, 1_000_000),
            unsupported=_choice(env, "MEDGRAPH_UNSUPPORTED", UNSUPPORTED),
            composer=_choice(env, "MEDGRAPH_COMPOSER", COMPOSERS, "generated" if served else COMPOSERS[0]),
            model=model,
            model_context=_integer(env, "MEDGRAPH_MODEL_CONTEXT", None, 256, 10_000_000),
            model_timeout=_integer(env, "MEDGRAPH_MODEL_TIMEOUT", 60, 1, 86_400),
            model_calls=_integer(env, "MEDGRAPH_MODEL_CALLS", 4, 1, 1000),
            model_reads=_several(env, "MEDGRAPH_MODEL_READS", MODEL_READS, MODEL_READ),
            prices=Path(prices).expanduser() if (prices := env.get("MEDGRAPH_MODEL_PRICES")) else None,
            cypher_timeout=_integer(env, "MEDGRAPH_CYPHER_TIMEOUT", 10, 1, 3_600),
        )


def _folder(env: Mapping[str, str], name: str, xdg: str, fallback: str) -> Path:
    if value := env.get(name):
        return Path(value).expanduser().absolute()
    return Path(env.get(xdg) or fallback).expanduser().absolute() / "medgraph"


def _choice(env: Mapping[str, str], name: str, choices: tuple[str, ...], default: str = "") -> str:
    value = env.get(name) or default or choices[0]
    if value not in choices:
        raise SettingsError(f"{name} is {value!r}; set it to {' or '.join(choices)}, or unset it")
    return value


def _several(env: Mapping[str, str], name: str, choices: tuple[str, ...], default: tuple[str, ...]) -> tuple[str, ...]:
    values = tuple(value for part in env.get(name, "").split(",") if (value := part.strip()))
    if values == ("none",):
        return ()
    if unknown := [value for value in values if value not in choices]:
        raise SettingsError(f"{name} has {unknown[0]!r}; set it to any of {','.join(choices)}, or none, or unset it")
    return values or default


def _integer(env: Mapping[str, str], name: str, default: _Default, low: int, high: int) -> int | _Default:
    text = env.get(name)
    if not text:
        return default
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise SettingsError(f"{name} is {text!r}; set it to a whole number from {low} to {high}, or unset it")
    return value
