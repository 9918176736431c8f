local c = tl.ref.matmul(tl.zeros({4, 8}), tl.zeros({4, 8}))
