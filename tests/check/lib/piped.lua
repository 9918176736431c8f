-- Stages given where the end of the loop stands; ranges that are meant are left alone.
local function f(...)
  local bounds = {...}
  local k = tl.jit(function(A)
    local N = T.const "N"
    A: T.Tensor({N}, T.float32)
    local B = T.empty({64}, T.float32)
    for _ in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({64}, T.float32)
      local x = T.alloc_fragment({64}, T.float32)
      T.clear(x)
      T.clear(s)
      for ko in T.Pipelined(bounds[1] or T.ceildiv(N, 64), table.unpack(bounds, 2)) do
        T.copy(A[ko * 64], s)
        for i in T.Parallel(64) do x[i] += s[i] end
      end
      T.copy(x, B)
    end
    return B
  end, {target = "sim -arch=sm_80"})
  k:compile {N = 256}
end
f(nil, 3)
f(4, 4)
f(0, 3)              -- runs
f(4, 2, 2)           -- has its stages
f(4, 0)              -- no number of stages
f(100, 50)           -- nor this
f(nil, {num_stages = 3})
