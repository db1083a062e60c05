"""What only baccarat's screen has: the spots for chips, and the roads."""
