"""Plans and problems side by side: what differs, and what that is worth."""
