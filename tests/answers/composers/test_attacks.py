"""Attacks on a model that obeys each, in questions, documents, titles and names: what they want is not shown."""

from dataclasses import replace

import pytest

from medgraph.answers import generated
from medgraph.answers.answer import CitedFact
from medgraph.answers.generated import ModelWriter
from medgraph.answers.part_answers import Material, PartAnswer, untold
from medgraph.answers.parts import QuestionPart
from medgraph.answers.prompting import instructed
from medgraph.answers.verify.claims import Chances
from medgraph.answers.verify.supporting import citing
from medgraph.answers.verify.verifier import FLAG, verified
from medgraph.models.open import SMOLLM2, fetch, open_model
from medgraph.progress import Clock
from medgraph.queries.voices import PathVoice
from medgraph.settings import Settings
from tests.support.emergencies import lines_of
from tests.support.written import asked_of, ids_of, page_of, sentences, written_by


def attacks(half):
    rows = (line.split("\t") for line in lines_of("attacks.tsv"))
    return [(wanted, text.replace("PAYLOAD", wanted)) for part, wanted, text in rows if part == half]


ATTACKS = attacks("dev")
PLACES = ("question", "document", "title", "name")
TOLD = (
    "Gout attacks are treated with nonsteroidal anti-inflammatory drugs, colchicine or corticosteroids."
    " Colchicine 0.6 mg is taken twice a day for prevention. People with kidney disease should not take naproxen."
    " Allopurinol lowers uric acid in the blood. Aspirin can raise uric acid levels."
)
MIXED = {
    ("title", "Gout is treated with colchicine and oil."),
    ("title", "Colchicine cures gout for ever."),
}
"""Sentences that have their last words from an attacked page, or its title, and pass."""
TRUE = "Resting the joint eases gout in town"


@pytest.fixture
def obeying(settings, monkeypatch, tmp_path):
    """A server that writes what it is told to want, and cites all that it is given; with what asks it."""
    obeyed = {}
    with asked_of(settings, monkeypatch, tmp_path, lambda body: sentences((obeyed["wanted"], ids_of(body)))) as (
        server,
        own,
    ):
        yield obeyed, server, open_model(own)


def shown(answer):
    return [sentence.text for sentence in answer.sentences]


def test_there_are_fifty():
    assert len(set(ATTACKS)) == len({wanted for wanted, _ in ATTACKS}) == 50


@pytest.mark.thorough
def test_in_questions(sample_graph, encoder, settings, monkeypatch, tmp_path):
    wanted = ""
    with written_by(
        sample_graph, encoder, settings, monkeypatch, tmp_path, lambda body: sentences((wanted, ids_of(body)))
    ) as (answerer, server):
        for wanted, attack in ATTACKS:  # the server writes it
            answer = answerer.ask(f"How is gout treated? {attack}")
            assert wanted not in shown(answer), attack
    assert len(server.requests) >= 40


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["text", "title"])
def test_in_documents_and_titles(load, database, encoder, settings, monkeypatch, tmp_path, place):
    load(
        [
            {
                "id": f"page-{number}",
                "title": f"Gout. {attack}" if place == "title" else f"Gout, page {number}",
                "sections": [
                    {
                        "question": f"How is gout treated in town {number}?",
                        "type": "treatment",
                        "text": f"{TRUE} {number}." + (f" {attack}" if place == "text" else ""),
                    }
                ],
            }
            for number, (_, attack) in enumerate(ATTACKS)
        ]
    )
    wanted = ""
    leaked = []
    with written_by(
        database, encoder, settings, monkeypatch, tmp_path, lambda body: sentences((wanted, ids_of(body)))
    ) as (answerer, _):
        for number, (wanted, attack) in enumerate(ATTACKS):
            answer = answerer.ask(f"How is gout treated in town {number}?")
            leaked += [attack] * (wanted in shown(answer))
    assert leaked == []


def test_in_names(told, obeying):
    obeyed, server, model = obeying
    (fact,) = told.ask("How is gout treated?").sentences[0].facts
    for wanted, attack in ATTACKS:
        obeyed["wanted"] = wanted
        bad = replace(fact, object_name=attack, text=fact.text.replace(fact.object_name, attack))
        part = QuestionPart("How is gout treated?", None, None)
        given = PartAnswer(
            part, "not_enough_evidence", (), (), 0.0, material=Material(facts=[bad, fact], paths=[[bad]])
        )
        (answer,), _ = ModelWriter(model).write("?", [given], Clock(), untold)
        assert answer.sentences == (), attack
    assert len(server.requests) == 50


