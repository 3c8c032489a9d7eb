"""The built-in sample: its form, its tree, and its CUIs against the published data they were taken from."""

from __future__ import annotations

import csv
import html
import json
import os
import re
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.support.paths import ROOT

SAMPLE = ROOT / "loaders" / "sources" / "sample_files"
DATA = Path(os.environ.get("MEDGRAPH_DATA") or ROOT.parent / "shared" / "data")

KEYS = ["id", "title", "cui", "semantic_types", "category", "synonyms", "sections"]
SECTION_KEYS = ["type", "heading", "question", "text"]
SECTIONS = [
    ("information", "Overview"),
    ("symptoms", "Symptoms"),
    ("causes", "Causes"),
    ("susceptibility", "Risk factors"),
    ("exams and tests", "Diagnosis"),
    ("treatment", "Treatment"),
    ("prevention", "Prevention"),
    ("complications", "Complications"),
]
EMERGENCIES = [
    "appendicitis",
    "asthma",
    "covid-19",
    "deep-vein-thrombosis",
    "heart-attack",
    "heart-failure",
    "malaria",
    "pneumonia",
    "pulmonary-embolism",
    "stroke",
    "type-1-diabetes",
]
PRONOUN = re.compile(r"(?:It|Its|They|Their|This|That|These|Those|He|She|Both|Such)\b")


