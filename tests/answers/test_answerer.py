"""Answers: what was understood, what is shown and kept, and none where the evidence does not suffice."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from medgraph.answers import part_answers
from medgraph.answers.answer import NOTICE, Citation
from medgraph.answers.answer_runs import forget, keep, run_of
from medgraph.answers.assembly import Assembly
from medgraph.answers.part_answers import OUTSIDE, UNKNOWN
from medgraph.answers.signs import ANSWERS, Signs
from medgraph.errors import EncoderMismatchError, InputError, SchemaMissingError
from medgraph.graph import catalogue
from medgraph.queries.entities import Mention
from medgraph.queries.filters import Filters
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import Retriever, SectionText
from medgraph.schema import migrate
from tests.support.answers import check_citations
from tests.support.emergencies import emergencies
from tests.support.graphs import run, state_of
from tests.support.linking import linker_of

NOT_ANSWERED = [
    "How do I treat rust on my bicycle, it looks sick?",
    "What are the symptoms of a failing car battery?",
    "What are the symptoms of Zorblatt disease?",
    "How is Erdheim-Chester disease treated?",
    "colourless green ideas are louder than a table",
    "qwertz uiop asdfgh",
    "'}) DETACH DELETE n //",
]


@pytest.mark.parametrize("question", NOT_ANSWERED)
def test_without_enough_evidence_there_is_no_answer_but_what_was_found(answerer, question):
    answer = answerer.ask(question)
    assert (answer.status, answer.sentences, answer.notice) == ("not_enough_evidence", (), NOTICE)
    assert answer.confidence < ANSWERS["question"]
    unknown = answer.remark.startswith(UNKNOWN.partition("{")[0])
    assert answer.evidence or answer.remark == OUTSIDE or unknown
    assert all(item.document for item in answer.evidence)


def test_an_answer_tells_what_was_understood_and_how_long_it_took(answerer):
    answer = answerer.ask("symptms of diabetis type 2")
    assert answer.intent == "symptoms"
    assert [(e.entity, e.surface) for e in answer.entities] == [("sample:type-2-diabetes", "diabetis type 2")]
    steps = {name: ms for name, ms in answer.timing_ms.items() if name != "total"}
    assert steps.keys() == {"understand", "encode", "retrieve", "choose", "verify", "offer"}
    assert answer.timing_ms["total"] >= sum(steps.values()) - 1
    assert "elsewhere" in answerer.ask("What are the symptoms of Zorblatt disease?").timing_ms


def test_all_that_is_asked_is_answered_and_what_is_not_is_said(answerer, sample_graph):
    answer = answerer.ask("How is gout treated and can I prevent it?")
    assert [c.section for s in answer.sentences for c in s.citations] == sorted(
        [c.section for s in answer.sentences for c in s.citations]
    )
    assert {c.section for s in answer.sentences for c in s.citations} == {"sample:gout#6", "sample:gout#7"}
    assert answer.unanswered == ()
    assert {item.type for item in answer.evidence} >= {"treatment", "prevention"}
    check_citations(sample_graph, answer)
    answer = answerer.ask("What are the stages of gout and how is it treated?")
    assert (answer.status, answer.unanswered) == ("answered", ("What are the stages of gout?",))
    assert {c.section for s in answer.sentences for c in s.citations} == {"sample:gout#6"}
    assert answerer.ask("How is gout treated?").unanswered == ()


def test_what_to_do_comes_with_whatever_else_is_answered(answerer):
    answer = answerer.ask("My chest hurts and my left arm is numb. How is gout treated?")
    assert [urgent.kind for urgent in answer.urgent] == ["heart"]
    assert answer.status == "answered"
    assert {sentence.citations[0].title for sentence in answer.sentences} == {"Gout"}
    assert next(iter(answer.as_dict()["urgent"]))["title"] == "This may be a heart attack"
    assert answerer.ask("Can stress cause chest pain?").urgent == ()


def test_an_emergency_comes_first_whatever_was_asked_before_and_nothing_stands_beside_it(answerer):
    messages = [*emergencies("dev"), *emergencies("held")]
    told = {text: answerer.ask(text, previous=("How is gout treated?",)) for _, text in messages}
    told = {text: answer for text, answer in told.items() if answer.urgent}
    assert (len(messages), len(told)) == (60, 60)
    for text, answer in told.items():
        assert answer.understood == " ".join(text.split()), text
        beside = (answer.sentences, answer.evidence, answer.follow_ups, answer.ask_back, answer.remark)
        assert answer.status == "answered" or beside == ((), (), (), None, ""), text


def test_a_question_outside_health_is_declined_and_nothing_is_shown_as_found(answerer):
    answer = answerer.ask("best pizza in town")
    assert (answer.remark, answer.status, answer.evidence) == (OUTSIDE, "not_enough_evidence", ())


def test_questions_in_a_row_are_parts_and_what_is_too_much_is_said(answerer):
    answer = answerer.ask("WHAT IS GOUT!!!! HOW DO I TREAT IT")
    assert [part.asked for part in answer.parts] == ["WHAT IS GOUT?", "HOW DO I TREAT GOUT?"]
    answer = answerer.ask(" ".join(f"What causes {name}?" for name in ("gout", "asthma", *"abcdefgh")))
    assert [part.asked for part in answer.parts][:2] == ["What causes gout?", "What causes asthma?"]
    assert answer.unanswered[-6:] == tuple(f"What causes {name}?" for name in "cdefgh")
    asked = "symptoms and causes and treatment and prevention and outlook and diagnosis of gout"
    answer = answerer.ask(asked)
    assert len(answer.parts) == 4
    assert set(answer.unanswered) >= {"What is the outlook for gout?", "How is gout diagnosed?"}


def test_a_text_that_is_no_question_is_told_so_and_is_not_searched_for(answerer):
    for text, said in (
        ("喘息是什么病", "This seems to be written in Chinese"),
        ("Was ist Gicht?", "This seems to be written in German"),
        ("Hello!", "Hello!"),
        ("symptoms?", "This does not say of what."),
    ):
        answer = answerer.ask(text)
        assert answer.remark.startswith(said)
        assert (answer.status, answer.sentences, answer.evidence) == ("not_enough_evidence", (), ())
        assert answer.timing_ms.keys() == {"understand", "total"}
    assert answerer.ask("How is gout treated?").remark == ""
    with pytest.raises(InputError, match="there is no source 'nope'"):
        answerer.ask("Was ist Gicht?", Filters(sources=("nope",)))


def test_filters_restrict_what_is_cited_and_shown(answerer):
    answer = answerer.ask("How is gout treated?", Filters(types=("prevention",)))
    assert {item.type for item in answer.evidence} == {"prevention"}
    assert {c.section for s in answer.sentences for c in s.citations} <= {"sample:gout#7"}
    with pytest.raises(InputError, match="there is no source 'nope'"):
        answerer.ask("How is gout treated?", Filters(sources=("nope",)))
    with pytest.raises(InputError, match="no word in it"):
        answerer.ask("?!")
    with pytest.raises(InputError, match="10,001 characters"):
        answerer.ask("a" * 10_001)


def test_asking_writes_nothing(answerer, sample_graph):
    before = state_of(sample_graph)
    for question in ["'}) DETACH DELETE n //", "gout'}) SET n.text = '' //", 'asthma" OR 1=1', "x" * 10_000]:
        answerer.ask(question)
    assert state_of(sample_graph) == before


def test_what_comes_closest_to_one_thing_asked_stands_apart_from_what_answers_another(answerer, monkeypatch):
    asked = "How is gout treated and can I eat bananas with it?"
    monkeypatch.setattr(part_answers, "LEAST_CLOSEST", 0.0)
    answer = answerer.ask(asked)
    treated, eaten = answer.parts
    assert (treated.status, eaten.status, eaten.sentences, treated.closest) == ("answered", "related", (), ())
    assert eaten.closest == tuple(range(len(answer.closest)))
    assert answer.closest
    assert answer.unanswered == (eaten.asked,)
    assert {one.text for one in answer.closest}.isdisjoint(one.text for one in answer.sentences)
    monkeypatch.setattr(part_answers, "LEAST_CLOSEST", 1.0)
    assert answerer.ask(asked).closest == ()


def test_a_message_of_few_words_is_answered_as_its_question(answerer):
    plain = answerer.ask("What are the treatments for gout?")
    answer = answerer.ask("My mother has gout. Which therapies could help her?")
    assert (answer.status, answer.sentences, answer.confidence) == ("answered", plain.sentences, plain.confidence)
    _, quoted = answerer.quoted("My mother has gout. Which therapies could help her?")
    assert [one.text for one in quoted] == [one.text for one in plain.sentences]


def test_beside_an_emergency_nothing_else_is_offered_unless_it_answers(answerer):
    answer = answerer.ask("I have crushing chest pain. Can I eat bananas with gout?")
    assert [urgent.kind for urgent in answer.urgent] == ["heart"]
    assert (answer.status, answer.sentences, answer.follow_ups, answer.apart) == ("not_enough_evidence", (), (), ())
    answer = answerer.ask("I have crushing chest pain. Can asthma cause gout?")
    assert (bool(answer.urgent), answer.follow_ups, answer.apart) == (True, (), ())


MIGRATIONS = [{"version": m.version, "checksum": m.checksum, "applied": "2026-11-01"} for m in migrate.migrations()]
MODEL = SimpleNamespace(name="a model", dimension=8)


@dataclass
class Graph:
    """Stands for a graph of which only the schema and the encoder are asked."""

    migrations: list
    encoder: str = MODEL.name
    slot: str = ""

    def read(self, query, **_):
        if query.name == "encoder":
            return [{"name": self.encoder, "dimension": MODEL.dimension}]
        assert query.name == "migrations"
        return self.migrations


class Loads:
    """Loads the encoder, and counts how often."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return MODEL


