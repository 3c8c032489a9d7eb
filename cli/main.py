"""The `medgraph` command: each module beside this one exports its commands, and so may other packages."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import get_completion_class

from ..errors import MedgraphError
from ..settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODULES = {module.name: f"{__package__}.{module.name}" for module in iter_modules([str(Path(__file__).parent)])}
# The group of entry points of packages whose modules export commands, as the lab's do.
COMMANDS_OF = "medgraph.commands"


@cache
def _modules() -> dict[str, str]:
    """Give the modules that export commands, by name; those of other packages do not replace our own."""
    from importlib.metadata import entry_points

    packages = [import_module(point.value) for point in entry_points(group=COMMANDS_OF)]
    found = {
        one.name: f"{package.__name__}.{one.name}" for package in packages for one in iter_modules(package.__path__)
    }
    return found | _MODULES


class _Group(click.Group):
    """Imports the module of a command when the command is needed; turns foreseen errors into one line, exit status 1.

    A module exports its commands as `COMMANDS`. The module that bears a command's name is enough for this command; a
    group and a list of all commands import all modules, and those of other packages.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        for module in _modules().values():
            self._import(module)
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = _MODULES.get(cmd_name)
        for module in [own] if own else _MODULES.values():
            if cmd_name in self.commands:
                break
            self._import(module)
        if cmd_name not in self.commands:
            self.list_commands(ctx)
        found = super().get_command(ctx, cmd_name)
        if isinstance(found, click.Group):  # other modules may add commands to it
            self.list_commands(ctx)
        return found

    def _import(self, module: str) -> None:
        for command in getattr(import_module(module), "COMMANDS", ()):
            self.add_command(command)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _one_line_errors():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line_errors(ctx):
            return super().invoke(ctx)


@contextmanager
def _one_line_errors(group: click.Context | None = None) -> Iterator[None]:
    try:
        yield
    except MedgraphError as error:
        raise click.ClickException(" ".join(str(error).split())) from error
    except click.UsageError as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            raise
        within = (group.command_path, group.invoked_subcommand) if group else ("medgraph",)
        command = error.ctx.command_path if error.ctx else " ".join(filter(None, within))
        message = " ".join(error.format_message().split())
        raise click.ClickException(f"{message} (see {command} --help)") from error
    except KeyboardInterrupt:
        raise click.ClickException("interrupted; run the same command again to go on") from None
    except BrokenPipeError:
        raise click.exceptions.Exit(0) from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="medgraph")
@click.pass_context
def main(ctx: click.Context) -> None:
    """A biomedical knowledge graph in Neo4j that answers questions with checked citations."""
    logging.getLogger("neo4j").setLevel(logging.CRITICAL)  # what it retries is no news, what it gives up is raised
    if not isinstance(ctx.obj, Settings):
        ctx.obj = Settings.from_environment()


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what completes commands and options in SHELL.

    Into ~/.bashrc or ~/.zshrc: eval "$(medgraph completion bash)", or zsh; for fish, write it to
    ~/.config/fish/completions/medgraph.fish.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "medgraph", "_MEDGRAPH_COMPLETE").source())
