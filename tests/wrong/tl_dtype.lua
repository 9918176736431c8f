local a = tl.zeros({4}, "float31")
