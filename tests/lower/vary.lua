-- Which values threads have in common, and where: of these programs the wrong ones are refused on
-- every machine, the right ones are taken and compute what they say.  alike.lua has what may stand
-- in T.Parallel and what operations are given; this one looks at what is known of variables:
-- values, the order of assignments, branches that agree, loops, votes, roles.
local machines = {sm_80 = 32, sm_90a = 32, c500 = 64, gfx942 = 64} -- lanes of a warp
local names = {"sm_80", "sm_90a", "c500", "gfx942"}

-- A kernel over X and C, s between them; body is the text in its middle.
local function build(body, machine, threads)
  local text = [[
    return tl.jit(function(X, P)
      X: T.Tensor({64, 64}, "int32")
      P: T.Tensor({256}, "int32")
      local C = T.empty({64, 64}, "int32")
      for bx in T.Kernel(1, {threads = ]] .. threads .. [[}) do
        local s, h = T.alloc_shared({64, 64}, "int32"), T.alloc_shared({8, 64}, "int32")
        local f, l = T.alloc_fragment({64}, "int32"), T.alloc_local({2}, "int32")
        local v, w = T.alloc_var("int32", 0), T.alloc_var("int32", 0)
        local tx = T.get_thread_binding()
        T.fill(s, 7)
        T.fill(h, 0)
        ]] .. body .. [[

        T.copy(s, C)
      end
      return C
    end, {target = "sim -arch=]] .. machine .. [["})
  ]]
  return assert(load(text, "=kernel"))()
end

-- warps = n: blocks of n warps; threads = n; else of 256 threads.
local function threads(k, machine) return k.threads or k.warps and k.warps * machines[machine] or 256 end

local x, p = tl.randint(-99, 99, {64, 64}, "int32"), tl.arange(256, "int32")
local function X(i, j) return x[i, j] end
local function rows(n) return function(i, j) return i < n and x[i, j] or 7 end end
local function all(n) return function() return n end end

