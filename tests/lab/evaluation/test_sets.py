"""Files of sets: what is read of each, and that what is no such file is refused with its name."""

import json
from dataclasses import fields, replace

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.linking.pairing import Member
from medgraph.queries.retriever import SectionText
from medgraph_lab.evaluation.sets.claims import read_citint, read_healthver
from medgraph_lab.evaluation.sets.grades import read_grades, read_pages, read_sentences, rows_of
from medgraph_lab.evaluation.sets.medicationqa import load as read_medicines
from medgraph_lab.evaluation.sets.medquad import dev_questions
from medgraph_lab.evaluation.sets.meqsum import Message, load_all_messages, load_messages
from medgraph_lab.evaluation.sets.pubmedqa import load as read_abstracts
from medgraph_lab.evaluation.sets.pubtator import (
    GoldMention,
    GoldText,
    found_in,
    known_ids,
    measure,
    named_rightly,
    pairs_of,
    read_corpus,
)
from medgraph_lab.evaluation.sets.reactions import read_labels, tagged
from medgraph_lab.training.questions import QuestionPair, read_pairs
from tests.support.linking import entity, linker_of
from tests.support.mediqa import MESSAGES
from tests.support.medquad import DISEASES, KINDS

PUBTATOR = """1|t|Gout and APC
1|a|No gout here, but kidney disease.
1\t0\t4\tGout\tSpecificDisease\tD006073
1\t9\t12\tAPC\tModifier\tD011125|OMIM:175100

"""
RQE = """<RQE><pair pid="1" value="true"><chq> How do
 I treat gout? </chq><faq>What treats gout?</faq></pair>
<pair pid="2" value="false"><chq>How do I treat gout?</chq><faq>What is asthma?</faq></pair>
<pair pid="3" value="true"><chq>What treats gout?</chq><faq>what treats GOUT?</faq></pair></RQE>"""
ASKED = [
    QuestionPair("How do I treat gout?", "What treats gout?", True),
    QuestionPair("How do I treat gout?", "What is asthma?", False),
]
SENTENCE = "1\tHow?\ta#1\t0\t17\t3\n"
PEOPLE = "set\tright\nheld\tyes\n"


def of_people(path):
    return rows_of(path, ("set", "right"), ("yes", "no"))


GOOD = [
    (read_pairs, RQE, ASKED),
    (read_grades, "# by reading\n1\ta#1\t4\n1\ta#2\t1\n2\tb#1\t3\n", {"1": {"a#1": 4, "a#2": 1}, "2": {"b#1": 3}}),
    (read_sentences, SENTENCE, {("1", "How?", "a#1", 0, 17): 3}),
    (read_pages, "1\tquestion\ta\t2\n1\tmessage\ta\t0\n", {("1", "question", "a"): 2, ("1", "message", "a"): 0}),
    (of_people, PEOPLE, [{"set": "held", "right": "yes"}]),
]
BAD = [
    (read_pairs, "<RQE>", "cannot be read"),
    (read_pairs, RQE.replace('"false"', '"true"'), "has not pairs of both values"),
    (read_pairs, '<!DOCTYPE x [<!ENTITY e "x">]><x>&e;</x>', "cannot be read"),
    (read_grades, "1\ta#1\t4\n1\ta#1\t5\n", r":2: write the line as question<TAB>section<TAB>grade"),
    (read_grades, "1\ta#1\n", "grade from 1 to 4"),
    (read_sentences, SENTENCE + "1\tHow?\ta#1\tzero\t17\t3\n", ":2: .*<TAB>start<TAB>end<TAB>grade from 0 to 3"),
    (read_sentences, "1\tHow?\ta#1\t0\t17\t4\n", "grade from 0 to 3"),
    (read_pages, "1\tquestion\ta\t3\n", "page<TAB>grade from 0 to 2"),
    (read_pages, "1\tshort\ta\t1\n", "write question or message"),
    (of_people, "", ":1: needs the columns set, right"),
    (of_people, PEOPLE + "held\n", ":3: needs 2 cells, yes or no in the column right"),
    (of_people, PEOPLE + "held\tmaybe\n", ":3: needs 2 cells, yes or no in the column right"),
    (read_corpus, "", "has no lines such as"),
    (read_corpus, "1|t|A\n1\t0\tx\tA\tB\tC\n", ":2: needs id, start, end"),
    (load_all_messages, "file,question,summary\n", "has no question"),
    (lambda path: load_messages(path, "dev", 9), "file,question,summary\n", "no message of the half dev"),
    (read_healthver, "id,evidence,claim,label,topic_ip,question\n", "Supports, Refutes or Neutral"),
    (lambda path: read_abstracts(path, {"pubmedqa:1"}, "dev", 9), '{"1": {}}', "is not PubMedQA's file of questions"),
    (lambda path: read_abstracts(path, {"pubmedqa:1"}, "dev", 9), "[]", "is not PubMedQA's file of questions"),
]


