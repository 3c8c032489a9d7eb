"""The embedded server's process and its settings: finding it, starting it, asking it, and reading what it says."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from ..errors import AuthenticationError, GaveUpError, PortTakenError, SettingsError, StartupError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..settings import Settings

MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
USER = "neo4j"
DATABASE = "neo4j"

# Stack frames, good news, and Java's advice to the authors of libraries.
_NOISE = re.compile(r"\s*$|\s+at |\s*\.\.\. \d+ more|WARNING: |\S+ \S+ INFO ")
_DYING_SECONDS = 5
_GAVE_UP = "Neo.DatabaseError.Transaction.TransactionStartFailed"
_PING = "RETURN 1"
_WHY_OFFLINE = "SHOW DATABASE neo4j YIELD statusMessage"


@dataclass(frozen=True)
class ServerStatus:
    """How the embedded server stands: its process, and whether it answers; addresses of drivers and Browser."""

    running: bool
    pid: int | None
    bolt_uri: str
    http_uri: str
    browser_uri: str
    version: str
    home: Path
    ready: bool


def pid_file(home: Path) -> Path:
    """Name the file in which the server itself notes its process."""
    return home / "run" / "neo4j.pid"


def find_server(home: Path) -> psutil.Process | None:
    """Find the running server of a folder, or None.

    The process is known by its command line: a pid file may be stale, and its number in use by another program; and a
    client that was killed while it started the server leaves no pid file.
    """
    try:
        noted = psutil.Process(int(pid_file(home).read_text(encoding="ascii")))
    except (OSError, ValueError, psutil.Error):
        noted = None
    if noted is not None and _is_server(noted, home):
        return noted
    return next((process for process in psutil.process_iter() if _is_server(process, home)), None)


def is_alive(process: psutil.Process) -> bool:
    """Tell whether a process runs; a child of ours that has ended is laid to rest."""
    try:
        # A killed server counts as a zombie while some of its threads still hold files and ports.
        if process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1:
            return process.is_running()
        process.wait(0)
    except (psutil.NoSuchProcess, psutil.TimeoutExpired):
        pass
    return False


def end(process: psutil.Process, timeout: float) -> None:
    """Ask a process to end, and end it by force when it does not."""
    with suppress(psutil.NoSuchProcess):
        process.terminate()
        deadline = time.monotonic() + timeout
        while is_alive(process):
            if time.monotonic() > deadline:
                process.kill()
            time.sleep(0.05)


def spawn(java: Path, arguments: Sequence[str], home: Path) -> psutil.Process:
    """Start the server by the program `java` so that it outlives this process and its terminal."""
    # The locale decides how Java reads paths: under LANG=C it could not open a folder called `Müller`.
    environment = clean_environment() | {"LC_ALL": "C.UTF-8"}
    with (home / "logs" / "console.log").open("wb") as log:
        child = subprocess.Popen(  # noqa: S603
            [java, *arguments, MAIN_CLASS, f"--home-dir={home}", f"--config-dir={home / 'conf'}"],
            cwd=home / "run",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    # It is meant to run on; without this, Python warns that it does.
    child.returncode = 0
    return psutil.Process(child.pid)


def clean_environment() -> dict[str, str]:
    """Copy the environment without what Neo4j reads from it, or need not know."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}


def require_free_ports(bolt: int, http: int) -> None:
    """Refuse to go on when the ports are the same one, or another program listens on one of them."""
    if bolt == http:
        raise SettingsError(f"MEDGRAPH_BOLT_PORT and MEDGRAPH_HTTP_PORT are both {bolt}; change one of them")
    require_free_port(bolt, "MEDGRAPH_BOLT_PORT")
    require_free_port(http, "MEDGRAPH_HTTP_PORT")


def require_free_port(port: int, setting: str) -> None:
    """Refuse a port where another program listens; `setting` is the environment variable that changes it."""
    # A server that was killed a moment ago still holds its port, and is past being named.
    deadline = time.monotonic() + _DYING_SECONDS
    while _is_taken(port, setting):
        holder = _listener(port)
        if holder or time.monotonic() > deadline:
            raise PortTakenError(
                f"port {port} is taken by {holder or 'another program'}; stop it, or set {setting} to a free port"
            )
        time.sleep(0.1)


