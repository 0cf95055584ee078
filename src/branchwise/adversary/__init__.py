"""The adversary: score programs, defenses, and the worst case."""
