"""What is said and shown."""
