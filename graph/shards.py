"""Pages of rows in Parquet files, each with its manifest in the file's metadata: input, model, rows, version.

A row is MessagePack in a column, so that it comes back with the types it had.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec

from ..errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Row = dict[str, Any]


def key_of(page: list[Row], made_by: str) -> str:
    """Name the shard of a page: the same page and the same model give the same name."""
    return hashlib.blake2b(msgspec.msgpack.encode((made_by, page)), digest_size=16).hexdigest()


def write_shard(path: Path, rows: list[Row], manifest: Mapping[str, str]) -> None:
    """Write a shard that others see whole or not at all.

    Raises:
        InputError: There is no room for it, or no right to write there.
    """
    import pyarrow
    from pyarrow import parquet

    column = pyarrow.array([msgspec.msgpack.encode(row) for row in rows], pyarrow.binary())
    table = pyarrow.table({"row": column}).replace_schema_metadata({**manifest, "rows": str(len(rows))})
    # A worker whose driver was killed may still be at the same shard.
    partial = path.with_name(f"{path.stem}-{uuid4().hex}.part")
    try:
        parquet.write_table(table, partial, compression="zstd", use_dictionary=False)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(
            f"{path} cannot be written: {error}; make room, or set --shards to another folder, "
            "and run the command again"
        ) from error


def read_shard(path: Path, expected: Mapping[str, str]) -> list[Row]:
    """Read the rows of a shard.

    Args:
        expected: What its manifest must say.

    Raises:
        InputError: It is damaged, or of something else.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(f"{path} cannot be read: {error}; delete it, and run the command again") from error
    found = {name.decode(): value.decode() for name, value in table.schema.metadata.items()}
    wanted = {**expected, "rows": str(table.num_rows)}
    for name, value in wanted.items():
        if found.get(name) != value:
            raise InputError(
                f"{path} has {name} {found.get(name)!r}, not {value!r}: workers need the same medgraph and models "
                "as this process; delete the file, and run the command again"
            )
    return [msgspec.msgpack.decode(row) for row in table["row"].to_pylist()]
