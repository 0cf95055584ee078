"""YAML and JSON: from text to nodes that know their place, and to text."""
