"""Sentences set out for a page: paragraphs and lists, with the numbers of what they cite."""

from dataclasses import replace

from medgraph.answers.answer import Citation, Sentence
from medgraph.api.cited import Block, Line, Reference, blocks_of

FIRST = Citation("x#1", "x", "X", "", "s", "", 0, 6, "Plain.", "")
SECOND = replace(FIRST, section="x#2", quote="Such are:\n  - one\n  - another  one")
NUMBERS = {"x#1": 1, "x#2": 2}


def said(*citations):
    return tuple(Sentence(" ".join(c.quote.split()), (c,), "supported") for c in citations)


def test_sentences_side_by_side_are_one_paragraph_and_each_names_its_own_passage():
    again = replace(FIRST, start=7, quote="More.")
    lines = (Line("Plain.", (Reference(1, FIRST),)), Line("More.", (Reference(1, again),)))
    assert blocks_of(said(FIRST, again), NUMBERS) == (Block(lines),)


def test_a_list_is_a_block_of_its_own_and_its_last_item_names_the_passage():
    plain = Block((Line("Plain.", (Reference(1, FIRST),)),))
    listed = (Line("one"), Line("another one", (Reference(2, SECOND),)))
    assert blocks_of(said(FIRST, SECOND, FIRST), NUMBERS) == (plain, Block((Line("Such are:"),), listed), plain)


def test_without_sentences_there_are_no_blocks():
    assert blocks_of((), {}) == ()
