"""Ties and fractions: which options that may be optimal are, and which to take."""
