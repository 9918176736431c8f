-- T.vectorized with several statements: each is a vector of its own, unless a turn needs what another one leaves,
-- or all turns write one element.  What is printed, and values against plain Lua.
local bodies = {
  two = function(A, B, a, b, at) -- two loads
    for v in T.vectorized(8) do
      a[v] = A[at + v]
      b[v] = B[at + v]
    end
  end,
  own = function(A, B, a, b, at) -- what this turn has loaded
    for v in T.vectorized(8) do
      a[v] = A[at + v]
      b[v] = a[v] * 2 + B[at + v]
    end
  end,
  again = function(A, B, a, b, at)
    for v in T.vectorized(8) do
      a[v] = A[at + v]
      a[v] = a[v] + B[at + v]
      b[v] = a[v]
    end
  end,
  other = function(A, B, a, b, at) -- what another turn had before it
    for v in T.vectorized(8) do
      b[v] = a[v + 1]
      a[v + 8] = A[at + v]
    end
  end,
  one = function(A, B, a, b, at) -- one place for all
    for v in T.vectorized(8) do
      a[0] = A[at + v]
      b[v] = a[0] * 3
    end
  end,
}
local host = {
  two = function(A, B, a, b) for v = 0, 7 do a[v] = A[v] b[v] = B[v] end end,
  own = function(A, B, a, b) for v = 0, 7 do a[v] = A[v] b[v] = a[v] * 2 + B[v] end end,
  again = function(A, B, a, b) for v = 0, 7 do a[v] = A[v] a[v] = a[v] + B[v] b[v] = a[v] end end,
  other = function(A, B, a, b) for v = 0, 7 do b[v] = a[v + 1] a[v + 8] = A[v] end end,
  one = function(A, B, a, b) for v = 0, 7 do a[0] = A[v] b[v] = a[0] * 3 end end,
}
for _, name in ipairs {"two", "own", "again", "other", "one"} do
  local function kernel(A, B)
    A: T.Tensor({1024}, T.float16)
    B: T.Tensor({1024}, T.float16)
    local C, D = T.empty({2048}, T.float16), T.empty({1024}, T.float16)
    for bx in T.Kernel(1, {threads = 128}) do
      local t = T.get_thread_binding(0)
      local a, b = T.alloc_local({16}, T.float16), T.alloc_local({8}, T.float16)
      for k in T.serial(16) do a[k] = k end
      bodies[name](A, B, a, b, t * 8)
      for k in T.serial(16) do C[t * 16 + k] = a[k] end
      for k in T.serial(8) do D[t * 8 + k] = b[k] end
    end
    return C, D
  end
  local text = tl.jit(kernel, {target = "cuda -arch=sm_90a"}):compile({}):get_kernel_source()
  local wide, narrow = 0, 0
  for line in text:gmatch "[^\n]+" do
    if line:find "=.*[^%w_][AB]%[" and not line:find "__restrict" or line:find "&[AB]%[" then
      if line:find "words4" or line:find "load_stream" then wide = wide + 1 else narrow = narrow + 1 end
    end
  end
  local x, y = {}, {}
  for i = 1, 1024 do x[i], y[i] = (i - 1) % 13, (i - 1) % 7 end
  local C, D = tl.jit(kernel, {target = "sim -arch=sm_90a"})(tl.from_table(x, "float16"), tl.from_table(y, "float16"))
  local wrong = 0
  for t = 0, 127 do
    local x, y, a, b = {}, {}, {}, {}
    for v = 0, 7 do x[v], y[v] = (t * 8 + v) % 13, (t * 8 + v) % 7 end
    for v = 0, 15 do a[v] = v end
    host[name](x, y, a, b)
    for v = 0, 15 do if C[t * 16 + v] ~= a[v] then wrong = wrong + 1 end end
    for v = 0, 7 do if D[t * 8 + v] ~= b[v] then wrong = wrong + 1 end end
  end
  print(("%-6s %d wide, %d narrow accesses of A and B; %d wrong"):format(name, wide, narrow, wrong))
end
