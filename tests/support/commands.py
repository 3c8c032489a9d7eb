"""Every command of the command line, and how a line of words is read."""

import shlex

import click

from medgraph.cli.main import main
from medgraph.settings import DEFAULT_ENCODER


def commands(group=main, names=()):
    """Yield every command with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*names, name))
        else:
            yield (*names, name), command


COMMANDS = dict(commands())

MADE_WITH = {"encoder": DEFAULT_ENCODER, "precision": "f32"}
"""What figures of the tests say of the models."""


def parse(line):
    """Parse a command line as the command would, without running it; UsageError for one that it would not take."""
    command, words = main, shlex.split(line)
    # A command keeps the help option of the first context that it is given: that must know `-h`, as the command's does.
    context = click.Context(command, info_name=words.pop(0), **command.context_settings)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, command, words = command.resolve_command(context, words)
        context = click.Context(command, info_name=name, parent=context)
    return command.make_context(context.info_name, words, parent=context.parent)
