"""The teacher: one's own mistakes over all sittings and games, and what kinds of them cost."""
