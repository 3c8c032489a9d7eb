"""Values held against their descriptions."""

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": int | float,
    "boolean": bool,
    "null": type(None),
}


def holds(value, schema, schemas):
    """Check a value against its description; unlike JSON Schema, no property may be left undescribed."""
    schema = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    assert "enum" not in schema or value in schema["enum"]
    if kinds := schema.get("type"):
        assert any(isinstance(value, TYPES[kind]) for kind in ([kinds] if isinstance(kinds, str) else kinds)), value
    if "properties" in schema:
        assert value.keys() == schema["properties"].keys()
        for name, part in schema["properties"].items():
            holds(value[name], part, schemas)
    if "anyOf" in schema:
        assert any(fits(value, part, schemas) for part in schema["anyOf"]), value
    if isinstance(value, list) and "items" in schema:
        for item in value:
            holds(item, schema["items"], schemas)


def fits(value, schema, schemas):
    try:
        holds(value, schema, schemas)
    except AssertionError:
        return False
    return True
