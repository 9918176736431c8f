local x = 3 × 4
