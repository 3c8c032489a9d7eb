"""Bytes to rows, safely and once: archives, packed files, tables, XML and JSON lines."""
