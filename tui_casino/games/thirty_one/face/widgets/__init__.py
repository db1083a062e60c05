"""The widgets of the 31 screen."""
