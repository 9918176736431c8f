-- Many statements of one kind in one kernel: the memory that compiling takes grows as they do, so
-- that thousands of each kind fit.
tl.set_target "sim -arch=sm_80"

local kinds = {
  {"reductions", 4000, function(f, s, A, n)
    local r = T.alloc_fragment({1}, "float32")
    for q = 1, n // 2 do
      T.reduce_sum(f, r, {dim = 0})
      for i in T.Parallel(128) do
        f[i] = f[i] - r[0] * q
      end
    end
  end},
  {"elements of a fragment", 4000, function(f, s, A, n)
    for q = 1, n do
      f[q % 128] = f[(q + 1) % 128] + 1
    end
  end},
  {"fragments of their own", 6000, function(f, s, A, n)
    for q = 1, n // 2 do
      local g = T.alloc_fragment({128}, "float32")
      for i in T.Parallel(128) do g[i] = f[i] + q end
      for i in T.Parallel(128) do f[i] = g[i] * 2 end
    end
  end},
  {"scans", 4000, function(f, s, A, n)
    for q = 1, n // 3 do
      T.copy(f, s)
      T.cumsum(s, s, {dim = 0})
      T.copy(s, f)
    end
  end},
}

for _, kind in ipairs(kinds) do
  local body, n = T.macro(kind[3]), kind[2]
  local k = tl.jit(function(A)
    A: T.Tensor({128}, "float32")
    local C = T.empty({128}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local f, s = T.alloc_fragment({128}, "float32"), T.alloc_shared({128}, "float32")
      T.copy(A, f)
      body(f, s, A, n)
      T.copy(f, C)
    end
    return C
  end)
  print(kind[1], #k:compile():ir("sync") > 50 * n and "compiled")
end

-- In one pipelined loop: whether a barrier can go, and a load run ahead, is not asked of all
-- statements of the loop for each of them.
for _, machine in ipairs {"sm_80", "sm_90a"} do
  tl.set_target("sim -arch=" .. machine)
  local k = tl.jit(function(A)
    A: T.Tensor({64, 65536}, "float16")
    local C = T.empty({64, 64}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local f, a = T.alloc_fragment({64, 64}, "float32"), T.alloc_shared({64, 64}, "float16")
      T.clear(f)
      for k in T.Pipelined(8, {num_stages = 2}) do
        for q = 1, 700 do
          T.copy(A[0:64, (k + q % 64) * 64 : (k + q % 64) * 64 + 64], a)
          T.gemm(a, a, f, {transpose_B = true})
        end
      end
      T.copy(f, C)
    end
    return C
  end)
  local _, n = k:compile():ir("sync"):gsub("bar_sync", "")
  print("barriers of one loop", machine, n)
end
tl.set_target "sim -arch=sm_80"

-- Written one below the other: the place of each in the text is found without reading all before it.
local text = {"return T.macro(function(A, s, bx)"}
for q = 1, 4000 do text[#text + 1] = ("if bx > %d then T.copy(A, s) end"):format(q) end
text[#text + 1] = "end)"
local written = assert(load(table.concat(text, "\n")))()
local k = tl.jit(function(A)
  A: T.Tensor({128}, "float32")
  for bx in T.Kernel(8192, {threads = 128}) do
    local s = T.alloc_shared({128}, "float32")
    T.copy(A, s)
    written(A, s, bx)
    T.copy(s, A)
  end
end)
local _, n = k:compile():ir():gsub("copy A", "")
print("branches", n)
