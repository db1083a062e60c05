"""Screen-reader mode: the whole casino as lines of text.

Lines are only appended, never rewritten. The output contains no drawings, no colours, and no
sequences that move the cursor.
"""
