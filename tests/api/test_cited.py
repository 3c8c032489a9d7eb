"""Sentences set out for a page: paragraphs and lists, with the numbers of what they cite."""

from dataclasses import replace

from medgraph.answers.answer import Citation, Sentence, ShortForm
from medgraph.api.cited import Block, Line, Reference, blocks_of

FIRST = Citation("x#1", "x", "X", "", "s", "", 0, 6, "Plain.", "")
SECOND = replace(FIRST, section="x#2", quote="Such are:\n  - one\n  - another  one")
NUMBERS = {"x#1": 1, "x#2": 2}


def said(*citations):
    return tuple(Sentence(" ".join(c.quote.split()), (c,), "supported") for c in citations)


def test_sentences_side_by_side_are_one_paragraph_and_each_names_its_own_passage():
    again = replace(FIRST, start=7, quote="More.")
    one, two = said(FIRST, again)
    lines = (Line("Plain.", (Reference(1, FIRST),), one), Line("More.", (Reference(1, again),), two))
    assert blocks_of((one, two), NUMBERS) == (Block(lines),)


def test_a_list_is_a_block_of_its_own_and_its_last_item_names_the_passage():
    first, second, _ = sentences = said(FIRST, SECOND, FIRST)
    plain = Block((Line("Plain.", (Reference(1, FIRST),), first),))
    listed = (Line("one"), Line("another one", (Reference(2, SECOND),), second))
    assert blocks_of(sentences, NUMBERS) == (plain, Block((Line("Such are:"),), listed), plain)


def test_short_forms_are_explained_behind_the_sentence_or_the_list_that_has_them():
    plain, listed = (replace(one, short_forms=(ShortForm("PKD", "a disease"),)) for one in said(FIRST, SECOND))
    ((line,),) = (block.lines for block in blocks_of((plain,), NUMBERS))
    assert line.gloss == "(PKD: a disease)"
    (block,) = blocks_of((listed,), NUMBERS)
    assert [one.gloss for one in (*block.lines, *block.listed)] == ["", "", "(PKD: a disease)"]


def test_a_line_says_what_checking_it_found_and_its_block_who_says_otherwise():
    (plain,) = said(FIRST)
    several = replace(plain, sources=3, agreeing=(SECOND,))
    doubted = replace(plain, verdict="no_evidence", contradicting=(SECOND,))
    ((one, two),) = (block.lines for block in blocks_of((several, doubted), NUMBERS))
    assert (one.mark, one.means) == ("\u2713 3 sources", "Checked: its source says so")
    assert two.means == "Checked: its source does not say so"
    assert Block((one, two)).contradicting == ((doubted, SECOND),)
    assert Line("no end of a sentence").mark == ""


def test_without_sentences_there_are_no_blocks():
    assert blocks_of((), {}) == ()
