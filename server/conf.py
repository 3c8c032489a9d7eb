"""The embedded server's settings: its configuration file and the options of its Java machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from ..errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..settings import Settings

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
