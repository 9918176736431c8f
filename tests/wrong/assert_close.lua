tl.testing.assert_close(tl.ones({8, 8}), tl.zeros({8, 8}))
