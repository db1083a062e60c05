"""Text and screen of the toy game."""
