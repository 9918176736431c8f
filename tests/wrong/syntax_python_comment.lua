local x = 1  # the first
