"""The generator: random problems of the paper's kind, decided by a seed."""
