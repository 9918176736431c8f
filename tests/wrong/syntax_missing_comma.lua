local x = tl.zeros({4 4})
