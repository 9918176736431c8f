-- stage/range.lua: the numeric `for` of staged code: a loop of the program when
-- a bound is symbolic, else exactly Lua's.

local core = require "moontile.stage.core"
local M = core.stage
local fail, symbolic, value = core.fail, core.symbolic, core.value

local mtype, ult = math.type, math.ult

-- Closes a traced numeric loop however it is left.
local Loop = {}
Loop.__index = Loop
function Loop.__close(self)
  local be = M.backend
  while self.open and be.depth() >= self.depth do
    be.close()
  end
  self.open = false
end

local function once(self)
  if self.open then
    self:__close()
    return nil
  end
  local be = M.backend
  local v = be.for_open(self.lo, self.hi, self.step, self.name)
  self.open, self.depth = true, be.depth()
  return v
end
Loop.__call = once

local function traced_range(name, a, b, s)
  a, b, s = value(a), value(b), value(s)
  if not mtype(s) or s == 0 then
    fail("stage_step", core.describe(s))
  end
  local hi = s > 0 and b + 1 or b - 1
  local self = setmetatable({lo = a, hi = hi, step = s, name = name}, Loop)
  return once, self, nil, self
end

-- n // d of unsigned integers.
local function udiv(n, d)
  if d < 0 then
    return ult(n, d) and 0 or 1
  elseif n >= 0 then
    return n // d
  end
  local q = ((n >> 1) // d) << 1
  return ult(n - q * d, d) and q or q + 1
end

-- How often a loop over integers turns after its first time; nil when it does
-- not turn at all.  The limit is clipped as Lua does (lvm.c: forlimit).
local function int_range(a, b, s)
  if mtype(b) == "float" then
    local n = math.tointeger(s > 0 and math.floor(b) or math.ceil(b))
    if not n then
      if (b > 0) == (s < 0) then
        return nil
      end
      n = b > 0 and math.maxinteger or math.mininteger
    end
    b = n
  end
  if s > 0 then
    return a <= b and udiv(b - a, s) or nil
  end
  return a >= b and udiv(a - b, -s) or nil
end

local function nothing() end

local function plain_range(a, b, s)
  if mtype(a) == "integer" and mtype(s) == "integer" then
    local left = int_range(a, b, s)
    if not left then
      return nothing
    end
    local i, first = a - s, true
    return function()
      if first then
        first = false
      elseif left == 0 then
        return nil
      else
        left = left - 1
      end
      i = i + s
      return i
    end
  end
  local i = a + 0.0
  local first = true
  b, s = b + 0.0, s + 0.0
  return function()
    if first then
      first = false
    else
      i = i + s
    end
    if s > 0 and i <= b or s < 0 and b <= i then
      return i
    end
  end
end

local function native(a, b, s)
  for _ = a, b, s do -- luacheck: ignore 512
    break
  end
end

-- Bounds that are no numbers: Lua's own complaint, at the line of the `for`;
-- strings count as far as Lua takes them.
local function checked(a, b, s)
  if not (mtype(a) and mtype(b) and mtype(s)) or s == 0 then
    local ok, msg = pcall(native, a, b, s)
    if not ok then
      error((msg:gsub("^[^:]*:%d+: ", "")), 3)
    end
    if mtype(a) ~= "integer" or mtype(s) ~= "integer" then
      a = a + 0.0
    end
    return a, tonumber(b), tonumber(s)
  end
  return a, b, s
end

function M.range(name, a, b, s)
  if symbolic(a) or symbolic(b) or symbolic(s) then
    return traced_range(name, a, b, s)
  end
  a, b, s = checked(a, b, s)
  return plain_range(a, b, s)
end

function M.rangek(fr, k, name, a, b, s)
  fr[k + 1] = symbolic(a) or symbolic(b) or symbolic(s)
  if fr[k + 1] then
    return traced_range(name, a, b, s)
  end
  a, b, s = checked(a, b, s)
  return plain_range(a, b, s)
end

return M
