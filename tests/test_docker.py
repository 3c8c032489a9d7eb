"""What can be known of the containers without a Docker engine: see docker/README.md for what cannot.

Where Buildah is, the image is built on a base that debootstrap makes, and run beside the tests' own Neo4j.
"""

import fnmatch
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path
from urllib.request import Request, urlopen

import compose_spec
import pytest
import yaml

from medgraph.server.process import NEO4J_VERSION
from medgraph.settings import Settings
from tests.support.commands import parse
from tests.support.paths import ROOT
from tests.support.servers import free_port
from tests.support.tree import MODULES, PROJECT

DOCKER = ROOT / "docker"
TEXT = (DOCKER / "compose.yml").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
OURS = {name for name, service in SERVICES.items() if "build" in service}
README = (DOCKER / "README.md").read_text(encoding="utf-8")
KNOWN = set(re.findall(r"`((?:NEO4J|MEDGRAPH)_\w+)`", Settings.__doc__))


def instructions(text):
    """Read a Dockerfile into stages of instructions, each a word and the rest."""
    lines = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    stages = []
    for word, _, rest in (line.partition(" ") for line in lines if line.strip()):
        if word == "FROM":
            stages.append([])
        stages[-1].append((word, rest.strip()))
    return stages


STAGES = instructions((DOCKER / "Dockerfile").read_text(encoding="utf-8"))
BUILD, FINAL = STAGES


def only(word, stage=FINAL):
    (rest,) = [rest for name, rest in stage if name == word]
    return rest


ENVIRONMENT = dict(part.split("=", 1) for part in shlex.split(only("ENV")))

# compose.yml


def specified(data):
    """Read it as the Compose Specification does; merged keys are resolved before."""
    return compose_spec.PyCompose.from_json(json.dumps(data))


def test_compose_is_what_the_specification_allows():
    assert set(specified(COMPOSE).service_names()) == {"neo4j", "api", "setup", "replica", "proxy"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    restart: unless", "    restrat: unless"),
        ("condition: service_healthy", "condition: service_happy"),
        ("127.0.0.1:7474:7474", "127.0.0.1:7474:http"),
        ("interval: 10s", "interval: soon"),
        ("memory: 2560m", "memory: much"),
        ("read_only: true", "read_only: often"),
    ],
)
def test_the_specification_is_checked(old, new):
    assert old in TEXT
    with pytest.raises(ValueError, match=r"\w+"):
        specified(yaml.safe_load(TEXT.replace(old, new)))


def test_the_database_is_the_version_that_we_embed():
    assert SERVICES["neo4j"]["image"] == f"neo4j:{NEO4J_VERSION}"
    assert all(SERVICES[name]["image"] == f"medgraph:{PROJECT['project']['version']}" for name in OURS)


def test_ports_are_on_loopback_and_memory_is_bounded():
    for service in SERVICES.values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert SERVICES["api"]["ports"] == [f"127.0.0.1:{only('EXPOSE')}:{only('EXPOSE')}"]


def test_the_databases_memory_is_explicit_and_fits():
    values = SERVICES["neo4j"]["environment"]
    heap, heap_at_start, cache = (
        values[f"NEO4J_server_memory_{name}"] for name in ("heap_max__size", "heap_initial__size", "pagecache_size")
    )
    assert heap == heap_at_start
    limit = SERVICES["neo4j"]["deploy"]["resources"]["limits"]["memory"]
    assert megabytes(heap) + megabytes(cache) + 512 <= megabytes(limit)
    assert megabytes(values["NEO4J_dbms_memory_transaction_total_max"]) < megabytes(heap)


def megabytes(text):
    return int(text[:-1]) * {"m": 1, "g": 1024}[text[-1]]


def test_secrets_have_no_default():
    secrets = re.findall(r"\$\{(\w+)([^}]*)\}", TEXT.replace("$${", ""))
    assert {name for name, _ in secrets} == {"NEO4J_PASSWORD", "MEDGRAPH_API_KEY"}
    assert all(rest.startswith(":?") for _, rest in secrets)
    for name, service in SERVICES.items():
        for variable, value in service.get("environment", {}).items():
            if re.search("AUTH|PASSWORD|KEY", variable):
                assert re.fullmatch(r"(neo4j/)?\$\{\w+:\?[^}]+\}", value), f"{name}: {variable}"
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()
    assert all(f"{name}=%s" in README for name, _ in secrets)


