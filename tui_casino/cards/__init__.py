"""Playing cards, how they are counted, ranked and drawn."""
