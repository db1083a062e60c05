"""The arcade on the screen. Only this package and the games' own screens use Textual and Rich."""
