-- Copies of fragments in shared memory: those that are never alive at one time share bytes, and where
-- they are too large they are made in rounds, pipelines leave room for them, or they are made anew for
-- each use.  Every program computes what plain Lua does; printed are the bytes that it takes.
local F = "float32"

local function grid(n, m, f)
  local t = {}
  for i = 0, n - 1 do
    t[i] = {}
    for j = 0, m - 1 do t[i][j] = f(i, j) end
  end
  return t
end

local function tensor(t, dt)
  local rows = {}
  for i = 0, #t do rows[i + 1] = table.move(t[i], 0, #t[i], 1, {}) end
  return tl.from_table(rows, dt or F)
end

local function a(i, j) return (i * 7 + j * 13) % 31 end

-- A kernel that brings A (M, N) to fragment f, does body(f, g), and returns g (R, C).
local function kernel(c, target)
  return tl.jit(function(A)
    A: T.Tensor({c.M, c.N}, F)
    local O = T.empty({c.R, c.C}, F)
    for bx in T.Kernel(1, {threads = c.threads or 128}) do
      local f = T.alloc_fragment({c.M, c.N}, F)
      local g = T.alloc_fragment({c.R, c.C}, F)
      T.copy(A, f)
      T.clear(g)
      c.body(f, g)
      T.copy(g, O)
    end
    return O
  end, {target = target})
end

