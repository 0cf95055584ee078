"""Conditions: what must have happened, what is compared, and how both are written."""