@pytest.mark.parametrize("part", ["retriever", "answerer"])
def test_a_graph_that_lacks_a_migration_is_refused_before_the_encoder_is_loaded(part):
    load = Loads()
    with pytest.raises(SchemaMissingError, match=r"the graph lacks the schema V\d+ \w+; run: medgraph schema apply"):
        getattr(Assembly(Graph(MIGRATIONS[:-1]), load, linker_of), part)
    assert load.count == 0


def test_the_encoder_is_loaded_once_and_when_it_is_first_needed():
    load = Loads()
    assembly = Assembly(Graph(MIGRATIONS), load, linker_of)
    assert isinstance(assembly.retriever, Retriever)
    assert load.count == 0
    assert assembly.encoder() is assembly.encoder() is MODEL
    assert load.count == 1


def test_an_encoder_that_made_other_vectors_is_refused():
    assembly = Assembly(Graph(MIGRATIONS, "another"), Loads(), linker_of)
    with pytest.raises(
        EncoderMismatchError, match=r"the graph's vectors are from another \(8 dimensions\), not from a"
    ):
        assembly.encoder()


TRIAL = {
    "id": "trial",
    "title": "Effects of a daily glass of tart cherry juice on flares: a randomised trial of 112 adults",
    "sections": [
        {"heading": "Methods", "text": "We gave 112 adults with gout a glass of tart cherry juice or water every day."},
        {
            "heading": "Results",
            "text": "Tart cherry juice reduced gout flares by a third within six months of the trial.",
        },
    ],
}


