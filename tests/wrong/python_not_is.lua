local x = 1
not x is None
