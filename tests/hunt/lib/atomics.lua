-- atomics.lua: programs whose statements change and read the same few buffers by atomics and plainly, for
-- tests/hunt/atomics.lua.
--
-- A program is a list of statements of a block, {lines = function(out, indent), run = function(E), parts = list of
-- lists of statements inside}.  They run one after the other, each to its end, and this is what the contract says; only
-- iterations of one T.Parallel, threads of one statement and blocks have no order among them (lib/atomics_run.lua
-- tells whether that matters).
local values, flow = require "hunt.atomics_values", require "hunt.atomics_flow"
local G, const, types = values.G, values.const, values.types
local M = {ops = values.ops, run = flow.run}

-- Statements ----------------------------------------------------------------------------------------------

local make = {branch = flow.make.branch, loop = flow.make.loop}

local function vars_of(self, own)
  local list = {own}
  for _, v in ipairs(self.loops) do list[#list + 1] = v end
  return list
end

-- Some accesses of an iteration, under conditions or not: lines, run.
function G:body(v, n)
  local r = self.r
  local vars = vars_of(self, {name = v, n = n})
  local list = {}
  for _ = 1, r:of {1, 1, 1, 1, 2, 3} do
    local a = self:access(v, n, vars)
    if a then
      local c = r:chance(0.25) and self:condition(v, n)
      local d = c and r:chance(0.2) and self:access(v, n, vars)
      list[#list + 1] = {c = c, a = a, other = d}
    end
  end
  if #list == 0 then return nil end
  local body = {}
  function body.lines(out, indent)
    for _, x in ipairs(list) do
      if x.c then
        out[#out + 1] = ("%sif %s then %s%s end"):format(indent, x.c[1], x.a[1], x.other and " else " .. x.other[1] or "")
      else
        out[#out + 1] = indent .. x.a[1]
      end
    end
  end
  function body.run(E)
    for _, x in ipairs(list) do
      if not x.c or x.c[2](E) then
        x.a[2](E)
      elseif x.other then
        x.other[2](E)
      end
    end
  end
  return body
end

function make.parallel(self)
  local r = self.r
  local n = r:of {64, 64, 64, 128, 32, 16}
  local rounds = r:chance(0.1) and r:int(0, 2)
  local body = self:body("i", n)
  if not body then return end
  local two = n == 64 and r:chance(0.15)
  return {
    lines = function(out, indent)
      out[#out + 1] = two and indent .. "for y, x in T.Parallel(8, 8) do" or ("%sfor i in T.Parallel(%d) do"):format(indent, n)
      if two then out[#out + 1] = indent .. "  local i = y * 8 + x" end
      if rounds then out[#out + 1] = ("%s  for _ in T.serial(%d) do"):format(indent, rounds) end
      body.lines(out, indent .. (rounds and "    " or "  "))
      if rounds then out[#out + 1] = indent .. "  end" end
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      E:together(n, function(i)
        E.i = i
        for _ = 1, rounds or 1 do body.run(E) end
      end)
    end,
  }
end

-- An access of each thread, as its condition or its index says.
function make.threads(self)
  if not self.threaded then return make.parallel(self) end
  local r = self.r
  local vars = vars_of(self, {name = "tx", n = self.threads})
  local n = self.threads
  local c = r:chance(0.7) and self:condition("tx", n)
  if n > 64 and (not c or r:chance(0.7)) then
    local first = r:int(0, n // 64 - 1) * 64
    c = {("tx >= %d and tx < %d"):format(first, first + 64), function(E) return E.tx >= first and E.tx < first + 64 end}
    if first == 0 and r:chance(0.5) then c[1] = "tx < 64" end
  end
  local at = self:access("tx", n, vars)
  if not at then return end
  if not c and not at[1]:find "%f[%w]tx%f[%W]" then return end
  return {
    lines = function(out, indent)
      out[#out + 1] = c and ("%sif %s then %s end"):format(indent, c[1], at[1]) or indent .. at[1]
    end,
    run = function(E)
      E:together(self.threads, function(t)
        E.tx = t
        if not c or c[2](E) then at[2](E) end
      end)
    end,
  }
end

-- What a group of 128 threads does, statement by statement; a barrier of all behind it.
function make.role(self)
  if not self.threaded or self.threads ~= 256 then return make.parallel(self) end
  local r = self.r
  self.roles = true
  local group, list = r:int(0, 1), {}
  local vars = vars_of(self, {name = "t", n = 128})
  for _ = 1, r:int(1, 3) do
    local c = r:chance(0.6) and {"t < 64", function(E) return E.t < 64 end}
    local a = self:access("t", c and 64 or 128, vars)
    if a and a[1]:find "%f[%w]t%f[%W]" then list[#list + 1] = {c = c, a = a} end
  end
  if #list == 0 then return end
  return {
    lines = function(out, indent)
      out[#out + 1] = ("%sfor t in T.ws(%d) do"):format(indent, group)
      for _, x in ipairs(list) do
        out[#out + 1] = x.c and ("%s  if %s then %s end"):format(indent, x.c[1], x.a[1]) or ("%s  %s"):format(indent, x.a[1])
      end
      out[#out + 1] = indent .. "end"
      out[#out + 1] = indent .. "T.sync_threads()"
    end,
    run = function(E)
      for _, x in ipairs(list) do
        E:together(128, function(t)
          E.t = t
          if not x.c or x.c[2](E) then x.a[2](E) end
        end)
      end
    end,
  }
end

-- Once for the block.
function make.once(self)
  local r = self.r
  local b = self:buffer()
  if not b then return end
  local op = b.all and b.kind or self:kind(b.t)
  local value = op == "or" and const(r:int(0, 5)) or self:value(b.t, self.loops, true)
  local at = const(r:int(0, 63))
  local to = not b.all and op ~= "or" and r:chance(0.3) and self:buffer(b.t)
  if to and to.all then to = nil end
  local place = const(r:int(0, 63))
  local text = ("T.atomic_%s(%s, %s%s)"):format(op, self:at(b, at), value[1], to and ", {return_prev = true}" or "")
  if to then text = self:at(to, place) .. " = " .. text end
  return {
    lines = function(out, indent) out[#out + 1] = indent .. text end,
    run = function(E)
      E:together(1, function()
        local old = E:update(b, at[2](E), op, value[2](E), to)
        if to then E:set(to, place[2](E), old) end
      end)
    end,
  }
end

-- Two or four adjacent elements.
function make.wide(self)
  local r = self.r
  local list = {}
  for _, b in ipairs(self.buffers) do
    if b.t.float and b.t.name ~= "float64" and not b.all then list[#list + 1] = b end
  end
  if #list == 0 then return end
  local b = r:of(list)
  local t = b.t
  local w = t.name == "float32" and r:of {2, 4} or 2
  local from = self:buffer(t, true)
  if not from or r:chance(0.4) then from = self.inputs[t.name] end
  local n = 64 // w
  local back, same = r:chance(0.5), r:chance(0.2)
  local c = r:chance(0.3) and self:condition("i", n)
  local function index(i) return same and 0 or back and n - 1 - i or i end
  local at = {same and "0" or back and ("%d - i * %d"):format(64 - w, w) or ("i * %d"):format(w), nil}
  local src = r:chance(0.5) and {("i * %d"):format(w), function(i) return i * w end} or
    {("%d - i * %d"):format(64 - w, w), function(i) return 64 - w - i * w end}
  local to, src_text = self:at(b, at), self:at(from, src)
  return {
    lines = function(out, indent)
      out[#out + 1] = ("%sfor i in T.Parallel(%d) do"):format(indent, n)
      local text = ("T.atomic_addx%d(%s, %s)"):format(w, to, src_text)
      out[#out + 1] = c and ("%s  if %s then %s end"):format(indent, c[1], text) or ("%s  %s"):format(indent, text)
      out[#out + 1] = indent .. "end"
    end,
    run = function(E)
      E:together(n, function(i)
        E.i = i
        if c and not c[2](E) then return end
        for e = 0, w - 1 do E:update(b, index(i) * w + e, "add", E:get(from, src[2](i) + e)) end
      end)
    end,
  }
end

-- A whole tile or half of one, by an atomic or a copy.
function make.tile(self)
  local r = self.r
  local b = self:buffer()
  if not b then return end
  local from = self:buffer(b.t, true)
  if not from or from == b or r:chance(0.2) then from = self.inputs[b.t.name] end
  local half = r:chance(0.3)
  local lo, n, src = 0, 64, 0
  if half then lo, n, src = r:int(0, 1) * 32, 32, r:int(0, 1) * 32 end
  local function part(x, at)
    if x.part then return half and ("%s[bx * 64 + %d:bx * 64 + %d]"):format(x.text, at, at + n) or ("%s[bx * 64:bx * 64 + 64]"):format(x.text) end
    return half and ("%s[%d:%d]"):format(x.text, at, at + n) or x.text
  end
  local op = not b.all and r:chance(0.4) and "copy" or b.all and b.kind or r:of {"add", "max", "min"}
  if op == "or" then return end
  local via = r:chance(0.4) and self:name "g"
  if via then self.fragments[#self.fragments + 1] = ("local %s = T.alloc_fragment({%d}, %q)"):format(via, n, b.t.name) end
  return {
    lines = function(out, indent)
      local what = part(from, src)
      if via then
        out[#out + 1] = ("%sT.copy(%s, %s)"):format(indent, what, via)
        what = via
      end
      if op == "copy" then
        out[#out + 1] = ("%sT.copy(%s, %s)"):format(indent, what, part(b, lo))
      else
        out[#out + 1] = ("%sT.atomic_%s(%s, %s)"):format(indent, op, part(b, lo), what)
      end
    end,
    run = function(E)
      local values = {}
      E:together(n, function(i) values[i] = E:get(from, src + i) end)
      E:together(n, function(i)
        if op == "copy" then
          E:set(b, lo + i, values[i])
        else
          E:update(b, lo + i, op, values[i])
        end
      end)
    end,
  }
end

function make.fill(self)
  local b = self:buffer()
  if not b or b.all or b.part then return end
  local v = self.r:int(0, 3)
  return {
    lines = function(out, indent) out[#out + 1] = ("%sT.fill(%s, %d)"):format(indent, b.text, v) end,
    run = function(E) E:together(64, function(i) E:set(b, i, v) end) end,
  }
end

-- The sum of a buffer, added to an element.
function make.reduce(self)
  local r = self.r
  local b, from = self:buffer(), nil
  from = b and self:buffer(b.t, true)
  if not from or b.t.most < 2^24 then return end
  local f, s = self:name "g", self:name "g"
  self.fragments[#self.fragments + 1] = ("local %s = T.alloc_fragment({64}, %q)"):format(f, b.t.name)
  self.fragments[#self.fragments + 1] = ("local %s = T.alloc_fragment({1}, %q)"):format(s, b.t.name)
  local op = b.all and b.kind or r:of {"add", "max", "min"}
  if op == "or" then return end
  local at = const(r:int(0, 63))
  local to = self:at(b, at)
  local loop = r:chance(0.5)
  local src = from.part and ("%s[bx * 64:bx * 64 + 64]"):format(from.text) or from.text
  return {
    lines = function(out, indent)
      out[#out + 1] = ("%sT.copy(%s, %s)"):format(indent, src, f)
      out[#out + 1] = ("%sT.reduce_max(%s, %s)"):format(indent, f, s)
      out[#out + 1] = (loop and "%sfor i in T.Parallel(1) do T.atomic_%s(%s, %s[0]) end" or "%sT.atomic_%s(%s, %s[0])"):format(indent, op, to, s)
    end,
    run = function(E)
      local most
      E:together(64, function(i)
        local v = E:get(from, i)
        most = most and math.max(v, most) or v
      end)
      E:together(1, function() E:update(b, at[2](E), op, most) end)
    end,
  }
end

function make.barrier()
  return {lines = function(out, indent) out[#out + 1] = indent .. "T.sync_threads()" end, run = function() end}
end

local order = {"parallel", "threads", "role", "once", "wide", "tile", "fill", "reduce", "barrier", "branch", "loop"}
local weights = {parallel = 12, threads = 5, role = 2, once = 3, wide = 2, tile = 3, fill = 1, reduce = 1, barrier = 0.3, branch = 3, loop = 4}

function G:statement(deep)
  local w = setmetatable({}, {__index = weights})
  if deep >= 3 or self.count > 14 then w.branch, w.loop = 0, 0 end
  if not self.wide then w.wide = 0 end
  self.count = self.count + 1
  return make[self.r:weighted(order, w)](self, deep)
end

function G:name(prefix)
  self.names = self.names + 1
  return prefix .. self.names
end

local function pick_type(r)
  if r:chance(0.5) then return types[1] end
  return r:of(types)
end

-- The program of a seed.
function M.program(r)
  local t, other = pick_type(r), pick_type(r)
  local self = setmetatable({
    r = r, threads = r:of {32, 64, 128, 128, 256}, blocks = r:of {1, 1, 2, 3}, threaded = r:chance(0.3),
    inputs = {}, buffers = {}, loops = {}, fragments = {}, count = 0, names = 0,
  }, G)
  for _, x in ipairs {types[1], t, other} do
    self.inputs[x.name] = {text = "A_" .. x.name, t = x, name = "A_" .. x.name, scope = "input"}
  end
  self.P = {text = "P", t = types[1], name = "P", scope = "input"}
  for i = 1, r:int(1, 3) do
    local x = i == 1 and t or r:chance(0.7) and t or other
    local b = {t = x, name = "b" .. i, text = "b" .. i, scope = r:chance(0.6) and "shared" or "global"}
    if b.scope == "global" then b.part = true end
    if b.scope == "shared" and r:chance(0.3) then b.second = b.name .. "v" end
    self.wide = self.wide or x.float
    self.buffers[i] = b
  end
  if self.blocks > 1 and r:chance(0.5) then
    self.kind_of_all = r:of {"add", "max", "min"}
    local b = {t = t, name = "d", text = "d", scope = "global", all = true, kind = self.kind_of_all}
    self.buffers[#self.buffers + 1] = b
  end
  self.statements = self:list(0, r:int(2, 6))
  return self
end

-- Text ----------------------------------------------------------------------------------------------------

function G:text()
  local out = {}
  local function add(form, ...) out[#out + 1] = form:format(...) end
  local body = {}
  flow.print(self.statements, body, "    ")
  local all = table.concat(body, "\n")
  local params, names = {}, {}
  self.params = {}
  for name, b in pairs(self.inputs) do names[#names + 1] = name; params[name] = b end
  table.sort(names)
  local list = {}
  for _, name in ipairs(names) do
    if all:find("A_" .. name .. "%f[%W]") then list[#list + 1] = self.inputs[name] end
  end
  if all:find "%f[%w]P%f[%W]" then list[#list + 1] = self.P end
  for _, b in ipairs(self.buffers) do
    if b.scope == "global" then list[#list + 1] = b end
  end
  for i, b in ipairs(self.buffers) do
    if b.scope == "shared" then list[#list + 1] = {t = b.t, name = "o" .. i, text = "o" .. i, scope = "global", part = true, of = b} end
  end
  self.params = list
  local words = {}
  for i, b in ipairs(list) do words[i] = b.name end
  add("return tl.jit(function(%s)", table.concat(words, ", "))
  for _, b in ipairs(list) do
    add("  %s: T.Tensor({%d}, %q)", b.name, b.part and 64 * self.blocks or 64, b.t.name)
  end
  add("  for bx in T.Kernel(%d, {threads = %d}) do", self.blocks, self.threads)
  if all:find "%f[%w]tx%f[%W]" then add("    local tx = T.get_thread_binding()") end
  for _, b in ipairs(self.buffers) do
    if b.scope == "shared" then
      add("    local %s = T.alloc_shared({64}, %q)", b.name, b.t.name)
      if b.second and all:find("%f[%w]" .. b.second .. "%f[%W]") then
        add("    local %s = T.view(%s, {8, 8}, %q)", b.second, b.name, b.t.name)
      end
    end
  end
  for _, f in ipairs(self.fragments) do
    if all:find("%f[%w]" .. f:match "local (%w+)" .. "%f[%W]") then add("    %s", f) end
  end
  for _, p in ipairs(list) do
    if p.of then add("    T.copy(%s[bx * 64:bx * 64 + 64], %s)", p.name, p.of.name) end
  end
  out[#out + 1] = all
  for _, p in ipairs(list) do
    if p.of then add("    T.copy(%s, %s[bx * 64:bx * 64 + 64])", p.of.name, p.name) end
  end
  add("  end")
  add("end)")
  return table.concat(out, "\n")
end

return M
