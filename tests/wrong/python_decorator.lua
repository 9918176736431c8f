@tilelang.jit
local f = 1
