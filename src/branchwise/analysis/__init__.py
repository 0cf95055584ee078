"""Questions about a problem and its plans: simulation, and learning to plan."""
