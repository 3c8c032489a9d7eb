"""Access: authentication, host check, rate limit and origins, as the operator's options say."""

from __future__ import annotations

import hmac
import ipaddress
import math
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec
from flask import Flask, Response, g, request
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from werkzeug.datastructures import Authorization

from ..errors import InputError, NotInGraphError, SettingsError
from ..queries.filters import EVERYTHING, Scope, require_known
from .problems import problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from werkzeug.datastructures import Headers

    from ..graph.database import Database
    from ..settings import Settings
    from .desk import Desk

_CHALLENGES: Final = ('Basic realm="medgraph", charset="UTF-8"', 'Bearer realm="medgraph"')
_IPV6_CLIENT: Final = 64
_PORT: Final = re.compile(r":\d*$")


def guard(app: Flask, options: Options, watched: AbstractSet[str]) -> None:
    """Refuse requests to a strange name, too many from one client, and those without a key where one is asked for.

    The endpoints that are `watched` take no key and have no limit.
    """
    limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
    limit = RateLimitItemPerMinute(options.rate) if options.rate else None
    keys = options.all_keys

    @app.before_request
    def _admit() -> Response | None:
        if options.hosts and _PORT.sub("", request.host) not in options.hosts:
            return problem(421, f"this service answers to {', '.join(options.hosts)} only")
        g.scope, g.curates = EVERYTHING, False
        if request.endpoint in watched:
            return None
        if limit and not limiter.hit(limit, who := client()):
            wait = math.ceil(limiter.get_window_stats(limit, who).reset_time - time.time())
            detail = f"more than {options.rate} requests a minute; wait a little"
            return problem(429, detail, {"Retry-After": str(max(wait, 1))})
        if keys and (key := key_of(keys, request.headers)) is not None:
            g.scope, g.curates = key.scope, key.curates
        elif keys:
            detail = "an API key is missing or wrong; send it as Authorization: Bearer KEY"
            refused = problem(401, detail)
            for challenge in _CHALLENGES:  # a line each: of several in one, Chromium reads the first alone
                refused.headers.add("WWW-Authenticate", challenge)
            return refused
        return None


