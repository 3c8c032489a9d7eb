"""Every command of the command line, and how a line of words is read."""

import shlex

import click

from medgraph.cli.main import main


def commands(group=main, names=()):
    """Yield every command with the words that call it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*names, name))
        else:
            yield (*names, name), command


COMMANDS = dict(commands())


def parse(line):
    """Parse a command line as the command would, without running it."""
    command, words, context = main, shlex.split(line)[1:], None
    name = "medgraph"
    while True:
        context = command.make_context(name, list(words), parent=context)
        if not isinstance(command, click.Group):
            return context
        name, command, words = command.resolve_command(context, [*context._protected_args, *context.args])