@pytest.mark.parametrize(("reads", "content", "expected"), GOOD)
def test_files_are_read(tmp_path, reads, content, expected):
    (tmp_path / "set.txt").write_text(content, encoding="utf-8")
    assert reads(tmp_path / "set.txt") == expected


@pytest.mark.parametrize(("reads", "content", "message"), BAD)
def test_files_of_another_form_are_refused_with_their_name(tmp_path, reads, content, message):
    (tmp_path / "set.txt").write_text(content, encoding="utf-8")
    with pytest.raises(SourceFileError, match=f"set.txt.*{message}"):
        reads(tmp_path / "set.txt")


def test_messages_come_in_halves_and_samples_and_questions_without_any(tmp_path):
    path = tmp_path / "messages.csv"
    path.write_text(f"{MESSAGES}E1,,what is gout\nE2,nothing short,\n")
    dev, held = load_messages(path, "dev", 9), load_messages(path, "held", 9)
    assert sorted(one.id for one in dev + held) == ["1.txt", "2.txt", "3.txt", "4.txt"]
    assert load_messages(path, "dev", 1) == dev[:1]
    assert load_all_messages(path)[-1] == Message("E1", "", "what is gout")


def test_development_questions_point_to_the_other_collections(medquad_graph):
    both = {}
    for part in ("dev", "held"):
        questions = dev_questions(medquad_graph, "source", 100, part=part)
        both[part] = {q.name for q in questions}
        for q in questions:
            assert q.text == KINDS[q.type][0].format(q.name)
            other = {"GARD": "NHLBI", "NHLBI": "GARD"}[q.collection]
            assert q.relevant == {q.id.replace(q.collection, other)}
    assert both["dev"] | both["held"] == DISEASES.keys()
    assert not both["dev"] & both["held"]


def test_a_corpus_is_read_with_the_offsets_of_title_and_abstract(tmp_path):
    (tmp_path / "corpus.txt").write_text(PUBTATOR, encoding="utf-8")
    (text,) = read_corpus(tmp_path / "corpus.txt")
    assert text.text == "Gout and APC No gout here, but kidney disease."
    assert [text.text[m.start : m.end] for m in text.mentions] == ["Gout", "APC"]
    assert [sorted(m.ids) for m in text.mentions] == [["MESH:D006073"], ["MESH:D011125", "OMIM:175100"]]


def test_the_real_corpora_are_read(data):
    diseases, both = (read_corpus(data / name / "devel.txt") for name in ("ncbi-disease", "bc5cdr"))
    assert (len(diseases), sum(len(text.mentions) for text in diseases)) == (100, 787)
    assert all(text.text[m.start : m.end] == m.surface for text in diseases for m in text.mentions)
    kinds = [m.kind for text in both for m in text.mentions]
    assert (len(both), kinds.count("Chemical"), kinds.count("Disease")) == (500, 5347, 4244)


MARKED = ((0, 4, "Gout", "MESH:1"), (17, 23, "asthma", "MESH:2"), (28, 33, "lupus", "MESH:9"))
TEXT = GoldText(
    "1", "Gout, not fever; asthma and lupus.", tuple(GoldMention(*m[:3], frozenset({m[3]})) for m in MARKED)
)


def test_what_is_linked_of_a_text_is_counted_by_span_and_id():
    linker = linker_of(
        entity("a:1", "gout", ids=["a:1", "MESH:1"]),
        entity("a:3", "fever", ids=["a:3", "MESH:3"]),
        entity("a:4", "lupus", ids=["a:4", "MESH:9"]),
        entity("a:5", "asthmatic", "asthma", ids=["a:5", "MESH:7"]),
    )
    known = {"MESH:1", "MESH:2", "MESH:3"}
    # gout is right; fever is wrong; asthma has no id that counts, and is missed; lupus counts neither way
    assert found_in(TEXT, known, linker) == (1, 1, 1)
    assert named_rightly(TEXT, known, linker) == (1, 2)
    assert named_rightly(TEXT, {*known, "MESH:9"}, linker) == (2, 3)
    members = [Member("a:1", "Disease", "gout", xrefs=("MESH:1", "ICD:2", "OMIM:3")), Member("a:2", "Drug", "x")]
    assert known_ids(members) == {"MESH:1", "OMIM:3"}