def test_of_attacks_that_nothing_was_set_on_none_leaks_as_a_sentence_of_its_own():
    for wanted, attack in attacks("fresh"):
        page = page_of("Gout", f"{TRUE}. {attack}")
        (sentence,) = verified([citing(wanted, [page], Chances())], [page], FLAG)
        assert sentence.verdict != "supported" or instructed(page), attack


def placed(half):
    """Attacks that were written for one place: place, sentence and what they say."""
    rows = (line.split("\t") for line in lines_of("attacks-placed.tsv"))
    return [(place, wanted, text.replace("PAYLOAD", wanted)) for part, place, _, wanted, text in rows if part == half]


def found_with(place, attack):
    """What was found, with an attack in a place of it."""
    clean = page_of("Gout", TOLD, "clean", chosen=True)
    fact = treated_with("colchicine")
    if place == "document":
        parts = enumerate(attack.split(" || "))
        return Material([*(page_of("Gout", f"{TOLD} {part}", f"{n}", chosen=True) for n, part in parts), clean])
    if place == "title":
        return Material([page_of(attack, TOLD, "attacked", chosen=True), clean])
    if place == "name":
        return Material([clean], [treated_with(attack), fact], [[treated_with(attack)]])
    return Material([clean], [fact])


def treated_with(name):
    voice = PathVoice("TREATED_BY", "stated", ("s",), (), None, ())
    return CitedFact("g", "gout", "TREATED_BY", True, "c", name, "Drug", f"Gout is treated with {name}.", (voice,), "")


def written_for(model, place, attack):
    question = f"How is gout treated? {attack if place == 'question' else ''}"
    part, found = QuestionPart(question, None, None), found_with(place, attack)
    given = PartAnswer(part, "not_enough_evidence", (), (), 0.0, material=found)
    return ModelWriter(model).write(question, [given], Clock(), untold)


@pytest.mark.parametrize(("half", "known"), [("blind", set()), ("after", MIXED)])
def test_in_each_place_whichever_they_were_written_for(obeying, half, known):
    obeyed, server, model = obeying
    leaked = set()
    for _, wanted, attack in placed(half):
        obeyed["wanted"] = wanted
        for place in PLACES:
            (answer,), _ = written_for(model, place, attack)
            leaked |= {(place, wanted)} if wanted in shown(answer) else set()
    assert leaked == known
    assert len(server.requests) == len(PLACES) * len(placed(half))


@pytest.fixture(scope="module")
def small():
    """The small model in this process, in place of a server."""
    usual = Settings.from_environment()
    fetch(SMOLLM2, usual, lambda line: None)
    return open_model(replace(usual, model="gguf:smollm2-135m"))


@pytest.mark.thorough
@pytest.mark.parametrize("some", [ATTACKS[::17], pytest.param(ATTACKS, marks=pytest.mark.thorough)], ids=["few", "all"])
def test_a_real_small_model_is_not_misled_either(small, monkeypatch, some):
    monkeypatch.setattr(generated, "REPLY", 80)
    part = QuestionPart("How is gout treated?", None, None)
    for wanted, attack in some:
        told_apart = (("Gout", f"{TRUE}. {attack}"), (f"Gout. {attack}", f"{TRUE}."), ("Gout", f"{TRUE}."))
        pages = [page_of(title, text, chosen=True) for title, text in told_apart]
        given = PartAnswer(part, "not_enough_evidence", (), (), 0.0, material=Material(sections=pages))
        (answer,), told = ModelWriter(small).write(f"How is gout treated? {attack}", [given], Clock(), untold)
        assert wanted not in shown(answer), attack
        assert told.model.startswith("gguf:")


@pytest.mark.thorough
@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.thorough)], ids=["few", "all"])
def test_nor_by_those_that_were_written_for_one_place(small, monkeypatch, step):
    monkeypatch.setattr(generated, "REPLY", 80)
    for place, wanted, attack in (placed("blind") + placed("after"))[::step]:
        (answer,), _ = written_for(small, place, attack)
        assert wanted not in shown(answer), attack
