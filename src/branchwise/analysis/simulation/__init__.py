"""Simulation: policies carried out many times, and an environment for agents."""
