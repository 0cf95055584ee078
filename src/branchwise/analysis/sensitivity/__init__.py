"""Sensitivity: what happens to value and plan as single numbers change."""
