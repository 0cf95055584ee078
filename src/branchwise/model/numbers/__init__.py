"""Numbers: exact, computed from parameters, and between bounds."""