local wrong = {
  -- a variable that holds the thread's index is no better than the index
  "v = tx; if v // 100 == P[tx] then T.copy(X, s) end",
  "v = P[tx]; if v // 128 == 0 then T.copy(X, s) end",
  "v = tx % 64; if v < 32 then T.copy(X, s) end",
  "v = tx // 128; for j in T.Parallel(64) do s[v, j] = X[v, j] end",
  "v = tx // 128; for i, j in T.Parallel(64, 64) do if v == 0 then s[i, j] = X[i, j] end end",
  "v = tx; w = v; v = 0; T.fill(s, w)",
  "local u = T.alloc_var('int32', P[tx]); T.fill(s, u)",
  "local u = T.alloc_var('int32', tx // 128); T.fill(s, u)",
  "v = T.Select(tx < 32, 1, 2); T.fill(s, v)",
  -- ranges that a number chooses
  "if tx % 2 == P[1] then T.copy(X, s) end",
  "for k in T.serial(8) do if P[tx] // 32 == k then T.copy(X, s) end end",
  "for k in T.serial(8) do v = tx; if k == v % 8 then T.copy(X, s) end end",
  "for k in T.unroll(4) do if tx // 64 == (k + P[tx]) % 4 then T.copy(X, s) end end",
  "for k in T.serial(64) do if tx // 4 == k then T.copy(X, s) end end",
  "for k in T.serial(4) do if tx // 64 ~= k then T.copy(X, s) end end",
  -- branches
  "if tx < 5 then v = 1 else v = 2 end; T.fill(s, v)",
  "if tx < 5 then v = P[1] else v = P[2] end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "if tx < 5 then v = h[0, 0] else h[0, 0] = 4; v = h[0, 0] end; T.fill(s, v)",
  "if tx < 128 then v = h[0, 0] end; T.sync_threads(); if tx == 200 then h[0, 0] = 3 end; T.sync_threads(); if tx >= 128 then v = h[0, 0] end; T.fill(s, v)",
  "for k in T.serial(4) do if tx < 5 then v = k end; T.fill(s, v) end",
  "for k in T.serial(4) do if k == 2 then w = v; if tx < 5 then v = w else v = w + 1 end end; T.fill(s, v) end",
  "if tx < 128 then v = 0 else v = 1 end; if v == P[tx] then T.copy(X, s) end",
  "if P[0] == 0 then v = tx end; T.fill(s, v)",
  "if P[0] == 0 then v = 4 else v = tx end; if v == 4 then T.copy(X, s) end",
  "if X[0, tx % 64] > 0 then if P[1] == 1 then v = 3 end end; T.fill(s, v)",
  "w = P[1]; if X[0, tx % 64] > 0 then w = w * 2 end; T.fill(s, w)",
  -- what comes later in a loop reaches its head, what leaves it early comes with what it had
  "for k in T.serial(4) do T.fill(s, v); if k == 2 then v = tx end end",
  "v = tx; for k in T.serial(2) do if v == 3 then T.copy(X, s) end; v = P[3] end",
  "for k in T.serial(8) do if v == 3 then T.copy(X, s) end; v = tx end",
  "for k in T.serial(8) do v = k; if P[tx] == 3 then v = 9 end; if v == 3 then T.copy(X, s) end end",
  "v = 1; w = tx; for k in T.serial(3) do l[0] = v; v = w; w = l[0] end; T.fill(s, v)",
  "for k in T.serial(2) do for q in T.serial(2) do T.fill(s, v); v = w end; w = tx end",
  "for k in T.serial(8) do if P[tx] == k then break end; T.copy(X[k, :], s[k, :]) end",
  "for k in T.serial(8) do T.copy(X[k, :], s[k, :]); if P[tx] == k then break end end",
  "for k in T.serial(8) do if P[tx] > k then goto continue end; T.copy(X[k, :], s[k, :]); ::continue:: end",
  "for k in T.serial(8) do if P[3] == k then if P[tx] > 9 then goto continue end end; T.copy(X[k, :], s[k, :]); ::continue:: end",
  "for k in T.serial(8) do v = k; if P[tx] == k then break end end; T.fill(s, v)",
  "for k in T.serial(8) do v = P[k]; if X[0, tx % 64] > k then break end end; if v == 3 then T.copy(X, s) end",
  "for k in T.serial(8) do if P[k] == 3 then v = tx; break end; v = 0 end; T.fill(s, v)",
  "for k in T.serial(P[tx] % 4) do v = 5 end; T.fill(s, v)",
  "w = 0; while w < P[tx] % 4 do w = w + 1 end; if w == 2 then T.copy(X, s) end",
  "for k in T.serial(tx // 64) do T.copy(X[k, :], s[k, :]) end",
  "for k in T.Pipelined(4, {num_stages = 2}) do T.copy(X[k * 16, :], f); if v == 2 then T.copy(f, s[0, :]) end; v = tx end",
  "for k in T.Pipelined(4, {num_stages = 2}) do T.copy(X[v, :], f); T.copy(f, s[k, :]); v = tx % 64 end",
  -- memory, fragments, atomics
  "h[tx // 64, tx % 64] = tx; T.sync_threads(); v = h[tx % 4, 3]; T.fill(s, v)",
  "v = h[0, tx % 64]; if v == 0 then T.copy(X, s) end",
  "for i in T.Parallel(64) do f[i] = i end; v = f[tx % 64]; T.fill(s, v)",
  "for i in T.Parallel(64) do v = i end; T.fill(s, v)",
  "v = T.atomic_add(h[0, tx % 64], 1, {return_prev = true}); T.fill(s, v)",
  "l[P[tx] % 2] = 1; T.fill(s, l[0])",
  "l[0] = tx; for k in T.serial(2) do l[k] = l[0] end; T.fill(s, l[1])",
  "for k in T.serial(2) do for q in T.serial(2) do l[q] = w end; T.fill(s, l[1]); w = tx end",
  -- votes, macros, roles
  {"if T.any_sync(P[tx] > 40) ~= 0 then T.copy(X, s) end", warps = 2},
  {"v = T.shfl_sync(P[tx], 3); T.fill(s, v)", warps = 2},
  {"for k in T.serial(2) do v = T.all_sync(P[tx] > 3); if v == 0 then T.fill(s, k) end end", warps = 4},
  {"if tx < 16 then v = T.any_sync(P[tx] > 3) end; T.fill(s, v)", warps = 1},
  {"v = T.shfl_sync(P[tx], tx % 4); T.fill(s, v)", warps = 1},
  {"v = T.shfl_sync(P[tx], 3, 8); T.fill(s, v)", warps = 1},
  {"v = T.shfl_xor(P[tx], 1); if v == 0 then T.copy(X, s) end", warps = 1},
  {"v = T.shfl_up(tx, 1); T.fill(s, v)", warps = 1},
  "v = T.syncthreads_count(P[tx] > 3); if tx < 9 then v = 0 end; T.fill(s, v)",
  "local m = T.macro(function(a) if a == 3 then T.copy(X, s) end end); v = P[tx]; m(v)",
  "for t in T.ws(0) do v = 2 end; T.fill(s, v)",
  "for t in T.ws(1) do v = t % 2; if v == 1 then T.copy(X, s) end end",
  "for t in T.ws(0) do for k in T.serial(4) do if P[tx] == k then break end; T.copy(X[k, :], s[k, :]) end end",
  "for t in T.ws(0) do v = P[tx] end; for t in T.ws(1) do v = 1 end; for t in T.ws(0) do T.fill(s, v) end",
}

