"""Settings and keys: the windows that show and change them."""
