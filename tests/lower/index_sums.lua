-- index_sums.lua: indices that are sums of many terms: whoever looks at the terms sees all of
-- them, so that passes agree, and the same vectors, orders and proofs are found as for a few.
local targets = {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942", "cpu"}

-- S: a sum of n scalars, all of them 0, that moves by whole vectors
local function sum(n)
  local t = {}
  for k = 1, n do t[k] = ("s%d*4"):format(k) end
  return table.concat(t, " + ")
end

local function text(body, n)
  local names, params = {}, {}
  for k = 1, n do
    names[k], params[k] = "s" .. k, ("  scalar s%d: int32\n"):format(k)
  end
  return ([[
kernel k(A, C, %s)
%s  buffer A: global float32[256]
  buffer C: global float32[256]
  launch bx in 1 threads tx in 64 do
%s
  end
end
]]):format(table.concat(names, ", "), table.concat(params), (body:gsub("%f[%w]S%f[%W]", sum(n))))
end

local places = {
  {"parallel", "for j in parallel(256) do\nC[S + j] = A[S + j]\nend"},
  {"fragment", "alloc F: fragment float32[256]\nfor j in parallel(256) do\nF[j] = A[S + j]\nend\n" ..
    "for j in parallel(256) do\nC[S + j] = F[j]\nend"},
  {"copy", "alloc X: shared float32[256]\ncopy A[S:+256] -> X\ncopy X -> C[S:+256]"},
  {"pipeline", "alloc X: shared float32[64]\nfor r in pipelined(4) stages=2 do\n" ..
    "copy A[S + r * 64:+64] -> X\nfor j in parallel(64) do\nC[S + r * 64 + j] = X[j]\nend\nend"},
  {"edge", "for j in parallel(300) do\nC[S + j] = A[S + j]\nend"},
  {"vector", "alloc L: local float32[8]\nfor v in vectorized(4) do\nL[v] = A[S + tx * 4 + v]\nend\n" ..
    "for v in vectorized(4) do\nC[S + tx * 4 + v] = L[v]\nend"},
  {"barrier", "alloc X: shared float32[128]\nfor r in serial(4) do\nX[tx + S] = A[r * 64 + tx]\n" ..
    "C[r * 64 + 63 - tx] = X[63 - tx + S]\nend"},
}

for _, place in ipairs(places) do
  for _, n in ipairs {28, 70, 150} do
    local zeros = {}
    for k = 1, n do zeros[k] = 0 end
    for i = 1, n == 70 and #targets or #targets - 1 do -- gcc takes its time
      local target = targets[i]
      local a, c = tl.arange(256, "float32"), tl.zeros({256}, "float32")
      tl.from_ir(text(place[2], n), {target = target})(a, c, table.unpack(zeros))
      tl.testing.assert_close(c, a, {rtol = 0, atol = 0})
    end
    -- as many vectors as with one term
    local few = tl.from_ir(text(place[2], 1), {target = "cuda -arch=sm_90a"}):get_kernel_source()
    local many = tl.from_ir(text(place[2], n), {target = "cuda -arch=sm_90a"}):get_kernel_source()
    local function vectors(s) return select(2, s:gsub("words4", "")) end
    assert(vectors(few) == vectors(many), place[1])
  end
  print(place[1])
end

-- A quotient and a remainder of a long sum, which are that sum again among many other terms.
do
  local t, y, want = {}, {}, 0
  for k = 0, 99 do
    t[#t < 60 and #t + 1 or 61] = ("I[%d]"):format(k)
    if k >= 60 then y[#y + 1] = ("I[%d]"):format(k) end
    want = want + k
  end
  t[61] = nil
  local Y = table.concat(y, " + ")
  local ir = ([[
kernel k(I, C)
  buffer I: global int32[128]
  buffer C: global int32[64]
  launch bx in 1 threads tx in 64 do
    C[tx] = %s + (%s) // 4 * 4 + (%s) %% 4
  end
end
]]):format(table.concat(t, " + "), Y, Y)
  for _, target in ipairs(targets) do
    local c = tl.zeros({64}, "int32")
    tl.from_ir(ir, {target = target})(tl.arange(128, "int32"), c)
    assert(c:item(5) == want, c:item(5))
  end
  print "joined again"
end

-- The least number there is, times a quotient by -1.
do
  local ir = [[
kernel k(C)
  buffer C: global int64[64]
  launch bx in 1 threads tx in 64 do
    C[tx] = int64(tx) // int64(-1) * int64(-9223372036854775808) + int64(tx) % int64(-1)
  end
end
]]
  for _, target in ipairs(targets) do
    local c = tl.zeros({64}, "int64")
    tl.from_ir(ir, {target = target})(c)
    assert(c:item(2) == 0 and c:item(3) == math.mininteger)
  end
  print "the least number"
end

-- What a let is made of counts: all rounds of this loop meet in one element, so that one tensor
-- for both would not be gone through element by element.
do
  local ir = [[
kernel k(A, B)
  buffer A: global int32[4096]
  buffer B: global int32[4096]
  launch bx in 1 threads tx in 64 do
    for i in serial(32) do
      let t = 32 - i
      B[tx*64 + i + t] = A[tx*64 + i + t] + 1
    end
  end
end
]]
  local x = tl.arange(4096, "int32")
  for _, target in ipairs(targets) do
    local ok, why = pcall(function() tl.from_ir(ir, {target = target})(x, x) end)
    assert(not ok)
    print(target, tostring(why):match "E%d+")
  end
end
