"""The arcade line by line: for screen readers, and for whoever reads from top to bottom.

What is said is appended and never changed: no drawing, no colour, no sequence that moves a cursor.
"""
