-- 21-warp-roles: what the two groups do over time, in turns and at their own pace.

local viz = require "moontile.viz"

local Fetch = {2, 2, 9, 2, 2, 2} -- how long a tile is under way; one of them is late
local Add = 4

-- Starts of fetching and adding when a barrier ends each turn.
local function turns()
  local fetch, add, t = {}, {}, 0
  for k = 1, #Fetch + 1 do
    local long = math.max(Fetch[k] or 0, k > 1 and Add or 0)
    fetch[k] = k <= #Fetch and t or nil
    if k > 1 then
      add[k - 1] = t
    end
    t = t + long
  end
  return fetch, add
end

-- The same when each waits only for a full or an empty stage.
local function pace()
  local fetch, add = {}, {}
  for k = 1, #Fetch do
    local before = k > 1 and fetch[k - 1] + Fetch[k - 1] or 0
    fetch[k] = math.max(before, k > 3 and add[k - 3] + Add or 0)
    add[k] = math.max(fetch[k] + Fetch[k], k > 1 and add[k - 1] + Add or 0)
  end
  return fetch, add
end

local function figure(zh, title, slots, fetch, add)
  local rows = {{label = zh and "第 1 组：取" or "group 1: fetch", spans = {}},
    {label = zh and "第 0 组：加" or "group 0: add", spans = {}}}
  for k = 1, #Fetch do
    rows[1].spans[k] = {fetch[k], fetch[k] + Fetch[k], tostring(k - 1), (k - 1) % slots}
    rows[2].spans[k] = {add[k], add[k] + Add, tostring(k - 1), (k - 1) % slots}
  end
  return viz.figure(title):track {rows = rows, from = 0, to = 33, unit = zh and "时间" or "time",
    caption = zh and ("数字是分块；第 k 块放在第 k %% %d 级；第 2 块来得晚"):format(slots) or
      ("a number is a tile, tile k is in stage k %% %d; tile 2 is late"):format(slots)}
end

return {
  turns = function(zh)
    return figure(zh, zh and "turns：每轮结束时全体会合" or "turns: all meet at the end of each iteration",
      2, turns())
  end,
  roles = function(zh)
    return figure(zh, zh and "roles：只等一级满或空" or "roles: each waits only for a stage", 3, pace())
  end,
}
