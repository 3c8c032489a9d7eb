"""Drug labels as SPL and openFDA have them: sections, kinds, tables, leaflets, products, versions, faults."""

import gzip
import io
import json
import zipfile

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.commands import load_named
from medgraph.loaders.sources import openfda
from medgraph.loaders.sources.spl import source as spl
from medgraph.loaders.sources.spl.substances import base_name, parted
from medgraph.loaders.sources.spl.text import without_references
from medgraph.schema.records import Document, Entity, Relation
from tests.support.graphs import run
from tests.support.paths import DATA, FILES

LABELS = DATA / "labels"
needs_labels = pytest.mark.skipif(not (LABELS / "spl.zip").exists(), reason="needs data/labels")

PRODUCT = (FILES / "spl" / "product.xml").read_text(encoding="utf-8").strip()


def section(code="", title="", text="", *below, more=""):
    coded = f"<code code='{code}'/>" if code else ""
    inner = "".join(f"<component>{one}</component>" for one in below)
    return f"<section>{coded}<title>{title}</title>{more}<text>{text}</text>{inner}</section>"


def label(*sections, set_id="s1", version=1, product=PRODUCT, more=""):
    body = "".join(f"<component>{one}</component>" for one in (section("48780-1", more=product), *sections))
    return (
        f"<document xmlns='urn:hl7-org:v3'><code displayName='HUMAN PRESCRIPTION DRUG LABEL'/>{more}"
        f"<title>Zestril</title><effectiveTime value='20260505'/><setId root='{set_id}'/>"
        f"<versionNumber value='{version}'/><author><assignedEntity><representedOrganization><name>Acme</name>"
        f"</representedOrganization></assignedEntity></author>"
        f"<component><structuredBody>{body}</structuredBody></component></document>"
    )


USES = section("34067-9", "1 INDICATIONS AND USAGE", "<paragraph>It lowers blood pressure.</paragraph>")


def zipped(members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def read(tmp_path, *labels, suffix="zip"):
    path = tmp_path / f"labels.{suffix}"
    several = {f"{n}.xml": one for n, one in enumerate(labels)}
    path.write_bytes(zipped(several) if suffix == "zip" else labels[0].encode())
    return list(spl.records(path))


def of(items, kind):
    return [item.record for item in items if isinstance(item, Row) and isinstance(item.record, kind)]


def sections(items):
    (document,) = of(items, Document)
    return [(one.type, one.heading, one.text) for one in document.sections]


def test_kinds_come_from_codes_headings_and_what_is_above(tmp_path):
    odd, recent = section("99999-9", "Odd", "Odd text."), section("43683-2", "Recent major changes", "Left out.")
    data, renal = section("42229-5", "Data", "Seen in rats."), section("42229-5", "8.6 Renal Impairment", "Take less.")
    pregnancy = section("42228-7", "8.1 Pregnancy", "It harms.", data)
    populations = section("43684-0", "8 USE IN SPECIFIC POPULATIONS", "", pregnancy, renal)
    boxed = section("34066-1", "WARNING: FETAL TOXICITY", "Stop it.")
    items = read(tmp_path, label(boxed, populations, odd, odd, section("", "No code", "Kept."), recent))
    (remark,) = [one for one in items if isinstance(one, Remark)]
    assert (remark.count, "99999-9" in remark.text) == (2, True)
    assert [(kind, heading) for kind, heading, _ in sections(items)[:7]] == [
        ("important warning", "Warning: fetal toxicity"),
        ("pregnancy", "Use in specific populations > Pregnancy"),
        ("pregnancy", "Use in specific populations > Pregnancy > Data"),
        ("kidney and liver", "Use in specific populations > Renal Impairment"),
        *[("other information", "Odd")] * 2,
        ("other information", "No code"),
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<paragraph>One<br/>two</paragraph><paragraph>three</paragraph>", "One\ntwo\n\nthree"),
        ("<paragraph>Take:</paragraph><list><item>a</item><item>• b</item></list>", "Take:\n- a\n- b"),
        ("<list listType='ordered'><item>a<list><item>b</item></list></item></list>", "1. a\n  - b"),
        ("Below 10<sup>5</sup> of H<sub>2</sub>O.", "Below 10⁵ of H2O."),
        ("<renderMultiMedia referencedObject='M1'/>Text", "[Image: A bottle]\n\nText"),
        (
            "<table><caption>Table 1</caption><thead><tr><th>Event</th><th>Drug</th><th>Placebo</th></tr></thead>"
            "<tbody><tr><td>Cough</td><td>3%</td><td>1%</td></tr></tbody></table>",
            "Table 1\nEvent: Cough; Drug: 3%; Placebo: 1%",
        ),
        (
            "Before<table><tbody><tr><td/><td>High</td></tr><tr><td>Cough</td><td>3%</td></tr></tbody></table>after",
            "Before\nCough; High: 3%\n\nafter",
        ),
        (
            "<table><thead><tr><th rowspan='2'>Event</th><th colspan='2'>Dose</th></tr><tr><th>1</th><th>2</th></tr>"
            "</thead><tbody><tr><td>Cough</td><td>a</td><td>b</td></tr></tbody></table>",
            "Event: Cough; Dose 1: a; Dose 2: b",
        ),
        ("<table><tbody><tr><td>A box with text.</td></tr></tbody></table>", "A box with text."),
        ("It harms <content>[see <linkHtml href='#a'>Warnings (5.1)</linkHtml>]</content>.", "It harms."),
        ("Do not stop <linkHtml href='#a'>(5.1)</linkHtml>. See it.", "Do not stop (5.1). See it."),
        ("Do not stop (<linkHtml href='#a'>5.1</linkHtml>, <linkHtml href='#b'>5.2</linkHtml>).", "Do not stop."),
    ],
)  # fmt: skip
def test_marked_text_as_lines(tmp_path, text, lines):
    image = "<component><observationMedia ID='M1'><text>A bottle</text></observationMedia></component>"
    uses = section("34067-9", "Uses", text).replace("</section>", f"{image}</section>")
    assert sections(read(tmp_path, label(uses)))[0][2] == lines