def client() -> str:
    """Name the client of this request: its address, or an IPv6 network, since a client has a whole one."""
    address = request.remote_addr or ""
    try:
        # A proxy may name the port too, which would make each connection another client.
        ip = ipaddress.ip_address(_PORT.sub("", address).strip("[]") if address.startswith("[") else address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is None:
        return str(ipaddress.ip_network((ip, _IPV6_CLIENT), strict=False))
    return str(ip)


SENT_IN: Final = ("Authorization", "X-API-Key")  # headers that a key may stand in


def key_of(keys: Sequence[LimitedKey], headers: Headers | Mapping[str, str]) -> LimitedKey | None:
    """Look for a key where programs send it, and where browsers do after asking for a password; None without one."""
    sent = Authorization.from_header(headers.get("Authorization"))
    given = [headers.get("X-API-Key")]
    if sent is not None:
        given.append({"bearer": sent.token, "basic": sent.password}.get(sent.type))
    texts = [text.encode("utf-8", "replace") for text in given if text is not None]
    return next((one for one in keys if any(hmac.compare_digest(text, one.key.encode()) for text in texts)), None)


SHORTEST_KEY: Final = 16
# Requests a minute from one client, where other machines can reach the service and the settings name no number.
RATE: Final = 120
_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class LimitedKey:
    """A key, what whoever sends it may be told of, and whether they may change the graph."""

    key: str = field(repr=False)
    scope: Scope = EVERYTHING
    curates: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """How the service is run."""

    # API keys, any of which lets a request in; empty where no key is asked for.
    keys: tuple[str, ...] = field(default=(), repr=False)
    limited: tuple[LimitedKey, ...] = ()  # keys of a file: limited in what they are told, or with a curator's right
    rate: int = 0  # requests a minute that one client may make; 0 for no limit
    hosts: tuple[str, ...] = ()  # names by which the service may be addressed; empty for any
    browser: str = ""  # address of Neo4j Browser with the connection filled in, for links to it; empty for none
    log_questions: bool = False  # whether the log holds what was asked
    cors: tuple[str, ...] = ()  # origins whose pages may call the service from a browser; empty for none
    desk: Desk | None = None  # where curators work; None where nobody may

    @property
    def all_keys(self) -> tuple[LimitedKey, ...]:
        """All keys that let a request in."""
        return (*map(LimitedKey, self.keys), *self.limited)


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
    """Choose how the service is run at an address, and behind a proxy that others can reach.

    Where only this machine can reach it and no key is asked for, it must be addressed by a name of this machine: no
    page of somebody else's can then reach it by a name that it points here.

    Raises:
        SettingsError: A key cannot be used.
        InputError: Others can reach it and there is no key; or an address or origin is none.
    """
    if proxy and not is_address(proxy):
        raise InputError(f"{proxy!r} is no address of a proxy; write it as it connects, such as 10.0.0.5")
    keys, local = parse_keys(settings.api_key), is_loopback(host) and not proxy
    bound = parse_limited_keys(limited) if limited else ()
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
        cors=check_origins(origins, keys=bool(known)),
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


def parse_keys(text: str | None) -> tuple[str, ...]:
    """Read API keys, with commas between them: a new one can be handed out before the old one ends."""
    keys = tuple(key for part in (text or "").split(",") if (key := part.strip()))
    for key in keys:
        _check_key(key, "MEDGRAPH_API_KEY")
    return keys


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    key: str
    sources: tuple[str, ...] = ()
    licences: tuple[str, ...] = ()
    curate: bool = False


def parse_limited_keys(path: Path) -> tuple[LimitedKey, ...]:
    """Read keys, a YAML list of `key` and `sources`, `licences` or `curate`; a SettingsError never has the key."""
    try:
        lines = msgspec.yaml.decode(path.read_bytes(), type=list[_Line])
    except (OSError, msgspec.DecodeError) as error:
        raise SettingsError(f"{path}: {error}; write a list, each with key and sources, licences or curate") from None
    for number, line in enumerate(lines, 1):
        _check_key(line.key, f"{path}, number {number},")
        if bool(line.sources or line.licences) is line.curate:
            said = "name sources or licences, or curate: true, which goes with all; MEDGRAPH_API_KEY has other keys"
            raise SettingsError(f"{path}, number {number}: {said}")
    return tuple(LimitedKey(line.key, Scope(line.sources, line.licences), line.curate) for line in lines)


def check_scopes(database: Database, limited: Sequence[LimitedKey], path: Path | None) -> None:
    """Refuse keys that are limited to what the graph does not have; whoever sends one would be told of nothing."""
    for number, one in enumerate(limited, 1):
        try:
            require_known(database, one.scope)
        except (NotInGraphError, InputError) as error:
            raise SettingsError(f"{path}, number {number}: {error}") from error


def _check_key(key: str, place: str) -> None:
    if len(key) < SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            f"a key in {place} has {len(key)} characters or some that cannot stand in a header; "
            f"take at least {SHORTEST_KEY} letters and digits, such as those of: openssl rand -hex 24"
        )


ANY: Final = "*"
PATHS: Final = ("/v1/", "/openapi.json", "/mcp")
_ALLOWED: Final = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, X-API-Key, Mcp-Method, Mcp-Name, MCP-Protocol-Version"
    ),
    "Access-Control-Max-Age": "600",
}
_EXPOSED: Final = "Retry-After, X-Request-ID"


def check_origins(origins: Sequence[str], *, keys: bool) -> tuple[str, ...]:
    """Check origins as an operator gives them; an InputError tells of one that is none, or any beside keys."""
    for origin in origins:
        if origin == ANY and keys:
            raise InputError("--cors '*' lets any page send its visitors' keys; name the origins")
        scheme, _, host = origin.partition("://")
        if origin != ANY and (scheme not in {"http", "https"} or not host or set(host) & set("/?#*@ ")):
            raise InputError(f"{origin!r} is no origin; it looks like https://app.example")
    return tuple(origins)


def allow_origins(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of these origins call the routes for programs; register it before what asks for keys."""
    if not origins:
        return

    def origin() -> str:
        sent = request.headers.get("Origin", "")
        told = request.path.startswith(PATHS) and sent and (ANY in origins or sent in origins)
        return (ANY if ANY in origins else sent) if told else ""

    @app.before_request
    def _preflight() -> Response | None:
        asks = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        return Response(status=204, headers=_ALLOWED) if asks and origin() else None

    @app.after_request
    def _tell(response: Response) -> Response:
        if request.path.startswith(PATHS):
            response.vary.add("Origin")
        if found := origin():
            response.headers["Access-Control-Allow-Origin"] = found
            response.headers["Access-Control-Expose-Headers"] = _EXPOSED
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response
