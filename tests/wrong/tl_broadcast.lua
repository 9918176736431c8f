local a = tl.zeros({4, 8}) + tl.zeros({3, 8})
