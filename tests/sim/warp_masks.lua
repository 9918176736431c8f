-- Barriers, votes and shuffles of warps: those whose masks do not name who executes them are reported,
-- on every machine; others are not, and lanes ask those that their masks name.
local machines = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"}

local function build(body, threads, machine)
  local text = [[
    return tl.jit(function(X)
      X: T.Tensor({%d}, "int32")
      local C = T.empty({%d}, "int32")
      for _ in T.Kernel(1, {threads = %d}) do
        local tx, lane = T.get_thread_binding(), T.get_lane_idx(32)
        local low = T.get_lane_idx() < 32
        local h, v = T.alloc_shared({128}, "int32"), T.alloc_var("int32", 0)
        h[tx] = 0
        %s
        C[tx] = v
      end
      return C
    end, {target = "sim -arch=%s"})
  ]]
  return assert(load(text:format(threads, threads, threads, "\n" .. body, machine), "=kernel"))()
end

local function run(body, threads, machine)
  return pcall(function() return build(body, threads, machine)(tl.arange(threads, "int32")) end)
end

-- The mask `m` of 32 lanes for those of the lane's half of a wave.
local own = "{mask = (%s) * T.Select(low, 1, 4294967296)}"

local wrong = {
  -- all lanes are named, some come
  "if X[tx] % 2 == 0 then T.sync_warp() end",
  "if X[tx] % 2 == 0 then T.sync_warp() else T.sync_warp() end",
  "if X[tx] % 2 == 0 then v = T.any_sync(X[tx] > 5) end",
  "if X[tx] % 2 == 0 then v = T.all_sync(X[tx] > 5) end",
  "if X[tx] % 2 == 0 then v = T.ballot(X[tx] > 5) end",
  "if X[tx] % 2 == 0 then v = T.match_any_sync(X[tx]) end",
  "if X[tx] % 2 == 0 then v = T.match_all_sync(X[tx]) end",
  "if lane % 2 == 0 then v = T.shfl_xor(X[tx], 2) end",
  "if lane % 2 == 0 then v = T.shfl_xor(X[tx], 1) end",
  "if lane < 5 and T.any_sync(X[tx] > 2) ~= 0 then v = 1 end",
  "v = T.Select(lane < 5, T.any_sync(X[tx] > 2), 0)",
  "for k in T.serial(X[tx] % 7) do v = v + T.any_sync(v > 2) end",
  "for k in T.serial(9) do if k == X[tx] then break end; T.sync_warp() end",
  "while v < X[tx] do v = v + 1; T.sync_warp() end",
  "if tx < 40 then T.sync_warp() end",
  "v = T.any_sync(X[tx] > 3, {mask = T.Select(lane < 99, -1, 0)}); if v ~= 0 and X[tx] == 9 then T.sync_warp(-1) end",
  -- they do not name themselves
  "T.sync_warp(2)",
  "if lane < 16 then T.sync_warp(0xFF) end",
  "v = T.any_sync(X[tx] > 5, {mask = 0xFFFFFFFE})",
  "v = T.any_sync(X[tx] > 5, {mask = T.Select(lane < 16, 0xFFFF, 0x7FFF0000)})",
  "if lane < 16 then v = T.shfl_xor(X[tx], 2, {mask = 0xFF}) end",
  "local m = T.activemask(); if X[tx] % 2 == 0 then v = T.any_sync(1, {mask = m}) end",
  -- they name others, which do not come, or with another mask
  "if tx < 16 then T.sync_warp(0x1FFFF) end",
  "local m = T.ballot(X[tx] % 3 == 0); if X[tx] % 6 == 0 then v = T.any_sync(1, {mask = m}) end",
  "for k in T.serial(X[tx] % 7) do v = v + T.any_sync(v > 2, {mask = 0x7FFFFFFF}) end",
  "v = T.any_sync(X[tx] > 5, {mask = T.Select(lane % 2 == 0, 0xFFFFFF, 0xFFFF)})",
  -- they ask others
  "v = T.shfl_xor(X[tx], 16, " .. own:format "T.Select(lane < 16, 0xFFFF, 0xFFFF0000)" .. ")",
  -- masks that order some lanes do not order others
  "if tx < 16 then h[tx] = X[tx]; if tx < 8 then T.sync_warp(0xFF) end; v = h[tx ~ 8] end",
  {"if tx >= 40 then v = T.any_sync(1) end", 48},
}