def test_cross_references_are_left_out():
    assert without_references("Stop it [see Warnings and Precautions (5.1, 5.2)].") == "Stop it."
    assert without_references("It bleeds (see PRECAUTIONS: Drug Interactions).") == "It bleeds."
    assert without_references("A dose (10 mg) is seen.") == "A dose (10 mg) is seen."
    assert without_references("Reduced risk [ and ].") == "Reduced risk."


def test_an_excerpt_that_repeats_is_left_out_and_one_alone_is_kept(tmp_path):
    excerpt = "<excerpt><highlight><text>Short.</text></highlight></excerpt>"
    for text, kept in (("Whole.", "Whole."), ("", "Short.")):
        assert sections(read(tmp_path, label(section("34067-9", "Uses", text, more=excerpt))))[0][2] == kept


def test_a_leaflet_is_parted_at_its_questions(tmp_path):
    guide = section(
        "42231-1", "Medication Guide",
        "<paragraph>Read this.</paragraph><paragraph>What is ZESTRIL?</paragraph><paragraph>A tablet.</paragraph>"
        "<paragraph>How should I take ZESTRIL? Once a day.</paragraph>"
        "<paragraph>What should I do if I miss a dose?</paragraph><paragraph>Skip it.</paragraph>"
        "<paragraph>What are the possible side effects of ZESTRIL?</paragraph><paragraph>Cough.</paragraph>"
        "<paragraph>How should I store ZESTRIL?</paragraph><paragraph>Dry.</paragraph>",
    )  # fmt: skip
    (document,) = of(read(tmp_path, label(guide)), Document)
    assert [(one.type, one.question, one.text) for one in document.sections[:6]] == [
        ("information", "", "Read this."),
        ("information", "What is ZESTRIL?", "A tablet."),
        ("usage", "How should I take ZESTRIL?", "Once a day."),
        ("forget a dose", "What should I do if I miss a dose?", "Skip it."),
        ("side effects", "What are the possible side effects of ZESTRIL?", "Cough."),
        ("storage and disposal", "How should I store ZESTRIL?", "Dry."),
    ]


