"""Names: packed, looked up by their words, of everyday words, and those that are none."""

import csv
import gc
import json
import shutil
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medgraph.linking.curated import SHIPPED, load_never
from medgraph.linking.judging import Verdict, judge, speaks_of_genes
from medgraph.linking.lexicon import ANY_ORDER, LISTED, LOOSE, MAX_WORDS, NAME, ORDERED, SYNONYM, Lexicon, Named
from medgraph.linking.names import (
    GraphNames,
    index_names,
    load_linker,
    names_in_use,
)
from medgraph.linking.words import LITTLE, loose, words
from medgraph.loaders.commands import load_named, unload_named
from tests.support.graphs import run


def folder(settings):
    (found,) = (path for path in (settings.home / "names").iterdir() if path.is_dir() and not path.suffix)
    return found


@pytest.fixture(autouse=True)
def forgotten(settings):
    shutil.rmtree(settings.home / "names", ignore_errors=True)


def test_names_are_packed_once_and_again_after_a_load(database, settings, capfd):
    load_named(database, settings, "sample")
    linker, by = names_in_use(settings, database)
    assert linker.holdings.id(linker.name("Gout")[0].entity) == "sample:gout"
    assert "entities stand for" in capfd.readouterr().err
    made = (folder(settings) / "state.json").stat().st_mtime_ns
    assert names_in_use(settings, database)[1] == by
    assert (folder(settings) / "state.json").stat().st_mtime_ns == made
    run(database, "MATCH (e:Entity {id: 'sample:gout'}) SET e.name = 'Podagra'")
    run(database, "MATCH (l:Load) SET l.finished = datetime()")
    linker, after = names_in_use(settings, database)
    assert after != by
    assert linker.holdings.id(linker.name("Podagra")[0].entity) == "sample:gout"


def test_a_damaged_pack_is_made_anew(database, settings):
    load_named(database, settings, "sample")
    _, by = names_in_use(settings, database)
    for content in ("", "{", json.dumps([0, "x", "y"])):
        (folder(settings) / "state.json").write_text(content)
        assert names_in_use(settings, database)[1] == by


def test_eponyms_are_known_without_their_noun(database, settings):
    load_named(database, settings, "sample")
    run(database, "MATCH (e:Entity {id: 'sample:gout'}) SET e.synonyms = [\"Sydenham's disease\"]")
    linker = load_linker(settings, database)
    assert linker.holdings.id(linker.name("sydenham's")[0].entity) == "sample:gout"
    unload_named(database, settings, "sample")


def test_questions_are_linked_by_the_names_of_now_where_these_are_few(database, settings, monkeypatch):
    linker = GraphNames(settings, database)
    assert linker().question("gout") == []
    run(database, "CREATE (:Entity:Disease {id: 'x:gout', name: 'Gout'})")
    (place,) = linker().question("gout")
    assert linker().holdings.id(place[0].entity) == "x:gout"
    assert linker() is linker()
    run(database, "CREATE (:Entity:Disease {id: 'x:mumps', name: 'Mumps'})")
    monkeypatch.setattr("medgraph.linking.names.FEW", 0)
    assert linker().question("mumps") == [], "the former names serve until they are packed"
    former = weakref.ref(linker().lexicon)
    index_names(settings, database)
    assert len(linker().question("mumps")) == 1
    gc.collect()
    assert former() is None, "a service that lives long keeps no former names"
    assert run(database, "MATCH (:Entity)-[:MEANS]->(c) RETURN count(c) AS n") == [{"n": 2}]


def test_names_that_a_question_packed_are_joined_before_texts_are_linked_by_them(database, settings):
    run(
        database,
        "CREATE (:Entity:Disease {id: 'DOID:1', name: 'Gout', sources: ['do']}) "
        "CREATE (:Entity:Disease {id: 'MESH:1', name: 'gout', sources: ['mesh']})",
    )
    GraphNames(settings, database)()
    assert run(database, "MATCH (:Entity)-[r:MEANS]->() RETURN count(r) AS n") == [{"n": 0}]
    load_linker(settings, database)
    assert run(database, "MATCH (:Entity)-[r:MEANS]->() RETURN count(r) AS n") == [{"n": 2}]


