-- Tiles in the registers of a role (T.ws): each is spread over the role's
-- threads, wherever in the block these stand, and all of it is computed.
local machines = {"sm_80", "sm_90a", "gfx942", "simt"} -- the last two: no barriers of a role
local sizes = {{16, 32}, {40, 24}, {3, 200}}

-- What a role does; the name, and whether it needs no barriers.
local bodies = {
  {"copy", T.macro(function(A, B)
    local x = T.alloc_fragment(A.shape, T.float32)
    T.copy(A, x)
    T.copy(x, B)
  end), "any"},
  {"twice", T.macro(function(A, B)
    local M, N = A.shape[1], A.shape[2]
    local x = T.alloc_fragment(A.shape, T.float32)
    T.copy(A, x)
    for i, j in T.Parallel(M, N) do x[i, j] = x[i, j] * 2 end
    T.copy(x, B)
  end), "any"},
  {"rows", T.macro(function(A, B)
    local M, N = A.shape[1], A.shape[2]
    local x = T.alloc_fragment(A.shape, T.float32)
    local sum = T.alloc_fragment({M}, T.float32)
    T.copy(A, x)
    T.reduce_sum(x, sum, 1)
    for i, j in T.Parallel(M, N) do B[i, j] = x[i, j] - sum[i] end
  end)},
  {"columns", T.macro(function(A, B)
    local M, N = A.shape[1], A.shape[2]
    local x = T.alloc_fragment(A.shape, T.float32)
    local most = T.alloc_fragment({N}, T.float32)
    T.copy(A, x)
    T.reduce_max(x, most, 0)
    for i, j in T.Parallel(M, N) do B[i, j] = x[i, j] - most[j] end
  end)},
  {"scan", T.macro(function(A, B)
    local s = T.alloc_shared(A.shape, T.float32)
    T.copy(A, s)
    T.cumsum(s, s, 1)
    T.copy(s, B)
  end)},
  {"scan of registers", T.macro(function(A, B)
    local x = T.alloc_fragment(A.shape, T.float32)
    T.copy(A, x)
    T.cumsum(x, x, 0)
    T.copy(x, B)
  end)},
  {"turned", T.macro(function(A, B)
    local M, N = A.shape[1], A.shape[2]
    local x = T.alloc_fragment(A.shape, T.float32)
    local y = T.alloc_fragment({N, M}, T.float32)
    T.copy(A, x)
    T.transpose(x, y)
    for i, j in T.Parallel(M, N) do B[i, j] = y[j, i] + x[i, j] end
  end)},
  {"backward", T.macro(function(A, B)
    local M, N = A.shape[1], A.shape[2]
    local x = T.alloc_fragment(A.shape, T.float32)
    T.copy(A, x)
    for i, j in T.Parallel(M, N) do B[i, j] = x[M - 1 - i, N - 1 - j] end
  end)},
  {"product", T.macro(function(A, B)
    local M, N = A.shape[1], A.shape[2]
    local s = T.alloc_shared({16, 16}, T.float16)
    local c = T.alloc_fragment({64, 16}, T.float32)
    local a = T.alloc_shared({64, 16}, T.float16)
    for i, j in T.Parallel(16, 16) do s[i, j] = T.if_then_else(i == j, 2, 0) end
    for i, j in T.Parallel(64, 16) do a[i, j] = i + j end
    T.clear(c)
    T.gemm(a, s, c)
    for i, j in T.Parallel(M, N) do B[i, j] = A[i, j] end
    for i, j in T.Parallel(64, 16) do
      if i < M and j < N then B[i, j] = c[i, j] end
    end
  end)},
  {"length at run time", T.macro(function(A, B)
    local n = T.alloc_var(T.int32, A.shape[1])
    for i, j in T.Parallel(n, A.shape[2]) do B[i, j] = A[i, j] end
  end)},
}

-- Groups of 128 threads that do it, of how many.
local roles = {{{0}, 2}, {{1}, 2}, {{1}, 3}, {{1, 2}, 3}, {{2, 3}, 4}}

local function program(body, size, target, role)
  return tl.jit(function(A)
    A: T.Tensor(size, T.float32)
    local B = T.empty(size, T.float32)
    for _ in T.Kernel(1, {threads = role and 128 * role[2] or 128}) do
      if role then
        for _ in T.ws(table.unpack(role[1])) do body(A, B) end
      else
        body(A, B)
      end
    end
    return B
  end, {target = target})
end

local function compare(what, got, want)
  local ok, why = pcall(tl.testing.assert_close, got, want)
  if not ok then
    print(what, why)
  end
end

tl.manual_seed(31)
for _, b in ipairs(bodies) do
  for i, size in ipairs(sizes) do
    local A = tl.randint(-50, 50, size, "int32"):to "float32"
    local want = program(b[2], size, "sim -arch=sm_80")(A)
    for k = 1 + i % 2, #roles, 2 do
      local role = roles[k]
      local m = machines[(i + k) % (b[3] and 4 or 2) + 1]
      compare(b[1] .. " " .. m, program(b[2], size, "sim -arch=" .. m, role)(A), want)
    end
  end
  print(b[1])
