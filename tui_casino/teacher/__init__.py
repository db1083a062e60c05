"""The trainer: a player's mistakes over all sessions and games, and what they cost."""
