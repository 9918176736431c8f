-- What T.Parallel and operations on tiles share out has to be alike in all threads that come: each of
-- the first programs is refused on every machine, none of the second is, and those compute what they say.
local targets = {"cpu", "sim -arch=sm_75", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"}

-- A kernel of 256 threads over X and C, s between them; body is the text in its middle.
local function build(body, target)
  local text = [[
    return tl.jit(function(X, P)
      X: T.Tensor({64, 64}, "int32")
      P: T.Tensor({256}, "int32")
      local C = T.empty({64, 64}, "int32")
      for bx in T.Kernel(1, {threads = 256}) do
        local s, h = T.alloc_shared({64, 64}, "int32"), T.alloc_shared({8, 64}, "int32")
        local f, l, v = T.alloc_fragment({64}, "int32"), T.alloc_local({2}, "int32"), T.alloc_var("int32", 0)
        local tx = T.get_thread_binding()
        T.fill(s, 7)
        T.fill(h, 0)
        ]] .. body .. [[

        T.copy(s, C)
      end
      return C
    end, {target = "]] .. target .. [["})
  ]]
  return assert(load(text, "=kernel"))()
end

local x, p = tl.randint(-99, 99, {64, 64}, "int32"), tl.arange(256, "int32")

local refused = {
  "for j in T.Parallel(64) do s[tx % 64, j] = X[tx % 64, j] end",
  "for i, j in T.Parallel(64, 64) do if tx < 32 then s[i, j] = X[i, j] end end",
  "for i, j in T.Parallel(64, 64) do s[i, j] = T.Select(tx < 32, X[i, j], 0) end",
  "for i, j in T.Parallel(64, 64) do s[i, j] = X[i, tx % 64] end",
  "for i, j in T.Parallel(64, 64) do s[i, j] = T.get_lane_idx() end",
  "for i, j in T.Parallel(64, 64) do s[i, j] = T.get_warp_idx() end",
  "for i in T.Parallel(64) do for j in T.serial(tx % 64, 64) do s[i, j] = X[i, j] end end",
  "for i in T.Parallel(64) do for j in T.serial(64) do if tx < j then break end; s[i, j] = 1 end end",
  "v = tx % 64; for j in T.Parallel(64) do s[v, j] = X[v, j] end",
  "v = P[tx]; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "if X[0, tx % 64] > 0 then v = 1 end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "for i, j in T.Parallel(64, 64) do v = tx; s[i, j] = v end",
  "for i, j in T.Parallel(64, 64) do v = 0; if tx < 32 then v = 1 end; s[i, j] = v end",
  "for k in T.serial(2) do for i, j in T.Parallel(64, 64) do s[i, j] = v end; v = tx end",
  "l[0] = X[0, tx % 64]; for i, j in T.Parallel(64, 64) do s[i, j] = l[0] end",
  "if tx < 128 then v = 1 end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "if tx < 128 then for i, j in T.Parallel(64, 64) do s[i, j] = tx // 64 end end",
  "v = T.shfl_xor(tx, 1); for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "v = T.warp_reduce_sum(1); if tx < 128 then v = T.warp_reduce_sum(v) end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "for i in T.Parallel(64) do f[i] = tx end; T.copy(f, s[0, :])",
  "for i in T.Parallel(64) do T.atomic_add(h[tx % 8, i], 1) end",
  "for i in T.Parallel(64) do T.atomic_add(h[0, i], tx) end",
  "for i in T.Parallel(64) do if tx < 32 then T.atomic_add(h[0, i], 1) end end",
  "T.copy(X[tx % 64, :], f); T.copy(f, s[0, :])",
  "T.copy(X[0, :], f); T.copy(f, s[tx % 64, :])",
  "l[0] = tx; l[1] = tx; T.fill(f, 0); T.copy(l, f[0:2]); T.copy(f, s[0, :])",
  "T.fill(s, T.Select(tx < 32, 1, 2))",
  "T.fill(f, tx); T.copy(f, s[0, :])",
  -- lanes that exchange what their iterations have
  "for i, j in T.Parallel(64, 64) do s[i, j] = T.warp_reduce_sum(X[i, j]) end",
  "for i, j in T.Parallel(64, 64) do local m = T.warp_reduce_max(X[i, j]); s[i, j] = m end",
  "for i, j in T.Parallel(64, 64) do if T.any_sync(X[i, j] > 0) ~= 0 then s[i, j] = 1 end end",
  "for i, j in T.Parallel(64, 64) do s[i, j] = T.syncthreads_count(X[i, j] > 0) end",
  "for i, j in T.Parallel(64, 64) do s[i, j] = T.shfl_sync(i, 0) end",
  -- roles that name no thread
  "for t in T.ws(0) do v = 3 end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  -- values that not all threads of a warp, or not all warps, have in common
  "v = T.shfl_sync(P[tx], 3); for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "if tx < 16 then v = T.any_sync(P[3] > 0) end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "if tx < 32 then v = T.shfl_sync(P[4], 0) end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "if tx < 32 then v = T.shfl_sync(P[tx], 3, 8); for i, j in T.Parallel(64, 64) do s[i, j] = v end end",
  "if tx < 32 then v = T.shfl_sync(P[tx], tx // 2); for i, j in T.Parallel(64, 64) do s[i, j] = v end end",
  "v = T.any_sync(P[tx] > 3, {mask = T.Select(tx % 32 < 16, 65535, 4294901760)}); if tx < 32 then for i, j in T.Parallel(64, 64) do s[i, j] = v end end",
  "if tx < 32 then v = T.ballot_sync(P[3] > 0, {mask = T.Select(tx < 16, 65535, 4294901760)}); for i, j in T.Parallel(64, 64) do s[i, j] = v end end",
  "v = T.atomic_add(h[tx % 8, 0], 1, {return_prev = true}); for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "if tx < 9 then v = T.atomic_add(h[0, 0], 1, {return_prev = true}) end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  -- what is there where a loop is left, or a round of it
  "for k in T.serial(64) do v = tx; if P[k] == 5 then break end; v = 0 end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  "for k in T.serial(64) do for i, j in T.Parallel(64, 64) do s[i, j] = v end; v = tx; if P[k] == 5 then goto continue end; v = 0; ::continue:: end",
  "for k in T.serial(4) do for q in T.serial(4) do v = tx; if P[q] == 2 then break end; v = 0 end; for i, j in T.Parallel(64, 64) do s[i, j] = v end end",
  "for k in T.serial(64) do if X[tx % 64, k] > 50 then break end; v = k end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
  -- elements of private arrays
  "l[0] = 1; l[1] = 1; l[P[1]] = tx; for i, j in T.Parallel(64, 64) do s[i, j] = l[1] end",
  "l[0] = 1; l[1] = tx; for i, j in T.Parallel(64, 64) do s[i, j] = l[P[1]] end",
  "for k in T.serial(2) do l[k] = tx end; l[0] = 0; for i, j in T.Parallel(64, 64) do s[i, j] = l[1] end",
  "for k in T.serial(2) do l[k] = tx end; T.fill(l[0:1], 0); for i, j in T.Parallel(64, 64) do s[i, j] = l[1] end",
  "for k in T.serial(2) do l[k] = tx end; if P[0] == 1 then T.fill(l, 1) end; for i, j in T.Parallel(64, 64) do s[i, j] = l[1] end",
  "for k in T.serial(2) do l[k] = tx end; for k in T.serial(P[0]) do l[k] = 1 end; for i, j in T.Parallel(64, 64) do s[i, j] = l[1] end",
  "for k in T.serial(2) do l[k] = tx end; for i in T.Parallel(64) do l[0] = i; s[i, 0] = l[0] + l[1] end",
  "l[0], l[1] = 0, 0; for k in T.serial(3) do for i, j in T.Parallel(64, 64) do s[i, j] = l[0] end; l[0] = l[1]; l[1] = tx end",
  -- iterations leave what their own thread had
  "for i in T.Parallel(64) do v = i end; for i, j in T.Parallel(64, 64) do s[i, j] = v end",
}

print "refused"
for i, body in ipairs(refused) do
  local codes = {}
  for _, t in ipairs(targets) do
    local ok, err = pcall(function() return build(body, t):compile() end)
    codes[tostring(not ok and err.code or ok)] = true
  end
  local list = {}
  for c in pairs(codes) do list[#list + 1] = c end
  table.sort(list)
  print(("%2d %s  %s"):format(i, table.concat(list, " "), body))
end

-- {text, what C is then}
local right = {
  {"for i, j in T.Parallel(64, 64) do s[i, j] = X[i, j] end", function(i, j) return x[i, j] end},
  {"if tx < 128 then for i, j in T.Parallel(64, 64) do s[i, j] = X[i, j] end end", function(i, j) return x[i, j] end},
  {"if tx < 64 then for i, j in T.Parallel(64, 64) do s[i, j] = tx // 64 + 3 end end", function() return 3 end},
  {"for t in T.ws(1) do v = 5; for i, j in T.Parallel(64, 64) do s[i, j] = v + tx // 128 end end", function() return 6 end},
  {"for t in T.ws(0) do v = 5 end; for t in T.ws(1) do v = 6 end; for t in T.ws(0) do for i, j in T.Parallel(64, 64) do s[i, j] = v end end",
    function() return 5 end},
  {"v = tx; v = 4; for i, j in T.Parallel(64, 64) do s[i, j] = v end", function() return 4 end},
  {"v = tx; for i, j in T.Parallel(64, 64) do v = i; s[i, j] = v end", function(i) return i end},
  {"for k in T.serial(2) do for i, j in T.Parallel(64, 64) do l[0] = X[i, j]; l[1] = k; s[i, j] = l[0] + l[1] end end",
    function(i, j) return x[i, j] + 1 end},
  {"v = T.syncthreads_count(tx < 9); for i, j in T.Parallel(64, 64) do s[i, j] = v end", function() return 9 end},
  {"if tx < 32 then v = T.warp_reduce_sum(1); for i, j in T.Parallel(64, 64) do s[i, j] = v end end", false},
  {"for k in T.serial(3) do if X[0, k] > 100 then break end; v = k; for i, j in T.Parallel(64, 64) do s[i, j] = v end end", function() return 2 end},
  {"T.sync_threads(); for i in T.serial(4) do T.copy(X[tx % 64, i], s[tx % 64, i]) end", false},
  {"for i in T.Parallel(4096) do T.atomic_add(h[tx // 32 % 8, i % 8], 1) end; T.sync_threads(); for i, j in T.Parallel(64, 64) do s[i, j] = h[0, i % 8] + h[1, i % 8] + h[2, i % 8] + h[3, i % 8] + h[4, i % 8] + h[5, i % 8] + h[6, i % 8] + h[7, i % 8] end",
    function() return 512 end},
  -- a variable that is the thread's own for a while
  {"for k in T.serial(64) do if P[k] == 5 then break end; v = tx + k; h[tx // 64, tx % 64] = v; v = k; for j in T.Parallel(64) do s[v, j] = X[v, j] end end",
    function(i, j) return i < 5 and x[i, j] or 7 end},
  {"v = tx; h[tx // 64, tx % 64] = v; v = T.atomic_add(h[7, 0], 5, {return_prev = true}); for i, j in T.Parallel(64, 64) do s[i, j] = v end",
    function() return 0 end},
  -- elements of private arrays
  {"l[0] = tx; l[1] = 4; h[0, tx % 64] = l[0] * 0; for i, j in T.Parallel(64, 64) do s[i, j] = l[1] end", function() return 4 end},
  {"for k in T.serial(2) do l[k] = tx end; for k in T.serial(2) do l[k] = k + 2 end; for i, j in T.Parallel(64, 64) do s[i, j] = l[0] + l[1] end",
    function() return 5 end},
  {"for k in T.serial(2) do l[k] = tx end; T.fill(l, 6); for i, j in T.Parallel(64, 64) do s[i, j] = l[1] end", function() return 6 end},
  {"for k in T.serial(8) do l[0] = k; l[1] = tx; for i, j in T.Parallel(8, 64) do s[l[0] * 8 + i, j] = X[l[0] * 8 + i, j] end end",
    function(i, j) return x[i, j] end},
  -- what warps pass on of what is alike, and one warp of its own
  {"v = T.shfl_sync(P[7], 0); for i, j in T.Parallel(64, 64) do s[i, j] = v end", function() return 7 end},
  {"v = T.shfl_xor(P[7], 1) + T.warp_reduce_max(P[9]) + T.any_sync(P[1] > 0); for i, j in T.Parallel(64, 64) do s[i, j] = v end",
    function() return 17 end},
  {"for t in T.ws(1) do v = T.shfl_sync(tx // 128, 0); for i, j in T.Parallel(64, 64) do s[i, j] = v end end", function() return 1 end},
  -- as messages advise: one thread's value by way of shared memory
  {"v = tx + 3; if tx == 0 then h[0, 0] = v end; for i, j in T.Parallel(64, 64) do s[i, j] = h[0, 0] end", function() return 3 end},
  {"v = P[tx]; for k in T.unroll(4) do v = v + T.shfl_xor(v, 8 >> k) end; if tx == 0 then h[0, 0] = v end; for i, j in T.Parallel(64, 64) do if h[0, 0] == 120 then s[i, j] = 1 end end",
    function() return 1 end},
  {"if tx < 128 then v = 1 end; if tx == 0 then h[0, 0] = v end; if h[0, 0] > 0 then T.copy(X[h[0, 0], :], f); T.copy(f, s[3, :]) end",
    function(i, j) return i == 3 and x[1, j] or 7 end},
  -- what a variable holds, where it is used
  {"v = tx; if v // 128 == 0 then T.copy(X, s) end", function(i, j) return x[i, j] end},
  {"if tx < 5 then v = 1 else v = 1 end; for i, j in T.Parallel(64, 64) do s[i, j] = v end", function() return 1 end},
  {"if tx < 5 then v = P[3] else v = P[3] end; for i, j in T.Parallel(64, 64) do s[i, j] = v end", function() return 3 end},
  {"v = tx; h[tx // 64, tx % 64] = v; v = P[3]; if v == 3 then T.copy(X, s) end", function(i, j) return x[i, j] end},
  {"for k in T.serial(8) do v = k; if v == 3 then T.copy(X, s) end; v = tx end", function(i, j) return x[i, j] end},
  {"if tx < 32 then if T.any_sync(P[tx] > 3) ~= 0 then for i, j in T.Parallel(64, 64) do s[i, j] = X[i, j] end end end", false},
}

print "right"
for i, k in ipairs(right) do
  for _, t in ipairs(targets) do
    local ok, c = pcall(function() return build(k[1], t)(x, p) end)
    if not ok then
      print(i, t, c.code, k[1], c)
    end
    for r = 0, ok and k[2] and 63 or -1 do
      for q = 0, 63, 7 do
        if c[r, q] ~= k[2](r, q) then
          print(i, t, ("C[%d, %d] is %s, wanted %s"):format(r, q, c[r, q], k[2](r, q)))
        end
      end
    end
  end
end
print "done"