print "wrong"
for i, k in ipairs(wrong) do
  k = type(k) == "table" and k or {k}
  local codes = {}
  for _, machine in ipairs(names) do
    local ok, err = pcall(function() return build(k[1], machine, threads(k, machine)):compile() end)
    codes[tostring(not ok and (err.code or err) or "taken")] = true
  end
  local list = {}
  for c in pairs(codes) do list[#list + 1] = c end
  table.sort(list)
  print(("%2d %s  %s%s"):format(i, table.concat(list, " "), k.warps and "(" .. k.warps .. " warps) " or "", k[1]))
end

-- {text, what C is then}
local right = {
  -- what a variable holds
  {"v = tx; if v // 128 == 0 then T.copy(X, s) end", X},
  {"v = tx + 128; if v // 128 == 1 then T.copy(X, s) end", X},
  {"l[1] = tx; if l[1] // 64 == 3 then T.copy(X, s) end", X},
  {"v = tx // 2; w = v * 2; if w < 64 then for i, j in T.Parallel(64, 64) do s[i, j] = w // 64 + 5 end end", all(5)},
  {"v = tx; for t in T.ws(1) do for i, j in T.Parallel(64, 64) do s[i, j] = v // 128 end end", all(1)},
  {"v = tx; T.copy(X[v // 256, :], f); T.copy(f, s[3, :])", function(i, j) return i == 3 and x[0, j] or 7 end},
  {"if tx < 32 then v = tx % 32 else v = tx end; if v // 256 == 0 then T.copy(X, s) end", X},
  {"local u = T.alloc_var('int32', tx // 128); if u == 1 then T.copy(X, s) end", X},
  {"for k in T.serial(3) do v = tx + k; if (v - k) // 128 == 0 then T.copy(X[k, :], s[k, :]) end end", rows(3)},
  {"for k in T.serial(2) do l[k] = tx + k end; if l[1] // 129 == 0 then T.copy(X, s) end", X},
  {"v = tx; if v < 128 then T.copy(X, s); v = 200 else w = v; v = 0 end; if v == 0 then T.fill(s[0, :], 1) end", function(i, j) return i == 0 and 1 or x[i, j] end},
  {"if tx == 0 then v = 1 else T.fill(s[3, :], 6) end", function(i) return i == 3 and 6 or 7 end},
  {"v = tx * 3; if v // 128 == 0 then T.copy(X, s) end", X},
  -- ranges that a number chooses
  {"for k in T.serial(8) do if tx // 32 == k then for i in T.Parallel(64) do s[k, i] = X[k, i] end end end", rows(8)},
  {"for k in T.unroll(8) do if tx // 32 == k then for i in T.Parallel(64) do s[k, i] = X[k, i] end end end", rows(8)},
  {"for k in T.serial(4) do if tx // 64 >= k then for i in T.Parallel(64) do s[k, i] += X[k, i] end end end",
    function(i, j) return i < 4 and 7 + x[i, j] or 7 end},
  {"for k in T.serial(4) do if tx >= k * 64 and tx < (k + 1) * 64 then for i in T.Parallel(64) do s[k, i] = X[k, i] end end end", rows(4)},
  {"for k in T.serial(0, 256, 64) do if tx - k < 64 and k <= tx then for i in T.Parallel(64) do s[k // 64, i] = X[k // 64, i] end end end", rows(4)},
  {"for k in T.serial(2) do if tx // 128 == k then T.copy(X[0:8, :], s[k * 8:k * 8 + 8, :]) else T.fill(s[16 + k, :], k) end end",
    function(i, j) return i < 16 and x[i % 8, j] or i < 18 and i - 16 or 7 end},
  {"for k in T.serial(2) do for q in T.serial(2) do if tx // 64 == k * 2 + q then for i in T.Parallel(64) do s[k * 2 + q, i] = X[k, i] + q end end end end",
    function(i, j) return i < 4 and x[i // 2, j] + i % 2 or 7 end},
  {"for k in T.serial(4) do v = tx // 64 - k; if v == 0 then T.copy(X[k, :], s[k, :]) end end", rows(4)},
  {"if tx // 64 == P[2] then T.copy(X, s) end", X},
  {"if tx // 64 == P[9] then T.copy(X, s) end", all(7)},
  {"w = P[1]; if tx // 128 == w and P[3] == 3 then T.copy(X, s) end", X},
  {"if tx // 128 ~= P[0] then T.copy(X, s) end", X},
  {"if tx // 64 - P[2] == 0 then T.copy(X, s) end", X},
  {"for k in T.Pipelined(4, {num_stages = 2}) do if tx // 64 == k then T.copy(X[k, :], s[k, :]) end end", rows(4)},
  {"v = 0; while v < 4 do if tx // 64 == v then for i in T.Parallel(64) do s[v, i] = X[v, i] end end; v = v + 1 end", rows(4)},
  -- branches that agree
  {"if tx < 5 then v = 1 else v = 1 end; T.fill(s, v)", all(1)},
  {"if P[tx] > 9 then v = P[3] else v = P[3] end; T.fill(s, v)", all(3)},
  {"w = P[7]; if X[0, tx % 64] > 0 then v = w + 1 else v = w + 1 end; if v == 8 then T.copy(X, s) end", X},
  {"if tx < 128 then v = 0 else v = 1 end; if v == 1 then T.copy(X, s) end", X},
  {"for k in T.serial(4) do if P[tx] > k then v = k else v = k end; for j in T.Parallel(64) do s[v, j] = X[v, j] end end", rows(4)},
  {"v = 3; if P[tx] > 9 then v = 3 end; T.fill(s, v)", all(3)},
  {"for k in T.serial(4) do w = v; if tx < 5 then v = 1 else v = 1 end; T.fill(s, w) end", all(1)},
  {"if X[0, tx % 64] > 0 then w = tx else if P[tx] > 7 then w = 2 end end; T.fill(s, v)", all(0)},
  -- the order of assignments
  {"v = tx; h[tx // 64, tx % 64] = v; v = P[3]; if v == 3 then T.copy(X, s) end", X},
  {"for k in T.serial(8) do v = k; if v == 3 then T.copy(X, s) end; v = tx end", X},
  {"v = tx; for k in T.serial(2) do v = k; if v == 1 then T.copy(X, s) end end", X},
  {"for k in T.serial(P[4]) do v = tx; w = w + v; v = P[1] end; if v == 1 then T.copy(X, s) end", X},
  {"for k in T.serial(8) do v = tx; if P[k] == 5 then v = 1; break end; v = 0 end; if v == 1 then T.copy(X, s) end", X},
  {"v = tx; for k in T.serial(3) do v = 4 end; T.fill(s, v)", all(4)},
  {"for k in T.serial(2) do w = tx; for q in T.serial(2) do T.fill(s, v); w = w + q end; v = k end", all(0)},
  {"w = 0; while w < 3 do v = tx + w; h[tx // 64, tx % 64] = v; v = w; for j in T.Parallel(64) do s[v, j] = X[v, j] end; w = w + 1 end", rows(3)},
  {"w = P[1]; local u = T.alloc_var('int32', w % 2); while u < 3 and h[0, 0] == 0 do for i in T.Parallel(64) do f[i] = s[0, 63 - i] end; for i in T.Parallel(64) do s[0, i] = f[i] + 1 end; u = u + 1 end; w = tx; h[tx // 64, tx % 64] = w",
    function(i) return i == 0 and 9 or 7 end},
  {"for k in T.Pipelined(4, {num_stages = 2}) do v = k; T.copy(X[k * 16, :], f); if v == 2 then T.copy(f, s[0, :]) end; v = tx end",
    function(i, j) return i == 0 and x[32, j] or 7 end},
  {"for k in T.serial(4) do T.copy(X[k, :], s[k, :]); if P[tx] > k * 20 then goto continue end; w = w + 1; ::continue:: end", rows(4)},
  {"for k in T.serial(4) do if tx < 128 then goto continue end; T.copy(X[k, :], s[k, :]); ::continue:: end", rows(4)},
  {"for k in T.serial(4) do if P[k] == 1 and tx < 128 then goto continue end; T.copy(X[k, :], s[k, :]); ::continue:: end", rows(4)},
  -- memory, fragments, atomics
  {"v = tx; if tx == 77 then h[0, 0] = v end; v = h[0, 0]; if v == 77 then T.copy(X, s) end", X},
  {"for i in T.Parallel(64) do f[i] = i end; v = f[9]; if v == 9 then T.copy(X, s) end", X},
  {"v = T.atomic_add(h[0, 0], 3, {return_prev = true}); if v == 0 then T.copy(X, s) end", X},
  -- votes, macros, roles
  {"if T.any_sync(P[tx] > 3) ~= 0 then for i, j in T.Parallel(64, 64) do s[i, j] = X[i, j] end end", X, warps = 1},
  {"v = T.shfl_sync(P[tx], 5); T.fill(s, v)", all(5), threads = 32},
  {"v = T.warp_reduce_max(P[tx]); if v > 5 then T.copy(X, s) end", X, warps = 1},
  {"if T.ballot(P[tx] == 3) ~= 0 then T.copy(X, s) end", X, warps = 1},
  {"for k in T.serial(3) do v = T.all_sync(P[tx] < 64 + k); if v ~= 0 then T.copy(X[k, :], s[k, :]); T.copy(s[k, :], f); T.copy(f, s[k + 8, :]) end end",
    function(i, j) return (i < 3 or i >= 8 and i < 11) and x[i % 8, j] or 7 end, warps = 1},
  {"w = 0; while T.any_sync(P[tx] + w < 3) ~= 0 do T.copy(X[w, :], s[w, :]); w = w + 1 end", rows(3), warps = 1},
  {"v = T.syncthreads_or(P[tx] == 9); if v ~= 0 then T.copy(X, s) end", X},
  {"local m = T.macro(function(a) v = a; if v // 128 == 1 then T.copy(X, s) end end); m(tx); v = 0", X},
  {"for t in T.ws(0) do v = t; v = 2 end; for t in T.ws(1) do v = tx end; for t in T.ws(0) do if v == 2 then T.copy(X, s) end end", X},
  {"for t in T.ws(1) do v = t // 64; if v == 1 then T.copy(X, s) end end", X},
  {"v = tx // 128; for t in T.ws(0) do if v == 0 then T.copy(X, s) end end", X},
  {"for t in T.ws(0) do v = 2 end; if v == 2 then T.copy(X, s) end", X},
}

print "right"
for i, k in ipairs(right) do
  for _, machine in ipairs(names) do
    local ok, c = pcall(function() return build(k[1], machine, threads(k, machine))(x, p) end)
    if not ok then
      print(i, machine, c.code, k[1], c)
    end
    for r = 0, ok and 63 or -1 do
      for q = 0, 63, 7 do
        if c[r, q] ~= k[2](r, q) then
          print(i, machine, ("C[%d, %d] is %s, wanted %s: %s"):format(r, q, c[r, q], k[2](r, q), k[1]))
        end
      end
    end
  end
end
print(#wrong .. " wrong, " .. #right .. " right")
