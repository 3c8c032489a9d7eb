"""Over-representation: against scipy's own test on counts made by hand, and by names of a small graph."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from medgraph.errors import InputError, NotInGraphError
from medgraph.linking.concepts import index_concepts
from medgraph.loaders.commands import load_named
from medgraph.queries.enrichment import MOST, MOST_NAMES, enrich
from tests.support.graphs import prepared, run, run_saved
from tests.support.joined import joined
from tests.support.linking import names_of
from tests.support.paths import DATA

SYMPTOMS = (
    "MATCH (d:Concept)-[r:HAS_SYMPTOM]->(s:Concept) WHERE r.polarity <> 'contested' RETURN d.cui AS d, s.cui AS s"
)


def groups_of(graph):
    """What has which symptoms: diseases with two of them at least."""
    found = {}
    for row in run(graph, SYMPTOMS):
        found.setdefault(row["d"], set()).add(row["s"])
    return {one: having for one, having in found.items() if len(having) > 1}, set().union(*found.values())


def heads_of(graph):
    return {row["d"] for row in run(graph, SYMPTOMS)}


def by_hand(asked, groups, background):
    """Test by hand: p of each group by Fisher's exact test, and q as the least of what follows it, by rank."""
    asked = asked & background
    found = {}
    for one, having in groups.items():
        hits, size = len(having & asked), len(having & background)
        if size > 1:
            table = [[hits, len(asked) - hits], [size - hits, len(background) - len(asked) - size + hits]]
            found[one] = float(fisher_exact(table, alternative="greater").pvalue)
    ranked = sorted(found.values())
    q = {p: min(min(1, r * len(ranked) / (i + 1)) for i, r in enumerate(ranked) if r >= p) for p in ranked}
    return {one: (p, q[p]) for one, p in found.items()}


@pytest.fixture
def symptoms(graph, settings):
    """Diseases with symptoms, as the Human Disease Ontology reports them, joined at concepts."""

    def fill():
        load_named(graph, settings, "do-symptoms", DATA / "doid" / "disease-symptom.tsv")
        index_concepts(graph)

    return prepared(graph, "symptoms", fill)


@pytest.fixture
def ask(symptoms):
    return lambda names, **options: enrich(symptoms, names_of(symptoms), sorted(names), **options)


pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files in {DATA}")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_values_are_those_of_scipy_on_sets_counted_by_hand(ask, symptoms, data):
    groups, background = groups_of(symptoms)
    asked = data.draw(st.sets(st.sampled_from(sorted(background - heads_of(symptoms))), min_size=2))
    drawn = data.draw(st.none() | st.sets(st.sampled_from(sorted(background)), min_size=2).map(lambda one: one | asked))
    found = ask(asked, relations=["has symptom"], background=None if drawn is None else sorted(drawn), limit=MOST)
    expected = by_hand(asked, groups, background if drawn is None else drawn)
    assert {row.concept for row in found.results} == {one for one in expected if len(groups[one] & asked) > 1}
    tests = [(test.direction, test.given, test.groups) for test in found.tested]
    assert tests == [("out", len(asked), len(expected))] * bool(expected)
    for row in found.results:
        p, q = expected[row.concept]
        assert row.p == pytest.approx(p, rel=1e-9)
        assert row.q == pytest.approx(q, rel=1e-9)
        assert {hit.concept for hit in row.members} == groups[row.concept] & asked
        assert all(hit.sources == ["do-symptoms"] for hit in row.members)
    assert [row.p for row in found.results] == sorted(row.p for row in found.results)


def test_symptoms_of_a_disease_bring_that_disease_first(ask, symptoms):
    groups, _ = groups_of(symptoms)
    large = {one: having for one, having in groups.items() if len(having) > 3}
    assert len(large) > 100
    for disease, having in list(large.items())[:: len(large) // 8]:
        found = ask(having)
        first = [row.concept for row in found.results if row.p == found.results[0].p]
        assert disease in first
        assert found.results[0].q <= 0.05


def test_explorers_see_the_same_counts(ask, symptoms):
    rows = run_saved(
        symptoms, "over_represented", ['concepts=["SYMP:0000613", "SYMP:0000457", "SYMP:0000614"]', "limit=1000"]
    )
    counts = {(row["concept"], row["relation"], row["direction"]): (row["hits"], row["having"]) for row in rows}
    for row in ask(["SYMP:0000613", "SYMP:0000457", "SYMP:0000614"]).results:
        assert counts[row.concept, row.relation, row.direction] == (row.hits, row.having)


def test_names_that_are_not_plain_are_left_out_and_told(graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    names = ["fever", "UMLS:C0015967", "Cough", "pernio", "feverr", "cough", "podagra"]
    found = enrich(graph, names_of(graph), names, background=["fever", "cough", "asthma", "nothing"])
    assert [(one.given, one.concept) for one in found.concepts] == [("fever", "C0015967"), ("Cough", "C0010200")]
    told = {one.given: (one.reason, [other.concept for other in one.may_be]) for one in found.left_out}
    assert told == {
        "UMLS:C0015967": ("repeated", ["C0015967"]),
        "cough": ("repeated", ["C0010200"]),
        "pernio": ("ambiguous", ["DOID:4", "MESH:4"]),
        "feverr": ("unknown", ["C0015967"]),
        "podagra": ("outside", ["C0018099"]),
    }
    assert [one.given for one in found.background_left_out] == ["nothing"]
    assert found.background == "3 concepts of a list, of which"


def test_what_is_contested_or_predicted_does_not_count(graph, settings, tmp_path):
    joined(graph, settings, tmp_path)
    given = ["C0015967", "C0010200"]

    def hits():
        found = enrich(graph, names_of(graph), given, relations=["HAS_SYMPTOM"])
        return {row.concept for row in found.results}

    assert hits() == {"C0018099"}
    change = "MATCH (:Concept {cui: 'C0018099'})-[r:HAS_SYMPTOM]->(:Concept {cui: 'C0015967'}) SET r."
    for doubt, plain in (
        ("polarity = 'contested'", "polarity = 'affirmed'"),
        ("predicted = r.sources", "predicted = null"),
    ):
        run(graph, change + doubt)
        assert hits() == set()
        run(graph, change + plain)
    assert hits() == {"C0018099"}


@pytest.mark.parametrize(
    ("names", "options", "kind", "said"),
    [
        ([], {}, InputError, "from 1 to 2,000 names are taken, not 0"),
        (["fever"] * (MOST_NAMES + 1), {}, InputError, "not 2,001"),
        (["fever"], {"limit": 0}, InputError, "from 1 to 500 concepts"),
        (["fever"], {"relations": ["cures"]}, InputError, "there is no relation 'CURES'"),
        (
            ["zzzzqqqq"],
            {},
            NotInGraphError,
            "none of the 1 names can be used; 'zzzzqqqq': nothing is called exactly so",
        ),
        (["fever"], {"background": ["cough"]}, NotInGraphError, "it is not in the background"),
    ],
)
def test_what_cannot_be_asked(ask, names, options, kind, said):
    with pytest.raises(kind, match=said):
        ask(names, **options)
