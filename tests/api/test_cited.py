"""An answer set out for a page: numbers of what it cites, paragraphs and lists."""

from dataclasses import replace

from medgraph.answers.answer import Answer, Citation, Sentence
from medgraph.api.cited import Block, Line, Reference, blocks_of, references_of

FIRST = Citation("x#1", "x", "X", "", "s", "", 0, 6, "Plain.", "")
SECOND = replace(FIRST, section="x#2", quote="Such are:\n  - one\n  - another  one")


def answered(*citations):
    sentences = tuple(Sentence(" ".join(c.quote.split()), (c,), "supported") for c in citations)
    return Answer("?", "answered", sentences)


def test_sections_are_numbered_in_the_order_of_the_sentences_each_once():
    again = replace(FIRST, start=7)
    assert references_of(answered(SECOND, FIRST, again)) == (Reference(1, SECOND, "s"), Reference(2, FIRST, "s"))
    assert references_of(Answer("?", "not_enough_evidence")) == ()


def test_sentences_side_by_side_are_one_paragraph_and_each_names_its_own_passage():
    again = replace(FIRST, start=7, quote="More.")
    answer = answered(FIRST, again)
    lines = (Line("Plain.", (Reference(1, FIRST, "s"),)), Line("More.", (Reference(1, again, "s"),)))
    assert blocks_of(answer, references_of(answer)) == (Block(lines),)


def test_a_list_is_a_block_of_its_own_and_its_last_item_names_the_passage():
    answer = answered(FIRST, SECOND, FIRST)
    plain = Block((Line("Plain.", (Reference(1, FIRST, "s"),)),))
    listed = (Line("one"), Line("another one", (Reference(2, SECOND, "s"),)))
    assert blocks_of(answer, references_of(answer)) == (plain, Block((Line("Such are:"),), listed), plain)


def test_an_answer_without_sentences_has_no_blocks():
    assert blocks_of(Answer("?", "not_enough_evidence"), ()) == ()
