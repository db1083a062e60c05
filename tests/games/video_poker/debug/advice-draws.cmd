b 1 d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
b d a h 1 2 3 4 5
s