WORDS = [
    "cancer",
    "tumors",
    "of",
    "the",
    "breast",
    "mammary",
    "disease",
    "type",
    "2",
    "II",
    "gout",
    "renal",
    "kidney's",
]
NAMES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), max_size=8)
ODD = st.text(st.one_of(st.characters(), st.sampled_from(" -'\u200b\u0301\ud800")), max_size=30)


class Plain:
    """What a lexicon does, with dictionaries of words."""

    def __init__(self, names):
        self.kept = [name for name in names if words(name)]

    def whole(self, found, how):
        key = self.key(found, how)
        return [n for n, name in enumerate(self.kept) if key is not None and self.key(words(name), how) == key]

    def runs(self, found):
        for first in range(len(found)):
            for last in range(first + 1, min(first + MAX_WORDS, len(found)) + 1):
                run = found[first:last]
                for how in (ORDERED, ANY_ORDER, LOOSE):
                    whole = how == ORDERED or not {run[0].normal, run[-1].normal} & LITTLE
                    if whole and (names := self.whole(run, how)):
                        yield first, last, how, tuple(names)

    @staticmethod
    def key(found, how):
        normals = [word.normal for word in found]
        if how == ORDERED:
            return tuple(normals) or None
        if how == ANY_ORDER:
            told = sorted(word for word in normals if word not in LITTLE)
            return told if len(told) > 1 else None
        return sorted(filter(None, map(loose, normals))) or None


def built(*names):
    return Lexicon.build(Named(number, name, NAME) for number, name in enumerate(names))


def runs(lexicon, text):
    return sorted((m.first, m.last, m.how, m.names) for m in lexicon.runs(words(text)))


