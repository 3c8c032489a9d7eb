"""Translates errors of the OpenAI SDK into messages for the user, none of which shows the key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import openai

from ..errors import (
    ContextExceededError,
    ModelBusyError,
    ModelError,
    ModelRefusedError,
    ModelReplyError,
    ModelUnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

# Parameters that a call can do without, or that have another name elsewhere.
OPTIONAL: Final = ("seed", "temperature", "stop", "max_tokens", "stream_options")
_FORMAT: Final = re.compile(r"response_format|json_schema|json_object|grammar|structured output", re.IGNORECASE)
_CONTEXT: Final = re.compile(
    r"context.{0,20}(length|window|size)|maximum context|too (long|many tokens)", re.IGNORECASE
)
_KEYS: Final = re.compile(r"\b(?:sk|key|Bearer)[-_ ][\w*.\-]{6,}")
SHOWN: Final = 200
RETRY: Final = 5.0  # seconds after which to try again where the server names none


def refused_parameter(error: Exception, body: Mapping[str, Any]) -> str | None:
    """Tell which part of a request a server refuses, so that the request can be sent without it.

    Returns:
        The name of the part; None where the error is about something else.
    """
    if not isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError) or _is_context(error):
        return None
    said = str(error.message)
    if "response_format" in body and (_FORMAT.search(said) or str(error.param or "").startswith("response_format")):
        return "response_format"
    if error.param in OPTIONAL and error.param in body:
        return str(error.param)
    return next((name for name in OPTIONAL if name in body and re.search(rf"\b{name}\b", said)), None)


def may_pass(error: Exception) -> bool:
    """Tell whether trying again may help.

    Returns:
        Whether the server is overloaded, fails or was not reached; silence until the time-out is not tried again.
    """
    if isinstance(error, openai.RateLimitError):
        return error.code != "insufficient_quota"
    return isinstance(error, openai.InternalServerError) or (
        isinstance(error, openai.APIConnectionError) and not isinstance(error, openai.APITimeoutError)
    )


def retry_after(error: Exception) -> float | None:
    """Read the seconds that a server asks to wait.

    Returns:
        Seconds; None where the server names none.
    """
    if not isinstance(error, openai.APIStatusError):
        return None
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def translated(error: Exception, host: str, model: str, key: str, timeout: float) -> ModelError:
    """Say in a line what went wrong and what mends it.

    Args:
        key: The key, to leave it out of what the server says.
        timeout: Seconds that a call may take.
    """
    said = _said(error, key)
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, said, host, model)
    kind: type[ModelError] = ModelUnavailableError
    if isinstance(error, openai.APITimeoutError):
        what = f"was silent for {timeout:g} seconds; see whether it runs, or set MEDGRAPH_MODEL_TIMEOUT"
    elif isinstance(error, openai.APIConnectionError):
        what = "cannot be reached, or broke off; see whether it runs, and try again"
    elif isinstance(error, openai.APIError) and not isinstance(error, openai.APIResponseValidationError):
        what = f"fails: {said}"
    else:
        kind, what = ModelReplyError, f"answered something that is not of the chat format: {said}"
    return kind(f"{host} {what}")


def _of_status(error: openai.APIStatusError, said: str, host: str, model: str) -> ModelError:
    kind: type[ModelError] = ModelRefusedError
    match error:
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            what = f"refuses the key ({error.status_code}); check OPENAI_API_KEY"
        case openai.NotFoundError():
            what = f"has no model {model!r}: {said}; check MEDGRAPH_MODEL and OPENAI_BASE_URL"
        case openai.RateLimitError() if error.code != "insufficient_quota":
            return ModelBusyError(f"{host} asks to wait: {said}", retry_after(error) or RETRY)
        case openai.InternalServerError():
            kind, what = ModelUnavailableError, f"fails ({error.status_code}): {said}"
        case _ if _is_context(error):
            kind, what = ContextExceededError, f"has a shorter context: {said}; set MEDGRAPH_MODEL_CONTEXT to it"
        case _:
            what = f"refuses the request ({error.status_code}): {said}"
    return kind(f"{host} {what}")


def _is_context(error: openai.APIStatusError) -> bool:
    return error.code == "context_length_exceeded" or bool(_CONTEXT.search(str(error.message)))


def _said(error: Exception, key: str) -> str:
    """Give a server's words in one line, without anything that looks like a key."""
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    line = " ".join(str(said or error).split()).replace(key, "…")
    line = _KEYS.sub("…", line)
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
