"""Self-contained HTML pages: their frame, their data and the sections of a solution."""
