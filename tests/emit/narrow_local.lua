-- Two bytes of each thread's own that move as one word stand at a whole word.
tl.set_target "cuda -arch=sm_90a"
local k = tl.jit(function(X)
  local N = T.dynamic "N"
  X: T.Tensor({2, N}, "int8")
  local O = T.empty({2, 16}, "int8")
  for bx in T.Kernel(1, {threads = 16}) do
    local s = T.alloc_shared({2, 16}, "int8")
    T.copy(X[0:2, 0:16], s)
    T.copy(s, O)
  end
  return O
end)
local text = k:compile{}:get_kernel_source()
for line in text:gmatch "[^\n]+" do
  if line:find "signed char [%w_]+%[2%]" then print((line:gsub("^ +", ""))) end
end
