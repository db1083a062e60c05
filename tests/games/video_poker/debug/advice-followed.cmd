b 2 d a
h 6 a
h 3
b a d a h
b d a h 2 4 a
