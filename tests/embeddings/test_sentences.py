"""Sentences that can be quoted by themselves, and which of them promise most."""

import pytest

from medgraph.embeddings.sentences import candidates


def test_candidates_are_sentences_that_stand_by_themselves():
    text = (
        "What is gout? Gout is a disease of the joints. See also http://example.org for more. Short one.\n\n"
        "Gout? Call! Now! For more information call us today.\n\nTreatment includes:\n- rest in a quiet bed\n- ice."
    )
    found = candidates(3, text)
    assert [c.text for c in found] == [
        "Gout is a disease of the joints.",
        "Treatment includes: - rest in a quiet bed - ice.",
    ]
    assert [(c.section, c.order) for c in found] == [(3, 0), (3, 1)]
    assert all(" ".join(text[c.start : c.end].split()) == c.text for c in found)


HPO = (
    "What are the signs and symptoms of X? The Human Phenotype Ontology provides the following list of signs and "
    "symptoms for X. If the information is available, the table below includes how often the symptom is seen in "
    "people with this condition. Signs and Symptoms Approximate number of patients (when available) Nystagmus 90% "
    "Ocular albinism 90% Cutaneous photosensitivity 7.5% Albinism - Red hair - The Human Phenotype Ontology (HPO) has "
    "collected information."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "You can read about the signs and symptoms of lupus from MedlinePlus.",
        "The Lupus Foundation has a page called Is lupus hereditary? that provides a good overview.",
        "Medscape Reference has an in-depth review of the genetics of lupus.",
        "Detailed information related to the management of gout can be had elsewhere.",
        "You can find relevant articles on the treatment of Eales disease here.",
        "GeneReviews offers a list of management strategies.",
        "They also have a Genetics page for all of their content.",
        "The frequency of a sign or symptom is usually listed as a rough estimate.",
        "The frequency may also be listed as a fraction.",
        "You can use the MedlinePlus Medical Dictionary to look up the definitions for these medical terms.",
        "Watch the video to learn more about shingles treatments.",
        "(From Green's Operative Hand Surgery, 5th ed, p2137-58).",
        "such as aspirin and other drugs that contain salicylate.",
        "The resources below provide information about treatment options.",
        "For information on the treatment of lupus, you can read the Handout on Health.",
        "This article discusses the possible causes of jaundice.",
        "The following diseases are related to Leigh syndrome.",
        "Check out the information here.",
        "Close contacts (as defined above) should be treated as well.",
        "The image below shows how two parents pass a gene on.",
        "In the illustration above, each parent has one gene.",
        "For more on treating addiction, see the next page.",
        "I will eat ______ servings of meat each day.",
        "Resources for finding information on vaccines, research, etc.",
        "NIAMS is the primary NIH organization for research and information on lupus.",
        "Type 1 Diabetes in Children and Young People (2004).",
    ],
)
def test_a_sentence_that_sends_elsewhere_is_no_answer(sentence):
    assert candidates(0, sentence) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "Symptoms Can Be Controlled With proper treatment, most people with gout feel well.",
            "With proper treatment, most people with gout feel well.",
        ),
        ("Attacks Usually Start at Night Gout is a form of arthritis.", "Gout is a form of arthritis."),
        ("Diagnosis May Be Difficult Gout may be hard to see.", "Gout may be hard to see."),
        ("Too Much Glucose in the Blood Diabetes means it is high.", "Diabetes means it is high."),
        ("COPD Has No Cure When COPD is severe, it gets worse.", "When COPD is severe, it gets worse."),
        ("In May 2006, the FDA approved a new vaccine.", "In May 2006, the FDA approved a new vaccine."),
        ("Between May 2011 and June, LSG was done here.", "Between May 2011 and June, LSG was done here."),
        ("The Food and Drug Administration approved it.", "The Food and Drug Administration approved it."),
        ("Some African Americans are at risk of it.", "Some African Americans are at risk of it."),
        ("Relief is Possible Although there is no cure, relief is.", "Although there is no cure, relief is."),
        ("If You Have Shingles If you have shingles, keep the rash dry.", "If you have shingles, keep the rash dry."),
        ("Summary : Antibiotics are powerful medicines.", "Antibiotics are powerful medicines."),
        ("Summary The ovaries are part of the body.", "The ovaries are part of the body."),
        ("[6] [1] Supportive care includes rest.", "Supportive care includes rest."),
        ("When to see a doctor Seek help if it hurts.", "Seek help if it hurts."),
        ("ANTIBIOTICS A virus or bacteria cause it.", "A virus or bacteria cause it."),
        ("Light Therapy Light therapy has helped most.", "Light therapy has helped most."),
        ("Vitrectomy If the bleeding is severe, it may help.", "If the bleeding is severe, it may help."),
        ("Biopsy: The removal of cells or of a piece.", "Biopsy: The removal of cells or of a piece."),
        ("Vitamin A is good for the eyes of many.", "Vitamin A is good for the eyes of many."),
        ("Gout Goutweed is a plant, however.", "Gout Goutweed is a plant, however."),
        ("COPD Foundations help people everywhere.", "COPD Foundations help people everywhere."),
        ("The National Institutes of Health supports it all.", "The National Institutes of Health supports it all."),
        ("In the United States, it is seen rarely.", "In the United States, it is seen rarely."),
        ("Huntington Disease Society of America helps.", "Huntington Disease Society of America helps."),
    ],
)
def test_what_was_stuck_to_a_sentence_is_cut_off(text, kept):
    (found,) = candidates(0, text)
    assert (found.text, text[found.start : found.end]) == (kept, kept)


