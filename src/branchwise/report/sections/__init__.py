"""The sections of an analysis, as text and in a page."""
