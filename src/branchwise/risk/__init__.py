"""Risk: plans for those to whom the expected reward is not all."""
