"""Life cycle of records: loading, comparison, writing, history, withdrawal and undo."""