local cases = {
  {name = "one after the other", M = 64, N = 64, R = 64, C = 64, small = "sm_75 -shared=20480",
   body = T.macro(function(f, g)
     for k in T.serial(2) do
       for i, j in T.Parallel(64, 64) do g[i, j] = g[i, j] + f[(i + j) % 64, j] end
       for i, j in T.Parallel(64, 64) do f[i, j] = g[(i * 3) % 64, (j + i) % 64] - k end
       local w = T.alloc_var("int32", 0)
       while w < 2 do
         for i, j in T.Parallel(64, 64) do g[i, j] = f[63 - j, (i + j) % 64] + w end
         w = w + 1
       end
     end
   end),
   want = function(f)
     local g = grid(64, 64, function() return 0 end)
     for k = 0, 1 do
       g = grid(64, 64, function(i, j) return g[i][j] + f[(i + j) % 64][j] end)
       f = grid(64, 64, function(i, j) return g[i * 3 % 64][(j + i) % 64] - k end)
       for w = 0, 1 do g = grid(64, 64, function(i, j) return f[63 - j][(i + j) % 64] + w end) end
     end
     return g
   end},
  {name = "one branch or the other", M = 64, N = 64, R = 64, C = 64, small = "c500 -shared=20480",
   body = T.macro(function(f, g)
     for k in T.serial(4) do
       if k % 2 == 0 then
         for i, j in T.Parallel(64, 64) do g[i, j] = g[i, j] + f[(i + j) % 64, j] end
       else
         for i, j in T.Parallel(64, 64) do g[i, j] = g[i, j] - f[(i * 3) % 64, (i + k) % 64] end
       end
     end
   end),
   want = function(f)
     return grid(64, 64, function(i, j)
       return 2 * f[(i + j) % 64][j] - f[i * 3 % 64][(i + 1) % 64] - f[i * 3 % 64][(i + 3) % 64]
     end)
   end},
  {name = "roles of their own order", M = 64, N = 64, R = 64, C = 64, small = "sm_90a -shared=20480",
   only = "^sm_", kernel = function(_, target)
     return tl.jit(function(A)
       A: T.Tensor({64, 64}, F)
       local O = T.empty({64, 64}, F)
       for bx in T.Kernel(1, {threads = 256}) do
         local f, g = T.alloc_fragment({64, 64}, F), T.alloc_fragment({64, 64}, F)
         for _ in T.ws(0) do
           T.copy(A, f)
           for i, j in T.Parallel(64, 64) do g[i, j] = f[(i + j) % 64, j] end
           for i, j in T.Parallel(64, 64) do f[i, j] = g[(i * 3) % 64, (j + i) % 64] end
           for i, j in T.Parallel(64, 64) do g[i, j] = f[63 - j, (j + i) % 64] end
           T.copy(g, O)
         end
       end
       return O
     end, {target = target})
   end,
   want = function(f)
     local g = grid(64, 64, function(i, j) return f[(i + j) % 64][j] end)
     f = grid(64, 64, function(i, j) return g[i * 3 % 64][(j + i) % 64] end)
     return grid(64, 64, function(i, j) return f[63 - j][(j + i) % 64] end)
   end},
  {name = "rounds: turned and not", M = 256, N = 256, R = 256, C = 256, threads = 512, small = "gfx942 -shared=32768",
   body = T.macro(function(f, g)
     for i, j in T.Parallel(256, 256) do g[i, j] = f[i, j] + f[j, i] end
   end),
   want = function(f) return grid(256, 256, function(i, j) return f[i][j] + f[j][i] end) end},
  {name = "rounds: a product's result", M = 256, N = 32, R = 128, C = 256, threads = 256, small = "sm_80 -shared=49152",
   body = T.macro(function(f, g)
     local x, y = T.alloc_shared({256, 32}, "float16"), T.alloc_shared({128, 32}, "float16")
     local c = T.alloc_fragment({256, 128}, F)
     T.copy(f, x)
     for i, j in T.Parallel(128, 32) do y[i, j] = x[i * 2, j] - 15 end
     T.gemm(x, y, c, {transpose_B = true, clear_accum = true})
     for i, j in T.Parallel(128, 256) do g[i, j] = c[j, i] - c[i, j % 128] end
   end),
   want = function(f)
     return grid(128, 256, function(i, j)
       local sum = 0
       for k = 0, 31 do sum = sum + f[j][k] * (f[i * 2][k] - 15) - f[i][k] * (f[j % 128 * 2][k] - 15) end
       return sum
     end)
   end},
  {name = "rounds: a part, moved", M = 256, N = 128, R = 128, C = 256, threads = 256, small = "sm_75 -shared=16384",
   body = T.macro(function(f, g)
     for i, j in T.Parallel(64, 32) do g[j + 3, i * 2] = f[i + 7, j + 3] + 1 end
   end),
   want = function(f)
     return grid(128, 256, function(i, j)
       return i >= 3 and i < 35 and j < 128 and j % 2 == 0 and f[j // 2 + 7][i] + 1 or 0
     end)
   end},
  {name = "rounds: changed in place", M = 128, N = 64, R = 64, C = 128, small = "c500 -shared=8192",
   body = T.macro(function(f, g)
     for i, j in T.Parallel(128, 64) do
       if (i + j) % 3 ~= 0 then g[j, (i + 5) % 128] = g[j, (i + 5) % 128] + f[i, j] end
     end
     for i, j in T.Parallel(128, 64) do f[i ~ 32, j ~ 45] = f[i ~ 32, j ~ 45] * 2 + g[j, i] end
     for i, j in T.Parallel(64, 128) do g[i, j] = f[j, i] end
   end),
   want = function(f)
     local g = grid(64, 128, function(i, j)
       local k = (j - 5) % 128
       return (k + i) % 3 ~= 0 and f[k][i] or 0
     end)
     local h = grid(128, 64, function(i, j) return f[i][j] * 2 + g[j ~ 45][i ~ 32] end)
     return grid(64, 128, function(i, j) return h[j][i] end)
   end},
  {name = "rounds: an index from memory", M = 128, N = 64, R = 64, C = 64, small = "sm_75 -shared=12288",
   body = T.macro(function(f, g)
     local at = T.alloc_shared({64}, "int32")
     for i in T.Parallel(64) do at[i] = (i * 37 + 5) % 128 end
     for i, j in T.Parallel(64, 64) do
       if at[i] % 3 ~= 0 then g[i, j] = f[at[i], (i + j) % 64] end
     end
   end),
   want = function(f)
     return grid(64, 64, function(i, j)
       local at = (i * 37 + 5) % 128
       return at % 3 ~= 0 and f[at][(i + j) % 64] or 0
     end)
   end},
  {name = "rounds inside of rounds", M = 64, N = 64, R = 64, C = 64, small = "gfx942 -shared=12288",
   body = T.macro(function(f, g)
     for i, j in T.Parallel(64, 64) do
       if i ~= 3 then
         g[(i + 7) % 64, (j + i) % 64] = i + j
         f[j, (i + j) % 64] = f[j, (i + j) % 64] + 1
       end
     end
     for i, j in T.Parallel(64, 64) do g[i, j] = g[i, j] + f[i, j] end
   end),
   want = function(f)
     return grid(64, 64, function(i, j)
       local k = (i - 7) % 64
       local g = k ~= 3 and k + (j - k) % 64 or 0
       return g + f[i][j] + ((j - i) % 64 ~= 3 and 1 or 0)
     end)
   end},
  {name = "copies that would stay", M = 64, N = 64, R = 64, C = 64, small = "sm_75 -shared=20480",
   body = T.macro(function(f, g)
     local h = T.alloc_fragment({64, 64}, F)
     for i, j in T.Parallel(64, 64) do h[i, j] = f[i, j] * 2 end
     for k in T.serial(3) do
       for i, j in T.Parallel(64, 64) do
         for q in T.serial(4) do g[i, j] = g[i, j] + f[(j + q) % 64, (i + q * k) % 64] end
       end
       for i, j in T.Parallel(64, 64) do
         for q in T.serial(4) do g[i, j] = g[i, j] - h[(j + q) % 64, (i * 3 + q + k) % 64] end
       end
     end
   end),
   want = function(f)
     return grid(64, 64, function(i, j)
       local sum = 0
       for k = 0, 2 do
         for q = 0, 3 do sum = sum + f[(j + q) % 64][(i + q * k) % 64] - 2 * f[(j + q) % 64][(i * 3 + q + k) % 64] end
       end
       return sum
     end)
   end},
  {name = "single elements", M = 64, N = 64, R = 64, C = 64, small = "c500 -shared=2048",
   body = T.macro(function(f, g)
     local sum = T.alloc_var(F, 0)
     for k in T.serial(8) do
       sum = sum + f[k * 3, 63 - k]
     end
     for i, j in T.Parallel(64, 64) do g[i, j] = f[i, j] + sum end
   end),
   want = function(f)
     local sum = 0
     for k = 0, 7 do sum = sum + f[k * 3][63 - k] end
     return grid(64, 64, function(i, j) return f[i][j] + sum end)
   end},
  {name = "room from a pipeline", M = 64, N = 512, R = 64, C = 64, small = "sm_80 -shared=24576",
   kernel = function(_, target)
     return tl.jit(function(A)
       A: T.Tensor({64, 512}, F)
       local O = T.empty({64, 64}, F)
       for bx in T.Kernel(1, {threads = 128}) do
         local x, y = T.alloc_shared({64, 32}, F), T.alloc_shared({64, 32}, F)
         local c, g = T.alloc_fragment({64, 64}, F), T.alloc_fragment({64, 64}, F)
         T.clear(g)
         for k in T.Pipelined(16, {num_stages = 3}) do
           T.copy(A[0, k * 32], x)
           for i, j in T.Parallel(64, 32) do y[i, j] = x[63 - i, j] end
           T.gemm(x, y, c, {transpose_B = true, clear_accum = true})
           for i, j in T.Parallel(64, 64) do g[i, j] = g[i, j] + c[j, (i + j) % 64] end
         end
         T.copy(g, O)
       end
       return O
     end, {target = target})
   end,
   want = function(f)
     local c = grid(64, 64, function(i, j)
       local sum = 0
       for k = 0, 511 do sum = sum + f[i][k] * f[63 - j][k] end
       return sum
     end)
     return grid(64, 64, function(i, j) return c[j][(i + j) % 64] end)
   end},
}

for _, c in ipairs(cases) do
  local A = grid(c.M, c.N, a)
  local want = tensor(c.want(A))
  local bytes = {}
  for _, m in ipairs {"sm_75", "sm_80", "sm_90a", "c500", "gfx942", c.small} do
    if m:find(c.only or "") then
      local k = (c.kernel or kernel)(c, "sim -arch=" .. m)
      local ok, why = pcall(function()
        tl.testing.assert_close(k(tensor(A)), want, {rtol = 0, atol = 0})
        bytes[#bytes + 1] = m .. " " .. k:compile {}:ir("thread"):match "shared=(%d+)"
      end)
      if not ok then print(c.name, m, why) end
    end
  end
  print(c.name .. ": " .. table.concat(bytes, ", "))
end
