local x = A[1:2:3]
