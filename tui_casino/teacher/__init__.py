"""Practice: a player's mistakes in all sessions and games, their costs, and drills."""
