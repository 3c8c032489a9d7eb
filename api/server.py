"""Run the application on a production server."""

from __future__ import annotations

import ipaddress
import logging
import signal
import socket
import sys
from typing import TYPE_CHECKING, Final

from waitress.server import create_server

from ..errors import InputError
from .app import MAX_BODY, access_log, create_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from .service import Service

THREADS: Final = 8
IDLE: Final = 30
BODY_READ: Final = 16 * MAX_BODY
"""Bodies up to here are read, so that one that is too large gets problem details; above, the connection is closed."""


def serve(service: Service, host: str, port: int, report: Callable[[str], None]) -> None:
    """Serve until the process is told to end.

    Args:
        service: What to serve.
        host: A loopback address.
        port: The port; 0 takes any that is free.
        report: Told the address.

    Raises:
        InputError: The address is not a loopback one, or the port is taken.
    """
    address = "127.0.0.1" if host == "localhost" else host
    if not is_loopback(address):
        raise InputError(
            f"{host!r} can be reached from other machines, and there is no access control: serve 127.0.0.1"
        )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    access_log.addHandler(handler)
    access_log.setLevel(logging.INFO)
    try:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        listener = socket.create_server((address, port), family=family)
    except OSError as error:
        raise InputError(f"{host}:{port} cannot be served at: {error.strerror}; choose another --port") from error
    server = create_server(
        create_app(service),
        sockets=[listener],
        threads=THREADS,
        channel_timeout=IDLE,
        max_request_body_size=BODY_READ,
        ident=None,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    report(f"serving at http://{host}:{listener.getsockname()[1]}")
    server.run()


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address.

    Args:
        host: An address.

    Returns:
        Whether it is a loopback address.
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
