"""Sections that other names leave as they were need not be linked anew: of the others none may differ."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medgraph.linking.mentions import Reading, linked_sections
from medgraph.linking.renamed import Renamed
from tests.support.linking import entity, linker_of

WORDS = "cancer tumors of the breast ovarian disease type 2 II gout renal kidney's PKD run fit aspirin".split()
NAME = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
ENTITY = st.builds(
    lambda key, name, synonyms, label, concept, near, documents: entity(
        f"{key}", name, *synonyms, label=label, concept=concept or key, near=near, documents=documents
    ),
    st.sampled_from(("DOID:1", "DOID:2", "MESH:3", "medquad:4", "HP:5")),
    NAME,
    st.lists(NAME, max_size=2),
    st.sampled_from(("Disease", "Symptom", "Drug", "Gene", "Topic")),
    st.sampled_from((None, "C0000001", "C0000002")),
    st.sampled_from((None, "DOID:1")),
    st.integers(0, 3),
)
ENTITIES = st.lists(ENTITY, max_size=4, unique_by=lambda row: row["id"]).map(
    lambda rows: sorted(rows, key=lambda row: row["id"])
)
TEXT = st.lists(st.sampled_from([*WORDS, "(PKD)", "renal kidney disease (RKD)", "RKD", ".", "brest"]), max_size=14).map(
    " ".join
)


def section(text, title="Gout", **more):
    given = {"id": "a#1", "text": text, "title": title, "type": "symptoms", "called": [title]}
    return given | {"chunks": [["c", 0, len(text)]], "focus": [], "conditions": [], "drugs": []} | more


def linked(linker, one):
    return linked_sections([one], Reading(linker))


@given(ENTITIES, ENTITIES, TEXT, NAME, st.sampled_from(([], ["C0000001"], ["DOID:1"])))
@example(
    [entity("DOID:1", "gout")], [entity("DOID:1", "gout", documents=2), entity("DOID:2", "gout")], "gout", "run", []
)
def test_what_is_not_touched_is_linked_as_before(before, after, text, title, focus):
    former, linker = linker_of(*before), linker_of(*after)
    one = section(text, title, focus=focus, conditions=focus)
    if linked(former, one) != linked(linker, one):
        assert Renamed(former, linker, "").touches(text, title)


GOUT = entity("DOID:1", "gout", "podagra")
LUPUS = entity("DOID:2", "lupus erythematosus")


@pytest.mark.parametrize(
    ("before", "after", "touched", "as_before"),
    [
        pytest.param([GOUT], [GOUT, LUPUS], "Lupus erythematosus.", "Gout, podagra.", id="added"),
        pytest.param([GOUT, LUPUS], [GOUT], "Erythematosus lupus.", "Gout, podagra.", id="removed"),
        pytest.param([GOUT], [GOUT | {"concept": "C0018099"}], "Podagra.", "Lupus.", id="another concept"),
        pytest.param([GOUT, LUPUS], [GOUT | {"label": "Symptom"}, LUPUS], "Gouts.", "Lupus erythematosus.", id="label"),
        pytest.param(
            [entity("medquad:1", "gout"), LUPUS],
            [entity("medquad:1", "gout", near="DOID:2"), LUPUS],
            "Gout.",
            "Lupus erythematosus.",
            id="near",
        ),
        pytest.param(
            [GOUT, entity("DOID:3", "gout")],
            [GOUT, entity("DOID:3", "gout", documents=9)],
            "Gout.",
            "Podagra.",
            id="better known",
        ),
        pytest.param(
            [GOUT], [GOUT, LUPUS], "Lupus erythematosis (LE).", "Systemic illness (SI).", id="a long form"
        ),
    ],
)  # fmt: skip
def test_what_is_touched(before, after, touched, as_before):
    renamed = Renamed(linker_of(*before), linker_of(*after), "")
    assert renamed.touches(touched, "Flares")
    assert not renamed.touches(as_before, "Flares")


def test_a_title_that_means_something_else_touches_its_sections():
    renamed = Renamed(linker_of(GOUT), linker_of(GOUT, LUPUS), "")
    assert renamed.touches("It is rare.", "Lupus erythematosis")
    assert not renamed.touches("It is rare.", "Podagra")
