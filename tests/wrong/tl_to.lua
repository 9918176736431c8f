local a = tl.zeros({4}):to("flaot16")