def answers(home: Path, port: int, passwords: Sequence[str]) -> str | None:
    """Ask the server a first question, and give which of the passwords it accepts; None while it is not ready.

    Raises:
        AuthenticationError: The server accepts none of the passwords.
        StartupError: The server runs, but cannot open the database.
        GaveUpError: The server runs, and its database has given up, which a full disk makes it do.
    """
    try:
        socket.create_connection((HOST, port), timeout=2).close()
    except OSError:
        return None
    for password in passwords:
        try:
            return password if _asks(home, port, password) else None
        except AuthenticationError:
            if password == passwords[-1]:
                raise
    return None


def log_tail(home: Path, lines: int = 6) -> str:
    """Pick what tells most from the end of the server's logs, `lines` at most."""
    files = [home / "logs" / name for name in ("neo4j.log", "console.log")]
    text = "\n".join(file.read_text("utf-8", "replace")[-20_000:] for file in files if file.exists())
    this_start = text.rpartition("Starting...")[2].splitlines()
    telling = dict.fromkeys(line.strip()[:300] for line in this_start if not _NOISE.match(line))
    return "\n".join(f"  {line}" for line in list(telling)[-lines:])


def _is_server(process: psutil.Process, home: Path) -> bool:
    try:
        arguments = process.cmdline()
    except psutil.Error:
        return False
    return MAIN_CLASS in arguments and f"--home-dir={home}" in arguments


def _is_taken(port: int, setting: str) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except PermissionError:
            raise SettingsError(f"port {port} is reserved to the system; set {setting} to one from 1024 up") from None
        except OSError:
            return True
    return False


def _listener(port: int) -> str | None:
    with suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.pid and connection.laddr[1:] == (port,):
                holder = psutil.Process(connection.pid)
                command = " ".join(holder.cmdline())
                if not command:  # it is dying
                    return None
                home = command.partition("--home-dir=")[2].partition(" --config-dir")[0]
                what = f"the Neo4j of {home}" if home else command[:80] + "…" * (len(command) > 80)
                return f"{holder.name()} (process {holder.pid}: {what})"
    return None


def _asks(home: Path, port: int, password: str) -> bool:
    import neo4j
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    uri = f"bolt://{HOST}:{port}"
    try:
        with neo4j.GraphDatabase.driver(uri, auth=(USER, password), connection_timeout=5) as driver:
            try:
                with driver.session(database=DATABASE) as session:
                    session.run(_PING).consume()
                return True
            except Neo4jError as error:
                if error.code == _GAVE_UP:
                    raise GaveUpError(f"the server's database has given up ({error.message})") from error
                if error.code != "Neo.TransientError.General.DatabaseUnavailable":
                    raise
                with driver.session(database="system") as session:
                    row = session.run(_WHY_OFFLINE).single()
                if row is not None and row["statusMessage"]:
                    raise StartupError(
                        f"the server cannot open its database; restore a dump with `medgraph neo4j restore FILE`, or "
                        f"set MEDGRAPH_HOME to a new folder; {home / 'logs'} says:\n{log_tail(home)}"
                    ) from error
    except AuthError as error:
        if error.code != "Neo.ClientError.Security.Unauthorized":
            return False
        raise AuthenticationError(f"the server does not accept the password ({error.message})") from error
    except (DriverError, Neo4jError, OSError):
        pass
    return False


NEO4J_VERSION = "2026.08.1"
HOST = "127.0.0.1"
# A file of a transaction log: each database has one, and its room beforehand; a full one is followed by another.
LOG_BYTES = 64 << 20
# Neo4j needs these of Java, and its libraries call native code.
JAVA_OPTIONS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dfile.encoding=UTF-8",
)

_GIB = 1 << 30
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_TRANSACTION_SHARE = 0.6


def memory_sizes(settings: Settings, total: int | None = None) -> tuple[str, str]:
    """Choose heap and page cache, written such as `1g`, by bytes of memory; those of the settings win."""
    memory = machine_memory() if total is None else total
    # A machine sold as 16 GB reports somewhat less.
    if memory >= 15 * _GIB:
        heap, page_cache = "2g", "1g"
    elif memory >= 3.7 * _GIB:
        heap, page_cache = "1g", "512m"
    else:
        heap, page_cache = "512m", "128m"
    _size(settings.heap or heap, "MEDGRAPH_NEO4J_HEAP")
    _size(settings.page_cache or page_cache, "MEDGRAPH_NEO4J_PAGECACHE")
    return settings.heap or heap, settings.page_cache or page_cache


