"""Explanations: why the best plan does not take an action."""
