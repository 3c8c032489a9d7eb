"""Authentication, host check and rate limit."""

from __future__ import annotations

import hmac
import ipaddress
import math
import re
import time
from typing import TYPE_CHECKING, Final

from flask import Flask, g, request
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from ..queries.filters import EVERYTHING
from .problems import problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from flask import Response

    from ..queries.filters import Scope
    from .options import Options

_CHALLENGES: Final = ('Basic realm="medgraph", charset="UTF-8"', 'Bearer realm="medgraph"')
_IPV6_CLIENT: Final = 64
_PORT: Final = re.compile(r":\d*$")


def guard(app: Flask, options: Options, watched: AbstractSet[str]) -> None:
    """Refuse requests to a strange name, too many from one client, and those without a key where one is asked for.

    The endpoints that are `watched` take no key and have no limit.
    """
    limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
    limit = RateLimitItemPerMinute(options.rate) if options.rate else None
    keys = [(key.encode(), EVERYTHING) for key in options.keys] + [
        (one.key.encode(), one.scope) for one in options.limited
    ]

    @app.before_request
    def _admit() -> Response | None:
        if options.hosts and _PORT.sub("", request.host) not in options.hosts:
            return problem(421, f"this service answers to {', '.join(options.hosts)} only")
        g.scope = EVERYTHING
        if request.endpoint in watched:
            return None
        if limit and not limiter.hit(limit, who := client()):
            wait = math.ceil(limiter.get_window_stats(limit, who).reset_time - time.time())
            detail = f"more than {options.rate} requests a minute; wait a little"
            return problem(429, detail, {"Retry-After": str(max(wait, 1))})
        if keys and (scope := _scope_of(keys)) is not None:
            g.scope = scope
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


def _scope_of(keys: Sequence[tuple[bytes, Scope]]) -> Scope | None:
    """Look for a key where programs send it, and where browsers do after asking for a password; None without one."""
    sent = request.authorization
    given = [request.headers.get("X-API-Key")]
    if sent is not None:
        given.append({"bearer": sent.token, "basic": sent.password}.get(sent.type))
    texts = [text.encode("utf-8", "replace") for text in given if text is not None]
    return next((scope for key, scope in keys if any(hmac.compare_digest(text, key) for text in texts)), None)
