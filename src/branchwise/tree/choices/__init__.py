"""What to do at each state, and which of several plans to prefer."""
