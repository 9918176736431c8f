-- Tile operations on views of fragments: where modes of the view are modes of the fragment, nothing moves; values
-- against plain Lua either way.
local M, N = 64, 128
local function kernel(body, dtype)
  return function(A)
    A: T.Tensor({M, N}, dtype)
    local B, R = T.empty({M, N}, dtype), T.empty({256}, dtype)
    for bx in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_fragment({M, N}, dtype)
      T.copy(A, s)
      for i in T.Parallel(256) do R[i] = 0 end
      body(s, R, dtype)
      T.copy(s, B)
    end
    return B, R
  end
end
local bodies = {
  {"reduced", function(s, R, dt) -- s[i, 32 * q + h] over h
    local v, r = T.reshape(s, {M, 4, 32}), T.alloc_fragment({M, 4}, dt)
    T.reduce_sum(v, r, 2)
    for i, q in T.Parallel(M, 4) do R[i * 4 + q] = r[i, q] end
  end, function(a, R)
    for i = 0, M - 1 do for q = 0, 3 do
      local sum = 0
      for h = 0, 31 do sum = sum + a[i * N + q * 32 + h] end
      R[i * 4 + q] = sum
    end end
  end},
  {"rows", function(s, R, dt) -- over what two dimensions of s hold together
    local v, r = T.reshape(s, {16, 4 * N}), T.alloc_fragment({16}, dt)
    T.reduce_max(v, r, 1)
    for i in T.Parallel(16) do R[i] = r[i] end
  end, function(a, R)
    for i = 0, 15 do
      local most = -1
      for h = 0, 4 * N - 1 do most = math.max(most, a[i * 4 * N + h]) end
      R[i] = most
    end
  end},
  {"filled", function(s)
    local v = T.reshape(s, {M, 4, 32})
    T.fill(v[:, 1:3, 8:16], 3)
  end, function(a)
    for i = 0, M - 1 do for q = 1, 2 do for h = 8, 15 do a[i * N + q * 32 + h] = 3 end end end
  end},
  {"odd", function(s, R, dt) -- no mode of s ends where a row of the view does
    local v, r = T.reshape(s, {256, 32}), T.alloc_fragment({256}, dt)
    local w = T.view(s, {M * N})
    T.reduce_sum(v, r, 1)
    for i in T.Parallel(M * N) do w[i] = w[i] + 1 end
    T.copy(r, R)
  end, function(a, R)
    for i = 0, 255 do
      local sum = 0
      for h = 0, 31 do sum = sum + a[i * 32 + h] end
      R[i] = sum
    end
    for i = 0, M * N - 1 do a[i] = a[i] + 1 end
  end},
  {"two names", function(s, R, dt) -- what is read and what is written are one
    local v, w = T.reshape(s, {M, 2, 64}), T.reshape(s, {2, M, 64})
    T.copy(v[0:32, 0, :], w[1, 0:32, :])
  end, function(a)
    local b = {}
    for i = 0, M * N - 1 do b[i] = a[i] end
    for i = 0, 31 do for h = 0, 63 do a[M * 64 + i * 64 + h] = b[i * N + h] end end
  end},
}
for _, c in ipairs(bodies) do
  for _, dt in ipairs {"float32", "int32"} do
    local name, f = c[1], kernel(c[2], dt)
    local text = tl.jit(f, {target = "cuda -arch=sm_90a"}):compile({}):get_kernel_source()
    local bytes = tonumber(text:match "smem%[%]; // (%d+) bytes" or 0)
    local x, a, R = {}, {}, {}
    for i = 0, M * N - 1 do x[i + 1], a[i] = i * 7 % 11, i * 7 % 11 end
    c[3](a, R)
    local A = tl.from_table(x, dt):reshape(M, N)
    for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=gfx942"} do
      local B, S = tl.jit(f, {target = target})(A)
      local wrong = 0
      for i = 0, M * N - 1 do if B[i // N][i % N] ~= a[i] then wrong = wrong + 1 end end
      for i in pairs(R) do if S[i] ~= R[i] then wrong = wrong + 1 end end
      if wrong > 0 then print(name, dt, target, wrong, "wrong") end
    end
    if dt == "float32" then print(("%-10s %d bytes of shared memory on sm_90a"):format(name, bytes)) end
  end
end
