local g = tl.carver
