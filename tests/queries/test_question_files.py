"""Many questions at once: the format of topics and runs, and what is wrong with either."""

import re

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.queries.hits import Hit
from medgraph.queries.question_files import load_questions, write_run
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of

LINE = re.compile(r"(\S+) Q0 (\S+) ([0-9]+) ([0-9]+\.[0-9]{6}) medgraph")


def hit(section, score):
    return Hit(section, "d", "T", "", "s", "", "", "", "", 0, 0, score)


@pytest.fixture
def topics(tmp_path):
    """Writes a topics file."""

    def written(text):
        path = tmp_path / "topics.tsv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q2 What is gout?", "write the line as id<TAB>question, the id without blanks"),
        ("q2", "write the line as"),
        ("q2\t", "write the line as"),
        ("q2\t  ", "write the line as"),
        ("\tWhat is gout?", "write the line as"),
        ("q 2\tWhat is gout?", "write the line as"),
        ("q1\tWhat is gout?", "the id 'q1' stands twice"),
        ("q2\t?!", "the question has no word in it"),
        ("q2\t" + "a" * 10_001, "the question has 10,001 characters; 10,000 are the most"),
    ],
)
def test_a_broken_line_is_named(topics, line, message):
    path = topics(f"q1\tWhat is asthma?\n\n{line}\nq4\tWhat is malaria?\n")
    with pytest.raises(SourceFileError, match=re.escape(f"{path}:3: {message}")):
        load_questions(path)


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid", "learned"])
def test_a_run_on_the_sample(sample_graph, encoder, topics, tmp_path, mode):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    asked = load_questions(topics("t1\tWhat are the symptoms of asthma?\nt2\tHow is gout/( treated!\n"))
    path = tmp_path / "out.run"
    written = write_run(asked, path, lambda text: retriever.search(text, mode=mode, top_k=20))
    lines = path.read_text().splitlines()
    assert written == len(lines) == 40
    rows = [LINE.fullmatch(line).groups() for line in lines]
    for topic, first in (("t1", "sample:asthma#2"), ("t2", "sample:gout#6")):
        mine = [row for row in rows if row[0] == topic]
        assert [int(row[2]) for row in mine] == list(range(1, 21))
        assert len({row[1] for row in mine}) == 20
        assert mine[0][1] == first
        scores = [float(row[3]) for row in mine]
        assert scores == sorted(scores, reverse=True)
        assert [row[1] for row in mine] == [
            h.section for h in retriever.search(dict(asked)[topic], mode=mode, top_k=20)
        ]


def test_a_failure_leaves_the_run_file_as_it_was(tmp_path):
    path = tmp_path / "out.run"
    path.write_text("before\n")

    def search(question):
        if question == "bad":
            raise InputError
        return [hit("a#1", 1.0)]

    with pytest.raises(InputError):
        write_run([("1", "good"), ("2", "bad")], path, search)
    assert path.read_text() == "before\n"
    assert list(tmp_path.iterdir()) == [path]
    assert write_run([("1", "good")], path, search) == 1
    assert path.read_text() == "1 Q0 a#1 1 1.000000 medgraph\n"
    assert list(tmp_path.iterdir()) == [path]
