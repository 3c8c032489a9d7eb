"""One connection: requests read by h11, within bounds of size and time, handed on whole, and their replies sent."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass
from email.utils import formatdate
from typing import TYPE_CHECKING, Final

import h11

from .problems import PROBLEM_TYPE, Problem
from .security import SECURITY
from .wsgi import Reply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_PIECE: Final = 64 * 1024
_NO_BODY: Final = (204, 304)
_LINGER: Final = 1.0
"""Seconds that a client may take to read a last reply."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What clients may take, of space and of time.

    Attributes:
        headers: Bytes of a request's line and headers.
        body: Bytes of a body that are kept; a larger one is read and refused by the application.
        body_read: Bytes of a body that are read; above, the connection is closed with a refusal.
        idle: Seconds that a connection may wait for its next request, or for its client to read.
        arrival: Seconds that a request may take to arrive.
    """

    headers: int = 256 * 1024
    body: int = 384 * 1024
    body_read: int = 1024 * 1024
    idle: float = 30.0
    arrival: float = 30.0


@dataclass(frozen=True, slots=True)
class Arrived:
    """A request that has arrived as a whole.

    Attributes:
        request: Its line and headers.
        body: Its body; empty where it is larger than is kept.
        length: Bytes that the body had.
    """

    request: h11.Request
    body: bytes
    length: int


class Connection:
    """A connection of a client.

    Args:
        reader: What comes in.
        writer: What goes out.
        answer: Gives the reply to a request.
        limits: What the client may take.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        answer: Callable[[Arrived], Awaitable[Reply]],
        limits: Limits,
    ) -> None:
        self._reader, self._writer = reader, writer
        self._answer = answer
        self._limits = limits
        self._method = b""
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.headers)
        self._ending = False
        self._waiting = False

    def end(self) -> None:
        """Take no further request; what has begun goes on."""
        self._ending = True
        if self._waiting:
            self._reader.feed_eof()

    async def run(self) -> None:
        """Answer requests until either side has enough."""
        self._writer.transport.set_write_buffer_limits(high=0)
        try:
            while not self._ending and await self._begun() and await self._exchange():
                self._http.start_next_cycle()
        except (TimeoutError, OSError):
            self._writer.transport.abort()  # nobody is there, or takes too long
        finally:
            self._writer.close()

    async def _begun(self) -> bool:
        """Wait for the first bytes of a request."""
        if self._http.trailing_data[0]:
            return True
        self._waiting = True
        async with asyncio.timeout(self._limits.idle):
            data = await self._reader.read(_PIECE)
        self._waiting = False
        self._http.receive_data(data)
        return bool(data)

    async def _exchange(self) -> bool:
        """Read a request and send the reply; tell whether another may follow."""
        try:
            async with asyncio.timeout(self._limits.arrival):
                arrived = await self._arrived()
        except h11.RemoteProtocolError as error:
            arrived = refusal(error.error_status_hint, str(error))
        if arrived is None:
            return False
        await self._send(arrived if isinstance(arrived, Reply) else await self._answer(arrived))
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            return True
        await self._leave()
        return False

    async def _arrived(self) -> Arrived | Reply | None:
        """Read a request; None where the client has gone, a refusal where it sends too much."""
        request = await self._event()
        if not isinstance(request, h11.Request):
            return None
        self._method = request.method
        named = int(dict(request.headers).get(b"content-length", b"0"))
        body, length = bytearray(), 0
        while max(named, length) <= self._limits.body_read:
            event = await self._event()
            if isinstance(event, h11.EndOfMessage):
                return Arrived(request, bytes(body), length)
            if not isinstance(event, h11.Data):
                return None
            length += len(event.data)
            body += event.data
            if length > self._limits.body:
                body.clear()
        return refusal(413, f"the body has more than {self._limits.body_read:,} bytes")

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
                self._writer.write(self._http.send(go_on) or b"")
            self._http.receive_data(await self._reader.read(_PIECE))
        return event

    async def _send(self, reply: Reply) -> None:
        headers = [*reply.headers, ("Date", formatdate(usegmt=True))]
        whole = reply.pieces is None and reply.status not in _NO_BODY
        if whole and not any(name.lower() == "content-length" for name, _ in headers):
            headers.append(("Content-Length", str(len(reply.body))))
        if self._ending or self._http.their_state is not h11.DONE:
            headers.append(("Connection", "close"))
        head = self._method == b"HEAD"
        encoded = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers]
        response = h11.Response(status_code=reply.status, reason=reply.reason.encode("ascii"), headers=encoded)
        sent = self._http.send(response) or b""
        if reply.pieces is not None:
            await self._write(sent)
            sent = b""
            async with aclosing(reply.pieces) as pieces:
                async for piece in pieces:
                    if self._reader.at_eof():
                        raise ConnectionResetError  # the client has left
                    await self._write(self._http.send(h11.Data(data=piece)) or b"")
        elif reply.body and not head:
            sent += self._http.send(h11.Data(data=reply.body)) or b""
        await self._write(sent + (self._http.send(h11.EndOfMessage()) or b""))

    async def _write(self, sent: bytes) -> None:
        for start in range(0, len(sent), _PIECE):
            self._writer.write(sent[start : start + _PIECE])
            async with asyncio.timeout(self._limits.idle):
                await self._writer.drain()

    async def _leave(self) -> None:
        """Send no more, and give the client a moment to read: what it still sends would take the reply away from it."""
        self._writer.write_eof()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER):
                while await self._reader.read(_PIECE):
                    pass


def refusal(status: int, detail: str) -> Reply:
    """Say why what has come is not answered by the application.

    Args:
        status: The HTTP status.
        detail: What happened, for people.

    Returns:
        A reply with problem details.
    """
    problem = Problem.of(status, detail)
    body = json.dumps(asdict(problem)).encode()
    return Reply(status, problem.title, (("Content-Type", PROBLEM_TYPE), *SECURITY.items()), body)
