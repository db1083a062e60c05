b 4 d h 1 3 4 5
b d h 1 2 4 5
b d h 1 3 5
b d h 1 2
b d h 1 2 4
b d h 1 2 3 4
b d h 1 2 3 5
b d h 1 2 3 5
b d h 2 3
b d h 1 2
b d h 1
b d h 1
b d h
s
