local a = tl.load("no/such/file.npy")
