T.copy(1, 2)
