"""A line to a server that can be cut."""

import random
import socket
import threading
import time
from contextlib import suppress


class Proxy:
    """Stands between a driver and its server, and can cut the line."""

    def __init__(self, target):
        self._target = target
        self._pairs = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._up = True
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if not self._up:
                    near.close()
                    continue
                self._join(near)

    def _join(self, near):
        far = socket.create_connection(("127.0.0.1", self._target))
        self._pairs += [near, far]
        for a, b in ((near, far), (far, near)):
            threading.Thread(target=self._copy, args=(a, b), daemon=True).start()

    def _copy(self, source, sink):
        with suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self._up = False
        for sock in self._pairs:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()
        self._pairs.clear()

    def mend(self):
        self._up = True

    def close(self):
        self.cut()
        self._listener.close()


class FaultyProxy(Proxy):
    """A proxy that now and then cuts a connection, and lets what comes from the server wait.

    New connections wait too, each for itself, so that a later one may overtake an earlier one.

    Args:
        cuts: How likely a piece of an answer cuts its connection instead of coming.
        jitter: Seconds that it waits at most.
    """

    def __init__(self, target, cuts, jitter, seed=0):
        self._random, self._cuts, self._jitter = random.Random(seed), cuts, jitter
        self.cut_off = 0
        super().__init__(target)

    def _join(self, near):
        reach = super()._join

        def join():
            time.sleep(self._random.uniform(0, self._jitter))
            with suppress(OSError):
                reach(near)

        threading.Thread(target=join, daemon=True).start()

    def _copy(self, source, sink):
        with suppress(OSError):
            while data := source.recv(65536):
                if source.getpeername()[1] == self._target:
                    time.sleep(self._random.uniform(0, self._jitter))
                    if self._random.random() < self._cuts:
                        self.cut_off += 1
                        break
                sink.sendall(data)
        for sock in (source, sink):
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
