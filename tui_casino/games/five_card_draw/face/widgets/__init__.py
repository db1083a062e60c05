"""The widgets of the five-card draw screen."""
