"""In what models compute: the processor's features decide, so that a machine computes the same each time.

OpenVINO's `OPTIMIZATION_CAPABILITIES` do not tell enough. They name INT8 on every processor and BF16 on every one with
AVX-512, whether it has instructions for it or not, and they take no notice of `ONEDNN_MAX_CPU_ISA`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import SettingsError
from ...settings import AUTO

if TYPE_CHECKING:
    from ...settings import Settings

EXACT: Final = "f32"  # what every processor computes in
# A precision, the feature it needs, and the values of `ONEDNN_MAX_CPU_ISA` that leave that feature; fastest first.
# Without AMX bf16 takes longer than f32 does, so that it is used only if it is asked for. OpenVINO has no bf16 for
# ARM.
_TABLE: Final = (
    ("bf16", "amx_bf16", r"avx.*_amx.*"),
    ("int8", "avx512_vnni", r"avx512_core_.+|avx10.*"),
    ("int8", "avx_vnni", r"avx2_vnni.*"),
    ("bf16", "avx512_bf16", r"avx512_core_(bf16|fp16|amx).*|avx10.*"),
)
_NO_LIMIT: Final = frozenset(("", "default", "all"))
_FLAGS: Final = re.compile(r"^flags\s*:(.*)$", re.MULTILINE)


def precision_of(settings: Settings) -> str:
    """Tell in what encoders and readers compute: `f32`, `bf16` or `int8`.

    Raises:
        SettingsError: The processor has no instructions for the precision that is asked for.
    """
    usable = usable_precisions()
    if settings.precision == AUTO:
        return usable[0]
    if settings.precision not in usable:
        raise SettingsError(
            f"MEDGRAPH_PRECISION is {settings.precision!r}, which this processor has no instructions for;"
            f" set it to {' or '.join((AUTO, *usable))}, or unset it"
        )
    return settings.precision


def usable_precisions() -> tuple[str, ...]:
    """List what this processor has instructions for, the one to choose first; at least `f32`."""
    limit, found = os.environ.get("ONEDNN_MAX_CPU_ISA", "").lower(), _features()
    rows = (
        precision
        for precision, feature, limits in _TABLE
        if feature in found and (limit in _NO_LIMIT or re.fullmatch(limits, limit))
    )
    return tuple(dict.fromkeys((*rows, EXACT)))


def _features() -> frozenset[str]:
    """Read the names that Linux has for the features of an x86 processor; none elsewhere."""
    try:
        told = _FLAGS.search(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        return frozenset()
    return frozenset(told[1].split()) if told else frozenset()
