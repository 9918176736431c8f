-- Copies in front of a pipelined loop, of what it alone reads, come with its first stage; where somebody
-- would miss them they are there before it.
local function kernel(target, how)
  return tl.jit(function(A, B, N)
    A: T.Tensor({64, 64}, "float16")
    B: T.Tensor({256, 64}, "float16")
    N: T.Tensor({2}, "int32")
    local C = T.empty({2, 64, 64}, "float32")
    local D = T.empty({2, 64, 64}, "float16")
    for bx in T.Kernel(2, {threads = 128}) do
      local a, b = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
      local sum = T.alloc_fragment({64, 64}, "float32")
      T.clear(sum)
      if how == "halves" then
        T.copy(A[0:32, 0:64], a[0:32, 0:64])
        T.copy(A[32:64, 0:64], a[32:64, 0:64])
      elseif how == "again" then
        T.copy(A[0:32, 0:64], a[0:32, 0:64])
        T.copy(A[0:64, 0:64], a)
      else
        T.copy(A, a)
      end
      if how == "read" then
        T.copy(a, D[bx, 0, 0])
      elseif how == "changed" then
        for i, j in T.Parallel(64, 64) do
          a[i, j] = a[i, j] + 1.0
        end
      end
      local last = how == "unknown" and N[bx] or 4
      for k in T.Pipelined(last, {num_stages = 2}) do
        T.copy(B[k * 64, 0], b)
        for i, j in T.Parallel(64, 64) do
          sum[i, j] = sum[i, j] + T.cast(a[i, j], "float32") * T.cast(b[j, i], "float32")
        end
        if how == "written" then
          for i, j in T.Parallel(64, 64) do
            a[i, j] = a[i, j] * -1.0
          end
        end
      end
      if how == "behind" or how == "unknown" then
        T.copy(a, D[bx, 0, 0])
      elseif how ~= "read" then
        T.fill(D[bx, 0:64, 0:64], 0)
      end
      T.copy(sum, C[bx, 0, 0])
    end
    return C, D
  end, {target = target})
end

local function ints(shape, by, of)
  local n = 1
  for _, x in ipairs(shape) do n = n * x end
  return (tl.arange(0, n):reshape(shape) * by % of - of // 2):astype "float16"
end
local a, b, n = ints({64, 64}, 7, 5), ints({256, 64}, 3, 7), tl.from_table({0, 4}, "int32")
for _, how in ipairs {"plain", "halves", "behind", "again", "read", "changed", "written", "unknown"} do
  local c, d = kernel("cpu", how)(a, b, n)
  for _, arch in ipairs {"sm_80", "sm_75"} do
    local f = kernel("sim -arch=" .. arch, how):compile()
    local x, y = f(a, b, n)
    tl.testing.assert_close(x, c)
    tl.testing.assert_close(y, d)
    local _, async = f:ir("tile_ops"):gsub("cp_async A", "")
    print(arch, how, async .. " with the first stage")
  end
end
