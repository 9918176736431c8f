-- Wrong: T.view of T.alloc_local with elements of another width: a bug of ours on the simulator and the cpu (E308), other
-- registers on GPU targets.
local function same(got, want) tl.testing.assert_close(got:to("int64"), want:to("int64"), {rtol = 0, atol = 0}) end

-- n elements of type a are read and written through the view, which has m of type b.
local function kernel(a, b, n, m)
  return tl.jit(function(X)
    X: T.Tensor({32 * n}, a)
    local Y = T.empty({32 * m}, b)
    local Z = T.empty({32 * n}, a)
    for bx in T.Kernel(1, {threads = 32}) do
      local tx = T.get_thread_binding()
      local l = T.alloc_local({n}, a)
      local V = T.view(l, {m}, b)
      T.copy(X[tx * n], l)
      T.copy(V, Y[tx * m])
      for k in T.serial(m // 2) do -- two that change places, by a number that is not known
        local t = T.alloc_var(b)
        t = V[k]
        V[k] = V[m - 1 - k]
        V[m - 1 - k] = t
      end
      T.copy(l, Z[tx * n])
    end
    return Y, Z
  end)
end

-- The bits of whole numbers of `from`, as numbers of `to`.
local function seen(list, from, to)
  local fb, tb = tonumber(from:match "%d+"), tonumber(to:match "%d+")
  local words, out = {}, {}
  for i, v in ipairs(list) do
    for k = 0, fb // 4 - 1 do words[(i - 1) * (fb // 4) + k + 1] = v >> 4 * k & 15 end
  end
  for i = 1, #words // (tb // 4) do
    local v = 0
    for k = 0, tb // 4 - 1 do v = v | words[(i - 1) * (tb // 4) + k + 1] << 4 * k end
    if not to:find "u" and tb < 64 and v >> (tb - 1) == 1 then v = v - (1 << tb) end
    out[i] = v
  end
  return out
end

for _, c in ipairs {{"int4", "uint8", 8, 4}, {"uint8", "int4", 4, 8}, {"uint4", "int32", 16, 2}, {"int32", "uint4", 2, 16},
                    {"int16", "uint32", 4, 2}, {"int64", "int16", 2, 8}, {"uint8", "int64", 16, 2}} do
  local a, b, n, m = table.unpack(c)
  local bits, x = tonumber(a:match "%d+"), {}
  for i = 1, 32 * n do x[i] = seen({i * 0x123456789ABCDEF & ~(bits == 64 and 0 or -1 << bits)}, "uint64", a)[1] end
  local y, z = kernel(a, b, n, m)(tl.from_table(x, a))
  local v = seen(x, a, b)
  same(y, tl.from_table(v, "int64"))
  for t = 0, 31 do
    for k = 0, m // 2 - 1 do
      local i, j = t * m + k + 1, t * m + m - k
      v[i], v[j] = v[j], v[i]
    end
  end
  same(z, tl.from_table(seen(v, b, a), "int64"))
end

-- A value that reads what is stored, and one of floats.
local function floats()
  return tl.jit(function(X)
    X: T.Tensor({32, 2}, "float32")
    local Y = T.empty({32, 2}, "float32")
    for bx in T.Kernel(1, {threads = 32}) do
      local tx = T.get_thread_binding()
      local l = T.alloc_local({2}, "float32")
      local h, w = T.view(l, {4}, "float16"), T.view(l, {1}, "uint64")
      T.copy(X[tx, 0], l)
      w[0] = (w[0] >> 32) | (w[0] << 32)
      h[1] = h[1] * T.float16(2) -- the high half of what is the first now
      T.copy(l, Y[tx, 0])
    end
    return Y
  end)
end
local x, want = {}, {}
for i = 1, 32 do x[i], want[i] = {i, 1.875}, {2.0, i} end -- 0x3FF00000; its high half is float16 1.984375, 0x3FF0, and 0x43F0 is twice that
local got = floats()(tl.from_table(x, "float32"))
for i = 0, 31 do
  assert(got:item(i, 1) == i + 1)
  assert(got:item(i, 0) == string.unpack("<f", string.pack("<I4", 0x43F00000)), got:item(i, 0))
end
print "right"
