"""Files in the form of MEDIQA 2019, task 3, and of MeQSum."""

from xml.sax.saxutils import escape

from medgraph_lab.evaluation.sets.mediqa import FILES

TEXTS = {
    "gout": "Gout: Gout is a form of arthritis that hurts joints such as the big toe.",
    "gout treatment": "Gout (Treatment): Doctors treat gout with colchicine and with allopurinol.",
    "asthma": "Asthma: It is hard to breathe.",
    "asthma treatment": "Asthma (Treatment): Inhalers treat asthma quickly, and steroids in the long run.",
}
QUESTIONS = {
    "simple": {
        "What is Gout?": {"gout": 4, "gout treatment": 2, "asthma": 1},
        "What are the treatments of Asthma?": {"asthma treatment": 4, "asthma": 2},
    },
    "message": {
        "Gout. My toe hurts & is red. What helps against gout?": {"gout treatment": 4, "gout": 3, "asthma treatment": 1}
    },
}
MESSAGES = """file,question,summary
1.txt,"SUBJECT: gout
MESSAGE: My father's big toe is red. What helps against gout?",What are the treatments for gout?
2.txt,I have asthma. How will it go on?,What is the outlook for asthma?
3.txt,Is gout inherited? Thank you,Is gout inherited?
4.txt,My son coughs. Has he asthma?,What are the symptoms of asthma?
"""


def write_mediqa(folder):
    """Write both files into a folder, and give it back."""
    for style, (name, root) in FILES.items():
        questions = "".join(
            f'<Question QID="{number}"><QuestionText>{escape(text)}</QuestionText><AnswerList>{_answers(grades)}'
            "</AnswerList></Question>"
            for number, (text, grades) in enumerate(QUESTIONS[style].items(), 1)
        )
        (folder / name).write_text(f"<{root}>{questions}</{root}>")
    return folder


def _answers(grades):
    return "".join(
        f'<Answer AID="a" ReferenceScore="{grade}"><AnswerURL>https://example.org/page</AnswerURL>'
        f"<AnswerText>{TEXTS[name]}</AnswerText></Answer>"
        for name, grade in grades.items()
    )
