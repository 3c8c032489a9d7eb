"""`medgraph facts`, `link`, `paths`, `subgraph`, `similar`, `predict` and `review`, on a small graph of three
sources.
"""

import json
import re

import pytest

from medgraph.linking.concepts import index_concepts
from medgraph.queries import paths
from tests.support.exchange import KGX_HEAD, mappings, write_kgx
from tests.support.graphs import empty
from tests.support.joined import joined
from tests.support.kge import with_vectors, without_vectors
from tests.support.ontologies import SMALL


@pytest.fixture
def call(medgraph, graph, settings, tmp_path):
    """Runs a command on a small graph of three sources."""
    joined(graph, settings, tmp_path)
    return medgraph


def test_facts_as_a_table_and_as_json(call):
    text = call("facts", "gout", "treated by", "?")
    assert re.match(r"head_name +relation +tail_name +backing +sources +method +source_score +evidence\n", text)
    assert re.search(
        r"^gout +TREATED_BY +allopurinol +independent sources +mesh +stated +1 +PMID:2$", text, re.MULTILINE
    )
    found = json.loads(call("facts", "?", "TREATED_BY", "allopurinol", "--limit", 1, "--json"))["facts"]
    assert [(fact["head"], fact["tail"]) for fact in found] == [("C0018099", "MESH:3")]
    nothing = call("facts", "chilblain", "?", "?")
    assert nothing == "Nothing was found: the graph has no relation of any type from 'chilblain' to anything.\n"


