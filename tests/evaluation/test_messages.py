"""Messages: halves and samples, and how much of what the short question finds is found."""

from types import SimpleNamespace

import pytest

from medgraph.errors import SourceFileError
from medgraph.evaluation.sets.meqsum import WAYS, Message, evaluate, read, read_all, share, shares
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of
from tests.support.mediqa import MESSAGES


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "messages.csv"
    path.write_text(MESSAGES)
    return path


def test_halves_share_no_message_and_samples_are_the_same_each_time(table):
    dev, held = read(table, "dev", 9), read(table, "held", 9)
    assert {one.id for one in dev + held} == {"1.txt", "2.txt", "3.txt", "4.txt"}
    assert len(dev + held) == 4
    assert read(table, "dev", 1) == dev[:1]
    (gout,) = [one for one in dev + held if one.id == "1.txt"]
    assert gout.text.startswith("SUBJECT: gout\nMESSAGE: My father's")
    assert gout.short == "What are the treatments for gout?"


def test_a_half_without_messages_is_no_table_of_messages(tmp_path):
    path = tmp_path / "messages.csv"
    path.write_text("file,question,summary\n")
    with pytest.raises(SourceFileError, match="no message of the half dev"):
        read(path, "dev", 9)


def test_all_are_read_with_questions_that_have_no_message(table):
    table.write_text(f"{MESSAGES}E1,,what is gout\nE2,nothing short,\n")
    *messages, last = read_all(table)
    assert [one.id for one in messages] == ["1.txt", "2.txt", "3.txt", "4.txt"]
    assert last == Message("E1", "", "what is gout")
    assert all(one.text for part in ("dev", "held") for one in read(table, part, 9))
    table.write_text("file,question,summary\n")
    with pytest.raises(SourceFileError, match="has no question"):
        read_all(table)


def test_a_message_that_is_its_short_question_finds_the_same(sample_graph, encoder):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    same = Message("1", "What are the symptoms of asthma?", "What are the symptoms of asthma?")
    rows = evaluate(retriever, [same])
    assert [row["search"] for row in rows] == [
        "lexical", "semantic", "hybrid", "linked", "linked, as typed", "learned", "learned, as typed"
    ]  # fmt: skip

    assert {row["overlap@10"] for row in rows} == {1}
    assert rows[3]["linked@10"] == 1


def test_what_a_message_misses_counts_by_its_share(sample_graph, encoder):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    short = "What are the symptoms of asthma?"
    rows = {row["search"]: row for row in evaluate(retriever, [Message("1", "zebra", short)])}
    assert [rows["lexical"][name] for name in ("overlap@10", "linked@10", "documents@10")] == [0, 0, 0]
    (row, *_) = evaluate(retriever, [Message("1", "zebra", short), Message("2", short, short)])
    assert (row["search"], row["messages"], row["overlap@10"]) == ("lexical", 2, 0.5)


def test_shares_are_of_the_own_way_s_results_and_of_the_reference_s(sample_graph, encoder):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    message = Message("1", "breathing hard with asthma, what are its symptoms?", "What are the symptoms of asthma?")
    found = shares(retriever, [message], WAYS, "semantic")
    assert list(found) == [way.name for way in WAYS]
    assert {values.shape for values in found.values()} == {(1, 3)}
    assert found["semantic"][0, 0] == found["semantic"][0, 1]
    assert found["lexical"][0, 0] != found["lexical"][0, 1]


def test_a_share_is_of_what_is_wanted():
    assert share(["a", "b"], ["a", "c", "c"]) == 0.5
    assert share(["a"], []) == 1
    assert share([], ["a"]) == 0


def test_answers_that_stand_on_pages_only_are_told_apart_by_their_questions():
    class Fixed:
        """Finds one page for any text, by a question of the text's own."""

        def question(self, text, *, as_typed):
            return text

        def search(self, text, **options):
            return [SimpleNamespace(section=None, document="page", question=text)]

    found = shares(Fixed(), [Message("1", "long", "short"), Message("2", "same", "same")], WAYS[:1], "lexical")
    assert found["lexical"].tolist() == [[0, 0, 1], [1, 1, 1]]