end

-- Each role has a tile of its own under one name; all read one that all have.
for _, m in ipairs(machines) do
  local f = tl.jit(function(A)
    A: T.Tensor({64, 64}, T.float32)
    local B = T.empty({64, 64}, T.float32)
    for _ in T.Kernel(1, {threads = 256}) do
      local x = T.alloc_fragment({32, 64}, T.float32)
      local bias = T.alloc_fragment({64}, T.float32)
      for j in T.Parallel(64) do bias[j] = j end
      for role = 0, 1 do
        for _ in T.ws(role) do
          T.copy(A[role * 32, 0], x)
          for i, j in T.Parallel(32, 64) do x[i, j] = x[i, j] + bias[j] end
          T.copy(x, B[role * 32, 0])
        end
      end
    end
    return B
  end, {target = "sim -arch=" .. m})
  local A, want = tl.zeros({64, 64}, "float32"), tl.zeros({64, 64}, "float32")
  for i = 0, 63 do
    for j = 0, 63 do want[{i, j}] = j end
  end
  compare(m, f(A), want)
end
print "two"

-- The user's barrier 1 of one role is not the one that the compiler gives another.
for _, m in ipairs {"sm_80", "sm_90a"} do
  local f = tl.jit(function(A)
    A: T.Tensor({256}, T.float32)
    local B = T.empty({256}, T.float32)
    for _ in T.Kernel(1, {threads = 256}) do
      local s = T.alloc_shared({256}, T.float32)
      local t = T.get_thread_binding()
      for _ in T.ws(0) do
        for i in T.Parallel(128) do s[i] = A[i] end
        for i in T.Parallel(128) do B[i] = s[127 - i] end
      end
      for _ in T.ws(1) do
        for _ in T.Serial(3) do
          s[t] = A[t]
          T.sync_threads(1, 128)
          B[t] = s[383 - t]
          T.sync_threads(1, 128)
        end
      end
      for _ in T.ws(0) do
        for i in T.Parallel(128) do s[i] = B[i] end
        for i in T.Parallel(128) do B[i] = s[i] + s[127 - i] - A[i] end
      end
    end
    return B
  end, {target = "sim -arch=" .. m})
  local A = tl.randint(-50, 50, {256}, "int32"):to "float32"
  local want = tl.zeros({256}, "float32")
  for i = 0, 127 do
    want[{i}], want[{128 + i}] = A[{127 - i}], A[{255 - i}]
  end
  compare(m, f(A), want)
end
print "numbered"

-- Roles of the same threads, or of some of them, run in the order of the text.
local chains = {
  {{0, 1}, {0}, {1}, {0, 1}},
  {{0}, {0, 1}, {1}, {0}},
  {{2}, {1, 2}, {0}, {0, 1}, {0}},
  {{0}, {0}, {0}, {1}, {1}},
  {{1, 2}, {0, 1}, {1}, {2}},
  {{0, 1, 2}, {2}, {1}, {0, 1}},
}
for c, chain in ipairs(chains) do
  for _, m in ipairs {"sm_80", "sm_90a"} do
    local f = tl.jit(function(A)
      A: T.Tensor({384}, T.int32)
      local B = T.empty({384}, T.int32)
      for _ in T.Kernel(1, {threads = 384}) do
        local s = T.alloc_shared({384}, T.int32)
        for i in T.Parallel(384) do s[i] = A[i] end
        for _ in T.Serial(2) do
          for step, groups in ipairs(chain) do
            local lo, n = groups[1] * 128, #groups * 128
            for _ in T.ws(table.unpack(groups)) do
              local x = T.alloc_fragment({n}, T.int32)
              for i in T.Parallel(n) do x[i] = s[lo + n - 1 - i] * 3 + step end
              for i in T.Parallel(n) do s[lo + i] = x[i] end
            end
          end
        end
        for i in T.Parallel(384) do B[i] = s[383 - i] end
      end
      return B
    end, {target = "sim -arch=" .. m})
    local A = tl.randint(-50, 50, {384}, "int32")
    local row, want = {}, tl.zeros({384}, "int32")
    for i = 0, 383 do row[i] = math.tointeger(A[{i}]) end
    for _ = 1, 2 do
      for step, groups in ipairs(chain) do
        local lo, n, new = groups[1] * 128, #groups * 128, {}
        for i = 0, n - 1 do new[i] = row[lo + n - 1 - i] * 3 + step end
        for i = 0, n - 1 do row[lo + i] = new[i] end
      end
    end
    for i = 0, 383 do want[{i}] = row[383 - i] end
    compare("chain " .. c .. " " .. m, f(A), want)
  end
end
print "chains"

