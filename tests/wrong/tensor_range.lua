local t = tl.zeros({4}, "int8")
t[2] = 127
t[3] = 128
