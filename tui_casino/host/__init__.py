"""The server: players connect over SSH or in a browser, each with their own account."""
