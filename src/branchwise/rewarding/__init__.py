"""Rewarding sets: which outcomes, taken together, lead to a reward."""
