"""Transports requests over HTTP or to the application in this process."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final

from ..errors import DatabaseUnavailableError, InputError, MedgraphError, NotInGraphError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flask import Flask

_KINDS: Final[dict[int, type[MedgraphError]]] = {
    HTTPStatus.BAD_REQUEST: InputError,
    HTTPStatus.NOT_FOUND: NotInGraphError,
    HTTPStatus.SERVICE_UNAVAILABLE: DatabaseUnavailableError,
}


class _Staying(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: it would carry the key to another server, and lose the body."""

    def redirect_request(self, *_: Any) -> None:
        """Give no request to go on with; the redirect is told as an error."""


class Remote:
    """A service at an address such as `http://127.0.0.1:8080`, which may be silent for `timeout` seconds."""

    def __init__(self, address: str, key: str | None, timeout: float) -> None:
        if not address.startswith(("http://", "https://")):
            raise InputError(f"{address!r} is no address of a service; it looks like http://127.0.0.1:8080")
        if key and not (key.isascii() and key.isprintable()):
            raise InputError("the key has characters that no header can carry; copy it again from whoever gave it")
        self._address, self._timeout = address.rstrip("/"), timeout
        self._key = {"Authorization": f"Bearer {key}"} if key else {}
        self._opener = urllib.request.build_opener(_Staying)

    def send(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Iterator[bytes]:
        """Send a request to `address`, path and query, and give the response line by line; MedgraphError if refused."""
        request = urllib.request.Request(  # noqa: S310 # http and https alone
            self._address + address, body, {**headers, **self._key}, method=method
        )
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                yield from response
        except urllib.error.HTTPError as error:
            if elsewhere := error.headers.get("Location"):
                raise MedgraphError(f"{self._address} redirects to {elsewhere}; give that address") from None
            raise _problem(error.code, error.read()) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise DatabaseUnavailableError(
                f"no answer from the service at {self._address}: {reason}; see whether it runs there (medgraph serve)"
            ) from error

    def close(self) -> None:
        """Nothing is held between requests."""


class Local:
    """The application in this process, over the graph that the settings name."""

    def __init__(self, app: Flask, database: Any = None) -> None:
        self._app, self._database = app, database

    def send(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> Iterator[bytes]:
        """Send a request."""
        client = self._app.test_client()  # one each, since threads share this
        response = client.open(address, method=method, data=body, headers=dict(headers), buffered=False)
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
        detail = str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        detail = body.decode("utf-8", "replace").strip()[:500] or f"status {status}"
    return _KINDS.get(status, MedgraphError)(detail)
