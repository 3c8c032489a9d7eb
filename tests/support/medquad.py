"""A small MedQuAD of diseases that are none, and an ontology that knows some of them."""

DISEASES = {
    "Zorblattosis": "C7000001",
    "Quimbly fever": "C7000002",
    "Vandersnoot syndrome": "C7000003",
    "Mirkwood palsy": "C7000004",
}

KINDS = {
    "symptoms": ("What are the symptoms of {} ?", "People with {} have green spots, a cough and {} nails."),
    "treatment": ("What are the treatments for {} ?", "{} is treated with long walks and a pill made for {} alone."),
}

ONTOLOGY = """format-version: 1.2

[Term]
id: DOID:1
name: zorblattosis

[Term]
id: DOID:2
name: known by concept
xref: UMLS_CUI:C7000002

[Term]
id: DOID:3
name: flibbertitis
synonym: "Flibber disease" EXACT []

[Term]
id: DOID:4
name: old thing
is_obsolete: true

[Term]
id: DOID:5
name: another name
synonym: "Mirkwood's palsy" EXACT []
synonym: "Mirkwood palsy" EXACT []

[Term]
id: DOID:6
name: wobblitis
"""


def page(collection, file, name, cui):
    pairs = "".join(
        f'<QAPair pid="{i}"><Question qid="{file}-{i}" qtype="{kind}">{question.format(name)}</Question>'
        f"<Answer>{collection} says: {answer.format(name, name)}</Answer></QAPair>"
        for i, (kind, (question, answer)) in enumerate(KINDS.items(), 1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Document id="{file}" source="{collection}" url="https://example.org/{file}">'
        f"<Focus>{name}</Focus><FocusAnnotations><UMLS><CUIs><CUI>{cui}</CUI></CUIs></UMLS></FocusAnnotations>"
        f"<QAPairs>{pairs}</QAPairs></Document>"
    )
