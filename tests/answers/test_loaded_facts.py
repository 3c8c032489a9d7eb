"""Facts that answer: of the graph, to questions that ask for a kind of them, and of a curator's own table."""

import json
import re
from dataclasses import replace

import pytest

from medgraph.answers.answerer import Answerer
from medgraph.answers.facts import fact_queries, requested_facts, sureness, voices_of, worded
from medgraph.answers.graph_facts import GraphFacts
from medgraph.api.agents.tools import Tools
from medgraph.api.app import create_app
from medgraph.cli import printing
from medgraph.client.results import Answer as ClientAnswer
from medgraph.embeddings.index import index
from medgraph.linking.names import index_names
from medgraph.loaders.commands import load_named
from medgraph.queries.entities import Mention
from medgraph.queries.filters import Filters
from medgraph.queries.find import resolve
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import Retriever
from medgraph.queries.voices import Backing
from medgraph.schema.records import Entity
from tests.support.examples import examples
from tests.support.graphs import prepared, run
from tests.support.joined import joined
from tests.support.linking import names_of
from tests.support.loads import Loading
from tests.support.service import service_over

LABELS = {
    "side effect": ("Drug", "HAS_SIDE_EFFECT", "SideEffect"),
    "interaction": ("Drug", "INTERACTS_WITH", "Chemical"),
    "contraindication": ("Drug", "CONTRAINDICATED_IN", "Disease"),
    "use": ("Drug", "TREATS", "Disease"),
    "gene": ("Disease", "ASSOCIATED_WITH", "Gene"),
    "worse": ("Disease", "WORSENED_BY", "Chemical"),
    "avoid": ("Disease", "CONTRAINDICATED_WITH", "Drug"),
    "inheritance": ("Disease", "RELATED_TO", "Phenotype"),
    "symptom": ("Disease", "HAS_SYMPTOM", "Symptom"),
}
"""What a row of the table says → labels of both ends, and the relation."""

ALONE = "According to Drugs of our clinic alone, "
"""How a sentence begins that only the table says."""

LISTED = "One uncurated table lists "
"""How it begins where people may act on it, which a table that no curator has ranked does not settle."""

TABLE = """\
about,kind,what
Metformin,side effect,nausea
Metformin,side effect,lactic acidosis
Metformin,interaction,alcohol
Ibuprofen,interaction,warfarin
Metformin,contraindication,kidney disease
Metformin,use,type 2 diabetes
kidney disease,avoid,Ibuprofen
cystic fibrosis,gene,CFTR
cystic fibrosis,inheritance,autosomal recessive inheritance
gout,worse,alcohol
lupus,symptom,rash
"""

PAGE = {
    "id": "leaflets:metformin",
    "title": "Metformin",
    "sections": [
        {
            "type": "side effects",
            "heading": "What are the side effects of metformin?",
            "text": "The most common side effects of metformin are nausea, vomiting and diarrhea.",
        },
    ],
}


def mapping():
    """The mapping of the table, as a curator writes it."""
    lines = ["source: {id: clinic, title: Drugs of our clinic, version: 2026-03, licence: CC-BY-4.0}", "entities:"]
    for kind, (about, _, what) in LABELS.items():
        for column, label in (("about", about), ("what", what)):
            lines.append(
                f'  - {{id: "clinic:{{{column}|slug}}", label: {label}, name: "{{{column}}}", when: {{kind: {kind}}}}}'
            )
    lines.append("relations:")
    for kind, (_, relation, _) in LABELS.items():
        lines.append(
            f'  - {{subject: "clinic:{{about|slug}}", type: {relation}, object: "clinic:{{what|slug}}", '
            f"when: {{kind: {kind}}}}}"
        )
    return "\n".join(lines) + "\n"


def load(graph, settings, encoder, folder, page=None, table=TABLE):
    (folder / "clinic.yaml").write_text(mapping(), encoding="utf-8")
    (folder / "clinic.csv").write_text(table, encoding="utf-8")
    report = load_named(graph, settings, str(folder / "clinic.yaml"), folder / "clinic.csv")
    assert not report.rejected
    if page:
        (folder / "leaflets.jsonl").write_text(json.dumps(page), encoding="utf-8")
        load_named(graph, settings, "documents", folder / "leaflets.jsonl")
    index_names(settings, graph)
    index(graph, encoder, "all")
    retriever = Retriever(graph, lambda: encoder, names_of(graph))
    return Answerer(retriever, lambda: encoder, facts=GraphFacts(graph))


