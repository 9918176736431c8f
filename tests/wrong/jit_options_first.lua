local f = tl.jit({out_idx = {-1}}, function(A) end)
f:compile()