def test_what_symptoms_have_in_common_and_names_that_are_not_used(call, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("FEVER\nUMLS:C0010200\n\npernio\nfeverr\nfever\n", encoding="utf-8")
    text = call("enrich", names, "--relation", "has symptom")
    assert "understood: 'UMLS:C0010200' as cough (C0010200)" in text
    assert "left out: 'pernio': several things are called so: give an id; it may be chilblain (DOID:4)" in text
    assert "left out: 'feverr': nothing is called exactly so; it may be fever (C0015967)" in text
    assert "left out: 'fever': another line means the same; it may be fever (C0015967)" in text
    assert (
        "it HAS_SYMPTOM them: 2 of 2 given ones, against 3: all concepts of the graph that have this relation" in text
    )
    assert re.search(
        r"^gout .* it HAS_SYMPTOM them\n +2 of 2, and 3 of 3 in all; 2 expected, p 1, corrected 1$", text, re.MULTILINE
    )
    assert "cough (pages); fever (doid, pages)" in text
    found = json.loads(call("enrich", names, "--background", names, "--most", 1, "--json"))
    assert [(one["name"], one["hits"], one["background"]) for one in found["results"]] == [("gout", 2, 2)]
    assert call("enrich", names, "--relation", "cures", fails=True).startswith("there is no relation 'CURES'")
    names.write_bytes(b"fever\n\xff\n")
    assert f"{names}:2: " in call("enrich", names, fails=True)


def test_what_cannot_be_asked(call):
    call("facts", "gout", "treated by", "?")  # joins what was loaded, and says so
    assert call("facts", "?", "?", "?", fails=True).startswith("give a head or a tail")
    assert call("facts", "gout", "nope", "?", fails=True).startswith("there is no relation 'nope'")
    assert "Missing argument 'TAIL'" in call("facts", "gout", "?", fails=True)


MENTIONS = "id\tstart\tend\tsurface\tconcept\tentity\tids\tscore\tnegated"
GOUT = "C0018099\tDOID:1\tDOID:1|DOID:4|MESH:1|UMLS:C0018099|pages:gout"
TEXT = "\U0001f9ec\u200b Gout (podagra\u200b), no asthma."


@pytest.fixture
def files(tmp_path):
    """A file of texts, one of names, and one to write."""
    texts, names = tmp_path / "texts.jsonl", tmp_path / "names.txt"
    texts.write_text(json.dumps({"id": "a\tb", "text": TEXT}) + "\n", encoding="utf-8")
    names.write_text("PODAGRA\nnothing known\n\n", encoding="utf-8")
    return texts, names, tmp_path / "out.tsv"


def test_texts_become_a_table_whose_offsets_are_characters(call, files):
    texts, _, out = files
    assert call("link", texts, "--run", out) == f"1 text linked: {out}\n"
    header, *rows = out.read_text(encoding="utf-8").splitlines()
    assert header == MENTIONS
    assert rows[0] == f"a b\t3\t7\tGout\t{GOUT}\t1.0\t0"
    cells = [row.split("\t") for row in rows]
    assert (
        [TEXT[int(row[1]) : int(row[2])] for row in cells] == [row[3] for row in cells] == ["Gout", "podagra", "asthma"]
    )
    assert [row[-1] for row in cells] == ["0", "0", "1"]
    assert call("link", texts) == out.read_text(encoding="utf-8")


def test_names_become_a_table_of_the_surest_first(call, files):
    _, names, out = files
    call("link", "--names", names, "--run", out, "--top-k", "5")
    header, *rows = out.read_text(encoding="utf-8").splitlines()
    assert header == "name\tconcept\tentity\tids\tscore\tmethod"
    assert rows == [f"PODAGRA\t{GOUT}\t0.97\tname", "nothing known\t\t\t\t\t", "\t\t\t\t\t"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give a file of texts, or --names with a file of names (see "),
        (("{texts}", "--names", "{names}"), "give a file of texts, or --names with a file of names"),
        (("nope.jsonl",), "nope.jsonl: cannot be read: No such file or directory"),
        (("--names", "{names}", "--top-k", "0"), "Invalid value for '--top-k': 0 is not in the range 1<=x<=100."),
        (("{texts}", "--run", "{texts}/x"), "cannot be written: there is no folder"),
    ],
)
def test_what_cannot_be_linked(call, files, options, message):
    texts, names, _ = files
    assert message in call("link", *(o.format(texts=texts, names=names) for o in options), fails=True)


def test_a_malformed_line_is_named_and_leaves_what_was_there(call, files):
    texts, _, out = files
    texts.write_text('{"id": 1, "text": "gout"}\n{"id": 2}\n', encoding="utf-8")
    out.write_text("mine")
    assert call("link", texts, "--run", out, fails=True).startswith(
        f'{texts}:2: the line needs an object with "id" and "text"'
    )
    assert out.read_text() == "mine"
    assert {file.name for file in out.parent.iterdir() if "out" in file.name} == {"out.tsv"}


def test_a_graph_without_names_says_so(medgraph, database, files):
    index_concepts(database)
    assert "load a source first" in medgraph("link", files[0], fails=True)


def test_paths_as_a_table_as_json_and_as_a_picture(call, tmp_path):
    text = call("paths", "podagra", "asthma")
    assert "gout  [Disease]  C0018099\n" in text
    assert re.search(
        r"^ *0\.\d+  gout \u2013 HAS_SYMPTOM → cough ← HAS_SYMPTOM \u2013 asthma  pages, doid$", text, re.MULTILINE
    )
    file = tmp_path / "p.svg"
    (pair,) = json.loads(call("paths", "gout", "asthma", "--json", "--picture", file))["pairs"]
    assert [node["id"] for node in pair["paths"][0]["nodes"]] == ["C0018099", "C0010200", "DOID:2"]
    assert pair["paths"][0]["similarity"] is None
    assert "How these go together: gout, asthma" in file.read_text(encoding="utf-8")


def test_a_question_says_how_near_paths_come(call):
    text = call("paths", "gout", "asthma", "--question", "Why do I cough at night?")
    assert re.search(r"^nearness +rank +path +sources$", text, re.MULTILINE)


def test_where_there_is_none_it_is_said_what_was_searched(call):
    text = call("paths", "gout", "chilblain", "--hops", 1)
    assert "No path of at most 1 hop was found between gout (4 relations) and chilblain (0 relations).\n" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gout", "Podagra"], "'gout' and 'Podagra' are the same thing, C0018099; name two that differ"),
        (["gout", "nope of no kind"], "nothing is called 'nope of no kind'; look it up with: medgraph entity NAME"),
        (["gout"], "paths are between two things or more, at most 5; 1 named"),
        (["gout", "asthma", "--hops", "0"], "paths take from 1 to 3 hops, not 0"),
        (["gout", "asthma", "--hops", "9"], "paths take from 1 to 3 hops, not 9"),
        (["gout", "asthma", "--limit", "51"], "a pair has from 1 to 50 paths, not 51"),
        (["gout", "asthma", "--picture", "p.gif"], "p.gif ends in neither .svg nor .png"),
    ],
)
def test_what_cannot_be_asked_of_paths(call, arguments, message):
    assert call("paths", *arguments, fails=True).startswith(message)


