tl.save("no/such/folder/a.npy", tl.zeros({4}))
