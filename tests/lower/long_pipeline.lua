-- A pipelined loop of any length keeps all of its statements, those of its rings too.
local function make(n, target)
  return tl.jit(function(A, B)
    A: T.Tensor({256, 32}, "float16")
    B: T.Tensor({64, 32}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local S = T.alloc_shared({64, 32}, "float16")
      local C = T.alloc_fragment({64, 32}, "float32")
      T.clear(C)
      for k in T.Pipelined(4, {num_stages = 2}) do
        T.copy(A[k * 64, 0], S)
        for i, j in T.Parallel(64, 32) do C[i, j] += T.cast(S[i, j], "float32") end
        for r = 1, n do
          for i, j in T.Parallel(64, 32) do C[i, j] += 1.0 end
        end
        for i, j in T.Parallel(64, 32) do C[i, j] += T.cast(S[i, j], "float32") end
      end
      T.copy(C, B)
    end
  end, {target = target})
end

for _, arch in ipairs {"sm_80", "sm_90a", "c500"} do
  for _, n in ipairs {90, 91, 92, 93, 94, 120} do
    local a, b = tl.ones({256, 32}, "float16"), tl.zeros({64, 32}, "float32")
    make(n, "sim -arch=" .. arch)(a, b)
    assert(b:max() == 4 * (n + 2) and b:min() == 4 * (n + 2), n)
  end
  print(arch, "all there")
end