def test_equivalences_are_listed_decided_exported_and_taken_back(call, tmp_path):
    assert re.search(
        r"^DOID:4 +chilblain +MESH:4 +Perniosis +synonyms +pernio +0.85 +proposed", call("review", "list"), re.MULTILINE
    )
    (refused,) = json.loads(call("review", "list", "--status", "refused", "--json"))["equivalences"]
    assert refused["chain"] == ["DOID:4 = MESH:1 (xref: DOID:4)", "DOID:1 = MESH:1 (xref: MESH:1)"]
    assert "DOID:4 = MESH:1 (xref: DOID:4); DOID:1 = MESH:1" in call("review", "list", "--status", "refused")
    assert call("review", "accept", "MESH:4", "DOID:4") == (
        "accepted (was proposed); medgraph index concepts puts it into effect\n"
    )
    assert call("review", "reject", "DOID:1", "DOID:2") == "rejected; medgraph index concepts puts it into effect\n"
    path = tmp_path / "review.sssom.tsv"
    assert call("review", "export", path) == f"written: {path}\n"
    assert [(found.subject, found.object) for found in mappings(path)] == [("DOID:4", "MESH:4")]
    assert "is there already" in call("review", "export", path, fails=True)
    call("review", "export", path, "--force", "--proposed")
    assert (
        call("review", "undo", "DOID:4", "MESH:4") == "accepted no more; medgraph index concepts puts it into effect\n"
    )
    assert call("review", "list", "--status", "accepted") == "Nothing was found.\n"


def test_what_cannot_be_decided(call):
    assert call("review", "accept", "nope:1", "DOID:1", fails=True).startswith("the graph has no entity nope:1")
    assert call("review", "undo", "DOID:1", "DOID:2", fails=True).startswith("nothing was decided on DOID:1 and DOID:2")
    assert "is not one of" in call("review", "list", "--status", "nope", fails=True)


def test_all_evidence_of_one_is_shown(call):
    shown = call("review", "show", "DOID:4", "MESH:4")
    for said in (
        "chilblain = Perniosis?",
        "proposed; found by synonyms: pernio",
        "both have: pernio",
        "these two alone",
    ):
        assert said in shown
    refused = call("review", "show", "DOID:4|MESH:1")
    assert "refused for: DOID:1 = MESH:1 (xref: MESH:1)" in refused
    assert "accepting would join both, and with them DOID:1, pages:gout" in refused
    assert "DOID tells apart what would be one: DOID:4, DOID:1" in refused
    data = json.loads(call("review", "show", "DOID:4|MESH:4", "--json"))
    assert [side["name"] for side in data["sides"]] == ["chilblain", "Perniosis"]
    assert call("review", "show", "DOID:4", fails=True).startswith("name two entities")


def test_a_subgraph_as_a_text_as_json_and_as_a_picture(call, tmp_path):
    text = call("subgraph", "podagra")
    assert text.startswith(
        "gout  [Disease]  C0018099\n\nSymptoms\n   Symptoms of gout include fever. (Doid, Pages; stated and told)\n"
    )
    assert "   Treatments for gout include allopurinol. (Mesh, Pages; stated and told)\n" in text
    assert "Licences: " in text
    file = tmp_path / "s.svg"
    found = json.loads(call("subgraph", "gout", "--type", "treatment", "--json", "--picture", file))
    assert found["text"] == "Treatments for gout include allopurinol."
    assert [row["tail"]["id"] for row in found["relations"]] == ["MESH:3"]
    assert "Gout and what goes with it" in file.read_text(encoding="utf-8")


def test_where_nothing_is_told_it_is_said(call):
    text = call("subgraph", "gout", "--relation", "PREVENTED_BY")
    assert "Nothing of what was asked for is told of gout, by no source and no section.\n" in text


