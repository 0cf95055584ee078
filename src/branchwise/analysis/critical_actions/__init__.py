"""Criticality: what each action and each condition contributes to the value."""