@pytest.mark.parametrize(
    ("sentence", "leans"),
    [
        ("It is a permanent form of birth control.", True),
        ("They reduce inflammation in the joints.", True),
        ("However, not all of them take it.", True),
        ("That is why the cause matters.", True),
        ("The above treatments may be done alone.", True),
        ("Rarely they are taken from joint fluid.", True),
        ("In some cases, it goes away by itself.", True),
        ("After this period, attacks may stop.", True),
        ("In these people, it comes back.", True),
        ("With this condition, bones break.", False),
        ("In some cases, gout goes away by itself.", False),
        ("This condition is inherited from both parents.", False),
        ("Italians have it more often than others.", False),
        ("Gout is a disease of the joints.", False),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Medical management - About half of people have low levels.", ["About half of people have low levels."]),
        ("Self Care - Try artificial tears first of all.", ["Try artificial tears first of all."]),
        ("Bulging veins - They happen in pregnancy.", ["Bulging veins - They happen in pregnancy."]),
        ("Symptoms are - Warmth over the vein - Pain in it", ["Symptoms are - Warmth over the vein - Pain in it"]),
        ("Here is how to find a health care professional.", []),
        ("Lifestyle Habits Unhealthy lifestyle habits harm.", ["Unhealthy lifestyle habits harm."]),
        ("Treatment for Dry Mouth Dry mouth treatment helps.", ["Dry mouth treatment helps."]),
        ("Home Health Services Home health aides can help you.", ["Home health aides can help you."]),
        (
            "Your Insurance Program, or SHIP, gives free insurance.",
            ["Your Insurance Program, or SHIP, gives free insurance."],
        ),
        (
            "Warning Signs or History of Stroke Warning signs and a history are bad.",
            ["Warning signs and a history are bad."],
        ),
        ("Oral medicines for psoriasis include the following.", []),
        ("Chest x-ray : An x-ray of the organs of the chest.", ["Chest x-ray: An x-ray of the organs of the chest."]),
        ("Staph. aureus lives on the skin of many people.", ["Staph. aureus lives on the skin of many people."]),
        ("Blood pressure figures above 140 are high.", ["Blood pressure figures above 140 are high."]),
        ("Symptoms that last for more on average are bad.", ["Symptoms that last for more on average are bad."]),
        (
            "The ratio of men to women is 3 : 1 in most studies.",
            ["The ratio of men to women is 3 : 1 in most studies."],
        ),
        ("See approx. five doctors about your heart first.", ["See approx. five doctors about your heart first."]),
        ("You can help by - Covering your mouth and nose.", []),
        ("You are at risk if you - are a man over age 45.", []),
        ("A score of - 2 is low in most adults.", ["A score of - 2 is low in most adults."]),
        ("Bacteria won't hurt you - few of them do.", ["Bacteria won't hurt you - few of them do."]),
        ("Things - like you - are alive and well.", ["Things - like you - are alive and well."]),
        ("The symptoms listed above may have other causes.", []),
        ("Here are some tips: - Drink water - Eat fruit", ["Here are some tips: - Drink water - Eat fruit"]),
        ("A vitamin A test: A test of vitamin A in blood.", ["A vitamin A test: A test of vitamin A in blood."]),
        (
            "There are two types of therapy: - External therapy uses a machine to treat.",
            ["External therapy uses a machine to treat."],
        ),
        ("The following tests may be done: - Biopsy of the lump.", []),
        ("Whether it has been found before.", []),
        ("Whether it comes back depends on its cause.", ["Whether it comes back depends on its cause."]),
        (
            "Goals: Manage Pain, Improve Function Osteoarthritis treatment helps most.",
            ["Osteoarthritis treatment helps most."],
        ),
        ("Rheumatologists -- doctors who specialize in treating joints.", []),
        ("They may be: globulin - adds much to the blood steroids - help many The choice is hard.", []),
        (
            "Various aids -- such as braces -- can help.",
            ["Various aids -- such as braces -- can help."],
        ),
        ("One symptom is the following: - Pain of the foot.", ["One symptom is the following: - Pain of the foot."]),
        ("Lab tests may include\n- blood tests\n- stool tests", ["Lab tests may include - blood tests - stool tests"]),
    ],
)
def test_labels_pointers_and_halves_are_not_quoted(text, kept):
    assert [one.text for one in candidates(0, text)] == kept
