-- beyond.lua: programs larger than tables that once had an end: nothing is refused, nothing
-- slower, nothing unsaid.
local function lines(n, f)
  local t = {}
  for k = 1, n do t[k] = f(k) end
  return table.concat(t)
end

local function kernel(head, body, threads)
  return ("kernel k(%s)\n%s  launch bx in 1 threads %s do\n%s  end\nend\n"):format(
    head[1], head[2], threads or "tx in 64", body)
end

local function codes(k)
  local t = {}
  for _, n in ipairs(k:analyze().notes) do t[#t + 1] = n.code end
  return table.concat(t, " ")
end

-- Vectors of more than eight tensors, and of rows of as many lengths.
do
  local function source(n, dims)
    local names, head = {}, {}
    for k = 1, n do
      names[k] = "A" .. k
      head[k] = dims and ("  dim N%d: int32 in 1..\n  buffer A%d: global float32[16, N%d]\n"):format(k, k, k)
        or ("  buffer A%d: global float32[16, 256]\n"):format(k)
    end
    local text = ("kernel k(%s, C)\n%s  buffer C: global float32[16, 256]\n  launch bx in 4 threads 64 do\n" ..
      "for j in parallel(256) do\nC[bx, j] = %s[bx, j]\nend\nend\nend\n"):format(table.concat(names, ", "),
      table.concat(head), table.concat(names, "[bx, j] + "))
    local k = tl.from_ir(text, {target = "cuda -arch=sm_80"})
    return k:get_kernel_source(), codes(k)
  end
  local function wide(s) return select(2, s:gsub("%(const words4 %*%)", "")) end
  for _, n in ipairs {8, 9, 20} do
    local s, said = source(n)
    print(n .. " tensors", wide(s), said)
    local d, more = source(n, true)
    print(n .. " lengths of rows", #d > #s and d:find "words4" and "wide" or "narrow", more)
  end
end

-- As many slots as a loop may have, and their phases.
for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500"} do
  local text = kernel({"A, C", "  buffer A: global float32[12800]\n  buffer C: global float32[64]\n"},
    [[
alloc S: shared float32[64]
alloc F: fragment float32[64]
fill F, 0.0
for r in pipelined(200) stages=64 do
  copy A[r*64:+64] -> S
  for j in parallel(64) do
    F[j] = F[j] + S[63 - j]
  end
end
copy F -> C
]], "128")
  local k = tl.from_ir(text, {target = target})
  local a, c = tl.ones({12800}, "float32"), tl.zeros({64}, "float32")
  k(a, c)
  print("64 stages", target, c:item(5), codes(k))
end

-- Loops in loops: of which one iteration stands for all, ...
do
  local function bytes(n)
    local text = kernel({"A, C", "  buffer A: global float32[64]\n  buffer C: global float32[64]\n"},
      "alloc x: var float32[1] = 0\n" .. lines(n, function(k) return ("for r%d in serial(2) do\n"):format(k) end) ..
      ("if r%d == 0 then\nx[0] = x[0] + A[tx]\nend\n"):format(n) .. ("end\n"):rep(n) .. "C[tx] = x[0]\n")
    return tl.from_ir(text, {target = "cuda -arch=sm_80"}):analyze().bytes
  end
  for _, n in ipairs {4, 40} do -- half of the rounds of the innermost read
    print(n .. " loops in loops", (bytes(n) - 256) / 256 / 2.0 ^ n)
  end
end

-- ... and nests of T.Parallel: two iterations write one element all the same.
for _, n in ipairs {4, 5, 8} do
  local function names(p)
    local t, e = {}, {}
    for k = 1, n do t[k], e[k] = p .. k, "2" end
    return table.concat(t, ", "), table.concat(e, ", ")
  end
  local i, e = names "i"
  local j = names "j"
  local text = kernel({"A", "  buffer A: global float32[64]\n"},
    ("for %s in parallel(%s) do\nfor %s in parallel(%s) do\nA[i1 + 2*j1] = i2\nend\nend\n"):format(i, e, j, e))
  local ok, why = pcall(tl.from_ir, text, {target = "sim -arch=sm_80"})
  print(2 * n .. " indices", ok, tostring(why):match "E%d+")
end

-- Conditions, loops and choices of threads within each other, run.
do
  local head = {"A, B", "  buffer A: global float32[64]\n  buffer B: global int32[64]\n"}
  local kinds = {
    {"conditions", function(k) return ("if B[tx] > %d then\n"):format(-k) end},
    {"loops of threads", function(k) return ("for q%d in serial(1 + B[tx]) do\n"):format(k) end},
    {"loops", function(k) return ("for q%d in serial(1 + B[0]) do\n"):format(k) end},
  }
  local function run(name, body)
    for _, target in ipairs {"sim -arch=sm_80", "cpu"} do
      local a = tl.zeros({64}, "float32")
      tl.from_ir(kernel(head, body), {target = target})(a, tl.zeros({64}, "int32"))
      print(name, target, a:item(3))
    end
  end
  for _, kind in ipairs(kinds) do
    run(kind[1], lines(190, kind[2]) .. "A[tx] = A[tx] + 1.0\n" .. ("end\n"):rep(190))
  end
  local e = "A[tx] + 4.0"
  for k = 1, 190 do e = ("select(B[tx] > %d, %s, A[(tx + %d) %% 64])"):format(-k, e, k) end
  run("choices", ("A[tx] = %s\n"):format(e))
end

-- Blocks that wait for each other.
for _, n in ipairs {16, 132} do
  local text = ([[
kernel k(A, C)
  buffer A: global int32[%d]
  buffer C: global int32[%d]
  launch bx in %d threads tx in 128 do
    if tx == 0 then
      A[bx] = bx
    end
    call sync_grid()
    if tx == 0 then
      C[bx] = A[%d - bx]
    end
  end
end
]]):format(n, n, n, n - 1)
  local c = tl.zeros({n}, "int32")
  tl.from_ir(text, {target = "sim -arch=sm_90a"})(tl.zeros({n}, "int32"), c)
  print(n .. " blocks that wait", c:item(0), c:item(n - 1))
end

-- Statements of a pipelined loop with an order.
do
  local n, order, stage = 80, {}, {}
  for k = 1, n do order[k], stage[k] = k - 1, k <= n // 2 and 0 or 1 end
  local f = tl.jit(function(A)
    A: T.Tensor({128, 80}, "float32")
    local C = T.empty({128, 80}, "float32")
    for _ in T.Kernel(1, {threads = 64}) do
      local S = {}
      for k = 0, n // 2 - 1 do S[k] = T.alloc_shared({16, 2}, "float32") end
      for r in T.Pipelined(8, {order = order, stage = stage}) do
        for k = 0, n // 2 - 1 do T.copy(A[r * 16, k * 2], S[k]) end
        for k = 0, n // 2 - 1 do T.copy(S[k], C[r * 16, k * 2]) end
      end
    end
    return C
  end, {target = "sim -arch=sm_80"})
  local a = tl.randn({128, 80}, "float32")
  tl.testing.assert_close(f(a), a, {rtol = 0, atol = 0})
  print "80 statements in order"
end

-- Tensors whose sizes are arguments, too.
do
  local n = 150
  local names, args = {}, {}
  for k = 1, n do names[k], args[k] = "A" .. k, tl.ones({3, 2}, "float32") end
  local text = kernel({table.concat(names, ", ") .. ", C", lines(n, function(k)
    return ("  dim M%d: int32 in 1..\n  dim N%d: int32 in 1..\n  buffer A%d: global float32[M%d, N%d]\n"):format(k, k, k, k, k)
  end) .. "  buffer C: global float32[64]\n"}, lines(n, function(k)
    return ("C[tx] = C[tx] + A%d[M%d - 1, N%d - 1]\n"):format(k, k, k)
  end))
  for _, target in ipairs {"sim -arch=sm_80", "cpu"} do
    local c = tl.zeros({64}, "float32")
    args[n + 1] = c
    tl.from_ir(text, {target = target})(table.unpack(args))
    print(n .. " tensors of any size", target, c:item(9))
  end
end
