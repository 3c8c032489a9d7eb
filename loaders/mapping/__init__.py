"""Any table as a source, by a mapping in YAML."""
