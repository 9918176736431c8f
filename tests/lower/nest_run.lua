-- What nests, single statements and single threads become, run on simulated
-- machines: against plain Lua.
local failed, passed = 0, 0
local function check(what, got, want)
  if got == want or (got ~= got and want ~= want) then
    passed = passed + 1
  else
    failed = failed + 1
    print(("FAILED %s: %s instead of %s"):format(what, got, want))
  end
end

-- Every thread executes what names it; the rest happens once a block.
local function single_threads()
  return tl.jit(function(A, n)
    A: T.Tensor({256}, T.float32)
    n: T.int32
    local B, C = T.empty({256}, T.float32), T.empty({64}, T.float32)
    for bx in T.Kernel(2, {threads = {32, 4}}) do
      local tx, ty = T.get_thread_binding(0), T.get_thread_binding(1)
      local t = T.alloc_local({4}, T.float32)
      local sum = T.alloc_var(T.float32, 0)
      local s = T.alloc_shared({128}, T.float32)
      for v in T.vectorized(4) do t[v] = A[(ty * 32 + tx) % 64 * 4 + v] end
      for v in T.serial(4) do sum = sum + t[v] end
      s[ty * 32 + tx] = sum
      T.sync_threads()
      B[bx * 128 + ty * 32 + tx] = s[127 - ty * 32 - tx] + T.shfl_xor(sum, 1)
      C[bx] = s[3] + n
      for k in T.serial(4) do C[8 + bx * 4 + k] = A[k] * 2 end
      if n > 2 then C[2 + bx] = 7 end
      if T.get_lane_idx(32) == 5 then C[16 + bx * 4 + T.get_warp_idx(32)] = tx + 100 * ty end
      if T.shuffle_elect(128) then C[26 + bx] = T.get_lane_idx() + T.get_warp_group_idx() end
      if bx == 0 then
        for i in T.Parallel(36) do C[28 + i] = 0 end
        C[24] = 0
        local old = T.atomic_add(C[24], 1, {return_prev = true})
        if tx == 31 and ty == 3 then C[25] = old + 10 end
      else
        for i in T.Parallel(0 + 2) do C[4 + i] = i end
        C[6] = 6
        C[7] = 7
      end
    end
    return B, C
  end)
end

-- Elements of fragments outside of nests, views, votes over a tile.
local function elements()
  return tl.jit(function(A)
    A: T.Tensor({16, 24}, T.float32)
    local B, C = T.empty({16, 24}, T.float32), T.empty({8}, T.float32)
    for bx in T.Kernel(1, {threads = 64}) do
      local x, m = T.alloc_fragment({16, 24}, T.float32), T.alloc_fragment({16}, T.float32)
      T.copy(A, x)
      T.fill(m, 0)
      m[3] = A[0, 0] + x[1, 2]
      local flat = T.reshape(x, {384})
      for i in T.Parallel(384) do flat[i] = flat[i] + 1 end
      local bits = T.view(x, {16, 24}, T.int32)
      for i, j in T.Parallel(16, 24) do bits[i, j] = bits[i, j] + 0 end
      local halves = T.view(x, {16, 48}, T.float16)
      for i, j in T.Parallel(16, 48) do halves[i, j] = T.max(halves[i, j], halves[i, j]) end
      C[0] = m[3]
      C[1] = m[4] + x[2, 23]
      if x[0, 0] > 0 then C[2] = 1 else C[2] = 0 end
      if T.any_of(m) then C[3] = 1 else C[3] = 0 end
      if T.all_of(m) then C[4] = 1 else C[4] = 0 end
      local found = T.alloc_var(T.int32, -1)
      for k in T.serial(16) do
        if m[k] ~= 0 then found = k end
      end
      C[5] = found
      for v in T.vectorized(2) do m[v] = 5 end
      C[6], C[7] = m[0], m[1] + m[2]
      T.copy(x, B)
    end
    return B, C
  end)
end

-- Conversions of every width, four bits, rows that no vector divides.
local function widths(from, to, n)
  return tl.jit(function(A)
    A: T.Tensor({9, n}, from)
    local B, C = T.empty({9, n}, to), T.empty({9, n}, from)
    for bx in T.Kernel(3, {threads = 96}) do
      local s, f = T.alloc_shared({3, n}, to), T.alloc_fragment({3, n}, to)
      local t = T.alloc_shared({3, n}, from)
      T.copy(A[bx * 3, 0], s)
      T.copy(s, f)
      T.copy(f, B[bx * 3, 0])
      T.copy(A[bx * 3, 0], t)
      T.copy(t, C[bx * 3, 0])
    end
    return B, C
  end)
end

-- Blocks in panels meet every tile once.
local function panels(order)
  return tl.jit(function()
    local C = T.empty({5, 7}, T.int32)
    for bx, by in T.Kernel(7, 5, {threads = 32}) do
      T.use_swizzle(2, {order = order})
      C[by, bx] = by * 7 + bx
    end
    return C
  end)
end

for _, machine in ipairs {"simt", "sm_80", "gfx942"} do
  tl.set_target("sim -arch=" .. machine)
  local a = tl.arange(0, 256):to("float32")
  local b, c = single_threads()(a, 3)
  local function sum(t) return 4 * (t % 64 * 4) + 6 end
  for t = 0, 255 do
    local k = t % 128
    check(machine .. " thread " .. t, b[t], sum(127 - k) + sum(k ~ 1))
  end
  for bx = 0, 1 do
    check("once", c[bx], sum(3) + 3)
    check("condition of the block", c[2 + bx], 7)
    for k = 0, 3 do check("serial loop", c[8 + bx * 4 + k], 2 * k) end
    for w = 0, 3 do check("lane 5", c[16 + bx * 4 + w], 5 + 100 * w) end
    check("elected", c[26 + bx], 0)
  end
  check("atomic, once", c[24], 1)
  check("old value for all threads", c[25], 10)

  local x = tl.randint(1, 9, {16, 24}):to("float32")
  local y, z = elements()(x)
  for i = 0, 15 do for j = 0, 23 do check("views", y[i, j], x[i, j] + 1) end end
  local want = {[0] = x[0, 0] + x[1, 2], x[2, 23] + 1, 1, 1, 0, 3, 5, 5}
  for i = 0, 7 do check("element " .. i, z[i], want[i]) end

  for _, w in ipairs {{"float32", "float16", 20}, {"float16", "float32", 33},
    {"float16", "float8_e4m3fn", 16}, {"int8", "float64", 10}, {"int4", "int32", 8},
    {"float32", "bfloat16", 64}} do
    local v = tl.randint(-7, 8, {9, w[3]}):to(w[1])
    local p, q = widths(w[1], w[2], w[3])(v)
    for i = 0, 8 do
      for j = 0, w[3] - 1 do
        check(w[1] .. " to " .. w[2], p[i, j], v[i, j])
        check(w[1] .. " whole", q[i, j], v[i, j])
      end
    end
  end

  for _, order in ipairs {"row", "column"} do
    local g = panels(order)()
    for i = 0, 34 do check("panels by " .. order, g[i // 7, i % 7], i) end
  end
end
print(("%d passed, %d failed"):format(passed, failed))