-- Who is behind what others did: tiles that a role writes, and may read back, are read
-- by roles that share some of its threads, or that come behind such ones.  "=" copies.
local plans = {
  {{{0, 1}, "s=t", "r=s"}, {{1, 2}, "B=s", "B=r"}},
  {{{0, 1}, "s=t", "B=s"}, {{1, 2}, "r=t", "B=r"}, {{2}, "B=s"}},
  {{{0, 1}, "s=t"}, {{1, 2}, "r=t"}, {{2}, "B=r", "B=s"}, {{0}, "B=s"}},
  {{{0, 1}, "s=t", "r=s"}, {{3}, "B=t"}, {{0, 1, 2, 3}, "B=s", "s=r"}},
  {{{0, 1}, "s=t"}, {{1}, "r=t"}, {{1, 2}, "B=r"}, {{2, 3}, "r=t"}, {{3}, "B=s", "s=r"}},
  {{{1, 2}, "s=t", "B=s", "r=s"}, {{2, 3}, "s=r"}, {{0, 1, 2}, "B=s"}, {{3}, "B=s"}},
}
local N = 1024
for c, plan in ipairs(plans) do
  for _, m in ipairs {"sm_80", "sm_90a"} do
    local rows, at = 0, {}
    for k, step in ipairs(plan) do
      at[k] = {}
      for q = 2, #step do
        at[k][q] = rows
        rows = rows + (step[q]:sub(1, 1) == "B" and 1 or 0)
      end
    end
    local f = tl.jit(function(A)
      A: T.Tensor({N}, T.int32)
      local B = T.empty({2 * rows, N}, T.int32)
      for _ in T.Kernel(1, {threads = 512}) do
        local tiles = {}
        for _, name in ipairs {"r", "s", "t"} do
          local tile = T.alloc_shared({N}, T.int32)
          for i in T.Parallel(N) do tile[i] = A[i] end
          tiles[name] = tile
        end
        for it in T.Serial(2) do
          for k, step in ipairs(plan) do
            for _ in T.ws(table.unpack(step[1])) do
              for q = 2, #step do
                local to, from = tiles[step[q]:sub(1, 1)], tiles[step[q]:sub(3)]
                if to then
                  for i in T.Parallel(N) do to[i] = from[(i + 192) % N] * 3 + k end
                else
                  T.copy(from, B[it * rows + at[k][q], 0:N])
                end
              end
            end
          end
        end
      end
      return B
    end, {target = "sim -arch=" .. m})
    local A, want = tl.randint(-50, 50, {N}, "int32"), tl.zeros({2 * rows, N}, "int32")
    local tiles, row = {r = {}, s = {}, t = {}}, 0
    for _, tile in pairs(tiles) do
      for i = 0, N - 1 do tile[i] = math.tointeger(A[{i}]) end
    end
    for _ = 1, 2 do
      for k, step in ipairs(plan) do
        for q = 2, #step do
          local to, from = step[q]:sub(1, 1), tiles[step[q]:sub(3)]
          local new = {}
          for i = 0, N - 1 do
            new[i] = (from[(i + 192) % N] * 3 + k + 2 ^ 31) % 2 ^ 32 - 2 ^ 31
            if to == "B" then want[{row, i}] = from[i] end
          end
          if to == "B" then row = row + 1 else tiles[to] = new end
        end
      end
    end
    compare("known " .. c .. " " .. m, f(A), want)
  end
end
print "known"

-- Copies in flight: each of the roles behind waits for those of its own threads.
for _, m in ipairs {"sm_80", "sm_90a"} do
  local f = tl.jit(function(A)
    A: T.Tensor({512}, T.float32)
    local B = T.empty({512}, T.float32)
    for _ in T.Kernel(1, {threads = 256}) do
      local s = T.alloc_shared({1024}, T.float32)
      for _ in T.ws(0, 1) do
        T.async_copy(A[0:512], s[0:512])
        T.async_copy(A[0:512], s[512:1024])
      end
      for _ in T.ws(1) do T.ptx_wait_group(1) end
      for _ in T.ws(0) do
        T.ptx_wait_group(0)
        for i in T.Parallel(128) do B[i] = s[127 - i] end
      end
      for _ in T.ws(1) do
        T.ptx_wait_group(0)
        for i in T.Parallel(128) do B[128 + i] = s[640 + (i + 32) % 128] end
      end
      for i in T.Parallel(256) do B[256 + i] = s[511 - i] end
    end
    return B
  end, {target = "sim -arch=" .. m})
  local A, want = tl.randint(-50, 50, {512}, "int32"):to "float32", tl.zeros({512}, "float32")
  for i = 0, 127 do
    want[{i}], want[{128 + i}] = A[{127 - i}], A[{128 + (i + 32) % 128}]
    want[{256 + i}], want[{384 + i}] = A[{511 - i}], A[{383 - i}]
  end
  compare("flight " .. m, f(A), want)
end
print "flight"

-- No guard against threads that the role does not have.
local f = tl.jit(function(A)
  A: T.Tensor({16, 32}, T.float32)
  local B = T.empty({16}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    for _ in T.ws(0) do
      local x = T.alloc_fragment({16, 32}, T.float32)
      local sum = T.alloc_fragment({16}, T.float32)
      T.copy(A, x)
      T.reduce_sum(x, sum, 1)
      T.copy(sum, B)
    end
  end
  return B
end, {target = "sim -arch=sm_80"})
for line in tostring(f:compile():ir "sync"):gmatch "[^\n]+" do
  if line:find "if tid" then print((line:gsub(" @.*", ""))) end
end
