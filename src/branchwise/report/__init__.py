"""Pictures and words: solutions as text, JSON and drawings."""
