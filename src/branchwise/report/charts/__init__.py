"""Charts: axes, curves, bars, maps and distributions."""
