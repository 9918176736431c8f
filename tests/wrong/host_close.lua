local a = tl.ones {2, 3}
tl.host.assert_close(a, a * tl.from_table {1, 1, 1.01}, {rtol = 1e-3, atol = 0})
