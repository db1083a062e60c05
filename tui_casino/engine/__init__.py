"""What every game stands on: its protocol, offers, chance, croupiers, and the table."""
