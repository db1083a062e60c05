s
b 1 d h 1 2 3 4 5 s
b 2 d h 1 2 3 4 5 s
b 3 s d s h 9 s h 1 2 3 4 5 s
b 5 d h 1 2 3 4 5 s
b 4 d h 1 2 3 4 5 s
b 1 d h 1 2 3 4 5 s
b d h 1 2 3 4 5 s
b d h 1 2 3 4 5 s
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5 s
b 2 d h 1 2 3 4 5 s
b 1 d h 1 2 3 4 5 s
b s
