"""The beginning of mappings, which tests complete, and the command that checks them."""

from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.settings import Settings
from tests.support.paths import FILES

EXAMPLES = sorted((FILES / "mappings").glob("*.yaml"))
HEAD = "source: {id: clinic, title: T, version: 1.10, licence: CC-BY-4.0}\n"
ENTITY = 'entities: [{id: "clinic:{id}", label: Disease, name: "{name}"}]\n'


def check(*arguments):
    """Run `medgraph mapping check`; give its status, its output and its errors."""
    result = CliRunner().invoke(main, ["mapping", "check", *map(str, arguments)], obj=Settings.from_environment())
    return result.exit_code, result.stdout, result.stderr
