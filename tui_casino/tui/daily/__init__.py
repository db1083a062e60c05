"""The daily deal on the screen: the room with today's games, and the page of a result."""
