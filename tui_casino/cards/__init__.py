"""Playing cards, poker hands, exact draw odds, and drawings of cards."""