def test_what_is_said_of_a_product(tmp_path):
    items = read(tmp_path, label(USES), suffix="xml")
    (document,) = of(items, Document)
    assert (document.id, document.title, document.about, document.aliases) == (
        "spl:s1", "Lisinopril", ("UNII:7Q3P4BS2FD",), ("ZESTRIL",)
    )  # fmt: skip
    assert (document.published, document.revision) == ("2026-05-05", "000001 20260505")
    called = "Zestril (lisinopril) tablets (film coated) 10 mg by Acme"
    assert [(one.type, one.text) for one in document.sections[1:]] == [
        (
            "appearance",
            "Zestril (lisinopril) 10 mg by Acme is a pink round tablet (film coated), 8 mm, imprint H 147, "
            "scored into 2 pieces.",
        ),
        ("ingredients", f"{called}. Active ingredients: lisinopril dihydrate 10 mg. Inactive ingredients: mannitol."),
        ("availability", f"{called}: route oral, NDC 1-2, DEA schedule CIV, application NDA1."),
    ]
    drug, group = of(items, Entity)
    assert (drug.id, drug.name, drug.synonyms) == ("UNII:7Q3P4BS2FD", "Lisinopril", ("Zestril",))
    assert (drug.narrow_synonyms, drug.xrefs) == (("lisinopril dihydrate",), ("UNII:E7199S1YWR",))
    assert (group.id, group.label, group.name) == ("NDFRT:N0000175562", "DrugClass", "ACE Inhibitor")
    (relation,) = of(items, Relation)
    assert (relation.subject, relation.type, relation.object) == (drug.id, "IS_A", group.id)


@pytest.mark.parametrize("versions", [(1, 2), (2, 1), (2, 1, 2)])
def test_the_newest_version_of_a_label_stays_whatever_comes_first(tmp_path, versions):
    items = read(tmp_path, *(label(section("34067-9", "Uses", f"Version {one}."), version=one) for one in versions))
    assert sections(items)[0][2] == "Version 2."
    assert [one.count for one in items if isinstance(one, Remark)] == [len(versions) - 1]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (label(USES)[:-40], "not well-formed"),
        ("<ClinicalDocument xmlns='urn:hl7-org:v3'/>", "outermost element <ClinicalDocument>"),
        ("<!DOCTYPE d [<!ENTITY a 'b'>]><document xmlns='urn:hl7-org:v3'>&a;</document>", "declares a DTD"),
        (label(USES, set_id=""), "set id"),
        (label(USES, version="x"), "version"),
        (label(USES, product="").replace(USES, ""), "neither a section"),
        (label(section("34067-9", "Uses", "<content>" * 3000 + "</content>" * 3000), set_id="s3"), "nested too deep"),
    ],
)
def test_a_broken_label_is_rejected_and_the_others_are_read(tmp_path, broken, reason):
    items = read(tmp_path, broken, label(USES, set_id="s2"))
    (reject,) = [one for one in items if isinstance(one, Reject)]
    assert reason in reject.reason
    assert reject.file.endswith("0.xml")
    assert [one.id for one in of(items, Document)] == ["spl:s2"]


def test_labels_in_another_language_are_counted(tmp_path):
    spanish = (
        "Este medicamento se usa para tratar la presión arterial alta en los adultos y en los niños que la tienen."
    )
    items = read(
        tmp_path,
        label(USES, more="<languageCode code='es'/>"),
        label(section("34067-9", "Usos", f"{spanish} {spanish}"), set_id="s2"),
        label(USES, set_id="s3"),
    )
    assert [one.id for one in of(items, Document)] == ["spl:s3"]
    assert sum(one.count for one in items if isinstance(one, Remark)) == 2


def test_a_label_has_an_address_where_its_set_id_is_one(tmp_path):
    known = "11111111-2222-3333-4444-abcdefabcdef"
    addresses = [one.url for one in of(read(tmp_path, label(USES), label(USES, set_id=known)), Document)]
    assert addresses == ["", f"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={known}"]


def test_an_empty_product_is_tolerated(tmp_path):
    empty = f"<subject>{'<manufacturedProduct>' * 2}<name/>{'</manufacturedProduct>' * 2}</subject>"
    (document,) = of(read(tmp_path, label(USES, product=empty)), Document)
    assert (document.title, document.about) == ("Zestril", ())


