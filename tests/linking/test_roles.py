"""The roles of mentions, and what sentences say of things."""

import re
from itertools import permutations

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.linking.roles import MARKS, NAMES, ROLES, SUBJECT, Name, RoleModel, described, load, model
from medgraph.linking.statements import is_of_another, overrules, states
from medgraph.text import sentences
from tests.support.examples import examples

LABEL = {"d": "Drug", "c": "Disease", "t": "Test", "s": ""}


def told(kind, marked):
    """Tell the role of what stands in two brackets in a text in which other names stand as `[d aspirin]`."""
    text, names, place, last = "", [], (0, 0, ""), 0
    for found in re.finditer(r"\[(\[?)(\w) ([^\]]*)\]{1,2}", marked):
        text += marked[last : found.start()]
        start, end, label = len(text), len(text) + len(found[3]), LABEL[found[2]]
        names.append(Name(start, end, MARKS.get(label, SUBJECT)))
        place = (start, end, label) if found[1] else place
        text += found[3]
        last = found.end()
    text += marked[last:]
    start, end, label = place
    spans = sentences(text)
    found = described(text, kind, spans, names, {start: label})
    ((role, _),) = model().predict([*found.values()])
    sentence = next(span for span in spans if span[0] <= start < span[1])
    return "mentioned" if overrules(ROLES[role][0], text, sentence, (start, end)) else role


@pytest.mark.parametrize(
    ("kind", "marked", "role"),
    [
        ("treatment", "[s Migraine] is usually treated with drugs such as [[d sumatriptan]].", "treats"),
        ("information", "Treatment of [s this condition] may include [[d prednisone]].", "treats"),
        ("prevention", "Taking [[d folic acid]] before pregnancy can help prevent [s the condition].", "prevents"),
        ("treatment", "People with [s kidney disease] should avoid drugs such as [[d ibuprofen]].", "avoided"),
        ("treatment", "Avoid drinks with [[d caffeine]].", "avoided"),
        ("exams and tests", "A [[t biopsy]] is done to diagnose [s the disease].", "diagnoses"),
        ("information", "Signs and symptoms of [s this condition] include [[c seizures]].", "symptom"),
        ("susceptibility", "Having [[c diabetes]] increases the risk of [s the disease].", "risk"),
    ],
)
def test_a_mention_has_the_role_that_its_sentence_tells(kind, marked, role):
    assert told(kind, marked) == role


@pytest.mark.parametrize(
    "marked",
    [
        "Use [[d ibuprofen]] with caution if you have [s kidney disease].",
        "A possible side effect of [[d prednisone]] is weight gain.",
        "Paracetamol is used instead of [[d aspirin]].",
        "People who are allergic to [[d penicillin]] are given other drugs.",
        "[[d Lindane]] should not be used.",
        "Potassium-sparing drugs help, unlike [[d digoxin]].",
        "[[d Estrogen]] may cause blood clots.",
        "[[d Ribavirin]] is being studied in the treatment of this disease.",
        "It does not respond to [[d imatinib]].",
        "Some tumors are treated with anti-[[d estrogen]] drugs.",
        "Treatment of the overload involves an [[d iron]] depletion program.",
        "Several other therapies are also being researched, including [[d pentoxifylline]].",
    ],
)
def test_what_is_warned_of_or_only_named_treats_nothing(marked):
    assert told("treatment", marked) != "treats"


@pytest.mark.parametrize(
    "marked",
    [
        "People with [s the syndrome] do not have an increased risk of developing these forms of [[c cancer]].",
        "As the gene is deleted, people with [s the syndrome] are less likely to develop [[c hypertension]].",
    ],
)
def test_what_is_denied_is_told_of_nothing(marked):
    assert told("information", marked) == "mentioned"
    asserted = marked.replace("do not have an", "have an").replace("less likely to develop", "at risk of developing")
    assert told("information", asserted) == "complication"


def test_roles_that_weigh_the_same_are_told_apart_alike_whatever_the_order_of_features():
    weights = np.zeros((3, len(NAMES)), np.float32)
    weights[:, NAMES.index("symptom")] = [0.34, 1.63, 1.47]
    weights[:, NAMES.index("complication")] = [1.47, 1.63, 0.34]
    rows = {name: row for row, name in enumerate("abc")}
    tied = RoleModel(rows, weights, np.ones(len(NAMES), np.float32), np.zeros(len(NAMES), np.float32))
    assert len({tuple(tied.chances([("Disease", order)])[0]) for order in permutations("abc")}) == 1


