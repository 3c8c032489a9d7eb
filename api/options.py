"""Options of the service: API keys, rate limit, host names, CORS origins and logging of questions."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from ..errors import InputError, SettingsError
from ..queries.filters import Scope
from . import cors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..settings import Settings

SHORTEST_KEY: Final = 16
RATE: Final = 120
"""Requests a minute from one client, where other machines can reach the service and the settings name no number."""

_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class LimitedKey:
    """A key, and what whoever sends it may be told of."""

    key: str = field(repr=False)
    scope: Scope


@dataclass(frozen=True, slots=True)
class Options:
    """How the service is run.

    Attributes:
        keys: API keys, any of which lets a request in; empty where no key is asked for.
        limited: Keys that let a request in and limit what it is told.
        rate: Requests a minute that one client may make; 0 for no limit.
        hosts: Names by which the service may be addressed; empty for any.
        browser: Address of Neo4j Browser with the connection filled in, for links to it; empty for none.
        log_questions: Whether the log holds what was asked.
        cors: Origins whose pages may call the service from a browser; empty for none.
    """

    keys: tuple[str, ...] = field(default=(), repr=False)
    limited: tuple[LimitedKey, ...] = ()
    rate: int = 0
    hosts: tuple[str, ...] = ()
    browser: str = ""
    log_questions: bool = False
    cors: tuple[str, ...] = ()


def make_options(
    settings: Settings,
    host: str,
    browser: str = "",
    *,
    proxy: str | None = None,
    log_questions: bool = False,
    origins: Sequence[str] = (),
    limited: Path | None = None,
) -> Options:
    """Choose how the service is run at an address.

    Args:
        settings: Keys, rate and the address of Neo4j Browser.
        host: Where it is served.
        browser: The embedded server's Browser, which only this machine can open.
        proxy: The address of a proxy that it is served through, which others can reach.
        log_questions: Whether the log holds what was asked.
        origins: Origins whose pages may call the service from a browser.
        limited: A file of keys that limit what is told, as `read_limited` reads it.

    Returns:
        The options. Where only this machine can reach the service and no key is asked for, it must be addressed by a
        name of this machine: no page of somebody else's can then reach it by a name that it points here.

    Raises:
        SettingsError: A key cannot be used.
        InputError: Others can reach it and there is no key; or an address or origin is none.
    """
    if proxy and not is_address(proxy):
        raise InputError(f"{proxy!r} is no address of a proxy; write it as it connects, such as 10.0.0.5")
    keys, local = read_keys(settings.api_key), is_loopback(host) and not proxy
    bound = read_limited(limited) if limited else ()
    known = [*keys, *(one.key for one in bound)]
    if len(set(known)) < len(known):
        raise SettingsError(f"{limited} has a key twice, or one of MEDGRAPH_API_KEY; give each key once")
    if not known and not local:
        way = " through the proxy" if proxy else ""
        raise InputError(
            f"{host!r} can be reached from other machines{way}: set MEDGRAPH_API_KEY to a key that they must send, "
            "such as the output of: openssl rand -hex 24"
        )
    rate = settings.rate_limit if settings.rate_limit is not None else 0 if local else RATE
    return Options(
        keys=keys,
        limited=bound,
        rate=rate,
        hosts=() if known else tuple(dict.fromkeys([*_LOOPBACK_NAMES, f"[{host}]" if ":" in host else host])),
        browser=settings.browser or (browser if local else ""),
        log_questions=log_questions,
        cors=cors.check(origins, keys=bool(known)),
    )


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def is_address(text: str) -> bool:
    """Tell whether a text is an IP address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def read_keys(text: str | None) -> tuple[str, ...]:
    """Read API keys, with commas between them: a new one can be handed out before the old one ends."""
    keys = tuple(key for part in (text or "").split(",") if (key := part.strip()))
    for key in keys:
        _check_key(key, "MEDGRAPH_API_KEY")
    return keys


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    key: str
    sources: tuple[str, ...] = ()
    licences: tuple[str, ...] = ()


def read_limited(path: Path) -> tuple[LimitedKey, ...]:
    """Read keys that are limited: a YAML list of `key`, with `sources`, `licences` or both.

    Raises:
        SettingsError: The file cannot be read, or a key in it cannot be used; the message never has the key.
    """
    try:
        lines = msgspec.yaml.decode(path.read_bytes(), type=list[_Line])
    except (OSError, msgspec.DecodeError) as error:
        raise SettingsError(f"{path}: {error}; write a list, each with key and sources or licences") from None
    for number, line in enumerate(lines, 1):
        _check_key(line.key, f"{path}, number {number},")
        if not (line.sources or line.licences):
            raise SettingsError(f"{path}, number {number}: name sources or licences; MEDGRAPH_API_KEY has other keys")
    return tuple(LimitedKey(line.key, Scope(line.sources, line.licences)) for line in lines)


def _check_key(key: str, place: str) -> None:
    if len(key) < SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            f"a key in {place} has {len(key)} characters or some that cannot stand in a header; "
            f"take at least {SHORTEST_KEY} letters and digits, such as those of: openssl rand -hex 24"
        )
