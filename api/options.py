"""How the service is run: who may ask, how often, and what it tells of itself."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..errors import InputError, SettingsError
from . import cors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..settings import Settings

SHORTEST_KEY: Final = 16
RATE: Final = 120
"""Requests a minute from one client, where other machines can reach the service and the settings name no number."""

_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Options:
    """How the service is run.

    Attributes:
        keys: API keys, any of which lets a request in; empty where no key is asked for.
        rate: Requests a minute that one client may make; 0 for no limit.
        hosts: Names by which the service may be addressed; empty for any.
        browser: Address of Neo4j Browser with the connection filled in, for links to it; empty for none.
        log_questions: Whether the log holds what was asked.
        cors: Origins whose pages may call the service from a browser; empty for none.
    """

    keys: tuple[str, ...] = field(default=(), repr=False)
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
) -> Options:
    """Choose how the service is run at an address.

    Args:
        settings: Keys, rate and the address of Neo4j Browser.
        host: Where it is served.
        browser: The embedded server's Browser, which only this machine can open.
        proxy: The address of a proxy that it is served through, which others can reach.
        log_questions: Whether the log holds what was asked.
        origins: Origins whose pages may call the service from a browser.

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
    if not keys and not local:
        way = " through the proxy" if proxy else ""
        raise InputError(
            f"{host!r} can be reached from other machines{way}: set MEDGRAPH_API_KEY to a key that they must send, "
            "such as the output of: openssl rand -hex 24"
        )
    rate = settings.rate_limit if settings.rate_limit is not None else 0 if local else RATE
    return Options(
        keys=keys,
        rate=rate,
        hosts=() if keys else tuple(dict.fromkeys([*_LOOPBACK_NAMES, f"[{host}]" if ":" in host else host])),
        browser=settings.browser or (browser if local else ""),
        log_questions=log_questions,
        cors=cors.check(origins, keys=bool(keys)),
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
        if len(key) < SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
            raise SettingsError(
                f"a key in MEDGRAPH_API_KEY has {len(key)} characters or some that cannot stand in a header; "
                f"take at least {SHORTEST_KEY} letters and digits, such as those of: openssl rand -hex 24"
            )
    return keys
