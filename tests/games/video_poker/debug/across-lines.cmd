b
5
d h
2
4 $
b
1
2 b 3
$ d
h
b