print "wrong"
for _, w in ipairs(wrong) do
  local body, threads = w, 64
  if type(w) == "table" then body, threads = w[1], w[2] end
  local codes, list = {}, {}
  for _, m in ipairs(machines) do
    local ok, err = run(body, threads, m)
    codes[ok and "silent" or err.code] = true
  end
  for c in pairs(codes) do list[#list + 1] = c end
  table.sort(list)
  print(table.concat(list, " "), body)
end

-- {text, the value of lane n of a warp of w, threads}
local right = {
  {"T.sync_warp(); T.sync_warp(0xFFFFFFFF); T.sync_warp(-1)", function() return 0 end},
  {"if tx < 16 then T.sync_warp(0xFFFF); v = T.any_sync(X[tx] == 3, {mask = 0xFFFF}) end",
    function(t) return t < 16 and 1 or 0 end},
  {"if tx < 16 then v = T.shfl_xor(X[tx], 2, {mask = 0xFFFF}) end",
    function(t) return t < 16 and t ~ 2 or 0 end},
  {"v = T.any_sync(X[tx] % 32 == 5, " .. own:format "T.Select(lane < 16, 0xFFFF, 0xFFFF0000)" .. ")",
    function(t) return t % 32 < 16 and 1 or 0 end},
  {"local m = T.ballot(X[tx] % 3 == 0); if X[tx] % 3 == 0 then v = T.popcount(T.ballot_sync(X[tx] % 2 == 0, {mask = m})) end",
    function(t, w) return t % 3 ~= 0 and 0 or w == 64 and 11 or t < 32 and 6 or 5 end},
  {"v = T.popcount(T.ballot_sync(X[tx] % 2 == 0, {mask = T.match_any_sync(X[tx] % 4)}))",
    function(t, w) return t % 2 == 0 and w // 4 or 0 end},
  {"v = T.all_sync(X[tx] % 3 == 1, {mask = T.match_any_sync(X[tx] % 3)})", function(t) return t % 3 == 1 and 1 or 0 end},
  {"v = T.Select(T.match_all_sync(X[tx] % 3, {mask = T.match_any_sync(X[tx] % 3)}) ~= 0, 1, 0)", function() return 1 end},
  {"v = T.popcount(T.match_any_sync(X[tx] % 4, {mask = T.match_any_sync(X[tx] % 2)}))", function(_, w) return w // 4 end},
  {"v = T.shfl_sync(X[tx], T.Select(lane % 2 == 0, 4, 5), {mask = T.match_any_sync(X[tx] % 2)})",
    function(t) return t // 32 * 32 + t % 2 + 4 end},
  {"for k in T.serial(X[tx] % 7) do v = v + T.any_sync(k == 2, {mask = T.activemask()}) end",
    function(t) return t % 7 > 2 and 1 or 0 end},
  {"if X[tx] % 2 == 0 then v = T.any_sync(X[tx] == 2, {mask = T.activemask()}) else v = T.all_sync(X[tx] % 2 == 1, {mask = T.activemask()}) end",
    function(t, w) return (t % 2 == 1 or t < w) and 1 or 0 end},
  {"if X[tx] % 2 == 0 then v = T.warp_reduce_max(X[tx]) end", function(t, w) return t % 2 == 0 and (t // w + 1) * w - 2 or 0 end},
  {"if tx < 32 then v = T.any_sync(X[tx] > 5); T.sync_warp() end", function(t) return t < 32 and 1 or 0 end},
  {"local m = T.activemask(); if X[tx] % 2 == 0 then v = T.popcount(m) end", function(t, w) return t % 2 == 0 and w or 0 end},
  {"while T.any_sync(v < X[tx] % 5) ~= 0 do v = v + 1; T.sync_warp() end", function() return 4 end},
  {"h[tx] = X[tx]; T.sync_warp(T.match_any_sync(lane // 8)); v = h[tx ~ 7]", function(t) return t ~ 7 end},
  -- lanes that the block does not have count for nothing
  {"T.sync_warp(); v = T.any_sync(X[tx] == 47)", function(t, w) return t // w == 47 // w and 1 or 0 end, 48},
  {"if tx >= 32 then T.sync_warp(); v = T.any_sync(X[tx] == 47, {mask = 0xFFFFFFFF}) end",
    function(t) return t >= 32 and 1 or 0 end, 48},
  {"if tx >= 32 then T.sync_warp(T.activemask()); v = 1 end", function(t) return t >= 32 and 1 or 0 end, 48},
}

print "right"
for _, k in ipairs(right) do
  local threads = k[3] or 64
  for _, m in ipairs(machines) do
    local ok, c = run(k[1], threads, m)
    if not ok then
      print(m, k[1], c)
    end
    for t = 0, ok and threads - 1 or -1 do
      local want = k[2](t, (m == "c500" or m == "gfx942") and 64 or 32)
      if c[t] ~= want then
        print(m, k[1], ("C[%d] is %s, wanted %s"):format(t, c[t], want))
        break
      end
    end
  end
end
print "done"