def test_pairs_of_a_sentence_are_told_to_induce_or_not(tmp_path):
    names = [(0, "Lithium", 1), (16, "tremor", 2), (24, "Tremor", 2), (45, "lithium", 1), (54, "Aspirin", 3)]
    rows = [
        (start, start + len(name), name, "Disease" if id_ == 2 else "Chemical", f"D{id_}") for start, name, id_ in names
    ]
    rows.append((71, 79, "headache", "Disease", "D4"))
    text = "1|t|Lithium induced tremor.\n1|a|Tremor was caused by lithium. Aspirin relieved headache.\n"
    lines = "".join("\t".join(map(str, ("1", *row))) + "\n" for row in rows)
    (tmp_path / "abstracts.txt").write_text(f"{text}{lines}1\tCID\tD1\tD2\n", encoding="utf-8")
    (one,) = read_corpus(tmp_path / "abstracts.txt")
    ids = [tuple(id_.removeprefix("MESH:") for id_ in pair) for pair, _ in pairs_of(one)]
    assert ids == [("D1", "D2"), ("D1", "D2"), ("D3", "D4")]
    assert one.induced == {("MESH:D1", "MESH:D2")}
    (row,) = measure(tmp_path / "abstracts.txt")
    assert (row["n"], row["precision"], row["recall"]) == (1, 1.0, 1.0)


def test_claims_are_read_with_the_sentences_of_their_evidence(tmp_path):
    header = "id,evidence,claim,label,topic_ip,question\n"
    (tmp_path / "h.csv").write_text(f'{header}1,"One thing. Another thing.",A claim,Refutes,7,Why?\n2,x,y,?,7,z\n')
    (pair,) = read_healthver(tmp_path / "h.csv")
    assert (pair.claim, pair.passage, pair.label) == ("A claim", ("One thing.", "Another thing."), "refutes")


CLAIM = {"id": 0, "claim": "It helps [<|multi_cit|>,<|cit|>].", "cited_doc_ids": [5]}


def test_citint_is_read_with_what_is_cited_and_without_marks(tmp_path):
    def claims(*rows):
        lines = "\n".join(json.dumps(row) for row in rows)
        (tmp_path / "claims_dev.jsonl").write_text(lines, encoding="utf-8")
        return read_citint(tmp_path, "dev")

    with pytest.raises(SourceFileError, match=r"corpus\.jsonl: cannot be read"):
        claims()
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"doc_id": 5, "title": "", "abstract": ["One.", "Two."]}))
    first, second = claims(
        CLAIM | {"evidence": {"5": [{"sentences": [0], "label": "REFUTE"}]}}, CLAIM | {"evidence": {}}
    )
    assert (first.passage, first.label, second.label) == (("One.", "Two."), "refutes", "neutral")
    assert first.claim == "It helps ."
    with pytest.raises(SourceFileError, match="cites 6"):
        claims(CLAIM | {"cited_doc_ids": [6], "evidence": {}})
    with pytest.raises(SourceFileError, match=r"claims_dev\.jsonl:1: lacks 'claim'"):
        claims({"id": 0})


def test_medicines(tmp_path):
    path = tmp_path / "questions.jsonl"
    one = {"question": "how often can I take zoloft", "drug": "Zoloft", "type": "Usage/time", "answer": "once a day"}
    path.write_text(json.dumps(one) + "\n" + json.dumps(one | {"type": "unanswerable"}) + "\n")
    (asked,) = read_medicines(path)
    told = {"title": "Sertraline", "aliases": ("Zoloft",), "text": "Take it once daily.", "type": "usage"}
    section = SectionText(**{field.name: "" for field in fields(SectionText)} | told)
    assert asked.about(section)
    assert not asked.about(replace(section, aliases=("Prozac",)))
    assert asked.holds(section)
    assert not asked.holds(replace(section, type="ingredients", text="Lactose."))
    assert asked.holds(replace(section, type="ingredients", text="Once in a day."))
    path.write_text("\n[]\n")
    with pytest.raises(SourceFileError, match=r":1: is not a question of MedicationQA"):
        list(read_medicines(path))


@pytest.mark.slow
def test_adverse_reactions_are_found_from_other_labels(tmp_path):
    words = "nausea headache cough rash fever dizziness vomiting itching fatigue diarrhea".split()
    sections = []
    for place in range(30):
        named = [words[place % 10], words[(place + 3) % 10]]
        text = f"Patients with gout were studied. The most common reactions were {named[0]} and {named[1]}."
        events = [[name, name.title()] for name in named]
        row = {"label_id": f"L{place:02}", "section_name": "adverse reactions", "section_text": text}
        sections.append(row | {"adverse_events": events})
    sections.append(sections[0] | {"section_name": "boxed warnings", "section_text": "", "adverse_events": []})
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(sections))
    labels = read_labels(path)
    assert tagged(labels, {("gout",)}) == {name: set(label.gold) for name, label in labels.items()}
    path.write_text(json.dumps(sections[:3]))
    with pytest.raises(InputError, match="has 3 labels"):
        read_labels(path)
    path.write_text("{}")
    with pytest.raises(SourceFileError, match="adverse_events"):
        read_labels(path)
