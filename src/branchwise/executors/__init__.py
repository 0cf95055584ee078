"""Executors: many solves shared out to other processes, or to other machines."""
