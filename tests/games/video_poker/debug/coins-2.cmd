b 2 d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
b d h 1 2 3 4 5
$
