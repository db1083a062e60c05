"""Screen-reader mode, the whole arcade as lines of text.

Output is only appended and never changed: no drawings, no colours, no sequences that move a cursor.
"""
