hello
B
B 5
b5
5.5
5
-3
bet 3
$ 5
a 1
s 2
D H 1 A S
b 5.5
b 1_0
d 5
d5
h1
a 1 2
$$
h 1,2
b 2 x 3
d ? h 1 -- 2
b --3
b 3-
b +
b - 4
# deal ♣ b ² $
