"""Drawings of what depends on what in a problem."""
