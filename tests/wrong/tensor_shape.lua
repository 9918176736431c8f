tl.zeros({2, -3})
