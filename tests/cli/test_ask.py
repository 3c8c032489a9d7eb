"""`medgraph ask` and `medgraph chat`: answers as they are printed, every filter of search, and any bytes at all."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.answers.answer import Answer, AnswerPart, Citation, FoundPage, Sentence
from medgraph.answers.outline import with_text
from medgraph.cli import printing
from medgraph.cli.main import main
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from medgraph.queries.entities import Mention
from tests.support.answers import answerer_of
from tests.support.pubmed import article
from tests.support.scripted import status
from tests.support.verifiers import write_inferring
from tests.support.written import asked_of, put_reply, sentences

DOCUMENT = {
    "id": "d",
    "title": "Zorblatt disease",
    "published": "2024-06-15",
    "sections": [
        {
            "question": "How is Zorblatt disease treated?",
            "type": "treatment",
            "text": "Zorblatt disease is treated with a long rest by the sea.",
        }
    ],
}

ASKED = ["ask", "How is Zorblatt disease treated?", "--json"]


@pytest.fixture
def ask(here, database, encoder, settings, tmp_path):
    """Asks of one document, published on 15 June 2024."""
    path = tmp_path / "corpus.jsonl"
    path.write_text(json.dumps(DOCUMENT) + "\n", encoding="utf-8")
    load_named(database, settings, "documents", path)
    index(database, encoder, "all")

    def asked(*options):
        return CliRunner().invoke(main, [*ASKED, *options], obj=here)

    return asked


def test_a_verifier_that_is_set_leaves_quotations_alone_and_one_that_cannot_be_used_is_told_of(ask, here, tmp_path):
    folder = write_inferring(tmp_path / "verifier")
    done = CliRunner().invoke(main, ASKED, obj=replace(here, verifier=str(folder)))
    (sentence,) = json.loads(done.stdout)["sentences"]
    assert (sentence["text"], sentence["verdict"]) == (DOCUMENT["sections"][0]["text"], "supported")
    (folder / "model.safetensors").write_bytes(b"")
    for given, told in (
        (folder, "MEDGRAPH_VERIFIER if that names it"),
        (tmp_path / "none", "MEDGRAPH_VERIFIER or unset"),
    ):
        done = CliRunner().invoke(main, ASKED, obj=replace(here, verifier=str(given)))
        assert (done.exit_code, done.stdout) == (1, "")
        assert told in done.stderr


def test_only_what_was_published_in_time_is_cited(ask):
    for options in (
        (),
        ("--since", "2024"),
        ("--until", "2024-06"),
        ("--since", "2024-06-15", "--until", "2024-06-15"),
    ):
        data = json.loads(ask(*options).stdout)
        assert (data["status"], len(data["evidence"])) == ("answered", 1), options
    for options in (("--since", "2024-07"), ("--until", "2023"), ("--since", "2025", "--until", "2026")):
        data = json.loads(ask(*options).stdout)
        assert (data["status"], data["evidence"]) == ("not_enough_evidence", []), options
    result = ask("--since", "yesterday")
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.match(r"Error: since is 'yesterday'; write it as 2026, 2026-11 or 2026-11-21", result.stderr)


def test_ask_as_text_and_as_json(medgraph, sample_graph):
    data = json.loads(medgraph("ask", "How is gout treated?", "--json"))
    assert data["status"] == "answered"
    assert data["sentences"][0]["citations"][0]["section"] == "sample:gout#6"
    assert data["timing_ms"]["total"] > 0
    text = medgraph("ask", "How is gout treated?")
    assert text.count("not medical advice") == 1
    assert "\nGout (sample, Apache-2.0)\n    [1] treatment, section sample:gout#6\n" in text
    nothing = json.loads(medgraph("ask", "best pizza in town", "--json"))
    assert (nothing["status"], nothing["sentences"]) == ("not_enough_evidence", [])
    assert medgraph("ask", "best pizza in town").startswith("This does not seem to be about health")


def test_what_to_do_in_an_emergency_is_printed_first(medgraph, sample_graph):
    text = medgraph("ask", "my chest hurts and my left arm is numb")
    assert text.startswith("This may be a heart attack\n  Call your local emergency number (911 in the US, ")
    assert "Call: 911 (US, Canada); 112 (Europe, India)" in text
    assert "\n  MedlinePlus: Heart attack first aid: https://medlineplus.gov/" in text
    assert "Closest to it" not in text
    assert "Not enough evidence" not in text
    (urgent,) = json.loads(medgraph("ask", "my chest hurts and my left arm is numb", "--json"))["urgent"]
    assert urgent.keys() == {"kind", "title", "text", "source", "url", "calls"}
    assert medgraph("ask", "Was ist Gicht?").startswith("This seems to be written in German")


def test_bytes_that_are_no_text_do_no_harm(environment, sample_graph):
    command = [sys.executable, "-m", "medgraph", "ask", b"What is asthma \xff?", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8", "replace"))["status"] == "answered"


WRITTEN = "Zorblatt disease is treated with long rests by the sea."


def test_a_language_model_writes_what_is_checked(ask, here, monkeypatch, tmp_path):
    false = "Zorblatt disease is treated with penicillin."
    for step, told in (
        (sentences(WRITTEN, false), "Written by openai:scripted-1, each sentence checked against its source; 1 of its"),
        (sentences(), "openai:scripted-1 found no answer in the passages that it was given. Nearest sections found:"),
        (status(500), "Quoted, and not written by openai:scripted-1: "),
    ):
        with asked_of(here, monkeypatch, tmp_path, step) as (_, own):
            done = CliRunner().invoke(main, [*ASKED[:-1], "--composer", "generated", "--stream"], obj=own)
        assert done.exit_code == 0, done.output
        shown = " ".join(done.stdout.split())
        assert told in shown
        assert (shown.count(WRITTEN), false in shown) == (2 * ("Written" in told), False)
    with asked_of(here, monkeypatch, tmp_path, sentences(WRITTEN)) as (_, own):
        done = CliRunner().invoke(main, [*ASKED, "--composer", "generated"], obj=own)
    answer = json.loads(done.stdout)
    assert [sentence["text"] for sentence in answer["sentences"]] == [WRITTEN]
    assert answer["generation"]["model"] == "openai:scripted-1"


def test_a_model_may_answer_by_batch_files(ask, here, tmp_path):
    own, folder = replace(here, model="openai:any"), tmp_path / "batch"
    asked = [*ASKED, "--composer", "generated", "--batch", str(folder)]
    done = CliRunner().invoke(main, asked, obj=own)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "1 request waits" in done.stderr
    put_reply(folder, "any", WRITTEN)
    done = CliRunner().invoke(main, asked, obj=own)
    assert done.exit_code == 0, done.output
    assert [sentence["text"] for sentence in json.loads(done.stdout)["sentences"]] == [WRITTEN]
    assert not (folder / "requests.jsonl").exists()


def test_a_file_of_questions_is_answered_once_each_and_by_batch_files(ask, here, tmp_path):
    own, folder = replace(here, model="openai:any", composer="generated"), tmp_path / "batch"
    file, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    file.write_text(f'{{"id": 7, "question": "{ASKED[1]}", "more": 1}}\n\n{{"question": "{ASKED[1].lower()}"}}\n')
    command = ["ask", "--questions", str(file), "--out", str(out)]
    done = CliRunner().invoke(main, [*command, "--batch", str(folder)], obj=own)
    assert (done.exit_code, out.exists()) == (3, False)
    assert put_reply(folder, "any", WRITTEN) == 2
    assert CliRunner().invoke(main, [*command, "--batch", str(folder)], obj=own).exit_code == 0
    assert CliRunner().invoke(main, [*command, "--composer", "extractive"], obj=own).exit_code == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert lines[0]["answer"]["sentences"][0]["text"] == WRITTEN
    assert lines[0]["way"] == "model openai:any, composer generated"
    quoted = [(one["question"], one.get("id")) for one in lines if "extractive" in one["way"]]
    assert quoted == [(ASKED[1], 7), (ASKED[1].lower(), None)]
    before = out.read_bytes()
    assert CliRunner().invoke(main, [*command, "--composer", "extractive"], obj=own).exit_code == 0
    assert out.read_bytes() == before


def test_lines_that_cannot_be_asked_are_named_and_the_others_answered(ask, here, tmp_path):
    file, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    file.write_text(f'{{"question": " "}}\n{{"question": "{ASKED[1]}"}}\n')
    command = ["ask", "--questions", str(file), "--out", str(out)]
    done = CliRunner().invoke(main, command, obj=here)
    assert done.exit_code == 1
    assert f"{file}:1: " in done.stderr
    assert len(out.read_text().splitlines()) == 1
    file.write_text('{"question": "What is gout?"}\n{"text": "What is asthma?"}\n')
    done = CliRunner().invoke(main, command, obj=here)
    assert f"{file}:2: this is no question: " in done.stderr
    assert len(out.read_text().splitlines()) == 1
    for options in (["What is gout?", *command[1:]], ["--questions", str(file)], [*command[1:], "--json"], []):
        done = CliRunner().invoke(main, ["ask", *options], obj=here)
        assert (done.exit_code, "--questions" in done.stderr, done.stdout) == (1, True, "")


CITED = [
    Citation(f"{d}#{n}", d, d.upper(), "http://x", "s", "CC0", 0, 1, "", "RETURN 1") for d, n in ("x1", "y1", "x2")
]
SAID = tuple(Sentence(f"Said {number}.", (cited,), "supported") for number, cited in enumerate(CITED, 1))
PAGE = FoundPage("z", "Z", "", "s", "CC0", "causes", "What causes Z?", "http://z", 0.8)


@pytest.fixture
def printed(capsys):
    def shown(*given, **more):
        printing.answer(with_text(Answer("?", *given, **more)))
        return capsys.readouterr()

    return shown


@pytest.mark.parametrize("question", ["How is gout treated?", "What are the symptoms of Zorblatt disease in ships?"])
def test_printed_answers_bear_the_notice_once(sample_graph, encoder, capsys, question):
    answer = answerer_of(sample_graph, encoder).ask(question)
    printing.answer(answer)
    printed = capsys.readouterr().out
    assert printed.count("not medical advice") == 1
    if answer.sentences:
        assert "\nGout (sample, Apache-2.0)\n" in printed
        assert "\n    [1] treatment, section sample:gout#6\n" in printed
        assert "id: 'sample:gout#6'" in printed
        assert all(word in printed for sentence in answer.sentences for word in sentence.text.split())
    else:
        assert "Not enough evidence in the graph to answer this.\nNearest sections found:\n" in printed


def test_each_thing_asked_has_its_sentences_under_it_and_its_sources_stand_by_document(printed):
    parts = (
        AnswerPart("What causes X?", "answered", (0, 1), 0.9),
        AnswerPart("What are the stages of X?", "related", (), 0.1),
        AnswerPart("Can X be prevented?", "answered", (2,), 0.9),
    )
    text = printed("answered", SAID, parts=parts).out
    assert text.startswith(
        "What causes X?\nSaid 1. [1] ✓\nSaid 2. [2] ✓\n\nCan X be prevented?\nSaid 3. [3] ✓\n\nNothing loaded "
    )
    assert "\nNothing loaded says what the stages of X are.\n" in text
    assert "\nX (s, CC0)\n    http://x\n    [1] section x#1\n    [3] section x#2\nY (s, CC0)\n" in text
    near = replace(parts[1], closest=(0,))
    text = printed("answered", SAID[:2], parts=(parts[0], near), closest=SAID[2:]).out
    assert "What are the stages of X?\nNot answered exactly. Closest to it:\n    Said 3. [3] ✓\n" in text
    assert "Nothing loaded" not in text


def test_a_sentence_tells_how_many_say_so_and_who_says_otherwise_beneath(printed):
    other = Citation("o#1", "o", "Other page", "http://o", "s2", "", 0, 9, "Not  so.", "")
    said = (replace(SAID[0], sources=3), replace(SAID[1], contradicting=(other,)))
    text = printed("answered", said).out
    assert "Said 1. [1] ✓ 3 sources\nSaid 2. [2] ✓\n    but Other page (s2) says: \u201cNot so.\u201d\n" in text
    assert "    section o#1, http://o\n" in text


def test_others_that_say_the_same_are_named_once_unless_they_are_cited(printed):
    other = Citation("o#1", "o", "Other page", "http://o", "s2", "", 0, 9, "Said so.", "")
    again, nowhere = replace(other, section="o#2"), replace(other, section="p#1", document="p", title="P\u00e9", url="")
    said = (replace(SAID[0], agreeing=(other, CITED[1], again)), replace(SAID[1], agreeing=(nowhere,)))
    text = printed("answered", said).out
    assert (
        "Others that say the same:\n    Other page (s2), section o#1\n      http://o\n    P\u00e9 (s2), section p#1\n"
        in text
    )
    assert "o#2" not in text
    assert "Others" not in printed("answered", SAID).out


def test_what_only_comes_near_is_never_printed_as_an_answer(printed):
    apart = printed("related", SAID, evidence=(PAGE,), apart=("gout", "hair loss")).out
    assert apart.startswith(
        "Nothing found here speaks of gout and hair loss together. What comes closest, of each:\n\n"
    )
    text = printed("related", SAID, evidence=(PAGE,)).out
    assert text.startswith(
        "Nothing in the graph answers this exactly. Closest to it:\n\n    Said 1. [1] ✓\n    Said 2. [2] ✓"
    )
    assert "\nPages elsewhere that may help:\n  What causes Z?\n    http://z\n" in text
    assert "Closest" not in printed("answered", SAID).out


def test_what_was_understood_is_told_beside_the_answer(printed):
    gout = Mention("g", "Disease", "Gout", "gout", "gout", 1.0, (), 1)
    part = AnswerPart("What causes it?", "answered", (0,), 0.9)
    said = printed("answered", SAID[:1], entities=(gout,), intents=("causes",), parts=(part,))
    assert said.err == "understood as: What causes it?; Gout (Disease); causes\n"
    assert said.out.startswith("You ask: What causes it?\n\n")
    assert printed("not_enough_evidence").err == ""


@pytest.fixture
def chat(here, sample_graph):
    def said(text, *options):
        return CliRunner().invoke(main, ["chat", *options], obj=here, input=text)

    return said


def test_turns_are_completed_shown_as_understood_and_answered(chat):
    result = chat("gout\nthe treatment\nAnd asthma?\n\n?!\nquit\nWhat is diabetes?\n")
    assert result.exit_code == 0
    assert "What would you like to know of gout: " in result.stdout
    assert "  1 What" in result.stdout
    assert "understood as: What are the treatments for gout?; Gout (Disease); treatment" in result.stderr
    assert "What are the treatments for asthma?" in result.stderr
    assert "the question has no word in it" in result.stdout
    assert "iabetes" not in result.output


def test_a_turn_is_a_line_of_json(chat):
    result = chat("gout\n1\nand in children?\r\n?!\n\u00bfQu\u00e9 es la gota?\nEXIT\n", "--json")
    first, second, third, refused, foreign = map(json.loads, result.stdout.splitlines())
    assert second["understood"] == first["ask_back"]["replies"][0]["question"]
    assert third["understood"] == second["understood"].replace("?", " in children?")
    assert refused == {"question": "?!", "error": refused["error"]}
    assert "no word in it" in refused["error"]
    assert "Spanish" in foreign["remark"]
    assert result.exit_code == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("what", "status", "verdicts"), [("drop", "not_enough_evidence", set()), ("flag", "answered", {"no_evidence"})]
)
def test_what_is_not_supported_is_dropped_or_flagged_as_set(here, sample_graph, monkeypatch, what, status, verdicts):
    monkeypatch.setattr("medgraph.answers.verify.verifier.SUPPORTS", 2.0)  # nothing is ever so likely
    settings = replace(here, unsupported=what)
    done = CliRunner().invoke(main, ["chat", "--json"], obj=settings, input="How is gout treated?\n")
    answer = json.loads(done.stdout)
    assert answer["status"] == status
    assert {sentence["verdict"] for sentence in answer["sentences"]} == verdicts


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--since", "soon"), "since is 'soon'; write it as 2026"),
        (("--journal", "Lancet"), "no document is from a journal called 'Lancet'"),
    ],
)
def test_a_filter_that_cannot_be_used_is_told_before_anything_is_asked(chat, options, told):
    result = chat("How is gout treated?\n", *options)
    assert (result.exit_code, result.stdout) == (1, "")
    assert told in result.stderr


def test_what_to_ask_next_is_offered_and_a_number_asks_it(chat):
    first, second, none = map(json.loads, chat("How is gout treated?\n2\n7\n", "--json").stdout.splitlines())
    assert second["understood"] == first["follow_ups"][1]
    assert second["status"] == "answered"
    assert first["understood"] not in second["follow_ups"]
    assert "chooses nothing" in none["remark"]
    assert f"Ask next:\n  1 {first['follow_ups'][0]}" in chat("How is gout treated?\n").stdout
    asked = "How many horses have gout?\n"
    first, second = map(json.loads, chat(f"{asked}1\n", "--json").stdout.splitlines())
    assert (first["status"], second["status"]) == ("not_enough_evidence", "answered")
    assert second["question"] == first["follow_ups"][0]
    assert f"You could ask instead:\n  1 {first['follow_ups'][0]}" in chat(asked).stdout
    narrowed = chat("How is gout treated?\n", "--json", "--type", "treatment").stdout
    assert json.loads(narrowed)["follow_ups"] == []


ABSTRACT = "<Abstract><AbstractText>Quuxia fever is treated with doxycycline for ten days.</AbstractText></Abstract>"


def test_what_nothing_answers_is_found_in_pubmed_kept_as_a_source_and_answers(ask, here, pubmed, database, tmp_path):
    own = replace(here, cache=tmp_path / "cache", mirror=pubmed.site.url)
    own.cache.mkdir()
    for name in here.cache.iterdir():
        if name.name not in {"searches", "sources"}:
            (own.cache / name.name).symlink_to(name)
    pubmed.articles["7"] = article("7", title="Treatment of Quuxia fever", core=ABSTRACT)
    pubmed.found = ["7"]

    def asked(question, *options):
        done = CliRunner().invoke(main, ["ask", question, "--json", *options], obj=own)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout), done.stderr

    question = "How is Quuxia fever treated?"
    without, _ = asked(question)
    assert (without["status"], pubmed.asked) == ("not_enough_evidence", [])
    answer, told = asked(question, "--find")
    assert pubmed.asked[0][1]["term"] == "quuxia fever treated"
    assert "medgraph unload pubmed-quuxia-fever-treated takes it out" in told
    assert "doxycycline" in json.dumps(answer["sentences"])
    assert asked(question)[0]["sentences"] == answer["sentences"]
    before = len(pubmed.asked)
    assert asked("How is Zorblatt disease treated?", "--find")[0]["status"] == "answered"
    assert asked("my chest hurts and my left arm is numb", "--find")[0]["urgent"]
    assert asked("best pizza in town", "--find")[0]["remark"]
    assert len(pubmed.asked) == before
    pubmed.found = []
    assert "PubMed finds nothing for" in asked("What causes Quuxia fever?", "--find")[1]


@pytest.mark.parametrize("options", [["--source", "documents"], ["--stream"]])
def test_what_finding_does_not_go_with_is_told(here, options):
    done = CliRunner().invoke(main, ["ask", "What is gout?", "--find", *options], obj=here)
    assert done.exit_code
    assert "--find answers twice" in done.stderr