@given(NAMES, st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
@example(["gout"], "gout gout the gout of")
@example(["breast of cancer", "cancer of the breast"], "the breast cancer of the breast")
def test_a_lexicon_does_what_dictionaries_do(names, text):
    lexicon, plain = built(*names), Plain(names)
    assert len(lexicon) == len(plain.kept)
    assert runs(lexicon, text) == sorted(plain.runs(words(text)))
    for name in [*names, text]:
        for how in (ORDERED, ANY_ORDER, LOOSE):
            assert list(lexicon.whole(words(name), how)) == plain.whole(words(name), how)


@given(st.lists(ODD, max_size=6), ODD)
def test_any_name_is_found_whole_and_in_a_text(names, text):
    lexicon = built(*names)
    for number, name in enumerate(Plain(names).kept):
        assert number in lexicon.whole(words(name), ORDERED)
        assert lexicon.text(number) == name.encode("utf-8", "replace").decode()
        inside = f"{text} zzz {name} zzz"
        found = [m for m in lexicon.runs(words(inside)) if number in m.names and m.how == ORDERED]
        assert found or len(words(name)) > MAX_WORDS or "zzz" in name


LABELLED = Path(__file__).parents[1] / "data" / "linking" / "ordinary.tsv"


@pytest.mark.parametrize(
    ("surface", "name", "kind", "how", "label", "called", "verdict"),
    [
        ("down", "Down's", SYNONYM, ORDERED, "Disease", False, Verdict.NEVER),
        ("Down's", "Down's", SYNONYM, ORDERED, "Disease", False, Verdict.NAME),
        ("West", "West's", SYNONYM, ORDERED, "Disease", False, Verdict.NEVER),
        ("Alzheimer's", "Alzheimer's", SYNONYM, ORDERED, "Disease", False, Verdict.NAME),
        ("another syndrome", "ANOTHER syndrome", LISTED, ORDERED, "Disease", False, Verdict.NEVER),
        ("KID syndrome", "KID syndrome", LISTED, ORDERED, "Disease", False, Verdict.NAME),
        ("crystals", "Crystal", LISTED, ORDERED, "Drug", False, Verdict.DOUBTFUL),
        ("cavity", "Cavities", LISTED, ORDERED, "Disease", False, Verdict.DOUBTFUL),
        ("dizzy", "dizzy", SYNONYM, ORDERED, "Symptom", False, Verdict.NAME),
        ("pain", "Pain", NAME, ORDERED, "Symptom", True, Verdict.NAME),
        ("severe", "Severe", NAME, ORDERED, "Phenotype", True, Verdict.NEVER),
        ("benign", "Benign", NAME, ORDERED, "Topic", True, Verdict.NEVER),
        ("olive", "Olive", NAME, ORDERED, "Drug", True, Verdict.NAME),
        ("overweight", "Overweight", NAME, ORDERED, "Symptom", True, Verdict.NAME),
        ("air", "Air", NAME, ORDERED, "Drug", True, Verdict.DOUBTFUL),
        ("oils", "Oil", LISTED, ORDERED, "Topic", False, Verdict.DOUBTFUL),
        ("PET", "PET", SYNONYM, ORDERED, "Disease", False, Verdict.DOUBTFUL),
        ("Ca", "Ca++", LISTED, ORDERED, "Topic", False, Verdict.NEVER),
        ("heart valves", "heart valve disease", NAME, LOOSE, "Disease", False, Verdict.NEVER),
        ("nerve disorder", "nerve", NAME, LOOSE, "Anatomy", False, Verdict.NEVER),
        ("Wilson's syndrome", "Wilson disease", NAME, LOOSE, "Disease", False, Verdict.NAME),
        ("rare condition", "Rare Diseases", NAME, LOOSE, "Disease", False, Verdict.NAME),
        ("breast-ovarian cancer", "breast and ovarian cancer syndrome", NAME, LOOSE, "Disease", False, Verdict.NAME),
        ("mild form", "Mild", NAME, LOOSE, "Phenotype", False, Verdict.NEVER),
        ("skin abnormalities", "Abnormality of the skin", NAME, ANY_ORDER, "Phenotype", False, Verdict.NAME),
        ("low calcium", "Calcium low", NAME, ANY_ORDER, "SideEffect", False, Verdict.NAME),
        ("cancer. Breast", "Cancer - breast", LISTED, ORDERED, "Disease", False, Verdict.NEVER),
        ("sodium, chloride", "Sodium Chloride", LISTED, ORDERED, "Drug", False, Verdict.NEVER),
        ("St. Vitus dance", "St Vitus dance", SYNONYM, ORDERED, "Disease", False, Verdict.NAME),
    ],
)
def test_what_words_are_by_themselves(surface, name, kind, how, label, called, verdict):
    assert judge(surface, name, kind, how, label, called=called) == verdict


def test_who_types_an_eponym_leaves_its_marks_out():
    assert judge("alzheimers", "Alzheimer's", SYNONYM, ORDERED, "Disease", called=False, asked=True) == Verdict.NAME
    assert judge("down", "Down's", SYNONYM, ORDERED, "Disease", called=False, asked=True) == Verdict.NEVER


def test_symbols_of_genes_stand_beside_words_of_genes():
    assert speaks_of_genes("mutations in HR are rare", 13, 15)
    assert not speaks_of_genes("an HR of 1.7", 3, 5)


def test_the_labelled_pairs_are_labelled():
    with LABELLED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert {row["label"] for row in rows} == {"right", "wrong", "unclear"}
    assert len({(row["surface"], row["concept"]) for row in rows}) == len(rows) >= 1500
    assert sum(row["part"] == "top" for row in rows) == 500


def test_the_users_table_adds_to_the_shipped_one(tmp_path):
    shipped = load_never(tmp_path)
    (tmp_path / "never.tsv").write_text("# mine\nzebra crossings\tDOID:1\ta road\n", encoding="utf-8")
    both = load_never(tmp_path)
    assert both.settled(words("Zebra crossing")) == {"DOID:1"}
    assert both.settled(words("death")) == shipped.settled(words("deaths")) == {"*"}
    assert both.fingerprint != shipped.fingerprint == load_never().fingerprint


def test_the_shipped_table_is_sorted_and_says_everything_once():
    said = [line.split("\t")[:2] for line in SHIPPED.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert said == sorted(said)
    assert len({tuple(row) for row in said}) == len(said)


def test_a_change_of_the_table_counts_as_one_of_the_names(database, settings, tmp_path):
    settings = replace(settings, home=tmp_path)
    run(database, "CREATE (:Entity:Disease {id: 'x:gout', name: 'Gout'})")
    linker, names = names_in_use(settings, database)
    assert linker.text("gout")
    (tmp_path / "never.tsv").write_text("gout\tx:gout\ta test\n", encoding="utf-8")
    linker, changed = names_in_use(settings, database)
    assert changed != names
    assert not linker.text("gout")
    assert not linker.name("gout")
