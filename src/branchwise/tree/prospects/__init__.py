"""What may come of a plan: rewards, costs and the ways there."""
