"""The command that completes words in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
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


COMMANDS = (completion,)