def test_documents_of_ones_own_are_cited(load, database):
    answerer = load([TRIAL])
    answer = answerer.ask("Does tart cherry juice reduce gout flares?")
    assert answer.status == "answered"
    assert {c.document for s in answer.sentences for c in s.citations} == {"trial"}
    check_citations(database, answer)
    # What is only near is quoted as such, and what is not even that is not.
    for question in [
        "Does grapefruit juice reduce gout flares in dogs?",
        "Does tart cherry juice prevent sunburn on long journeys?",
    ]:
        assert answerer.ask(question).status == "related"
    assert answerer.ask("best pizza in town").status == "not_enough_evidence"


PLACE = dict.fromkeys(
    ("url", "source", "collection", "licence", "type", "heading", "question", "sentence_model", "sentence_vectors"), ""
)


def asked(text, name, label):
    place = text.index(name)
    mention = Mention(f"s:{name}", label, name, name, name, 1.0, (), 1, place, place + len(name))
    return Question(text, words_of(text), None, lambda _: [mention], lambda: None)


def section(title, text, entities=()):
    return SectionText(
        section="s",
        document="d",
        title=title,
        aliases=(),
        text=text,
        entities=entities,
        concepts=(),
        notices=(),
        **PLACE,
    )


EPILEPSY = asked("Is epilepsy inherited?", "epilepsy", "Disease")


@pytest.mark.parametrize(
    ("question", "page", "texts", "on"),
    [
        (EPILEPSY, section("Nocturnal epilepsy", ""), ["This condition is inherited."], False),
        (EPILEPSY, section("Nocturnal epilepsy", ""), ["Epilepsy is seldom inherited."], True),
        (EPILEPSY, section("Seizures", "", ["s:epilepsy"]), ["This condition is seldom inherited."], True),
        (asked("Is itching inherited?", "itching", "Symptom"), section("Eczema", ""), ["It is inherited."], True),
        (
            asked("My sister has epilepsy. Is it inherited?", "epilepsy", "Disease"),
            section("Eczema", ""),
            ["It is."],
            True,
        ),
    ],
)
def test_what_is_on_the_thing_asked_about(question, page, texts, on):
    assert Signs(question).is_on_thing(page, texts) == on


def test_what_has_the_words_of_a_disease_apart_or_is_like_it_is_not_on_it():
    page = section("Q fever", "")
    cancer = asked("What causes thyroid cancer?", "thyroid cancer", "Disease")
    assert not Signs(cancer).is_on_thing(page, ["It harms the thyroid: a drug for the heart, another for cancer."])
    assert Signs(cancer).is_on_thing(page, ["Cancer of the thyroid is rare."])
    flu = asked("How long does flu last?", "flu", "Disease")
    assert not Signs(flu).is_on_thing(page, ["Flu-like symptoms last for two weeks."])
    assert Signs(flu).is_on_thing(page, ["Flu lasts for two weeks."])


