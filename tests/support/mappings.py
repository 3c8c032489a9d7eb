"""The beginning of mappings, which tests complete."""

from tests.support.paths import FILES

EXAMPLES = sorted((FILES / "mappings").glob("*.yaml"))
HEAD = "source: {id: clinic, title: T, version: 1.10, licence: CC-BY-4.0}\n"
ENTITY = 'entities: [{id: "clinic:{id}", label: Disease, name: "{name}"}]\n'