@pytest.fixture
def ask(graph, settings, encoder, tmp_path):
    """Answers from the table alone, by the composer that quotes texts."""
    prepared(graph, "clinic", lambda: load(graph, settings, encoder, tmp_path))
    retriever = Retriever(graph, lambda: encoder, names_of(graph))
    return Answerer(retriever, lambda: encoder, facts=GraphFacts(graph)).ask


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "What are the side effects of metformin?",
            f"{ALONE}side effects of Metformin include lactic acidosis and nausea.",
        ),
        ("Can metformin cause nausea?", f"{ALONE}side effects of Metformin include nausea."),
        ("Which drugs cause nausea?", f"{ALONE}what may have nausea as a side effect includes Metformin."),
        ("Does metformin interact with alcohol?", f"{ALONE}Metformin interacts with alcohol."),
        ("Can I take warfarin with ibuprofen?", f"{ALONE}warfarin interacts with Ibuprofen."),
        ("Who should not take metformin?", f"{LISTED}kidney disease under contraindication for Metformin."),
        ("Is metformin safe with kidney disease?", f"{LISTED}kidney disease under contraindication for Metformin."),
        ("Is ibuprofen safe with kidney disease?", f"{LISTED}kidney disease under contraindication for Ibuprofen."),
        ("Which drugs should be avoided with kidney disease?",
         f"{LISTED}Ibuprofen and Metformin under contraindication for kidney disease."),
        ("What is metformin used for?", f"{LISTED}type 2 diabetes under indication for Metformin."),
        ("Which genes are associated with cystic fibrosis?",
         f"{ALONE}the gene CFTR is associated with cystic fibrosis."),
        ("What diseases is CFTR associated with?", f"{ALONE}CFTR is associated with cystic fibrosis."),
        ("Is CFTR associated with cystic fibrosis?", f"{ALONE}the gene CFTR is associated with cystic fibrosis."),
        ("How is cystic fibrosis inherited?",
         f"{ALONE}cystic fibrosis is related to autosomal recessive inheritance."),
        ("What makes gout worse?", f"{LISTED}alcohol under precautions for gout."),
        ("Is alcohol bad for gout?", f"{LISTED}alcohol under precautions for gout."),
    ],
)  # fmt: skip
def test_a_loaded_table_answers(ask, question, said):
    answer = ask(question)
    assert answer.status == "answered"
    assert [sentence.text for sentence in answer.sentences] == [said]
    for sentence in answer.sentences:
        assert sentence.verdict == "supported"
        assert {(v.sources, v.licences) for fact in sentence.facts for v in fact.said} == {
            (("clinic",), ("CC-BY-4.0",))
        }
    assert ask(question.replace("What", "Please tell me what"), composer="graph").sentences == answer.sentences


@pytest.mark.parametrize(
    "question",
    [
        "What are the side effects of metformin in children?",
        "Is metformin safe with gout?",
        "Does metformin interact with warfarin?",
        "Can ibuprofen cause nausea?",
        "Is metformin safe?",
        "What are the side effects of ibuprofen?",
        "What are the symptoms of lupus?",
        "How is metformin taken and what are its side effects in children?",
    ],
)
def test_what_no_relation_says_is_not_answered(ask, question):
    assert not ask(question).sentences


def test_what_is_cited_is_printed_and_shown_by_its_statement(ask, graph, capsys):
    answer = ask("What are the side effects of metformin?")
    printing.answer(answer)
    assert "clinic (CC-BY-4.0), stated" in capsys.readouterr().out
    assert all(run(graph, fact.cypher) for fact in answer.sentences[0].facts)


def test_facts_stand_behind_texts_where_they_add(database, settings, encoder, tmp_path, capsys):
    ask = load(database, settings, encoder, tmp_path, PAGE).ask
    answer = ask("What are the side effects of metformin?")
    quoted, added = answer.sentences
    assert quoted.text == PAGE["sections"][0]["text"]
    assert added.text == "One source alone also names, under side effects for Metformin: lactic acidosis."
    assert (added.verdict, answer.cited) == ("supported", ("leaflets:metformin#1", "clinic"))
    assert answer.text == f"{quoted.text} [1]\n{added.text} [2]"
    printing.answer(answer)
    shown = capsys.readouterr().out
    assert "\nDrugs of our clinic (clinic, CC-BY-4.0, from 2026 or before)\n    [2] relations\n" in shown
    assert shown.index("Metformin (documents") < shown.index("Relations that this rests on") < shown.index("clinic (CC")
    run(database, "MATCH (:Entity {id: 'clinic:metformin'})-[r]->(:Entity {id: 'clinic:lactic-acidosis'}) DELETE r")
    assert ask("What are the side effects of metformin?").sentences == (quoted,)


def test_facts_that_a_text_names_in_other_words_are_not_said_again(database, settings, encoder, tmp_path):
    table = "Metformin,side effect,emesis\nMetformin,side effect,lactic acidosis\n"
    ask = load(database, settings, encoder, tmp_path, PAGE, TABLE + table).ask
    start = PAGE["sections"][0]["text"].index("vomiting")
    run(
        database,
        "MATCH ({id: 'leaflets:metformin#1'})-[:HAS_CHUNK]->(c), (:Entity {id: 'clinic:emesis'})-[:MEANS]->(x) "
        "CREATE (c)-[:MENTIONS {start: $start, end: $end}]->(x)",
        start=start,
        end=start + len("vomiting"),
    )
    (_, added) = ask("What are the side effects of metformin?").sentences
    assert [fact.object_name for fact in added.facts] == ["lactic acidosis"]


