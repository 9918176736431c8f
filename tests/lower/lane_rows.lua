-- Lanes that load the registers of a matrix instruction one by one: ldmatrix where they are rows of matrices, and plain
-- loads where anything is amiss.  The values are those that the indices say either way.
local ROWS, COLS, THREADS = 64, 64, 64

-- Where the lanes read: (lane, warp, element) -> row, column; numbers or expressions.
local function plain(per)
  return function(lane, warp, r)
    return warp * 16 + lane // 4 + r // per % 2 * 8, r // (2 * per) * (4 * per) + lane % 4 * per + r % per
  end
end
local function turned(lane, warp, r)
  return warp * 16 + r // 4 * 8 + lane % 4 * 2 + r % 2, r // 2 % 2 * 8 + lane // 4
end

local function moved(f, rows, cols)
  return function(...)
    local i, j = f(...)
    return i + rows, j + cols
  end
end

local cases = {
  {"plain", "float16", 8, plain(2)}, {"two matrices", "float16", 4, plain(2)}, {"one, no gain", "float16", 2, plain(2)},
  {"bfloat16", "bfloat16", 8, plain(2)}, {"bytes", "int8", 16, plain(4)}, {"words", "float32", 4, plain(1)},
  {"turned", "float16", 8, turned}, {"turned, one", "float16", 2, turned}, {"turned bytes", "int8", 16, turned},
  {"further right", "float16", 8, moved(plain(2), 3, 16)}, {"not from 16 bytes on", "float16", 8, moved(plain(2), 0, 2)},
  {"a row lower for one lane", "float16", 8, function(lane, warp, r)
    local i, j = plain(2)(lane, warp, r)
    return i + (lane + 33) // 64, j -- lane 31
  end},
  {"rows of their own places", "float16", 8, function(lane, warp, r)
    local i, j = plain(2)(lane, warp, r)
    return (i * 5 + 3) % 32, (j // 8 * 8 + lane // 4 % 4 * 8) % 64 + j % 8
  end},
  {"registers the other way", "float16", 8, function(lane, warp, r) return plain(2)(lane, warp, 7 - r) end},
  {"under a condition of lanes", "float16", 8, plain(2), "lanes"}, {"of warps", "float16", 8, plain(2), "warps"},
  {"of the warp's data", "float16", 8, plain(2), "data"}, {"a loop around", "float16", 8, plain(2), "loop"},
  {"from within a register on", "float16", 8, plain(2), "odd"},
  {"another register per lane", "float16", 4, plain(2), "register"}, {"per warp", "float16", 8, plain(2), "of the warp"}, {"an offset from memory", "float16", 8, plain(2), "offset"},
}

local function kernel(dt, n, where, how, target)
  return tl.jit(function(A, D)
    A: T.Tensor({ROWS, COLS}, dt)
    D: T.Tensor({THREADS}, "int32")
    local B = T.empty({2, THREADS, 16}, "float32")
    for bx in T.Kernel(2, {threads = THREADS}) do
      local s, own = T.alloc_shared({ROWS, COLS}, dt), T.alloc_local({32}, dt)
      local tid = T.get_thread_binding()
      local lane, warp = tid % 32, tid // 32
      T.copy(A, s)
      for r in T.unroll(32) do own[r] = 0 end
      local function load(row, at)
        for r in T.unroll(n) do
          local i, j = where(lane, warp, r)
          own[at + r] = s[i + row, j]
        end
      end
      if how == "lanes" then
        if tid < 40 then load(0, 0) end
      elseif how == "warps" then
        if tid >= 32 then load(0, 0) end
      elseif how == "data" then
        if D[warp] == 0 then load(0, 0) end
      elseif how == "loop" then
        for k in T.serial(3) do load(k * 2 + bx, 0) end
      elseif how == "register" then
        load(0, lane % 2 * 8)
      elseif how == "of the warp" then
        load(0, warp * 8)
      elseif how == "odd" then
        load(0, 1)
      elseif how == "offset" then
        load(D[tid], 0)
      else
        load(bx, 0)
      end
      for r in T.unroll(16) do B[bx, tid, r] = T.cast(own[r], "float32") end
    end
    return B
  end, {target = target})
end

local function expected(a, d, n, where, how)
  local out = {}
  for b = 0, 1 do
    out[b + 1] = {}
    for t = 0, THREADS - 1 do
      local lane, warp, own = t % 32, t // 32, {}
      for r = 1, 16 do own[r] = 0 end
      local row, at, comes = b, 0, true
      if how == "lanes" then row, comes = 0, t < 40
      elseif how == "warps" then row, comes = 0, t >= 32
      elseif how == "data" then row, comes = 0, d[warp + 1] == 0
      elseif how == "loop" then row = 4 + b
      elseif how == "register" then row, at = 0, lane % 2 * 8
      elseif how == "of the warp" then row, at = 0, warp * 8
      elseif how == "odd" then row, at = 0, 1
      elseif how == "offset" then row = d[t + 1] end
      for r = 0, comes and n - 1 or -1 do
        local i, j = where(lane, warp, r)
        if r + at < 16 then own[at + r + 1] = a[i + row + 1][j + 1] end
      end
      out[b + 1][t + 1] = own
    end
  end
  return tl.from_table(out, "float32")
end

local a, d = {}, {}
for i = 1, ROWS do
  a[i] = {}
  for j = 1, COLS do a[i][j] = (i * 37 + j * 11 + i * j) % 120 end
end
for t = 1, THREADS do d[t] = t * 7 % 3 end
local D = tl.from_table(d, "int32")
for _, c in ipairs(cases) do
  local name, dt, n, where, how = table.unpack(c)
  local right, text = {}, nil
  for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_75", "sim -arch=gfx942", "cpu"} do
    local A = tl.from_table(a, dt)
    local k = kernel(dt, n, where, how, target):compile(A, D)
    right[#right + 1] = tostring(tl.testing.assert_close(k(A, D), expected(a, d, n, where, how), {rtol = 0, atol = 0}) ~= false)
    text = text or k:ir("gemm")
  end
  local ops = {}
  for op in text:gmatch "ldmatrix[^\n]*" do ops[#ops + 1] = op:gsub(" @.*", "") end
  print(("%-28s %s  %s"):format(name, table.concat(right, " "), #ops == 0 and "loads" or table.concat(ops, "; ")))
end
