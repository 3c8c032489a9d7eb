"""Entities of different sources that mean the same, joined on evidence that anybody can check."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.joining import CERTAIN, join
from medgraph.linking.pairing import Member
from medgraph.schema.prefixes import is_list

NAMES = ["gout", "Gouts", "arthritis, gouty", "gouty arthritis", "podagra", "asthma", "disease", ""]
IDS = [f"{prefix}:{n}" for prefix in ("DOID", "MESH", "HP", "medquad", "pages") for n in (1, 2, 3)]
CUIS = ["C0000001", "C0000002"]


SEEDS = st.integers(0, 1 << 32)


def some_members(chance):
    """Entities over few ids, names and concepts, so that they have much in common."""

    def some(values, most=2):
        return tuple(chance.choices(values, k=chance.randrange(most + 1)))

    labels = ["Disease", "Disease", "Symptom", "Gene", "Topic"]
    return [
        Member(
            key, chance.choice(labels), chance.choice(NAMES), some(NAMES), some([*IDS, "UMLS:C1", "OMIM:1"]),
            some(CUIS), some(IDS, 1), some(IDS, 1),
        )
        for key in chance.sample(IDS, chance.randrange(10))
    ]  # fmt: skip


def some_decisions(chance):
    pairs = (tuple(sorted(chance.sample(IDS, 2))) for _ in range(chance.randrange(5)))
    return {ids: chance.random() < 0.5 for ids in pairs}


def a_case(seed):
    chance = random.Random(seed)
    return some_members(chance), some_decisions(chance), chance


def disease(key, name="", synonyms=(), **more):
    return Member(key, "Disease", name or key, synonyms, **more)


def together(joined, one, other):
    return any({one, other} <= set(group) for group in joined.groups)


def methods(joined):
    return {(pair.one, pair.other): pair.method for pair in joined.reasons.values()}


def proposed(joined):
    return {(pair.one, pair.other): pair.method for pair in joined.proposals}


def leads(chain, one, other):
    """Tell whether pairs lead from one id to another, each from where the one before ended."""
    here = one
    for pair in chain:
        if here not in (pair.one, pair.other):
            return False
        here = pair.other if here == pair.one else pair.one
    return here == other


@given(SEEDS)
def test_the_order_of_entities_changes_nothing(seed):
    members, decisions, chance = a_case(seed)
    shuffled = [
        replace(
            member,
            synonyms=tuple(chance.sample(member.synonyms, len(member.synonyms))),
            xrefs=tuple(chance.sample(member.xrefs, len(member.xrefs))),
        )
        for member in chance.sample(members, len(members))
    ]
    again = dict(chance.sample(list(decisions.items()), len(decisions)))
    assert join(shuffled, again) == join(members, decisions)


@pytest.mark.thorough
@given(SEEDS)
def test_no_group_has_two_terms_of_one_vocabulary_unless_one_was_given_up(seed):
    check_terms(a_case(seed)[0])


@pytest.mark.parametrize(
    "members",
    [
        [disease("DOID:1", "a", replaced_by=("DOID:2", "DOID:3")), disease("DOID:2"), disease("DOID:3")],
        [
            disease("DOID:1", "gout", replaced_by=("DOID:9",)),
            disease("DOID:2", "gout"),
            disease("DOID:3", xrefs=("MESH:1",)),
            disease("MESH:1", "gout"),
        ],
    ],
)
def test_what_was_given_up_brings_no_two_others_together(members):
    check_terms(members)


def check_terms(members):
    by_id = {member.id: member for member in members}
    for group in join(members).groups:
        here = [by_id[key].vocabulary for key in group if not by_id[key].replaced_by]
        terms = [vocabulary for vocabulary in here if not is_list(vocabulary)]
        assert len(terms) == len(set(terms)), group


@pytest.mark.thorough
@given(SEEDS)
def test_groups_reasons_proposals_and_refusals_agree(seed):
    members, decisions, _ = a_case(seed)
    joined = join(members, decisions)
    ids = sorted(member.id for member in members)
    assert sorted(key for group in joined.groups for key in group) == ids
    assert joined.reasons.keys() == {key for group in joined.groups for key in group[1:]}
    assert all(key in (pair.one, pair.other) for key, pair in joined.reasons.items())
    assert all(pair.score >= CERTAIN and together(joined, pair.one, pair.other) for pair in joined.reasons.values())
    for pair in [*joined.proposals, *(refused.pair for refused in joined.refused)]:
        assert pair.one < pair.other
        assert {pair.one, pair.other} <= set(ids)
        assert not together(joined, pair.one, pair.other)
    waiting = [(pair.one, pair.other) for pair in [*joined.proposals, *(refused.pair for refused in joined.refused)]]
    assert len(waiting) == len(set(waiting))


@given(SEEDS)
def test_a_refused_pair_has_the_chain_that_would_have_joined_its_terms(seed):
    members, decisions, _ = a_case(seed)
    by_id = {member.id: member for member in members}
    for refused in join(members, decisions).refused:
        one, other = refused.terms
        assert leads(refused.chain, one, other)
        assert refused.pair in refused.chain
        kept_apart = decisions.get(tuple(sorted(refused.terms))) is False
        assert kept_apart or (
            by_id[one].vocabulary == by_id[other].vocabulary
            and not by_id[one].replaced_by
            and not by_id[other].replaced_by
        )


@given(SEEDS)
def test_decisions_win(seed):
    members, decisions, _ = a_case(seed)
    joined = join(members, decisions)
    known = {member.id for member in members}
    undone = {(refused.pair.one, refused.pair.other) for refused in joined.refused}
    for (one, other), same in decisions.items():
        if {one, other} <= known:
            assert together(joined, one, other) == (same and (one, other) not in undone)
            assert (one, other) not in proposed(joined)
    # Only what another decision forbids is not as a curator wished.
    for refused in joined.refused:
        if decisions.get((refused.pair.one, refused.pair.other)):
            assert decisions[tuple(sorted(refused.terms))] is False


@given(SEEDS, st.sampled_from(["DOID", "MESH", "HP", "medquad", "pages"]))
def test_what_is_unloaded_leaves_nothing_that_rests_on_it(seed, prefix):
    members, decisions, _ = a_case(seed)
    left = [member for member in members if member.vocabulary != prefix]
    joined = join(left, decisions)
    pairs = [*joined.reasons.values(), *joined.proposals]
    pairs += [pair for refused in joined.refused for pair in refused.chain]
    assert not any(key.startswith(f"{prefix}:") for pair in pairs for key in (pair.one, pair.other))
    for pair in pairs:  # what is shared is stated by both that remain
        if pair.method in {"cui", "shared xref"}:
            both = [member for member in left if member.id in (pair.one, pair.other)]
            assert all(pair.evidence in (*member.cuis, *member.xrefs) for member in both)
    assert join([*left, *(m for m in members if m not in left)], decisions) == join(members, decisions)


@pytest.mark.parametrize(
    ("one", "other", "method"),
    [
        (disease("DOID:1", matches=("MESH:1",)), disease("MESH:1"), "stated"),
        (disease("DOID:1", replaced_by=("DOID:2",)), disease("DOID:2"), "replaced"),
        (disease("DOID:1", "Gouts"), disease("MESH:1", "gout"), "name"),
        (disease("DOID:1", "gouty arthritis"), Member("HP:1", "Phenotype", "Arthritis, gouty"), "name"),
        (disease("DOID:1", xrefs=("MESH:1", "MESH:1")), disease("MESH:1"), "xref"),
        (disease("DOID:1", xrefs=("OMIM:1", "OMIM:1")), disease("MESH:1", xrefs=("OMIM:1",)), "shared xref"),
        (disease("DOID:1", cuis=CUIS), disease("MESH:1", cuis=CUIS[1:]), "cui"),
        (disease("DOID:1", "podagra"), disease("MESH:1", "gout", ("Podagra",)), "synonym"),
        (disease("DOID:1", "gouty arthritis"), disease("medquad:1", "Gouty arthritis (GA)"), "title"),
        (disease("DOID:1", "podagra"), disease("medquad:1", "gout", ("Podagra",)), "title"),
        (disease("DOID:1", "rare pain"), disease("medquad:1", "a pain that is rare", cuis=CUIS[:1]), None),
        (disease("DOID:1", "gout"), Member("MESH:1", "Gene", "gout"), None),
        (disease("DOID:1", "gout"), disease("DOID:2", "gout"), None),
        (disease("DOID:1", xrefs=("ICD10CM:1",)), disease("MESH:1", xrefs=("ICD10CM:1",)), None),
        (disease("DOID:1", ""), disease("MESH:1", "-"), None),
        (disease("DOID:1", "hepatitis"), disease("MESH:1", "Hepatitis A"), None),
        (disease("DOID:1", "zoster", ("shingles",)), disease("pages:1", "Shingles (zoster)"), "title"),
        (disease("DOID:1", "lung disorder", ("COPD",)), disease("pages:1", "COPD"), "synonym"),
        (disease("HP:1", "Insomnia"), disease("MESH:1", "Sleep Initiation and Maintenance Disorders"), "synonym"),
        (disease("DOID:1", "gout", cuis=CUIS[:1]), disease("HP:1", "gout and podagra", cuis=CUIS[:1]), None),
    ],
)
def test_what_joins_two(one, other, method):
    for members in ((one, other), (other, one)):
        assert methods(join(members)) == ({(one.id, other.id): method} if method else {})


@pytest.mark.parametrize(
    ("members", "method"),
    [
        ((disease("DOID:1", "a", ("podagra",)), disease("MESH:1", "b", ("Podagra",))), "synonyms"),
        ((disease("DOID:1", xrefs=("MESH:1",)), disease("DOID:2", xrefs=("MESH:1",)), disease("MESH:1")), "broad xref"),
        (
            (disease("DOID:1", cuis=CUIS[:1]), disease("medquad:1", "diet and DOID:1", cuis=CUIS[:1])),
            "extended name",
        ),
        (
            (disease("DOID:1", "gouty arthritis"), disease("medquad:1", "arthritis", ("gouty arthritis",))),
            "ambiguous name",
        ),
        ((disease("DOID:1", "gout", ("childhood gout",)), disease("pages:1", "Childhood gout")), "extended name"),
        ((disease("DOID:1", "drug abuse"), disease("pages:1", "Drug abuse (cocaine)")), "ambiguous name"),
        (
            (disease("DOID:1", "visual epilepsy", xrefs=("MESH:1",)), Member("MESH:1", "Symptom", "Seizures")),
            "broad xref",
        ),
    ],
)
def test_what_waits_for_a_curator(members, method):
    joined = join(members)
    waiting = proposed(joined)
    assert set(waiting.values()) == {method}
    assert all(pair.score < CERTAIN for pair in joined.proposals)
    for one, other in waiting:
        assert together(join(members, {(one, other): True}), one, other)
        assert (one, other) not in proposed(join(members, {(one, other): False}))


def test_a_cross_reference_that_would_join_two_diseases_of_a_source_is_refused_with_its_chain():
    members = [
        disease("DOID:1", "gout", matches=("MESH:1",)),
        disease("MESH:1", matches=("Orphanet:1",)),
        disease("Orphanet:1", xrefs=("DOID:2",)),
        disease("DOID:2", "podagra"),
    ]
    (refused,) = join(members).refused
    assert set(refused.terms) == {"DOID:1", "DOID:2"}
    assert sorted((pair.one, pair.other) for pair in refused.chain) == [
        ("DOID:1", "MESH:1"),
        ("DOID:2", "Orphanet:1"),
        ("MESH:1", "Orphanet:1"),
    ]
    assert join(members, {("DOID:1", "DOID:2"): True}).groups == [["DOID:1", "DOID:2", "MESH:1", "Orphanet:1"]]


def test_what_a_curator_rejects_is_not_joined_by_way_of_others():
    members = [disease("DOID:1", "gout"), disease("HP:1", "gout"), disease("MESH:1", "gout", xrefs=("HP:1",))]
    assert len(join(members).groups) == 1
    joined = join(members, {("DOID:1", "MESH:1"): False})
    assert not together(joined, "DOID:1", "MESH:1")
    (refused,) = joined.refused
    assert leads(refused.chain, *refused.terms)