@pytest.mark.parametrize(
    ("lines", "said"),
    [("a\tx\n", "roles.tsv:1: "), ("a\t1\n", "roles.tsv:1: needs"), ("a" + "\t1" * len(NAMES) + "\n", "has no rows")],
)
def test_what_is_no_model_is_named_with_its_line(tmp_path, lines, said):
    (tmp_path / "roles.tsv").write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        load(tmp_path / "roles.tsv")


def places(text, surface):
    start = text.rindex(surface)
    sentence = next(span for span in sentences(text) if span[0] <= start < span[1])
    return sentence, (start, start + len(surface))


def statements_told(relation, text, surface):
    return states(relation, text, *places(text, surface))


@pytest.mark.parametrize(
    ("relation", "text", "surface"),
    [
        ("CAUSED_BY", "Nephrotic syndrome can be caused by membranous nephropathy.", "membranous nephropathy"),
        ("CAUSED_BY", "Causes are:\n\n- gout\n- malaria", "malaria"),
        ("HAS_RISK_FACTOR", "Women are at higher risk because of blood loss.", "blood loss"),
        (
            "HAS_RISK_FACTOR",
            "Factors raise your risk for varicose veins, including family history, obesity.",
            "obesity",
        ),
        ("HAS_RISK_FACTOR", "Risk factors include the following:\n\nCystic fibrosis.", "Cystic fibrosis"),
        ("HAS_COMPLICATION", "In rare cases, it may lead to kidney failure.", "kidney failure"),
        ("HAS_COMPLICATION", "Complications\n\nSteatorrhea. The body cannot absorb fat.", "Steatorrhea"),
        ("TREATED_BY", "Relaxing drugs such as diazepam may be prescribed.", "diazepam"),
        ("DIAGNOSED_BY", "The diagnosis is made by a biopsy.", "biopsy"),
    ],
)
def test_a_sentence_tells_what_its_section_is_about(relation, text, surface):
    assert statements_told(relation, text, surface)


@pytest.mark.parametrize(("relation", "text", "surface"), examples("statements_not_told"))
def test_what_only_looks_like_it_is_not_told(relation, text, surface):
    assert not statements_told(relation, text, surface)


@pytest.mark.parametrize(("relation", "text", "surface", "refused"), examples("statements_refused"))
def test_rules_overrule_the_model_where_words_around_say_otherwise(relation, text, surface, refused):
    assert overrules(relation, text, *places(text, surface)) is refused


@pytest.mark.parametrize(
    ("behind", "refused"), [(" or hormone therapies", True), (" pills", True), (" drugs", True), (" or injury", False)]
)
def test_a_drug_for_a_condition_is_not_the_condition(behind, refused):
    text = f"It can be caused by medicines such as asthma{behind}."
    assert overrules("CAUSED_BY", text, *places(text, "asthma"), condition=True) is refused


@pytest.mark.parametrize(
    ("text", "is_another", "refused"),
    [
        ("Common signs and symptoms of heart failure include fatigue.", True, True),
        ("The symptoms of a heart failure are:\n\n- swelling\n- fatigue", True, True),
        ("Signs of heart failure, such as swelling and fatigue.", True, True),
        ("Common signs and symptoms of heart failure include fatigue.", False, False),
        ("Common signs and symptoms of heart failure include fatigue.", None, False),
        ("It may lead to heart failure. Symptoms include fatigue.", True, False),
        ("Like heart failure, it causes fatigue.", True, False),
    ],
)
def test_symptoms_of_another_condition_are_not_those_of_the_page(text, is_another, refused):
    sentence, (start, _) = places(text, "fatigue")
    names = [(text.index("heart failure"), is_another), (start, None)]
    assert is_of_another(text, sentence, start, names) is refused


def test_a_sentence_that_names_its_own_condition_first_tells_of_that():
    text = "People with gout may have symptoms of heart failure such as fatigue."
    sentence, (start, _) = places(text, "fatigue")
    names = [(text.index("gout"), False), (text.index("heart failure"), True)]
    assert not is_of_another(text, sentence, start, names)
    assert is_of_another(text, sentence, start, names[1:])
