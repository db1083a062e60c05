"""The arcade on the screen: Textual and Rich live here and in the games' own screens."""
