local a = tl.ones {2, 3}
a:sum(0, {keepdin = true})
