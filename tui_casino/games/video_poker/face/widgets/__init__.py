"""What only video poker has on the screen."""
