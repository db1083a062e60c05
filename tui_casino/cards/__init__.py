"""Playing cards: how to count, rank and draw them."""
