local a = tl.zeros({4, 8})
a["first"] = 1