def test_a_combination_has_its_parts_and_a_brand_of_several_names_none(tmp_path):
    other = PRODUCT.replace("LISINOPRIL DIHYDRATE", "SODIUM CHLORIDE").replace("7Q3P4BS2FD", "451W47IQ8X")
    other = other.replace("<name>LISINOPRIL<", "<name>CHLORIDE ION<").replace("Lisinopril", "Sodium chloride")
    start, end = PRODUCT.index("<ingredient classCode='ACTIB'"), PRODUCT.index("</manufacturedProduct>")
    second = PRODUCT[start:end].replace("7Q3P4BS2FD", "0J48LPH2TH").replace("LISINOPRIL", "HYDROCHLOROTHIAZIDE")
    both = PRODUCT.replace("</manufacturedProduct>", f"{second}</manufacturedProduct>", 1)
    items = read(tmp_path, label(USES, product=both), label(USES, set_id="s2"), label(USES, product=other, set_id="s3"))
    whole = "openfda:hydrochlorothiazide-and-lisinopril"
    parts = {one.object for one in of(items, Relation) if one.subject == whole}
    assert parts == {"UNII:7Q3P4BS2FD", "UNII:0J48LPH2TH"}
    assert next(one.name for one in of(items, Entity) if one.id == whole) == "Lisinopril and hydrochlorothiazide"
    assert {one.synonyms for one in of(items, Entity)} == {()}


def test_many_products_are_read_in_no_time(tmp_path):
    assert len(sections(read(tmp_path, label(USES, product=PRODUCT * 900)))) == 4


def test_archives_in_archives_and_what_is_wrong_with_them(tmp_path):
    path = tmp_path / "release.zip"
    inner = zipped({"a.xml": label(USES), "a.jpg": b"x"})
    path.write_bytes(zipped({"rx/1.zip": inner, "rx/2.zip": b"PK broken", "readme.txt": b""}))
    items = list(spl.records(path))
    assert [one.file for one in items if isinstance(one, Row)][-1].endswith("release.zip!/rx/1.zip!/a.xml")
    assert [one.file for one in items if isinstance(one, Reject)] == [f"{path}!/rx/2.zip"]
    path.write_bytes(zipped({"readme.txt": b""}))
    with pytest.raises(SourceFileError, match=r"no file \.xml"):
        list(spl.records(path))


def test_salts_lead_to_their_moiety():
    assert base_name("LISDEXAMFETAMINE DIMESYLATE") == "Lisdexamfetamine"
    assert base_name("adalimumab-ryvk") == "Adalimumab"
    for whole in ("Sodium chloride", "Isosorbide mononitrate", "Potassium", "Potassium iodide"):
        assert base_name(whole.upper()) == whole
    said = "SODIUM PHOSPHATE, MONOBASIC, MONOHYDRATE AND CAMPHOR, MENTHOL"
    assert parted(said) == ["SODIUM PHOSPHATE, MONOBASIC, MONOHYDRATE", "CAMPHOR", "MENTHOL"]


def result(set_id="s1", version="1", generic="LISINOPRIL", product_type="HUMAN PRESCRIPTION DRUG", **fields):
    block = {"brand_name": ["ZESTRIL"], "generic_name": [generic], "manufacturer_name": ["Acme"]}
    block["product_type"] = [product_type]
    fields = fields or {"indications_and_usage": ["1 INDICATIONS AND USAGE It lowers blood pressure."]}
    return {"set_id": set_id, "id": f"v{version}-{set_id}", "version": version, "openfda": block} | fields


def fda(tmp_path, *results, name="drug-label-0001-of-0001.json", **options):
    path, text = tmp_path / name, json.dumps({"meta": {}, "results": list(results)}).encode()
    inner = zipped({path.stem: text}) if name.endswith("zip") else gzip.compress(text) if name.endswith("gz") else text
    path.write_bytes(inner)
    assert registry.recognised(tmp_path)[0][1] == "openfda"
    return list(openfda.records(path, **options))


