"""Carrying out: what has happened, the state it leads to, and what is then left."""
