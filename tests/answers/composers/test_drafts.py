"""Sentences read from JSON as it comes."""

import json

import msgspec
import pytest

from medgraph.answers.generated import Draft, drafts_of, schema_of
from medgraph.models.protocol import Reply

TOLD = {"sentences": [{"text": "Rest \u2013 {first}.", "ids": ["S1"]}, {"text": 'Say\n "no".', "ids": []}]}
READ = [Draft("Rest \u2013 {first}.", ("S1",)), Draft('Say "no".', ())]


def reply_of(text):
    return Reply(text, value=msgspec.json.decode(text, type=schema_of(["S1"])))


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("indent", [None, 2])
def test_each_sentence_is_read_once_as_soon_as_it_is_whole(size, indent):
    text = json.dumps(TOLD, indent=indent)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    taken = []

    def coming():
        for piece in pieces:
            taken.append(piece)
            yield piece
        yield reply_of(text)

    *read, reply = drafts_of(coming())
    assert (read, reply.text) == (READ, text)
    taken.clear()
    if size == 1:
        assert next(drafts_of(coming())) == READ[0]
        assert "".join(taken).rstrip().endswith("}")
        assert "Say" not in "".join(taken)


def test_what_stands_around_json_or_comes_anew_is_read_from_the_whole():
    text = json.dumps(TOLD)
    assert list(drafts_of(["```json\n", text, "\n```", reply_of(text)]))[:-1] == READ
    assert list(drafts_of(['{"sentences": [7, ', reply_of(text)]))[:-1] == READ
    assert list(drafts_of([reply_of(text)]))[:-1] == READ


def test_the_schema_names_the_ids_and_decoding_lets_others_pass():
    schema = schema_of(["S1", "F2"])
    assert msgspec.json.schema(schema)["$defs"]["Sentence"]["properties"]["ids"]["items"]["enum"] == ["S1", "F2"]
    (read, *_) = drafts_of([reply_of('{"sentences": [{"text": "A", "ids": ["S9"]}]}')])
    assert read == Draft("A", ("S9",))
