"""Neo4j Browser's style and favorites: complete, as strict as Browser reads them, and told of."""

import itertools
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.errors import InputError
from medgraph.graph import catalogue
from medgraph.pictures.palette import PALETTE
from medgraph.queries.saved import PLACE, STYLE, list_saved, write_favorites
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from tests.support.graphs import run
from tests.support.paths import ROOT

GUIDE = (PLACE / "README.md").read_text(encoding="utf-8")
SCHEMA = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
TEXT = STYLE.read_text(encoding="utf-8")

LENGTHS = {"diameter", "border-width", "font-size", "shaft-width", "padding"}
COLOURS = {"color", "border-color", "text-color-internal", "text-color-external"}


def parse(text):
    """Read a style as strictly as Browser needs it: rules of `name: value;` lines, no comments, one colon a line."""
    rules, rest = {}, text
    while rest.strip():
        rule = re.match(r"\s*((?:node|relationship)(?:\.\w+)?) \{\n((?:  [^\n]*\n)+)\}\n", rest)
        assert rule, f"no rule begins at {rest.strip()[:60]!r}"
        assert rule[1] not in rules, f"{rule[1]} has two rules"
        rules[rule[1]] = dict(declaration(line) for line in rule[2].splitlines())
        rest = rest[rule.end() :]
    return rules


def declaration(line):
    found = re.fullmatch(r"  ([a-z-]+): ([^:;]+);", line)
    assert found, f"{line!r} is no declaration"
    name, value = found.groups()
    if name in LENGTHS:
        assert re.fullmatch(r"[1-9]\d*px", value), line
    elif name in COLOURS:
        assert re.fullmatch(r"#[0-9A-F]{6}", value), line
    else:
        assert name == "caption", line
        assert re.fullmatch(r'"[^"\']+"', value), line
    return name, value


RULES = parse(TEXT)


def shown(kind, *labels):
    """What Browser makes of a node or relation: every rule that matches, in the file's order."""
    style = {}
    for name, properties in RULES.items():
        tag, _, label = name.partition(".")
        if tag == kind and (not label or label in labels):
            style |= properties
    return style


def styled(kind):
    return {name.partition(".")[2] for name in RULES if name.startswith(f"{kind}.")}


LABELS = set(re.findall(r"`:(\w+)`", SCHEMA.partition("## Nodes")[2].partition("## Relations")[0]))
RELATIONS = set(re.findall(r"^\| `([A-Z_]+)` \|", SCHEMA, re.MULTILINE))


@pytest.mark.parametrize(
    "text",
    [
        "// a comment\nnode {\n  color: #FFFFFF;\n}\n",
        'node {\n  caption: "a: b";\n}\n',
        "node {\n  color: red;\n}\n",
        "node {\n  colour: #FFFFFF;\n}\n",
        "node {\n  diameter: 50;\n}\n",
        "node {\n  diameter: 50px;\n",
        "node {\n  diameter: 50px;\n}\nnode {\n  diameter: 65px;\n}\n",
    ],
)
def test_the_check_of_styles_is_strict(text):
    with pytest.raises(AssertionError):
        parse(text)


def test_every_label_and_relation_of_the_schema_has_a_rule():
    assert len(LABELS) >= 13
    assert styled("node") == LABELS | ENTITY_LABELS.keys()
    assert styled("relationship") == RELATIONS | RELATION_TYPES.keys()


def test_captions_are_properties_that_the_nodes_have(sample_graph):
    rows = run(sample_graph, "MATCH (n) UNWIND labels(n) AS label RETURN label, collect(DISTINCT keys(n)) AS keys")
    assert len(rows) >= 10
    for row in rows:
        caption = shown("node", row["label"])["caption"]
        names = re.findall(r"\{(\w+)\}", caption)
        assert names, caption
        for keys in row["keys"]:
            assert set(names) <= set(keys), f"{row['label']} has no {names}"
    assert all(shown("relationship", name)["caption"] == '"<type>"' for name in RELATIONS)


def test_a_category_wins_over_entity():
    for label in ENTITY_LABELS:
        assert (
            shown("node", "Entity", label)["color"] == RULES[f"node.{label}"]["color"] != RULES["node.Entity"]["color"]
        )


