"""Prompts as files, and what is said of a language model's part in an answer."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Answer, Generation, Reading, Sentence
from medgraph.answers.outline import model_notes, written_by
from medgraph.answers.part_answers import Material
from medgraph.answers.prompting import LEAD, NumberedEvidence, _element, names, numbered, prompt
from medgraph.errors import CatalogueError
from tests.support.written import page_of

TEXT = """---
paper: VerifAI (2024)
version: 2
variables: question, evidence
---
# system

Answer with {"sentences": []}.

# user

<q>{question}</q>
{evidence}
"""


@pytest.fixture
def made(tmp_path):
    def write(text=TEXT, name="some"):
        (tmp_path / f"{name}.md").write_text(text)
        return prompt(name, tmp_path)

    prompt.cache_clear()
    return write


def test_a_prompt(made, tmp_path):
    read = made()
    assert (read.name, read.paper, read.version, read.variables) == (
        "some", "VerifAI (2024)", "2", ("question", "evidence"),
    )  # fmt: skip
    assert names(tmp_path) == ["some"]
    assert made(TEXT + " ", "other").hash != read.hash


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# user\n\nHi\n", "1: it must begin with a header"),
        (TEXT.replace("---\n# system", "# system"), "1: it must begin with a header"),
        (TEXT.replace("paper:", "from:"), "2: the header has `paper: …` here"),
        (TEXT.replace("<q>{question}</q>", "{query}"), r"12: \{query\} is not among its variables"),
        (TEXT.replace("{question}", ""), "4: the variable question is not used"),
        (TEXT.replace("# system", "").replace("# user", ""), "6: it has no turn"),
    ],
)
def test_files_that_break_the_rules(made, text, said):
    with pytest.raises(CatalogueError, match=rf"some\.md:{said}"):
        made(text)


def test_each_prompt_that_comes_along_can_be_read():
    for name in names():
        assert prompt(name).fill(**dict.fromkeys(prompt(name).variables, "x"))


NONE = Answer("?", "not_enough_evidence")
ONE = replace(NONE, status="answered", sentences=(Sentence("Rest.", (), "supported"),))


@pytest.mark.parametrize(
    ("answer", "generation", "said"),
    [
        (ONE, None, ""),
        (ONE, Generation("m"), "Written by m, each sentence checked against its source."),
        (ONE, Generation("m", fallback="it failed"), "Quoted, and not written by m: it failed."),
        (ONE, Generation(fallback="none"), "Quoted, and not written by a language model: none."),
        (NONE, Generation("m", silent=("?",)), ""),
    ],
)
def test_who_wrote(answer, generation, said):
    assert written_by(replace(answer, generation=generation)) == said


def test_who_read():
    readings = (Reading("turns", "m", "p@1"), Reading("passages", "", "p@2", "it failed"))
    assert model_notes(replace(NONE, readings=readings)) == (
        "What was said was completed by m.",
        "Whether passages answer was judged by rules, and not by a language model: it failed.",
    )


def test_evidence_names_who_published_it_and_when():
    page = page_of("Gout", "Rest of the joint helps well.")
    undated = _element(NumberedEvidence("S1", "Rest.", page))
    page.section.publisher, page.section.published = "The <Journal>", "2024-06-15"
    shown = _element(NumberedEvidence("S1", "Rest.", page))
    assert shown == undated.replace(">Rest.", ' from="The &lt;Journal&gt;" date="2024-06-15">Rest.')


def test_a_section_of_a_label_of_which_no_sentence_was_chosen_is_given_by_its_lead():
    page = page_of("Aspirin", "Aspirin relieves pain. It lowers a fever. It thins the blood. It may upset the stomach.")
    material = Material([page])
    assert not numbered(material, len, 1000)
    page.section.label = True
    (given,) = numbered(material, lambda text: len(text.split()), 28)
    assert len(given.text.split(". ")) >= LEAD