def machine_memory() -> int:
    """Measure the bytes of memory that this process may use: the machine's, or its container's lower limit."""
    total = int(psutil.virtual_memory().total)
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return total
    return min(total, int(limit)) if limit.isdigit() else total


def configuration(settings: Settings) -> str:
    """Write the text of the server's `neo4j.conf`."""
    values = _addresses(settings.bolt_port, settings.http_port) | _nothing_outside(settings) | _bounds(settings)
    head = "# Written by medgraph at each start; what is changed here is lost.\n"
    return head + "".join(f"{name}={value}\n" for name, value in values.items())


def configured_ports(conf: Path) -> tuple[int, int] | None:
    """Read the ports for drivers and Browser from what `configuration` wrote; None where there is no such file."""
    try:
        text = conf.read_text(encoding="utf-8")
    except OSError:
        return None
    ports = dict(re.findall(r"^server\.(bolt|http)\.listen_address=.*:(\d+)$", text, re.MULTILINE))
    return (int(ports["bolt"]), int(ports["http"])) if ports.keys() == {"bolt", "http"} else None


def class_path_argument(jars: Sequence[Path], file: Path) -> str:
    """Write the class path into a file, which keeps command lines short, and give the argument for `java`."""
    text = ":".join(map(str, jars)).replace("\\", "\\\\").replace('"', '\\"')
    file.write_text(f'-cp\n"{text}"\n', encoding="utf-8")
    return f"@{file}"


def _addresses(bolt_port: int, http_port: int) -> dict[str, str]:
    return {
        "server.default_listen_address": HOST,
        "server.default_advertised_address": HOST,
        "server.bolt.listen_address": f"{HOST}:{bolt_port}",
        "server.bolt.advertised_address": f"{HOST}:{bolt_port}",
        "server.http.listen_address": f"{HOST}:{http_port}",
        "server.http.advertised_address": f"{HOST}:{http_port}",
        "server.https.enabled": "false",
        "server.http.x_forward.enabled": "false",
        "dbms.security.auth_enabled": "true",
        "dbms.security.http_access_control_allow_origin": f"http://{HOST}:{http_port}",
    }


def _nothing_outside(settings: Settings) -> dict[str, str]:
    """Keep server and Browser to this machine; the policy also stops what Browser loads before it has connected."""
    names = [f"{scheme}://{host}:{settings.bolt_port}" for scheme in ("ws", "http") for host in (HOST, "localhost")]
    return {
        "dbms.usage_report.enabled": "false",
        "dbms.fleet_manager.enabled": "false",
        "server.fleet_discovery.enabled": "false",
        "client.allow_telemetry": "false",
        "browser.remote_content_hostname_whitelist": "localhost",
        "dbms.security.http_static_content_security_policy_header": (
            "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
            f"base-uri 'none'; object-src 'none'; frame-ancestors 'none'; connect-src 'self' {' '.join(names)}"
        ),
    }


def _bounds(settings: Settings) -> dict[str, str]:
    heap, page_cache = memory_sizes(settings)
    transactions = int(_size(heap, "MEDGRAPH_NEO4J_HEAP") * _TRANSACTION_SHARE) >> 20
    return {
        "server.memory.pagecache.size": page_cache,
        "dbms.memory.transaction.total.max": f"{transactions}m",
        "db.checkpoint": "VOLUME",
        "db.checkpoint.interval.volume": "250m",
        "db.tx_log.rotation.size": f"{LOG_BYTES >> 20}m",
        "db.tx_log.rotation.retention_policy": "2 files",
        "db.tx_log.preallocate": "true",
        "db.logs.query.enabled": "OFF",
        "server.directories.import": "import",
        # Drivers are told to give up a connection after two of these without a sign of life.
        "server.bolt.connection_keep_alive": "10s",
        # By default the server idles for ten seconds at each stop, after its databases are closed.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
    }


def _size(text: str, setting: str) -> int:
    if not re.fullmatch(r"[1-9]\d*[kmg]", text, re.IGNORECASE):
        raise SettingsError(f"{setting} is {text!r}; set it to a size such as 1g or 512m, or unset it")
    return int(text[:-1]) * _UNITS[text[-1].lower()]
