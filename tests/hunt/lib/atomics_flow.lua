-- atomics_flow.lua: branches and loops of the programs of lib/atomics.lua: what decides them, what leaves them.
local random, values = require "hunt.random", require "hunt.atomics_values"
local G, const = values.G, values.const
local M, make = {}, {}
M.make = make

function G:list(deep, n)
  local list = {}
  for _ = 1, n do
    local s = self:statement(deep)
    if s then list[#list + 1] = s end
  end
  return list
end

function M.run(list, E)
  for _, s in ipairs(list) do
    E.leaf = s
    s.run(E)
  end
end

function M.print(list, out, indent)
  for _, s in ipairs(list) do s.lines(out, indent) end
end

-- A condition that the block's threads decide alike.
function G:uniform()
  local r = self.r
  local k = r:int(1, 5)
  local v = #self.loops > 0 and r:of(self.loops)
  if k <= 2 and v then
    local m = r:int(2, 3)
    local c = r:int(0, m - 1)
    return {("%s %% %d == %d"):format(v.name, m, c), function(E) return E[v.name] % m == c end}
  end
  if k <= 3 then
    local at, c = r:int(0, 63), r:int(0, 8)
    return {("A_int32[%d] > %d"):format(at, c), function(E) return E:get(self.inputs.int32, at) > c end}
  end
  local b = self:buffer(nil, true)
  if not b then return {"true", function() return true end} end
  local at, c = const(r:int(0, 63)), r:int(-1, 6)
  if b.t.least >= 0 and c < 0 then c = 0 end
  local text = self:at(b, at)
  if k == 5 and not b.t.float then
    return {("T.atomic_load(%s) > %d"):format(text, c), function(E)
      local x
      E:together(1, function() x = E:load(b, at[2](E)) end)
      return x > c
    end}
  end
  return {("%s > %d"):format(text, c), function(E)
    local x
    E:together(1, function() x = E:get(b, at[2](E)) end)
    return x > c
  end}
end

function make.branch(self, deep)
  local c = self:uniform()
  local s = {self:list(deep + 1, self.r:int(1, 3)), self.r:chance(0.4) and self:list(deep + 1, self.r:int(1, 2)) or {}}
  return {
    parts = s,
    lines = function(out, indent)
      out[#out + 1] = ("%sif %s then"):format(indent, c[1])
      M.print(s[1], out, indent .. "  ")
      if #s[2] > 0 then
        out[#out + 1] = indent .. "else"
        M.print(s[2], out, indent .. "  ")
      end
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      local holds = c[2](E)
      M.run(holds and s[1] or s[2], E)
      if E.all then M.run(holds and s[2] or s[1], E) end
    end,
  }
end

-- Lists of stages and orders for the statements of a pipelined loop, behind n copies; a target may refuse them.
function G:stages(list, n, seed)
  self.listed = true
  local r = random.new(seed)
  local out = {}
  M.print(list, out, "")
  for _, line in ipairs(out) do
    if not line:find "^%s" and not line:find "^end" and not line:find "^else" and not line:find "^local" then n = n + 1 end
  end
  local stage, order, last = {}, {}, 0
  for i = 1, n do
    last = r:chance(0.3) and r:int(0, 2) or last
    stage[i], order[i] = last, i - 1
  end
  if r:chance(0.4) and n > 1 then
    local i = r:int(1, n - 1)
    order[i], order[i + 1] = order[i + 1], order[i]
  end
  return (", stage = {%s}, order = {%s}"):format(table.concat(stage, ", "), table.concat(order, ", "))
end

-- A loop: head of its text, its rounds, body; leave: where it is left or goes on.
function make.loop(self, deep)
  local r = self.r
  local k = self:name "k"
  local way = r:weighted({"serial", "dynamic", "while", "pipelined", "unroll"},
    {serial = 5, dynamic = 3, ["while"] = 3, pipelined = #self.loops == 0 and 5 or 0, unroll = 1})
  local rounds, at = r:int(0, 4), r:int(0, 63)
  if way == "while" or way == "pipelined" then rounds = r:int(1, 4) end
  self.loops[#self.loops + 1] = {name = k}
  local s = {self:list(deep + 1, r:int(1, 4))}
  local c = way ~= "pipelined" and way ~= "unroll" and r:chance(0.25) and self:uniform()
  table.remove(self.loops)
  local go_on = c and way ~= "while" and r:chance(0.5)
  local leave_at = r:int(0, #s[1])
  local stages, copies = r:int(2, 3), {}
  if way == "pipelined" then
    local b = self:buffer()
    if b and b.scope == "shared" and self.r:chance(0.7) then copies[1] = b end
  end
  local lists = way == "pipelined" and r:chance(0.4) and #s[1] > 0
  local seed = r:int(0, 1000000000)
  local function count(E)
    return way == "dynamic" and E:get(self.inputs.int32, at) % 4 or rounds
  end
  return {
    parts = s,
    lines = function(out, indent)
      if way == "while" then
        out[#out + 1] = ("%slocal %s = T.alloc_var(\"int32\", 0)"):format(indent, k)
        out[#out + 1] = ("%swhile %s < %d do"):format(indent, k, rounds)
      elseif way == "dynamic" then
        out[#out + 1] = ("%sfor %s in T.serial(A_int32[%d] %% 4) do"):format(indent, k, at)
      elseif way == "pipelined" then
        out[#out + 1] = ("%sfor %s in T.Pipelined(%d, {num_stages = %d%s}) do"):format(indent, k, rounds, stages,
          lists and self:stages(s[1], #copies, seed) or "")
      else
        out[#out + 1] = ("%sfor %s in T.%s(%d) do"):format(indent, k, way, rounds)
      end
      local inner = indent .. "  "
      for _, b in ipairs(copies) do out[#out + 1] = ("%sT.copy(A_%s, %s)"):format(inner, b.t.name, b.text) end
      for i = 0, #s[1] do
        if i > 0 then s[1][i].lines(out, inner) end
        if c and i == math.min(leave_at, #s[1]) then
          out[#out + 1] = ("%sif %s then %s end"):format(inner, c[1], go_on and "goto continue" or "break")
        end
      end
      if go_on then out[#out + 1] = inner .. "::continue::" end
      if way == "while" then out[#out + 1] = ("%s%s += 1"):format(inner, k) end
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      for x = 0, math.max(count(E), E.all and 1 or 0) - 1 do
        E[k] = x
        for _, b in ipairs(copies) do
          E:together(64, function(i) E:set(b, i, E:get(self.inputs[b.t.name], i)) end)
        end
        local left
        for i = 0, #s[1] do
          if i > 0 then
            E.leaf = s[1][i]
            s[1][i].run(E)
          end
          if c and i == math.min(leave_at, #s[1]) and c[2](E) and not E.all then
            left = true
            break
          end
        end
        if left and not go_on then break end
      end
    end,
  }
end

return M
