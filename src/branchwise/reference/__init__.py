"""The paper, line by line, in plain Python: the oracle of every test."""
