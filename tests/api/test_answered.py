"""An answer made ready for its page."""

from dataclasses import replace

from medgraph.answers.answer import Answer, AnswerPart, Citation, FoundSection, Sentence
from medgraph.answers.outline import BESIDE
from medgraph.api.answered import shown

FIRST = Citation("x#1", "x", "X", "", "s", "CC0", 0, 6, "Plain.", "")
SECOND = replace(FIRST, section="x#2")
SAID = tuple(Sentence("Plain.", (c,), "supported") for c in (FIRST, SECOND))
ROW = {"type": "", "question": "Why X?", "source": "Site"}
ROWS = [ROW | {"section": "x#1"}, ROW | {"section": "x#2", "type": "treatment"}]
CONCEPT = {"label": "Disease", "entity": "", "asked": False, "numbers": [1], "said": []}
NAMED = [CONCEPT | {"concept": "a", "name": "A", "asked": True}, CONCEPT | {"concept": "b", "name": "B"}]
FOUND = FoundSection("y#1", "y", "Y", "", "s", "", "", "", 0.1)


def ready(answer, rows=ROWS, named=NAMED):
    return shown(answer, rows, named, lambda picture: f"{len(picture.nodes)} nodes", lambda label, name: "")


def test_an_answer_has_parts_documents_and_a_picture():
    page = ready(Answer("?", "answered", SAID, evidence=(FOUND,)))
    assert not page.is_related
    assert [len(part.blocks[0].lines) for part in page.parts] == [2]
    ((document,), picture) = page.documents, page.picture
    assert (document.source, [(s.number, s.kind) for s in document.sections]) == (
        "Site",
        [(1, "Why X?"), (2, "treatment")],
    )
    assert picture == "2 nodes"
    assert page.sections == ()


def test_what_only_comes_near_is_marked_so_and_not_drawn():
    page = ready(Answer("?", "related", SAID))
    assert (page.is_related, page.picture) == (True, "")
    assert page.parts


def test_what_was_taken_out_of_the_graph_meanwhile_is_cited_and_not_drawn():
    page = ready(Answer("?", "answered", SAID), [], [])
    assert [(d.source, len(d.sections)) for d in page.documents] == [("s", 2)]
    assert page.picture == ""


def test_each_thing_asked_is_a_part_or_not_answered():
    parts = (AnswerPart("A?", "answered", (1,), 0.9), AnswerPart("B?", "related", (), 0.1))
    page = ready(Answer("A and B?", "answered", SAID, parts=parts))
    assert [(part.asked, part.blocks[0].lines[0].references[0].number) for part in page.parts] == [("A?", 1)]
    assert page.unanswered == ("B?",)
    near = replace(parts[1], closest=(0,))
    answering = replace(parts[0], sentences=(0,))
    page = ready(Answer("A and B?", "answered", SAID[1:], parts=(answering, near), closest=SAID[:1]))
    assert [(part.asked, part.beside) for part in page.parts] == [("A?", ""), ("B?", BESIDE)]
    assert page.unanswered == ()
