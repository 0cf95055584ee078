"""The answer: the decision tree, its statistics, and its exact value."""
