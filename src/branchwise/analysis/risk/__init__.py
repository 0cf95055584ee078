"""Risk: plans for a utility, a target or the worst cases instead of the mean."""
