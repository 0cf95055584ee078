"""Schemas as we must keep them, stricter than others need to read them."""


def strict(schema):
    """Forbid what the schema does not describe: we must not write that."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: strict(each) for key, each in schema.items()}
    if isinstance(schema.get("properties"), dict) and "required" in schema:
        schema["additionalProperties"] = False
    return schema
