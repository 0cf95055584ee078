"""Probabilistic planning problems (PPDDL) to nodes of a document."""
