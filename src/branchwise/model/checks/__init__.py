"""Checks: what is wrong with a problem, what is doubtful, and what can never happen."""