def light(colour):
    """Red, green and blue as amounts of light."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def test_captions_can_be_read_on_their_colours():
    for style in [shown("node", label) for label in LABELS] + [shown("relationship", name) for name in RELATIONS]:
        pair = (style["color"], style["text-color-internal"])
        low, high = sorted(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), light(c), strict=True)) for c in pair)
        assert (high + 0.05) / (low + 0.05) >= 4.5, style


# What red-blind and green-blind eyes see of red, green and blue light (Viénot, Brettel and Mollon, 1999).
EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "red-blind": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "green-blind": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


def lab(rgb):
    """CIE L*a*b* of amounts of light, in which distances are like those that eyes see."""
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [sum(w * c for w, c in zip(row, rgb, strict=True)) for row in to_xyz]
    ratios = [value / white for value, white in zip(xyz, (0.9505, 1.0, 1.089), strict=True)]
    x, y, z = (r ** (1 / 3) if r > 0.008856 else 7.787 * r + 16 / 116 for r in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eyes", EYES)
def test_every_label_looks_different_to_every_eye(eyes):
    seen = {}
    for label in LABELS:
        rgb = light(shown("node", label)["color"])
        seen[label] = lab([max(0, sum(w * c for w, c in zip(row, rgb, strict=True))) for row in EYES[eyes]])
    for one, other in itertools.combinations(seen, 2):
        distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
        assert distance >= 10, f"{one} and {other}: {distance:.1f}"


# Favorites.


def test_favorites_run_as_they_are(sample_graph, tmp_path):
    file = tmp_path / "medgraph.zip"
    assert write_favorites(file) == len(list_saved())
    with zipfile.ZipFile(file) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) == {f"medgraph/{row['name']}.cypher" for row in list_saved()}
    for name, text in texts.items():
        assert text.startswith(f"// {Path(name).stem}\n")
        rows = run(sample_graph, text)
        assert list(rows[0]) == list(catalogue.get(Path(name).stem).columns)


@pytest.mark.parametrize(
    ("name", "message"), [("a.txt", "name it .*a.txt.zip"), ("no/a.zip", "cannot be written: there is no folder")]
)
def test_favorites_that_cannot_be_written_say_so(tmp_path, name, message):
    with pytest.raises(InputError, match=message):
        write_favorites(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_the_command_and_the_guide_tell_of_style_favorites_and_address(server, settings, tmp_path):
    file = tmp_path / "mine.zip"
    done = CliRunner().invoke(main, ["neo4j", "browser", "--no-open", "--favorites", str(file)], obj=settings)
    assert done.exit_code == 0, done.output
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert told["address"] == server.status().browser_uri
    assert "dbms=bolt://" in told["address"]
    assert told["password"] == server.password()
    assert told["style"].startswith(f"{STYLE} ")
    assert told["saved queries"].startswith(f"{PLACE} ")
    assert told["favorites"].startswith(f"{file} ")
    assert file.exists()
    for words in ("medgraph neo4j browser --favorites", f"`{STYLE.name}`", "bolt://", ":style reset", ":param name =>"):
        assert words in GUIDE


def test_the_guides_table_is_what_the_queries_say():
    for row in list_saved():
        given = ", ".join(f"`{part}`" for part in re.split(r", (?=\w+=)", row["parameters"]) if part) or "\u2013"
        assert f"| `{row['name']}` | {row['purpose']} | {given} |" in GUIDE, row["name"]


def test_the_guides_steps_name_what_there_is():
    steps = GUIDE.partition("## The first five minutes")[2].partition("\n## ")[0]
    names = {row["name"] for row in list_saved()}
    told = set(re.findall(r"[Rr]un `(\w+)`", steps))
    assert told >= {"counts", "neighbourhood", "kinds_above", "cited_section"}
    assert told <= names
    assert catalogue.get("kinds_above").parameters["name"] in steps


def test_browser_and_our_own_pictures_have_the_same_colours():
    for label, colour in PALETTE.items():
        assert RULES[f"node.{label}"]["color"] == colour
