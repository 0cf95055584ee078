"""Individuals: one problem, the numbers of many individuals, and a plan for each."""
