"""Batches: every problem of a folder solved, and one table of what came of it."""
