"""The hall: what the menu is made of."""
