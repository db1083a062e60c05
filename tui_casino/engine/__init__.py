"""The engine of all games: the game protocol, offers, chance sources, croupiers and the table."""
