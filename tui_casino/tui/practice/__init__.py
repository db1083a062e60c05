"""Practice on the screen: one's own mistakes and drills, a position at a time, and the verdict."""
