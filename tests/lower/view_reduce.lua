-- Reductions and scans of views of tiles that a pipeline gives stages: the stages are no dimension of the view either.
local shapes = {{{8, 4}, 0}, {{8, 4}, 1}, {{8, 2, 2}, 0}, {{8, 2, 2}, 1}, {{8, 2, 2}, 2}, {{32}, 0}}

local function without(shape, dim)
  local r = {}
  for d, n in ipairs(shape) do
    if d ~= dim + 1 then r[#r + 1] = n end
  end
  return #r == 0 and {1} or r
end

local function reduced(shape, dim, keep, target)
  local out = without(shape, dim)
  if keep then
    out = {table.unpack(shape)}
    out[dim + 1] = 1
  end
  local n = 1
  for _, extent in ipairs(out) do n = n * extent end
  return tl.jit(function(A)
    A: T.Tensor({12, 8}, "int32")
    local B = T.empty({3, n}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local s, f, o = T.alloc_shared({4, 8}, "int32"), T.alloc_fragment(out, "int32"), T.alloc_shared(out, "int32")
      local v = T.reshape(s, shape)
      for k in T.Pipelined(3, {num_stages = 2}) do
        T.copy(A[k * 4:k * 4 + 4, 0:8], s)
        T.reduce_sum(v, f, dim)
        T.copy(f, o)
        T.copy(T.reshape(o, {n}), B[k, 0])
      end
    end
    return B
  end, {target = target})
end

local function scanned(target)
  return tl.jit(function(A)
    A: T.Tensor({12, 8}, "int32")
    local B = T.empty({3, 32}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      local s, o = T.alloc_shared({4, 8}, "int32"), T.alloc_shared({8, 4}, "int32")
      local v = T.reshape(s, {8, 4})
      for k in T.Pipelined(3, {num_stages = 2}) do
        T.copy(A[k * 4:k * 4 + 4, 0:8], s)
        T.cumsum(v, o, 1)
        T.copy(T.reshape(o, {32}), B[k, 0])
      end
    end
    return B
  end, {target = target})
end

local a = tl.arange(96, "int32"):reshape {12, 8}
for _, target in ipairs {"cpu", "sim -arch=sm_75", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"} do
  local said = {}
  for _, c in ipairs(shapes) do
    for _, keep in ipairs {false, true} do
      local shape, dim = c[1], c[2]
      local want = a:reshape {3, table.unpack(shape)}:sum(dim + 1, keep and #shape > 1)
      local got = reduced(shape, dim, keep and #shape > 1, target)(a)
      said[#said + 1] = tl.testing.assert_close(got:reshape {-1}, want:reshape {-1}:astype "int32", {rtol = 0, atol = 0}) == false and "wrong" or "ok"
    end
  end
  local want = tl.host.cumsum(a:reshape {3, 8, 4}, 2)
  said[#said + 1] = tl.testing.assert_close(scanned(target)(a):reshape {-1}, want:reshape {-1}:astype "int32", {rtol = 0, atol = 0}) == false and "wrong" or "ok"
  print(target, table.concat(said, " "))
end
