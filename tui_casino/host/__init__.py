"""The house for people who come in from afar: over SSH, each as himself."""
