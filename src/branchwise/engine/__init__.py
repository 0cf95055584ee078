"""Problem to solution, fast: the only room that touches the compiled core."""
