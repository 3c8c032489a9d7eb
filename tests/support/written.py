"""Answers that a scripted server writes over a test's graph, through the real adapter."""

import json
import re
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from medgraph.answers.assembly import Assembly
from medgraph.answers.verify.verifier import DROP
from medgraph.embeddings.candidate_sentences import candidates
from medgraph.embeddings.encoders.model_files import MODELS
from medgraph.models.open import open_model
from tests.support.answers import tells
from tests.support.linking import names_of
from tests.support.scripted import Scripted, says

TREATED = ("Gout attacks are treated with colchicine or corticosteroids.", "Ice and rest ease a gout attack.")
"""Sentences that the sample's page on gout says, in other words than these."""


def sentences(*told):
    """A reply: texts, or pairs of a text and the ids that it cites; `S1` where none are said."""
    pairs = [(one, ["S1"]) if isinstance(one, str) else one for one in told]
    return says({"sentences": [{"text": text, "ids": ids} for text, ids in pairs]})


def ids_of(body):
    """The ids of evidence that a request gives."""
    return re.findall(r'<evidence id="(\w+)"', body["messages"][-1]["content"])


def put_reply(folder, model, *told):
    """Give the same reply to each request that waits in a folder of batch files; say how many waited."""
    waiting = [json.loads(line) for line in (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    message = {"content": sentences(*told).text}
    body = {"choices": [{"message": message, "finish_reason": "stop"}], "model": model}
    replies = [{"custom_id": one["custom_id"], "response": {"status_code": 200, "body": body}} for one in waiting]
    (folder / "replies.jsonl").write_text("".join(json.dumps(one) + "\n" for one in replies), encoding="utf-8")
    return len(waiting)


@contextmanager
def asked_of(settings, monkeypatch, cache, *steps):
    """Run a server, and give it with the settings of what asks it: `cache` keeps what is learned of the server."""
    with suppress(FileExistsError):
        (cache / MODELS).symlink_to(settings.cache / MODELS)
    with Scripted(*steps) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server, replace(settings, cache=cache, model="openai:scripted-1", model_timeout=3, model_reads=())


@contextmanager
def written_by(database, encoder, settings, monkeypatch, cache, *steps, unsupported=DROP, reads=()):
    """Give what answers in the words of a server that follows steps, and the server."""
    with asked_of(settings, monkeypatch, cache, *steps) as (server, own):
        yield (
            Assembly(
                database,
                lambda: encoder,
                names_of(database),
                unsupported,
                "generated",
                load_model=lambda: open_model(own),
                model_reads=reads,
                load_emergencies=tells,
            ).answerer,
            server,
        )


def page_of(title, text, name="", *, chosen=False):
    """A section that was found, without a graph."""
    section = SimpleNamespace(
        notices=(),
        section=name or title,
        **dict.fromkeys(("document", "title"), title),
        **dict.fromkeys(("url", "source", "collection", "licence", "type", "publisher", "published", "version"), ""),
        question="",
        heading="",
        **dict.fromkeys(("aliases", "names", "kinds", "concepts", "forms"), ()),
        text=text,
        label=False,
    )
    every = candidates(0, text)
    said = [SimpleNamespace(candidate=one, vector=np.zeros(1)) for one in every] if chosen else []
    return SimpleNamespace(section=section, naming=frozenset(), sentences=said, other_sentences=[] if chosen else every)
