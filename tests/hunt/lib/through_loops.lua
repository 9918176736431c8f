-- through_loops.lua: loops of the programs of through.lua: pipelines over tiles, products, stages again and again.
local tensors = require "hunt.through_tensors"
local ways = require "hunt.through_ways"
local stages = require "hunt.through_stages"
local M = {G = {}}
local G = M.G

local function indent(lines, more)
  for _, l in ipairs(more) do lines[#lines + 1] = "  " .. l end
end

-- A loop of the program's around what body() makes.
function G:inside(count, kind, body)
  local l = {name = self:name(kind == "Pipelined" and "ko" or "it"), count = count, kind = kind}
  self.loops[#self.loops + 1] = l
  local s = body(l)
  self.loops[#self.loops] = nil
  return s, l
end

function G:pipelined(l, bound)
  bound = bound or tostring(l.count)
  return ("for %s in T.Pipelined(%s, {num_stages = %d}) do"):format(l.name, bound, self.rand:of {0, 1, 2, 2, 2, 3, 3})
end

-- Tile after tile, through shared memory: each turn changes one, which may be the next turn's.
function G:map()
  local s, rand = stages.stage(), self.rand
  return (self:inside(rand:int(1, 4), "Pipelined", function(l)
    local to = self:target()
    if not to then return end
    self:sources(s, rand:int(1, 2))
    stages.writes(s, to)
    local body, get = {}, {}
    for q, ref in ipairs(s.refs) do
      if ref.x.vector or not self:whole(ref) then return end
      get[q] = self:load(body, ref, "shared")
    end
    local text, value = self:formula(#s.refs)
    local way = self:store_way(to)
    if stages.disturbed(s, way) then return end
    local _, more = stages.typed(to.x, "")
    self:store(body, to, function(i, j) return (stages.typed(to.x, text(get, i, j))) end, way)
    s.lines = {self:pipelined(l)}
    indent(s.lines, body)
    s.lines[#s.lines + 1] = "end"
    s.run = function(env)
      for k = 0, l.count - 1 do
        env.vars[l.name] = k
        local new = {}
        stages.each(self, function(i, j)
          local v = {}
          for q, ref in ipairs(s.refs) do v[q] = self:get(env, ref, i, j) end
          new[#new + 1] = {i, j, value(env, v, i, j) + more}
        end)
        for _, n in ipairs(new) do
          local i, j = ways.place(way, n[1], n[2])
          self:put(env, to, i, j, n[3])
        end
      end
    end
    return s
  end))
end

-- A sum over tiles.
function G:sum()
  local s, rand = stages.stage(), self.rand
  local to = self:target()
  local from, n = nil, nil
  local body, get = {}, nil
  local _, l = self:inside(rand:int(1, 4), "Pipelined", function(l)
    self:sources(s, 1)
    from = s.refs[1]
    if not to or from.x.vector or not self:whole(from) then
      from = nil
      return
    end
    get = self:load(body, from, rand:of {"shared", "shared", "fragment"})
    n = l.count
  end)
  if not from or to.x.t.lo == 0 then return end
  stages.writes(s, to)
  if from.x == to.x and from.far then return end
  local f = self:tile("fragment", rand:of {"int32", "float32"})
  s.lines = {("T.clear(%s)"):format(f), self:pipelined(l)}
  indent(s.lines, body)
  self:over(s.lines, function(i, j)
    return {("  %s[%s, %s] += %s * (%s + 1)"):format(f, i, j, self:int(get(i, j)), l.name)}
  end)
  s.lines[#s.lines + 1] = "end"
  local way = self:store_way(to)
  self:store(s.lines, to, function(i, j)
    return (stages.typed(to.x, ("T.cast(%s[%s, %s], \"int32\") %% 13 - 6"):format(f, i, j)))
  end, way)
  s.run = function(env)
    local new = {}
    stages.each(self, function(i, j)
      local sum = 0
      for k = 0, n - 1 do
        env.vars[l.name] = k
        sum = sum + self:get(env, from, i, j) * (k + 1)
      end
      new[#new + 1] = {i, j, stages.wrap(sum)}
    end)
    for _, v in ipairs(new) do
      local i, j = ways.place(way, v[1], v[2])
      self:put(env, to, i, j, v[3])
    end
  end
  return s
end

-- Products -----------------------------------------------------------------------------------------------

local exact = {float16 = 2048, bfloat16 = 256, float32 = 1024, int8 = 127}

-- Values of a tile as an operand of type t.
local function operand(self, env, ref, t)
  local list = {}
  stages.each(self, function(i, j)
    local v = self:get(env, ref, i, j)
    if v > exact[t] or v < -exact[t] then tensors.invalid "not exact in a product" end
    list[i * self.c + j] = v
  end)
  return list
end

-- C = sum of products of tiles, which then goes to memory; or a product each turn.
function G:product()
  local s, rand, c = stages.stage(), self.rand, self.c
  if self.r ~= c or c % 16 > 0 then return end
  local t = rand:of {"float16", "float16", "float16", "bfloat16", "float32", "int8"}
  local accum = t == "int8" and "int32" or "float32"
  local turned, each_turn = rand:chance(0.5), rand:chance(0.3)
  local As, Bs, Cl = self:tile("shared", t), self:tile("shared", t), self:tile("fragment", accum)
  local to, a, b, once = nil, nil, nil, rand:chance(0.25)
  if not each_turn then to = self:target() end
  local function source()
    local x
    repeat x = rand:of(self.tensors) until not x.vector
    local far = self:may_be_far() and rand:chance(0.4) and rand:int(1, math.max(1, self.blocks - 1)) or nil
    local ref = self:ref(x, far)
    stages.reads(s, ref)
    return self:whole(ref) and ref
  end
  if once then
    b = source()
    if not b then return end
  end
  local _, l = self:inside(rand:int(1, 4), "Pipelined", function()
    a = source()
    b = b or source()
    if each_turn then to = self:target() end
  end)
  if not to or not a or not b then return end
  stages.writes(s, to)
  for _, ref in ipairs(s.refs) do
    if ref.x == to.x and ref.far then return end
  end
  local way, direct = self:store_way(to), rand:chance(0.3) and self:whole(to)
  if direct then way = "fragment" end
  local text = ("T.cast(%s[%%s, %%s], \"int32\") %%%% 13 - 6"):format(Cl)
  local function out()
    local lines = {}
    if direct then
      lines[1] = ("T.copy(%s, %s)"):format(Cl, self:whole(to))
    else
      self:store(lines, to, function(i, j) return (stages.typed(to.x, text:format(i, j))) end, way)
    end
    return lines
  end
  local function load(ref, tile) return ("T.copy(%s, %s)"):format(self:whole(ref), tile) end
  if once then s.lines[1] = load(b, Bs) end
  local before = not each_turn and self:whole(to) and to.x.t.lo < 0 and rand:chance(0.3)
  if before then
    s.reads[to.x] = true
    s.lines[#s.lines + 1] = load(to, Cl)
  elseif not each_turn then
    s.lines[#s.lines + 1] = ("T.clear(%s)"):format(Cl)
  end
  s.lines[#s.lines + 1] = self:pipelined(l)
  local body = {load(a, As)}
  if not once then body[2] = load(b, Bs) end
  body[#body + 1] = ("T.gemm(%s, %s, %s, {transpose_B = %s%s})"):format(As, Bs, Cl, tostring(turned),
    each_turn and ", clear_accum = true" or "")
  if each_turn then table.move(out(), 1, 99, #body + 1, body) end
  indent(s.lines, body)
  s.lines[#s.lines + 1] = "end"
  if not each_turn then table.move(out(), 1, 99, #s.lines + 1, s.lines) end
  local _, more = stages.typed(to.x, "")
  s.run = function(env)
    local sum = {}
    if before then stages.each(self, function(i, j) sum[i * c + j] = self:get(env, to, i, j) end) end
    local right = once and operand(self, env, b, t)
    local function leave()
      stages.each(self, function(i, j)
        local p, q = ways.place(way, i, j)
        self:put(env, to, p, q, direct and sum[i * c + j] or stages.wrap(sum[i * c + j]) + more)
      end)
    end
    for k = 0, l.count - 1 do
      env.vars[l.name] = k
      local x, y = operand(self, env, a, t), right or operand(self, env, b, t)
      stages.each(self, function(i, j)
        local v = (k > 0 or before) and not each_turn and sum[i * c + j] or 0
        if turned then
          for q = 0, c - 1 do v = v + x[i * c + q] * y[j * c + q] end
        else
          for q = 0, c - 1 do v = v + x[i * c + q] * y[q * c + j] end
        end
        sum[i * c + j] = v
      end)
      if each_turn then leave() end
    end
    if not each_turn then leave() end
  end
  return s
end

-- Stages around stages -----------------------------------------------------------------------------------

-- Stages in a loop, whose turns may follow from memory.
function G:again(x)
  local rand = self.rand
  local kind = rand:of {"serial", "serial", "serial", "while", "Pipelined", "Pipelined", "unroll", "lua"}
  local n, text, count = rand:int(1, 3), nil, nil
  local s = {list = {}, loop = true}
  if x then n = math.max(x.nr, x.nc) end
  local _, l = self:inside(n, kind, function(l)
    if x then
      local part = self:elements(x, true)
      if not part or part.to.a[1] ~= l.name and part.to.b[1] ~= l.name then return end
      s.list[1] = part
      return
    end
    for _ = 1, rand:int(1, 3) do s.list[#s.list + 1] = self:stage(true) end
  end)
  if #s.list == 0 then return end
  if not x and (kind == "while" or rand:chance(0.4) and kind ~= "unroll" and kind ~= "lua") then text, count = self:counted(n) end
  s.own = count
  local bound = text or tostring(n)
  local heads = {
    serial = ("for %s in T.serial(%s) do"):format(l.name, bound), unroll = ("for %s in T.unroll(%d) do"):format(l.name, n),
    lua = ("for %s = 0, %d do"):format(l.name, n - 1), Pipelined = self:pipelined(l, bound),
  }
  s.head = heads[kind] or ("while %s < %s do"):format(l.name, bound)
  if kind == "while" then
    s.before, s.behind = ("local %s = T.alloc_var(\"int32\", 0)"):format(l.name), ("  %s = %s + 1"):format(l.name, l.name)
  end
  s.all = function(envs)
    if not count then
      for k = 0, n - 1 do
        for _, env in ipairs(envs) do env.vars[l.name] = k end
        M.all(s.list, envs)
      end
      return
    end
    for _, env in ipairs(envs) do
      local k, last = 0, count(env)
      while k < (kind == "while" and count(env) or last) do
        env.vars[l.name] = k
        M.all(s.list, {env})
        k = k + 1
      end
    end
  end
  return s
end

-- A stage for some blocks, or as memory says.
function G:when()
  local s = {list = {self:stage(true)}}
  if #s.list == 0 then return end
  if self.blocks > 1 and self.rand:chance(0.5) then
    local p = self.rand:int(0, 1)
    s.head, s.of = ("if %s %% 2 == %d then"):format(self.block, p), function(env) return env.g % 2 == p end
  else
    local text, count = self:counted(3)
    local v = self.rand:int(0, 2)
    s.head, s.of = ("if %s > %d then"):format(text, v), function(env) return count(env) > v end
  end
  s.all = function(envs)
    local some = {}
    for _, env in ipairs(envs) do
      if s.of(env) then some[#some + 1] = env end
    end
    M.all(s.list, some)
  end
  return s
end

-- Two stages at a time, each by 128 threads.
function G:roles()
  if self.threads ~= 256 then return end
  local s = {list = {}, roles = true}
  self.role = true
  for k = 1, 2 do s.list[k] = self.rand:chance(0.7) and self:elements() or self:copy() end
  self.role = nil
  local p, q = s.list[1], s.list[2]
  if not p or not q or next(p.far) or next(q.far) then return end
  for x in pairs(p.writes) do
    if q.writes[x] or q.reads[x] then return end
  end
  for x in pairs(q.writes) do
    if p.reads[x] then return end
  end
  s.all = function(envs) M.all(s.list, envs) end
  return s
end

-- Runs stages for all blocks.
function M.all(list, envs)
  for _, s in ipairs(list) do
    if s.all then
      s.all(envs)
    else
      for _, env in ipairs(envs) do s.run(env) end
    end
  end
end

return M
