-- Tiles of a pipelined loop that have views: they get stages with their views, whichever name
-- fills them; and who cannot have any hears why.
local machines = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"}

local function kernel(machine, opt, fill, read)
  return tl.jit(function(A)
    local N = T.const "N"
    A: T.Tensor({N, 128}, T.float32)
    local C = T.empty({N, 128}, T.float32)
    for bx in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({128}, T.float32)
      local v = T.view(s, {2, 64})
      local w = T.reshape(v, {8, 16})
      for k in T.Pipelined(N, opt) do
        if fill == "s" then
          T.copy(A[k, 0], s)
        else
          for i, j in T.Parallel(8, 16) do
            w[i, j] = A[k, i * 16 + j]
          end
        end
        for i, j in T.Parallel(2, 64) do
          if read == "v" then
            C[k, i * 64 + j] = v[i, 63 - j] + k
          else
            C[k, i * 64 + j] = w[i * 4 + j // 16, j % 16] * 2 + s[127 - (i * 64 + j)]
          end
        end
      end
    end
    return C
  end, {target = "sim -arch=" .. machine})
end

local a = tl.rand({7, 128})
local function wanted(read)
  local r, x = {}, a:totable()
  for k = 1, 7 do
    r[k] = {}
    for j = 0, 127 do
      r[k][j + 1] = read == "v" and x[k][j // 64 * 64 + 63 - j % 64 + 1] + (k - 1)
        or x[k][j + 1] * 2 + x[k][128 - j]
    end
  end
  return tl.from_table(r, "float32")
end

local opts = {
  {num_stages = 3}, {order = {0, 1}, stage = {0, 1}}, {order = {1, 0}, stage = {0, 2}},
}
for _, m in ipairs(machines) do
  for o, opt in ipairs(opts) do
    for _, fill in ipairs {"s", "w"} do
      for _, read in ipairs {"v", "w"} do
        local k = kernel(m, opt, fill, read):compile{N = 7}
        tl.testing.assert_close(k(a), wanted(read), {rtol = 1e-6, atol = 1e-6})
        local stages = {}
        for name, n in k:ir("pipeline"):gmatch("alloc ([%w_]+): shared float32%[([%d, ]+)%]") do
          stages[#stages + 1] = name .. "[" .. n .. "]"
        end
        print(m, o, fill, read, table.concat(stages, " "))
      end
    end
  end
end

-- of other types
for _, m in ipairs(machines) do
  local bytes = tl.jit(function(A)
    local N = T.const "N"
    A: T.Tensor({N, 256}, T.uint8)
    local C = T.empty({N, 64}, T.int32)
    for bx in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({256}, T.uint8)
      local v = T.view(s, {64}, T.int32)
      for k in T.Pipelined(N, {num_stages = 3}) do
        T.copy(A[k, 0], s)
        for i in T.Parallel(64) do
          C[k, i] = v[63 - i]
        end
      end
    end
    return C
  end, {target = "sim -arch=" .. m})
  local t, want = {}, {}
  for k = 1, 5 do
    t[k], want[k] = {}, {}
    for i = 1, 256 do t[k][i] = (k * 31 + i * 7) % 128 end
    for i = 1, 64 do
      local at = (64 - i) * 4
      want[k][i] = t[k][at + 1] | t[k][at + 2] << 8 | t[k][at + 3] << 16 | t[k][at + 4] << 24
    end
  end
  tl.testing.assert_close(bytes(tl.from_table(t, "uint8")), tl.from_table(want, "int32"))
  print(m, (bytes:compile{N = 5}:ir("pipeline"):match("alloc s: shared[^@]*")))
end
