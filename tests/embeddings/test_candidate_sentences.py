"""Sentences that can be quoted by themselves, and which of them promise most."""

import pytest

from medgraph.embeddings.candidate_sentences import candidates, found_at
from tests.support.examples import examples

HPO = (
    "What are the signs and symptoms of X? The Human Phenotype Ontology provides the following list of signs and "
    "symptoms for X. If the information is available, the table below includes how often the symptom is seen in "
    "people with this condition. Signs and Symptoms Approximate number of patients (when available) Nystagmus 90% "
    "Ocular albinism 90% Cutaneous photosensitivity 7.5% Albinism - Red hair - The Human Phenotype Ontology (HPO) has "
    "collected information."
)


@pytest.mark.parametrize("sentence", examples("sentences_that_send_elsewhere"))
def test_a_sentence_that_sends_elsewhere_is_no_answer(sentence):
    assert candidates(0, sentence) == []


@pytest.mark.parametrize(("text", "kept"), examples("sentences_cut"))
def test_what_was_stuck_to_a_sentence_is_cut_off(text, kept):
    (found,) = candidates(0, text)
    assert (found.text, text[found.start : found.end]) == (kept, kept)


@pytest.mark.parametrize(("sentence", "leans"), examples("sentences_that_lean"))
def test_a_sentence_that_stands_for_something_said_before_leans_on_it(sentence, leans):
    (found,) = candidates(0, sentence)
    assert found.leans is leans


@pytest.mark.parametrize(
    ("sentence", "leans"),
    [
        ("Others might need to wear a brace.", True),
        ("Yet, treating it helps older people.", True),
        ("In other families, chance plays a part.", True),
        ("The vaccine is given to infants.", True),
        ("A person should follow these guidelines.", True),
        ("Because these changes involve genes, growth is slow.", True),
        ("Those who smoke have it more often.", True),
        ("The vessels and those of the skin widen.", False),
        ("People with these conditions need rest.", False),
    ],
)
def test_what_was_named_before_is_missing_behind_another_sentence_alone(sentence, leans):
    _, found = candidates(0, f"Gout hurts people at night. {sentence}")
    assert found.leans is leans


@pytest.mark.parametrize(
    ("sentence", "vague"),
    [
        ("Different types of treatment are available for patients with pancreatic cancer.", True),
        ("Three types of standard treatment are used: - Surgery - Chemotherapy", False),
        ("Patients can enter clinical trials before, during, or after starting their cancer treatment.", True),
        ("The way the radiation therapy is given depends on the stage of the cancer being treated.", True),
        ("Treatment for childhood rhabdomyosarcoma may cause side effects.", True),
        ("There are different types of treatment for patients with breast cancer.", True),
        ("There are many ways to treat gout.", True),
        ("Talk to your doctor about any medicines you take.", True),
        ("If you think you have gout, see your health care provider.", True),
        ("The signs and symptoms of gout vary widely from person to person.", True),
        ("Treatment depends on the stage of the cancer.", True),
        ("There are three kinds of gout: - acute gout - chronic gout.", False),
        ("There are crystals in the joints of people with gout.", False),
        ("Symptoms of gout include pain, which varies from day to day.", False),
        ("Symptoms of gout vary, from none at all to pain" + " and swelling" * 10 + ".", False),
        ("Your doctor may talk to you about gout.", False),
    ],
)
def test_a_sentence_is_vague_that_only_says_that_there_is_something_to_say(sentence, vague):
    (found,) = candidates(0, sentence)
    assert found.vague is vague


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Searching for new treatment approaches.", 0),
        ("Using a splint helps the joint.", 1),
        ("During exercise, many people feel pain.", 1),
        ("Quitting smoking slows the progress of the disease.", 1),
        ("To analyze the outcome of surgery in children.", 0),
        ("The present analysis compares two treatments for lung cancer.", 0),
        ("The present treatment compares well with others.", 1),
        ("To find the cause your doctor may ask what you eat.", 1),
        ("To prevent gout attacks, drink enough water each day.", 1),
        ("To get rid of lice - wash all bedding - comb the hair.", 1),
    ],
)
def test_items_of_lists_without_a_verb_and_aims_of_studies_are_no_sentences(text, quoted):
    assert len(candidates(0, text)) == quoted


@pytest.mark.parametrize(
    ("sentence", "dangles"),
    [
        ("This is mostly because your risk for heart disease increases as you age.", True),
        ("This is mainly due to differences in bone mass.", True),
        ("However, most people get well.", True),
        ("It runs in families.", False),
        ("This is a common disease of the joints.", False),
        ("Gout is due to uric acid.", False),
    ],
)
def test_what_stands_for_all_that_was_said_before_dangles(sentence, dangles):
    (found,) = candidates(0, sentence)
    assert found.dangles is dangles


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Interferon: Interferon slows the growth of cells.", "Interferon slows the growth of cells."),
        ("` There are home remedies that help.", "There are home remedies that help."),
        ("Photon beams - Drugs - Patients may want to think about taking part in a clinical trial.", ""),
        ("treating the cause of your ED:\n- lifestyle changes\n- counseling", ""),
    ],
)
def test_labels_strokes_and_items_that_announce_others_are_left_out(text, said):
    assert [one.text for one in candidates(0, text)] == [said] * bool(said)


@pytest.mark.parametrize(("text", "kept"), examples("sentences_quoted"))
def test_labels_pointers_and_halves_are_not_quoted(text, kept):
    assert [one.text for one in candidates(0, text)] == kept


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Adverse reactions of the drug are summarized below.", False),
        ("The following reactions have been reported since then.", False),
        ("The following reactions were seen: nausea and rash.", True),
        ("The dose is given as shown in this way, as follows.", False),
        ("Gout is not to be treated by: 1.", False),
        ("There are some things you can do to ease the pain.", False),
        ("Read more about treating gout in old people.", False),
        ("Nausea (see Table 2) was seen in 3% of patients.", True),
        ("Bleeding n (%) was more frequent with the drug.", False),
        ("Do not take it in pregnancy Tell your doctor about it.", False),
    ],
)
def test_what_points_at_a_table_or_a_list_that_it_has_not_is_broken(text, whole):
    assert found_at(0, 0, 0, len(text), text).broken is not whole


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("Ulcerative colitis and Crohn's disease of the bowel.", True),
        ("Clinical and Laboratory Standards Institute (CLSI).", True),
        ("12 weeks at -20 C, if immediately frozen.", True),
        ("Gout causes pain in the toes.", False),
        ("Tart cherry juice reduced gout flares by a third.", False),
        ("Store the tablets in a dry place.", False),
        ("There's no cure for gout at all.", False),
        ("Respiratory: Cough, dyspnea and bronchospasm.", False),
        ("DO NOT REFREEZE THAWED SYRINGES.", False),
    ],
)
def test_a_fragment_has_no_verb_and_no_label(text, fragment):
    (found,) = candidates(0, text)
    assert found.fragment is fragment


def test_a_step_leans_on_the_one_before_it():
    text = "1. Shake the bottle of drops well.\n2. Tilt the head back.\n\nGout hurts in 12. The toe swells."
    first, second, other = candidates(0, text)[:3]
    assert [one.step for one in (first, second, other)] == [1, 2, 0]
    assert (first.needs, second.needs, other.needs) == (False, True, False)
