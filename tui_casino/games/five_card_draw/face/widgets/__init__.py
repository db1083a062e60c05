"""What only five-card draw's screen has: the seats of the opponents."""