@pytest.mark.parametrize(
    ("question", "title", "form"),
    [
        (asked("What causes epilepsy?", "epilepsy", "Disease"), "Familial epilepsy", True),
        (asked("What causes epilepsy?", "epilepsy", "Disease"), "Epilepsy", False),
        (asked("What causes epilepsy?", "epilepsy", "Disease"), "Deafness with epilepsy", True),
        (asked("What causes epilepsy?", "epilepsy", "Disease"), "Living with epilepsy", False),
        (asked("How is epilepsy treated?", "epilepsy", "Disease"), "Juvenile epilepsy", True),
        (asked("How is epilepsy of my son treated?", "epilepsy", "Disease"), "Juvenile epilepsy", False),
        (asked("What causes familial epilepsy?", "familial epilepsy", "Disease"), "Familial epilepsy", False),
        (EPILEPSY, "Familial epilepsy", False),
        (EPILEPSY, "Epilepsy 8", True),
        (asked("Is epilepsy type 8 inherited?", "epilepsy", "Disease"), "Epilepsy 8", False),
    ],
)
def test_a_form_of_a_disease_that_nothing_asks_for_is_another_thing(question, title, form):
    page = section(title, "", ["s:epilepsy", "s:familial epilepsy"])
    assert Signs(question).is_form(page) == form
    assert Signs(question).about(page) != form


CLAIMS = (
    "MATCH (a:Answer)-[:MAKES]->(c:Claim) OPTIONAL MATCH (c)-[r]->(k:Chunk) "
    "RETURN c.text AS claim, type(r) AS type, k.id AS chunk, r.score AS score, r.quote AS quote, c.sources AS sources "
    "ORDER BY c.position, chunk, type DESC"
)


@pytest.fixture
def kept(told, graph, settings):
    """Keeps answers in the small graph of three sources, and clears up."""
    before = state_of(graph)

    def put(answer, **filters):
        return keep(graph, answer, run_of(graph, answer, "graph", Filters(**filters), settings))

    yield put
    forget(graph, (), everything=True)
    assert state_of(graph) == before


def test_a_fact_leads_to_the_chunk_that_tells_it_and_names_who_states_it(told, kept, graph):
    name, claims = kept(told.ask("What are the symptoms of gout?"))
    assert claims == 1
    assert run(graph, CLAIMS) == [
        {"claim": "Symptoms of gout include fever.", "type": "SUPPORTED_BY",
         "chunk": "p1#1a", "score": 0.9, "quote": None, "sources": ["doid"]}
    ]  # fmt: skip
    (row,) = run(graph, "MATCH (a:Answer) RETURN a {.*, kept: a.kept IS NOT NULL} AS a")
    assert row["a"] == {
        "id": name,
        "question": "What are the symptoms of gout?",
        "understood": "What are the symptoms of gout?",
        "status": "answered",
        "composer": "graph",
        "precision": "f32",
        "confidence": 0.9,
        "text": "Symptoms of gout include fever.",
        "kept": True,
    }


def test_what_contradicts_is_kept_and_saved_queries_show_it(told, kept, graph):
    answer = told.ask("What are the symptoms of gout?")
    quote = "No asthma comes of podagra."
    against = Citation("p1#1", "p1", "Gout", "", "pages", "", 29, 56, quote, "")
    kept(replace(answer, sentences=(replace(answer.sentences[0], contradicting=(against,)),)))
    rows = run(graph, CLAIMS)
    assert [(row["type"], row["chunk"]) for row in rows] == [("SUPPORTED_BY", "p1#1a"), ("CONTRADICTED_BY", "p1#1a")]
    (contested,) = graph.read(catalogue.get("contested_claims"), limit=5)
    assert (contested["said_by"], contested["against_by"], contested["against"]) == (
        ["pages", "doid"],
        ["pages"],
        [quote],
    )
    (pair,) = graph.read(catalogue.get("sources_that_disagree"), limit=5)
    assert (pair["supports"], pair["contradicts"], pair["claims"]) == ("pages", "pages", 1)
    (listed,) = graph.read(catalogue.get("kept_answers"), limit=5)
    assert (listed["claims"], listed["contested"]) == (1, 1)
    assert len(graph.read(catalogue.get("claim_graph"), question="GOUT", limit=9)) > 1
    assert graph.read(catalogue.get("claims_adrift"), source="", examples=5) == []


def test_answers_are_forgotten_by_id_or_all(told, kept, graph):
    names = [kept(told.ask(text))[0] for text in ("How is gout treated?", "Is gout bad? \u75db\u98ce", "gout '}) //")]
    assert forget(graph, [names[0], "answer:nope"]) == 1
    assert forget(graph, []) == 0
    assert forget(graph, [], everything=True) == 2
    assert run(graph, "MATCH (n:Answer|Claim|Run) RETURN n") == []
