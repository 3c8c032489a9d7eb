"""How requests travel: over HTTP, or to the application in this process."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..errors import DatabaseUnavailableError, InputError, MedgraphError, NotInGraphError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flask import Flask

_KINDS: Final = {
    HTTPStatus.BAD_REQUEST: InputError,
    HTTPStatus.NOT_FOUND: NotInGraphError,
    HTTPStatus.SERVICE_UNAVAILABLE: DatabaseUnavailableError,
}


class Transport(Protocol):
    """Sends a request and gives the response line by line; a MedgraphError tells what the service refuses."""

    def send(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Iterator[bytes]:
        """Send a request; `address` is path and query."""
        ...

    def close(self) -> None:
        """Let go of what the transport holds."""
        ...


class Remote:
    """A service elsewhere.

    Args:
        address: Such as `http://127.0.0.1:8080`.
        key: The API key, where the service asks for one.
        timeout: Seconds that the service may be silent.
    """

    def __init__(self, address: str, key: str | None, timeout: float) -> None:
        if not address.startswith(("http://", "https://")):
            raise InputError(f"{address!r} is no address of a service; it looks like http://127.0.0.1:8080")
        self._address, self._timeout = address.rstrip("/"), timeout
        self._key = {"Authorization": f"Bearer {key}"} if key else {}

    def send(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Iterator[bytes]:
        """Send a request."""
        request = urllib.request.Request(  # noqa: S310 # http and https alone
            self._address + address, body, {**headers, **self._key}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:  # noqa: S310
                yield from response
        except urllib.error.HTTPError as error:
            raise _problem(error.code, error.read()) from None
        except OSError as error:
            reason = getattr(error, "reason", None) or error
            raise DatabaseUnavailableError(f"no answer from {self._address}: {reason}") from error

    def close(self) -> None:
        """Nothing is held between requests."""


class Local:
    """The application in this process, over the graph that the settings name."""

    def __init__(self, app: Flask, database: Any = None) -> None:
        self._client, self._database = app.test_client(), database

    def send(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Iterator[bytes]:
        """Send a request."""
        response = self._client.open(address, method=method, data=body, headers=dict(headers), buffered=False)
        try:
            if response.status_code != HTTPStatus.OK:
                raise _problem(response.status_code, response.data)
            yield from response.iter_encoded()
        finally:
            response.close()

    def close(self) -> None:
        """Close the connections to the graph."""
        if self._database is not None:
            self._database.close()


def _problem(status: int, body: bytes) -> MedgraphError:
    """Tell problem details, or what else a proxy or server says, as the error that they stand for."""
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        detail = body.decode("utf-8", "replace").strip()[:500] or f"status {status}"
    return _KINDS.get(HTTPStatus(status), MedgraphError)(detail)
