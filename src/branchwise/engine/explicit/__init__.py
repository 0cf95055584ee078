"""Explicit states: explored in Python, each written out, and scored in C++."""