def test_every_sentence_has_a_number_on_the_page_for_agents_and_in_notebooks(database, settings, encoder, tmp_path):
    load(database, settings, encoder, tmp_path, PAGE)
    service = service_over(database, lambda: encoder, names_of(database))
    question = "What are the side effects of metformin?"
    page = create_app(service).test_client().get("/ask", query_string={"q": question}).text
    assert re.search(r'lactic acidosis\.&#8288;<a class="cite" href="#source-2" aria-label="Source 2: Drugs', page)
    assert re.search(r'<li class="card" id="source-2">\s*<p><span class="number">2</span> Drugs of our clinic', page)
    assert "relations \u00b7 from 2026 or before \u00b7 CC-BY-4.0" in page
    text, relations = Tools(service, 10).ask(question).sources
    assert (text.number, text.resource) == (1, "medgraph://section/leaflets%3Ametformin%231")
    assert (relations.number, relations.resource) == (2, "")
    assert (relations.source, relations.type, relations.dated) == ("clinic", "relations", "from 2026 or before")
    assert "lactic acidosis" in relations.quote
    given = service.answer(question, Filters())
    shown = ClientAnswer(**{name: getattr(given, name) for name in ClientAnswer.__dataclass_fields__})._repr_html_()
    assert "<li>Drugs of our clinic (relations, CC-BY-4.0, from 2026 or before)" in shown


def test_a_brand_is_looked_up_as_the_drug_and_no_page_that_has_it_among_its_names(database, settings, tmp_path):
    topic = Entity("pages:dose", "Topic", "Metformin dosing", ("Glucophage",))
    Loading(tmp_path, database)([Entity("DB:1", "Drug", "metformin"), topic], "pages")
    linker = names_of(database)
    assert resolve(database, linker, "glucophage").entity == "DB:1"
    assert resolve(database, linker, "Metformin dosing").entity == "pages:dose"


def refuse():
    raise AssertionError("facts need no encoder")


@pytest.fixture
def asking(graph, settings, tmp_path):
    """Takes questions apart over a small graph of three sources."""
    database = joined(graph, settings, tmp_path)
    return Retriever(database, refuse, names_of(database)).question


LABELS_FACTS = {
    "gout": "Disease", "podagra": "Disease", "kidney disease": "Disease", "nausea": "SideEffect", "fever": "Symptom",
    "allopurinol": "Drug", "alcohol": "Chemical", "beer": "Topic", "tp53": "Gene", "children": "Topic",
}  # fmt: skip


def named(text):
    """A question over names that are known without a graph."""
    mentions = [
        Mention(name, label, name, name, name, 1.0, (name,), 0, found.start(), found.end())
        for name, label in LABELS_FACTS.items()
        for found in [re.search(rf"\b{name}\b", text.lower())]
        if found
    ]
    return Question(text, words_of(text), None, lambda _: mentions, refuse)


@pytest.mark.parametrize("text", examples("no_questions_of_facts"))
def test_nothing_else_is_asked_of_facts(text):
    assert fact_queries(named(text)) == []


def test_facts_have_two_voices_at_least(asking, graph):
    (fever,) = requested_facts(graph, asking("What are the symptoms of gout?"))
    assert (fever.subject_name, fever.relation, fever.forward, fever.object) == (
        "gout",
        "HAS_SYMPTOM",
        True,
        "C0015967",
    )
    assert fever.text == "Symptoms of gout include fever."
    assert (fever.backing.stated, fever.backing.told, fever.backing.corroborated) == (("doid",), ("pages",), True)
    stated, read = fever.said
    assert (stated.method, stated.sources, stated.score, stated.evidence) == ("stated", ("doid",), 0.5, ("PMID:1",))
    assert (read.method, read.sources, read.score, read.evidence) == ("section", ("pages",), 0.9, ("p1#1",))
    assert (voices_of(fever), sureness(fever), fever.backing.stated) == (2, 0.9, stated.sources)
    assert run(graph, fever.cypher)
    (drug,) = requested_facts(graph, asking("How is gout treated?"))
    assert (drug.object_name, sureness(drug)) == ("allopurinol", 1.0)
    assert requested_facts(graph, asking("What causes gout?")) == requested_facts(graph, asking("Is gout bad?")) == []


def test_what_one_source_alone_says_is_said_to_be_its_word(asking, graph):
    (fever,) = requested_facts(graph, asking("What are the symptoms of gout?"))
    read = replace(fever, backing=Backing(told=("pages",), sections=1, who="Pages"))
    assert worded([read]) == "According to texts of Pages alone, symptoms of gout include fever."
    assert worded([read, replace(read, object_name="a cough")], also=True) == (
        "According to texts of Pages alone, symptoms of gout also include fever and a cough."
    )


def test_what_an_uncurated_table_alone_gives_is_no_fact(asking, graph):
    (drug,) = requested_facts(graph, asking("How is gout treated?"))
    listed = replace(drug, backing=Backing(stated=("list",), uncurated=True, who="Clinic list"))
    assert worded([listed]) == "One uncurated table lists allopurinol under treatment for gout."
