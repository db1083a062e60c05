"""Playing cards: counting, ranking and drawing them."""
