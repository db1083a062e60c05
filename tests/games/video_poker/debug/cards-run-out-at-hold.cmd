b 2 d
h h 1 h 2 a h 6 h 1 1 $ s
h 1 3
s
b d $
