"""The engine of every game: its protocol, offers, chance, croupiers and the table."""
