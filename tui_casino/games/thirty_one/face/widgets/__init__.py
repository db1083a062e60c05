"""The widgets of the Hit Me screen."""
