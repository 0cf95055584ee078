"""State spaces: problems as states and transitions, and spaces of one's own."""