def load_conditions() -> list[dict]:
    text = (SAMPLE / "conditions.jsonl").read_bytes().decode("ascii")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def load_tree() -> list[dict]:
    with (SAMPLE / "tree.tsv").open(encoding="ascii", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t", strict=True)
        assert reader.fieldnames == ["id", "name", "cui", "parent"]
        return list(reader)


CONDITIONS = load_conditions()
TREE = load_tree()
BY_ID = {condition["id"]: condition for condition in CONDITIONS}
ALL_SECTIONS = [(condition, section) for condition in CONDITIONS for section in condition["sections"]]


def names_of(condition: dict) -> set[str]:
    return {name.casefold() for name in [condition["title"], *condition["synonyms"]]}


def sentences_of(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) +", text)


def repeated(values: list[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


# Form


def test_there_are_enough_conditions_with_unique_ids() -> None:
    assert len(CONDITIONS) >= 48
    assert not repeated([condition["id"] for condition in CONDITIONS])
    assert not repeated([condition["cui"] for condition in CONDITIONS])


@pytest.mark.parametrize("condition", CONDITIONS, ids=BY_ID)
def test_condition_has_the_agreed_form(condition: dict) -> None:
    assert list(condition) == KEYS
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", condition["id"])
    assert re.fullmatch(r"C\d{7}", condition["cui"])
    assert condition["category"] == "Disease"
    assert condition["semantic_types"]
    assert all(re.fullmatch(r"T\d{3}", code) for code in condition["semantic_types"])
    for name in [condition["title"], *condition["synonyms"]]:
        assert name == name.strip()
        assert len(name) >= 2
    assert condition["synonyms"]
    assert [(s["type"], s["heading"]) for s in condition["sections"]] == SECTIONS
    assert all(list(section) == SECTION_KEYS for section in condition["sections"])


@pytest.mark.parametrize("condition", CONDITIONS, ids=BY_ID)
def test_sections_read_well_and_can_be_quoted(condition: dict) -> None:
    for section in condition["sections"]:
        text = section["text"]
        sentences = sentences_of(text)
        assert 3 <= len(sentences) <= 6
        assert 50 <= len(text.split()) <= 110
        assert re.fullmatch(r"[A-Z0-9][ -~]*\.", text)
        assert "  " not in text
        for sentence in sentences:
            # A lone capital before the full stop looks like an initial, and a sentence splitter may run on.
            assert re.fullmatch(r"[A-Z].*(?:[a-z0-9)]|\w[A-Z])\.", sentence), sentence
            assert len(sentence.split()) >= 4, sentence
            assert not PRONOUN.match(sentence), sentence
        assert any(name in text.casefold() for name in names_of(condition))
        assert any(name in section["question"].casefold() for name in names_of(condition))
        assert section["question"].endswith("?")


def test_nothing_is_said_twice() -> None:
    sentences = [s.casefold() for _, section in ALL_SECTIONS for s in sentences_of(section["text"])]
    assert not repeated(sentences)
    assert not repeated([section["question"].casefold() for _, section in ALL_SECTIONS])


def test_a_name_points_at_one_thing() -> None:
    names = [n.casefold() for c in CONDITIONS for n in [c["title"], *c["synonyms"]]]
    groups = {row["id"]: row["name"].casefold() for row in TREE if row["id"] not in BY_ID}
    assert not repeated([*names, *groups.values()])


@pytest.mark.parametrize("condition_id", EMERGENCIES)
def test_emergencies_say_to_call_for_help(condition_id: str) -> None:
    symptoms = BY_ID[condition_id]["sections"][1]["text"]
    assert "call emergency services" in symptoms.casefold()
    assert "at once" in symptoms


# Tree


def parents() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in TREE:
        found[row["id"]] += [row["parent"]] if row["parent"] else []
    return found


def test_every_node_of_the_tree_reaches_the_one_root_without_a_cycle() -> None:
    above = parents()
    assert [node for node, found in above.items() if not found] == ["disease"]

    def climb(node: str, path: tuple[str, ...] = ()) -> None:
        assert node in above, f"{path[-1]} has an unknown parent {node}"
        assert node not in path, f"cycle: {path} {node}"
        for parent in above[node]:
            climb(parent, (*path, node))

    for node in above:
        climb(node)


def test_every_condition_is_in_the_tree_and_groups_lead_to_conditions() -> None:
    above = parents()
    assert set(BY_ID) <= set(above)
    assert {parent for found in above.values() for parent in found} == set(above) - set(BY_ID) | {
        "coronary-artery-disease"
    }


def test_rows_of_the_tree_agree() -> None:
    assert not repeated([f"{row['id']} {row['parent']}" for row in TREE])
    described = {(row["id"], row["name"], row["cui"]) for row in TREE}
    assert not repeated([node for node, _, _ in described])
    assert not repeated([cui for _, _, cui in described if cui])
    assert all(re.fullmatch(r"C\d{7}|", cui) for _, _, cui in described)
    for condition in CONDITIONS:
        assert (condition["id"], condition["title"], condition["cui"]) in described


# CUIs against the published data


class Reference:
    """Names and semantic types by CUI, read from MedQuAD and the Disease Ontology."""

    def __init__(self) -> None:
        self.names: dict[str, set[str]] = defaultdict(set)
        self.types: dict[str, set[str]] = defaultdict(set)
        self._read_ontology()
        self._read_medquad()

    def _read_ontology(self) -> None:
        names: dict[str, set[str]] = defaultdict(set)
        cuis: dict[str, set[str]] = defaultdict(set)
        for file in ["NCIthesaurus.obo", "DO_rare_slim.obo"]:
            for term in (DATA / "doid" / file).read_text(encoding="utf-8").split("\n\n[Term]\n")[1:]:
                term_id = re.findall(r"^id: (\S+)", term, re.MULTILINE)[0]
                names[term_id].update(re.findall(r"^name: (.+)", term, re.MULTILINE))
                names[term_id].update(re.findall(r'^synonym: "(.+?)" EXACT', term, re.MULTILINE))
                cuis[term_id].update(re.findall(r"^xref: UMLS_CUI:(C\d{7})", term, re.MULTILINE))
        with (DATA / "doid" / "allXREFinDO.tsv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                names[row["id"]].add(row["label"])
                cuis[row["id"]].update(re.findall(r"UMLS_CUI:(C\d{7})", row["xref"]))
        for term_id, found in cuis.items():
            for cui in found:
                self.names[cui].update(name.casefold() for name in names[term_id])

    def _read_medquad(self) -> None:
        with zipfile.ZipFile(DATA / "medquad.zip") as archive:
            for name in archive.namelist():
                if name.endswith(".xml"):
                    head = archive.read(name).partition(b"<QAPairs")[0].decode("utf-8")
                    self._read_annotations(head)

    def _read_annotations(self, head: str) -> None:
        names = re.findall(r"<(?:Focus|Synonym)>\s*(.*?)\s*</", head, re.DOTALL)
        types = re.findall(r"<SemanticType>\s*(T\d{3})\s*<", head)
        for cui in re.findall(r"<CUI>\s*(C\d{7})\s*<", head):
            self.names[cui].update(html.unescape(name).casefold() for name in names)
            self.types[cui].update(types)


@pytest.fixture(scope="module")
def reference() -> Reference:
    if not (DATA / "medquad.zip").is_file() or not (DATA / "doid").is_dir():
        pytest.skip(f"the published data are not in {DATA}; set MEDGRAPH_DATA to their folder")
    return Reference()


@pytest.mark.thorough
def test_each_cui_stands_beside_a_name_of_its_condition(reference: Reference) -> None:
    wrong = [c["id"] for c in CONDITIONS if not names_of(c) & reference.names[c["cui"]]]
    assert not wrong


@pytest.mark.thorough
def test_semantic_types_are_those_annotated(reference: Reference) -> None:
    annotated = [c for c in CONDITIONS if reference.types[c["cui"]]]
    assert len(annotated) >= 0.9 * len(CONDITIONS)
    assert not [c["id"] for c in annotated if not set(c["semantic_types"]) <= reference.types[c["cui"]]]


@pytest.mark.thorough
def test_groups_of_the_tree_carry_cuis_of_the_published_data(reference: Reference) -> None:
    def key(name: str) -> set[str]:
        words = name.casefold().replace("disorder", "disease").split()
        return {word.rstrip("s") for word in words} - {"mellitu", "system"}

    wrong = [
        row["name"]
        for row in TREE
        if row["cui"] and not any(key(row["name"]) == key(name) for name in reference.names[row["cui"]])
    ]
    assert not wrong
