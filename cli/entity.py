"""The command for looking at one entity or concept: its card, and a picture of what is around it."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..progress import note
from . import cards, printing
from .shared import AS_JSON, linker_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..pictures.graph import Picture
    from ..settings import Settings


@click.command()
@click.argument("name")
@click.option(
    "--picture",
    "file",
    type=click.Path(path_type=Path),
    help="Also draw what stands around it, into a .svg or .png file.",
)
@click.option("--language", default="en", show_default=True, help="Show its name in this language first, such as de.")
@click.option("--by-source", is_flag=True, help="Show which source says which name, definition and id elsewhere.")
@AS_JSON
@with_database
def entity(
    settings: Settings,
    database: Database,
    name: str,
    file: Path | None,
    language: str,
    by_source: bool,
    as_json: bool,
) -> None:
    """Tell what the graph knows about the entity NAME, an id, a name or words that name it; or a concept, by its CUI.

    What other sources have for the same concept is told with it: names, definitions and relations by all who say so. Of
    several that are called so and mean different things, the best described is shown, with the others beneath it.
    """
    from ..pictures import save

    paths = [file] if file else []
    save.check(paths)
    picture = _show_concept(database, name, as_json) or _show_entity(
        settings, database, name, language, by_source=by_source, as_json=as_json
    )
    if paths:
        save.save(picture, paths)
        note(f"{file} written")


def _show_concept(database: Database, name: str, as_json: bool) -> Picture | None:
    """Print a concept's card, where the name is the CUI of one, and give its picture."""
    from ..pictures.entity import picture_of_concept_card
    from ..queries.concepts import concept_card

    card = concept_card(database, name)
    if card is None:
        return None
    if as_json:
        printing.as_json(asdict(card))
    else:
        cards.concept(card)
    return picture_of_concept_card(card)


def _show_entity(
    settings: Settings, database: Database, name: str, language: str, *, by_source: bool, as_json: bool
) -> Picture:
    """Print an entity's card, and give its picture."""
    from ..pictures.entity import picture_of_entity
    from ..queries.cards import entity_card
    from ..queries.find import resolve

    chosen = resolve(database, linker_of(settings, database, joins=False), name)
    card = entity_card(database, chosen.entity)
    if card is None:
        raise click.ClickException(f"{chosen.entity} was taken out of the graph just now")
    for line in chosen.notes:
        note(line)
    local = card.name_in(language)
    shown = replace(card, name=f"{local} ({card.name})") if local else card
    if as_json:
        printing.as_json(asdict(card) | {"others": [asdict(other) for other in chosen.others]})
    elif by_source:
        cards.voices(shown)
    else:
        cards.card(shown, name, chosen.others)
    return picture_of_entity(shown)


COMMANDS = (entity,)