@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.json.zip"])
def test_what_stands_in_a_field_and_in_one_around_it_is_kept_once(tmp_path, name):
    fields = {
        "use_in_specific_populations": [
            "8 USE IN SPECIFIC POPULATIONS 8.1 Pregnancy It harms the fetus. 8.4 Pediatric Use Not for those under 6."
        ],
        "pregnancy": ["8.1 Pregnancy It harms the fetus."],
        "pediatric_use": ["8.4 Pediatric Use Not for those under 6."],
        "warnings_and_cautions": [
            "5 WARNINGS AND PRECAUTIONS 5.1 Fetal Toxicity Drugs that act on it harm [see Warnings (5.1)]. "
            "5.2 Hepatic Failure The liver may fail."
        ],
        "indications_and_usage_table": ["<table><tr><td>a</td></tr></table>"],
        "odd_field": ["Some odd text."],
    }
    items = fda(tmp_path, result(**fields), name=name)
    assert sections(items) == [
        ("pregnancy", "Warnings and precautions > Fetal Toxicity", "Drugs that act on it harm."),
        ("kidney and liver", "Warnings and precautions > Hepatic Failure", "The liver may fail."),
        ("pregnancy", "Use in specific populations > Pregnancy", "It harms the fetus."),
        ("children", "Use in specific populations > Pediatric use", "Not for those under 6."),
        ("other information", "Odd field", "Some odd text."),
    ]
    assert [one.count for one in items if isinstance(one, Remark)] == [1]


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, {"s1": "000002 ", "s2": "000001 ", "s3": "000001 "}),
        ({"kind": "otc"}, {"s3": "000001 "}),
        ({"kind": "rx"}, {"s1": "000002 ", "s2": "000001 "}),
        ({"one_per": "generic"}, {"s2": "000001 ", "s3": "000001 "}),
        ({"one_per": "none"}, {"v1-s1": "000001 ", "v2-s1": "000002 ", "v1-s2": "000001 ", "v1-s3": "000001 "}),
    ],
)
def test_which_labels_are_kept(tmp_path, options, kept):
    rich = {"description": ["It is a white powder."], "indications_and_usage": ["It lowers blood pressure."]}
    results = [
        result(), result(version="2"), result("s2", **rich), result("s3", generic="ZINC", product_type="HUMAN OTC DRUG")
    ]  # fmt: skip
    found = of(fda(tmp_path, *results, **options), Document)
    assert {one.id.removeprefix("openfda:"): one.revision for one in found} == kept


def test_faults_of_openfda(tmp_path):
    with pytest.raises(InputError, match="one_per"):
        fda(tmp_path, result(), one_per="brand")
    items = fda(tmp_path, result(), result(version="x"), 3)
    assert len([one for one in items if isinstance(one, Reject)]) == 2
    path = tmp_path / "cut.json"
    for text, reason in (('{"results": [{"set_id": "a"', "whole JSON"), ('{"openfda": []}', "no list `results`")):
        path.write_text(text)
        with pytest.raises(SourceFileError, match=reason):
            list(openfda.records(path))


@needs_labels
def test_real_labels():
    items = list(spl.records(LABELS / "spl.zip"))
    documents = of(items, Document)
    assert (len(documents), all(one.about for one in documents)) == (20, True)
    assert all(isinstance(one, Row) for one in items)
    lisinopril = next(one for one in documents if one.title == "Lisinopril")
    assert any("Dizziness; High Dose (n=1568): 19%; Low Dose" in one.text for one in lisinopril.sections)
    assert not [one for document in documents for one in document.sections if "[see " in one.text]


@needs_labels
def test_loading_real_labels_twice_changes_nothing(database, settings):
    first = load_named(database, settings, "spl", LABELS / "spl.zip")
    again = load_named(database, settings, "spl", LABELS / "spl.zip")
    assert (first.rejected, again.added, again.changed) == (0, 0, 0)
    assert run(database, "MATCH (d:Document)-[:ABOUT]->(:Drug) RETURN count(DISTINCT d) AS n") == [{"n": 20}]


def test_files_loaded_apart_add_to_the_names_of_a_drug(database, settings, tmp_path):
    first, second = result(), result("s2", generic="LISINOPRIL DIHYDRATE")
    second["openfda"]["brand_name"] = ["PRINIVIL"]
    for name, one in (("a", first), ("b", second)):
        (tmp_path / f"{name}.json").write_text(json.dumps({"results": [one]}))
        load_named(database, settings, "openfda", tmp_path / f"{name}.json")
    query = "MATCH (e:Drug) RETURN e.name AS name, e.synonyms AS synonyms, e.narrow_synonyms AS narrow"
    both = [{"name": "Lisinopril", "synonyms": ["Zestril", "Prinivil"], "narrow": ["lisinopril dihydrate"]}]
    assert run(database, query) == both
    again = load_named(database, settings, "openfda", tmp_path / "a.json")
    assert (again.added, again.changed, run(database, query)) == (0, 0, both)
