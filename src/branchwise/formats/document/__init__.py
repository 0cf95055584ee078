"""YAML and JSON documents: nodes that know their place, and what they describe."""