def test_our_services_are_told_what_medgraph_knows():
    for name in OURS:
        service = SERVICES[name]
        assert service["environment"].keys() | {v for v in ENVIRONMENT if v.startswith("MEDGRAPH")} <= KNOWN
        assert service["environment"]["NEO4J_URI"] == "bolt://neo4j:7687"
        assert service["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["tmpfs"] == ["/tmp"]
        assert "user" not in service
    assert "MEDGRAPH_API_KEY" in SERVICES["api"]["environment"]
    assert SERVICES["setup"]["profiles"] == ["setup"]


def test_replicas_differ_from_the_service_in_their_number_alone():
    assert SERVICES["replica"]["environment"] == SERVICES["api"]["environment"]
    assert SERVICES["replica"]["deploy"] == SERVICES["api"]["deploy"] | {"replicas": 2}
    assert SERVICES["replica"]["profiles"] == SERVICES["proxy"]["profiles"] == ["replicas"]
    (mounted,) = SERVICES["proxy"]["volumes"]
    conf = (DOCKER / mounted.partition(":")[0]).read_text(encoding="utf-8")
    assert f"server replica:{only('EXPOSE')} " in conf
    assert f"127.0.0.1:{re.search(r'listen ([0-9]+);', conf)[1]}:" in SERVICES["proxy"]["ports"][0]


def test_the_databases_health_is_asked_over_bolt_with_its_password(tmp_path):
    kind, command = SERVICES["neo4j"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert "$" not in command.replace("$$", "")
    shell = tmp_path / "cypher-shell"
    shell.write_text('#!/bin/sh\necho "$NEO4J_USERNAME|$NEO4J_PASSWORD|$*"\n')
    shell.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "NEO4J_AUTH": "neo4j/a/b c$d"}
    done = subprocess.run(
        ["sh", "-c", command.replace("$$", "$")], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "neo4j|a/b c$d|-a bolt://127.0.0.1:7687 RETURN 1\n"


def test_every_command_line_parses():
    entry = json.loads(only("ENTRYPOINT"))
    lines = [[*entry, *json.loads(only("CMD"))]]
    lines += [[*entry, *service["command"]] for service in SERVICES.values() if "command" in service]
    for said in re.findall(r"^docker compose .*? run --rm (.*?)(?:\s+#.*)?$", README, re.MULTILINE):
        service, *words = [w for w in re.sub(r'--volume "[^"]*" ', "", said).split() if w]
        assert service in OURS
        lines += [[*entry, *words]] if words else []
    assert len(lines) == 4
    for line in lines:
        parse(shlex.join(line))
    assert "0.0.0.0" in lines[0]
    assert only("EXPOSE") in lines[0]


# Dockerfile


def ignored(path):
    """Whether .dockerignore keeps a path of the repository out of the build."""
    patterns = [p for p in (ROOT / ".dockerignore").read_text().splitlines() if p and not p.startswith("#")]
    parts = Path(path).parts
    for pattern in patterns:
        if pattern.startswith("**/"):
            if any(fnmatch.fnmatch(part, pattern[3:]) for part in parts):
                return True
        elif fnmatch.fnmatch(parts[0], pattern):
            return True
    return False


def test_what_is_copied_exists_and_what_the_wheel_needs_is_let_in():
    assert only("COPY", BUILD) == ". ."
    source, target = only("COPY").removeprefix("--from=build ").split()
    assert source == target == "/opt/medgraph"
    assert only("FROM", BUILD).endswith(" AS build")
    assert f"-m venv {source} " in only("RUN", BUILD)
    needed = [
        *MODULES,
        *ROOT.glob("queries/*/*"),
        *ROOT.glob("schema/*"),
        *ROOT.glob("api/*/*"),
        *ROOT.glob("loaders/sources/sample_files/*"),
    ]
    needed += [
        ROOT / name
        for name in ("pyproject.toml", "README.md", "LICENSE", "constraints.txt", "neo4j.lock.toml", "py.typed")
    ]
    for path in needed:
        relative = path.relative_to(ROOT)
        assert ignored(relative) == ("__pycache__" in relative.parts), relative
    assert all(
        ignored(name)
        for name in (".git/config", ".venv/x", "tests/x.py", "docker/.env", ".env", "api/__pycache__/a.pyc")
    )


def test_our_constraints_are_used_and_no_build_tools_are_left():
    steps = only("RUN", BUILD)
    assert "--constraint constraints.txt /wheels/medgraph-*.whl" in steps
    assert "uninstall --quiet --yes setuptools" in steps
    assert not re.search(r"apt-get|gcc|build-essential|curl|pip install", only("RUN"))
    bases = {rest.split()[0] for stage in STAGES for word, rest in stage if word == "FROM"}
    assert len(bases) == 1
    version = re.fullmatch(r"python:(\d+\.\d+)-slim-\w+", bases.pop())[1]
    assert f">={version}" == PROJECT["project"]["requires-python"]


def test_the_user_is_not_root_and_owns_what_it_writes():
    user = only("USER").split(":")[0]
    assert int(user) >= 1000
    assert f"--uid {user} " in only("RUN")
    made = re.search(r"install --directory --owner medgraph --group medgraph --mode 0700 (.*)$", only("RUN"))[1].split()
    assert made == [ENVIRONMENT["MEDGRAPH_HOME"], ENVIRONMENT["MEDGRAPH_CACHE"]]
    assert ENVIRONMENT["HOME"] in made
    words = [word for word, _ in FINAL]
    assert words.index("USER") < words.index("ENTRYPOINT")


def test_the_images_health_is_asked_where_it_serves():
    options, _, command = only("HEALTHCHECK").partition(" CMD ")
    assert {part.split("=")[0] for part in options.split()} == {
        "--interval",
        "--timeout",
        "--start-period",
        "--retries",
    }
    python, dash, program = json.loads(command)
    assert (python, dash) == ("python", "-c")
    assert f"http://127.0.0.1:{only('EXPOSE')}/healthz" in program
    compile(program, "HEALTHCHECK", "exec")


# The image, built and run


LARGEST = 450
"""Megabytes that medgraph adds to its base, at most."""
PYTHON = "docker.io/library/python:3.11-slim-bookworm"
BASE = "localhost/medgraph-test-base"
SHARED = ("/etc/pip.conf", "/etc/ssl/certs", "/usr/local/share/ca-certificates")


def buildah(*words, timeout=900, **options):
    done = subprocess.run(["buildah", *words], check=False, capture_output=True, text=True, timeout=timeout, **options)
    assert done.returncode == 0, f"buildah {shlex.join(words)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout.strip()


def volumes():
    """Give what tells pip in the container from where this machine takes packages."""
    return [word for path in SHARED if Path(path).exists() for word in ("--volume", f"{path}:{path}:ro")]


def make_base(folder):
    """Make an image with what Debian and Python's image have in common, unless one was made before."""
    if BASE not in buildah("images", "--format", "{{.Name}}").splitlines():
        mirror = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=True
        ).stdout.split()[0]
        packages = "--include=python3,python3-venv,python3-pip,ca-certificates"
        with (folder / "debootstrap.log").open("w") as log:
            command = [
                "debootstrap",
                "--variant=minbase",
                packages,
                PYTHON.rpartition("-")[2],
                str(folder / "base"),
                mirror,
            ]
            subprocess.run(command, stdout=log, check=True, timeout=900)
        (folder / "base/usr/bin/python").symlink_to("python3")
        container = buildah("from", "scratch")
        buildah("add", container, str(folder / "base"), "/")
        buildah("commit", "--rm", container, BASE)
    buildah("tag", BASE, PYTHON)


@pytest.fixture(scope="module")
def container(tmp_path_factory):
    """A container of the image, built from this checkout."""
    missing = [name for name in ("buildah", "debootstrap", "apt-get") if not shutil.which(name)]
    if missing or os.geteuid():
        pytest.skip(f"needs root, and {', '.join(missing) or 'nothing else'}: apt-get install buildah debootstrap")
    make_base(tmp_path_factory.mktemp("base"))
    built = ("bud", "--isolation", "chroot", "--format", "docker", "--pull-never", "--layers=false", *volumes())
    buildah(*built, "--file", str(DOCKER / "Dockerfile"), "--tag", "medgraph-test", str(ROOT))
    name = buildah("from", "--pull-never", "medgraph-test")
    yield name
    buildah("rm", name)
    buildah("rmi", "medgraph-test")


@pytest.fixture
def inside(container, server, settings):
    """Gives the command line that runs a command in the container, with the tests' Neo4j and models beside it."""

    def run(*words, **variables):
        variables |= {"NEO4J_URI": server.bolt_uri, "NEO4J_PASSWORD": server.password()}
        given = [word for name, value in variables.items() for word in ("--env", f"{name}={value}")]
        models = ("--volume", f"{settings.cache / 'models'}:{ENVIRONMENT['MEDGRAPH_CACHE']}/models:ro")
        return ["buildah", "run", "--isolation", "chroot", *models, *given, container, "--", *words]

    return run


@pytest.mark.thorough
@pytest.mark.timeout(1800)
def test_the_image_is_small_runs_as_its_user_and_serves_beside_a_database(inside, database, encoder, sentence_reader):
    def said(*words):
        return subprocess.run(inside(*words), capture_output=True, text=True, check=True, timeout=600).stdout

    entry, port = json.loads(only("ENTRYPOINT")), free_port()
    assert said(*entry, "--version") == f"medgraph, version {PROJECT['project']['version']}\n"
    assert said("id", "-u").strip() == only("USER").split(":")[0]
    assert int(said("du", "-sm", "/opt/medgraph").split()[0]) <= LARGEST
    assert "How is gout treated?" in said(*entry, "quickstart")
    key = "k" * 32
    serving = [*entry, *json.loads(only("CMD"))]
    serving = [{"0.0.0.0": "127.0.0.1", only("EXPOSE"): str(port)}.get(word, word) for word in serving]
    health = json.loads(only("HEALTHCHECK").partition(" CMD ")[2])
    health = [word.replace(f":{only('EXPOSE')}/", f":{port}/") for word in health]
    with subprocess.Popen(inside(*serving, MEDGRAPH_API_KEY=key), start_new_session=True) as served:
        try:
            for _ in range(120):
                if not (done := subprocess.run(inside(*health), capture_output=True, check=False).returncode):
                    break
                time.sleep(1)
            assert done == 0
            asked = Request(
                f"http://127.0.0.1:{port}/v1/answers",
                json.dumps({"question": "How is gout treated?"}).encode(),
                {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
            )
            with urlopen(asked, timeout=120) as answered:
                answer = json.load(answered)
        finally:
            os.killpg(served.pid, signal.SIGTERM)
    assert (answer["status"], answer["cited"]) == ("answered", ["sample:gout#6"])
