"""Answers on a terminal: words, numbers, columns and trees of text."""
