tl.testing.assert_close(tl.ones({8, 8}), tl.ones({8, 4}))
