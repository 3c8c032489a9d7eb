"""The pages of curators, for keys with that right: load with a dry run first, audit, undo, index, review."""

from __future__ import annotations

import secrets
from hmac import compare_digest
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    stream_template,
    url_for,
)
from werkzeug.utils import secure_filename

from ..errors import InputError, SourceError
from ..files import require_space
from .desk import MAPPING, Desk, Order, Work
from .routes import closing, service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from werkzeug import Response as Redirect
    from werkzeug.datastructures import FileStorage

    from ..loaders.commands import Where

curating = Blueprint("curating", __name__, url_prefix="/curate")

UPLOAD: Final = 256 * 1024 * 1024  # bytes of what is uploaded at once
SHOWN: Final = 100  # rejects, findings of an audit, and equivalences that a page shows
_FACTS: Final = ("name", "title", "version", "licence", "url", "max_rejects")  # of `LoadOptions`, as texts


def desk() -> Desk:
    """Give the desk of the service."""
    found: Desk = current_app.extensions["medgraph-options"].desk
    return found


@curating.before_request
def _admit() -> None:
    """Let those in whose key has the right, and take forms of these pages alone: a browser sends the key by itself."""
    if not g.curates or current_app.extensions["medgraph-options"].desk is None:
        abort(403, "this takes a key with the right to curate; whoever runs the service gives one")
    request.max_content_length = UPLOAD
    if request.method == "POST":
        ours = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
        if not ours or not compare_digest(request.form.get("token", ""), desk().token):
            abort(403, "this form is of another page, or older than the service; open the page again")


@curating.get("")
def page_curate() -> str:
    """Show what can be done, and what is."""
    from ..loaders import registry

    known = {name: source.info.title for name, source in sorted(registry.sources().items())}
    loaded = [row["source"] for row in service().sources() if not row["part_of"]]
    return render_template("curate.html", known=known, loaded=loaded, mapping=MAPPING, desk=desk(), most=UPLOAD >> 20)


@curating.post("/orders")
def try_out() -> Redirect:
    """Keep what is uploaded, and try it out."""
    desk().try_out(_order())
    return _watched()


@curating.post("/work")
def begin() -> Redirect:
    """Begin some work."""
    source = request.form.get("source", "")
    match request.form.get("do"):
        case "load":
            desk().load(request.form.get("order", ""))
        case "undo":
            desk().undo(source, whole="whole" in request.form)
        case "audit":
            desk().audit(source)
        case "index":
            desk().index()
        case _:
            abort(400, "there is no such work")
    return _watched()


@curating.get("/work")
def page_work() -> Response | Redirect:
    """Show how far the work is, as it goes on, and what came of it."""
    work = desk().work
    if work is None:
        return redirect(url_for("curating.page_curate"))
    lines = work.watch()
    rows = (line.rstrip("\n").split("\t") for line in islice(_rejects(work), 1, SHOWN + 1))
    sent = stream_template("work.html", work=work, lines=lines, desk=desk(), rejects=rows, most=SHOWN)
    headers = {"X-Accel-Buffering": "no"}
    return closing(Response(sent, content_type="text/html; charset=utf-8", headers=headers), lines)


@curating.get("/rejects")
def rejects() -> Response:
    """Give the whole list of what the work rejects or remarks on."""
    work = desk().work
    path: Path | None = getattr(work and work.result, "rejects_file", None)
    if work is None or path is None:
        abort(404, "nothing was rejected")
    headers = {"Content-Disposition": f'attachment; filename="{path.name}"'}
    return Response(_rejects(work), content_type="text/tab-separated-values; charset=utf-8", headers=headers)


@curating.route("/reviews", methods=("GET", "POST"))
def page_reviews() -> str | Redirect:
    """Show equivalences, and note what a curator says of one."""
    from ..graph.connect import connect
    from ..linking import review

    status, method = (request.values.get(name, "") for name in ("status", "method"))
    with connect(desk().settings) as database:
        if request.method == "POST":
            pair = request.form.get("one", ""), request.form.get("other", "")
            match request.form.get("decide"):
                case "undo":
                    review.undo(database, *pair)
                case "accept" | "reject" as said:
                    review.decide(database, *pair, same=said == "accept")
                case _:
                    abort(400, "an equivalence is accepted, rejected, or that is taken back")
            return redirect(url_for("curating.page_reviews", status=status, method=method), 303)
        pairs = review.listed(database, status or "proposed", SHOWN, method)
    shown = {"status": status or "proposed", "method": method, "statuses": review.STATUSES}
    return render_template("reviews.html", pairs=pairs, desk=desk(), most=SHOWN, **shown)


def _watched() -> Redirect:
    return redirect(url_for("curating.page_work"), 303)


def _order() -> Order:
    """Read a form into an order, and keep its files in a folder of their own, under plain names."""
    from ..loaders import registry
    from ..loaders.commands import LoadOptions

    source = request.form.get("source", "")
    mapping, files = _sent("mapping"), _sent("files")
    address = request.form.get("address", "").strip()
    if source != MAPPING and source not in registry.sources():
        raise InputError("choose a source, or that it is read by a mapping")
    if (source == MAPPING) is not bool(mapping) or len(mapping) > 1:
        raise InputError("a mapping is one file, and goes with the choice that it is read by one")
    if files and address:
        raise InputError("give files or an address, not both")
    if address and not address.lower().startswith(("https://", "http://")):
        raise InputError("an address here begins with https:// or http://")
    facts: dict[str, Any] = {name: value for name in _FACTS if (value := request.form.get(name, "").strip())}
    folder = desk().room()
    require_space(folder, request.content_length or 0)
    if mapping:
        mapping[0].save(folder / MAPPING)
        _check_mapping(folder / MAPPING)
    where: Where = (address,) if address else _kept(folder / "files", files)
    wish = LoadOptions(replace="replace" in request.form, shrink="shrink" in request.form, **facts)
    return Order(secrets.token_hex(8), folder, source, where, wish)


def _check_mapping(path: Path) -> None:
    """Refuse a mapping with mistakes, and one that would have the service's password sent to another Neo4j."""
    from ..loaders import registry

    try:
        asks = registry.get(str(path)).packaged
    except SourceError as error:
        raise InputError(f"the mapping: {str(error).replace(str(path), path.name)}") from error
    if asks:
        raise InputError("this mapping asks another Neo4j, with a password of the service: load it by the command")


def _sent(name: str) -> list[FileStorage]:
    """Give the files of a field; a browser sends an empty one where none is chosen."""
    return [file for file in request.files.getlist(name) if file.filename]


def _kept(folder: Path, files: list[FileStorage]) -> Path | None:
    """Save files into a folder; give the one, the folder of several, or nothing of none."""
    names = [secure_filename(file.filename or "") or "file" for file in files]
    if len(set(names)) < len(names):
        raise InputError("two of the files have one name")
    for name, file in zip(names, files, strict=True):
        file.save(folder / name)
    return None if not names else folder / names[0] if len(names) == 1 else folder


def _rejects(work: Work) -> Iterator[str]:
    """Give the lines of what a report rejects and remarks on, under their header: number, kind, file, line, reason."""
    if path := work.result.rejects_file:
        with path.open(encoding="utf-8") as lines:
            yield from map(work.plain, lines)
