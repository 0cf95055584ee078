"""What the user means: problems, actions, conditions and rewards, by name."""
