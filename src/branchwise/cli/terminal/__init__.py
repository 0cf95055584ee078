"""The terminal: its width and colors, streams, signals, progress and dialogue."""
