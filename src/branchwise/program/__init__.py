"""The score program: scores of all states as a linear program, with its duals."""