def test_what_sources_deny_is_not_told_and_a_contraindication_is_called_one(medgraph, graph, tmp_path):
    nodes = (
        "MONDO:0005148\tbiolink:Disease\ttype 2 diabetes mellitus\nHP:0001250\tbiolink:PhenotypicFeature\tSeizure\n"
        "HP:0001945\tbiolink:PhenotypicFeature\tFever\nCHEBI:6801\tbiolink:SmallMolecule\tmetformin\n"
    )
    edges = (
        "subject\tpredicate\tobject\thas_count\thas_total\tfrequency_qualifier\n"
        "MONDO:0005148\tbiolink:has_phenotype\tHP:0001250\t0\t30\t\n"
        "MONDO:0005148\tbiolink:has_phenotype\tHP:0001945\t\t\tHP:0040285\n"
        "CHEBI:6801\tbiolink:contraindicated_in\tMONDO:0005148\t\t\t\n"
    )
    empty(graph)
    medgraph("load", "kgx", write_kgx(tmp_path / "g", KGX_HEAD + nodes, edges), "--as", "k")
    medgraph("load", "obo", SMALL / "denied.obo", "--as", "o")
    facts = json.loads(medgraph("facts", "CL:0000232", "?", "?", "--json"))["facts"]  # which joins what was loaded, too
    assert [fact["relation"] for fact in facts] == ["IS_A"]
    said = medgraph("subgraph", "type 2 diabetes mellitus").partition("\n\n")[2].partition("\n\nLicences")[0]
    told = "According to g alone, with type 2 diabetes mellitus, metformin should be avoided or used with care."
    assert " ".join(said.split()) == f"Contraindication {told}"
    assert "\n   Nucleus is part of the cell. (denied; stated)\n" in medgraph("subgraph", "nucleus")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope of no kind"], "nothing is called 'nope of no kind'; look it up with: medgraph entity NAME"),
        (["gout", "--type", "storage"], "no relation tells 'storage'; there are: information"),
        (["gout", "--relation", "x"], "there is no relation 'x'; known are IS_A"),
        (["gout", "--limit", "0"], "a subgraph has from 1 to 200 relations of each type, not 0"),
        (["gout", "--picture", "p.gif"], "p.gif ends in neither .svg nor .png"),
    ],
)
def test_what_cannot_be_asked_of_subgraph(call, arguments, message):
    assert call("subgraph", *arguments, fails=True).startswith(message)


@pytest.fixture
def similar_call(medgraph, graph, settings, tmp_path, monkeypatch):
    """Runs a command on a small graph of three sources with vectors made by hand."""
    monkeypatch.setattr(paths, "TIME_LIMIT", 60.0)
    joined(graph, settings, tmp_path)
    with_vectors(graph, near=[("C0018099", "DOID:2")])
    yield medgraph
    without_vectors(graph)


def test_what_is_similar_as_a_table_and_as_json(similar_call):
    text = similar_call("similar", "podagra", "--limit", 2)
    assert text.startswith("gout  [Disease]  C0018099, by TransE\n")
    assert re.search(r"^ +(1|0\.99\d*)  asthma +Disease  DOID:2$", text, re.MULTILINE)
    found = json.loads(similar_call("similar", "gout", "--label", "Drug", "--json"))
    assert [one["name"] for one in found["similar"]] == ["allopurinol"]


def test_predictions_say_what_is_known_what_is_a_guess_and_what_speaks_for_it(similar_call):
    text = similar_call("predict", "asthma", "has_symptom")
    assert "asthma HAS_SYMPTOM …  DOID:2, guessed by TransE; no source states what is not marked as known\n" in text
    assert re.search(r"^ *\d\. known +-\d+\.\d{3}  cough  \[Symptom\]  C0010200$", text, re.MULTILINE)
    line = r"^ *\d\. guess +-\d+\.\d{3}  gout  \[Disease\]  C0018099\n {12}asthma \u2013 HAS_SYMPTOM → cough ← .* gout$"
    assert re.search(line, text, re.MULTILINE)
    bare = json.loads(similar_call("predict", "asthma", "HAS_SYMPTOM", "--no-paths", "--json", "--limit", 1))
    assert [one["paths"] for one in bare["predictions"]] == [[]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["similar", "nope of no kind"], "nothing is called 'nope of no kind'; look it up with: medgraph entity NAME"),
        (["similar", "gout", "--limit", "0"], "from 1 to 50 concepts are given, not 0"),
        (["similar", "gout", "--label", "Ill"], "there is no category 'Ill'; known are Disease"),
        (
            ["predict", "gout", "CURED_BY"],
            "TransE knows no relation 'CURED_BY'; did you mean 'TREATED_BY'",
        ),
        (["predict", "gout", "HAS_SYMPTOM", "--limit", "51"], "from 1 to 50 concepts are given, not 51"),
        (["predict", "chilblain", "HAS_SYMPTOM"], "'chilblain' has no vector"),
    ],
)
def test_what_cannot_be_asked_of_similar(similar_call, arguments, message):
    assert similar_call(*arguments, fails=True).startswith(message)
