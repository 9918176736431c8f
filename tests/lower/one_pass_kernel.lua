-- k:ir("..PASS"): the program behind a pass, with the plans for later ones.
tl.set_target "sim -arch=sm_80"
local k = tl.jit(function(A, B)
  A: T.Tensor({512}, "float32")
  B: T.Tensor({512}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local r = T.alloc_fragment({512}, "float32")
    T.copy(A, r)
    for i in T.Parallel(512) do
      B[i] = r[i] * 2
    end
  end
end):compile()
print((k:ir("..layouts"):gsub(" @[%d:]+\n", "\n")))
print(k:ir("layouts"):find("plan", 1, true))
