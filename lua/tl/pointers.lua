-- tl/pointers.lua: the tensors behind the addresses that a call gives to parameters of type T.ptr.
--
-- An address is what data_ptr() of a tensor said.  Those tensors are remembered as long as they live,
-- so that an address which no living tensor has is refused, as is one with too few elements behind
-- it.  What a table points to is laid side by side for the launch, and brought back behind it.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local tensor = require "moontile.tensor"

local M = {}

local living = {} -- address -> the tensors that begin there, weakly: a tensor, its first row, ..

-- Remembers t by its address, and returns that.
function M.remember(address, t)
  living[address] = living[address] or setmetatable({}, {__mode = "k"})
  living[address][t] = true
  return address
end

-- Of the tensors that begin at this address the one with most elements, of this dtype if there is one; nil: none.
local function longest(address, dtype)
  local best
  for t in pairs(living[address] or {}) do
    local fits, best_fits = t.dtype == dtype, best and best.dtype == dtype
    if not best or fits and not best_fits or fits == best_fits and t:numel() > best:numel() then
      best = t
    end
  end
  return best
end

local function sizes(p, env, from)
  local shape = {}
  for d = from, #p.shape do
    local r = p.shape[d]
    shape[#shape + 1] = r.n or ir.eval(r.e, env) or diag.fail("const_value", r.text)
  end
  return shape
end

local function product(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

local function compact(shape)
  local strides, n = {}, 1
  for d = #shape, 1, -1 do
    strides[d], n = n, n * shape[d]
  end
  return strides
end

-- The tensor of this shape that begins at `at`, a tensor or an address.
local function behind(name, p, at, shape)
  local t = at
  if not tensor.istensor(t) then
    t = math.type(at) == "integer" and longest(at, p.dtype)
    if not t then
      diag.fail("pointer_dead", name, p.name, tostring(at))
    end
  end
  if t.dtype ~= p.dtype then
    diag.fail("call_dtype", name, p.name, p.dtype, t.dtype)
  elseif not t:is_contiguous() then
    diag.fail("call_compact", name, p.name, "{" .. table.concat(t.strides, ", ") .. "}")
  elseif t:numel() < product(shape) then
    diag.fail("pointer_short", name, p.name, table.concat(shape, ", "), product(shape), t:numel())
  end
  local host = require "moontile.host"
  return host.strided(t, shape, compact(shape))
end

-- What is written has to lie apart from all else: rows are copies.
local function apart(self, parts)
  local host = require "moontile.host"
  local types = require "moontile.base.types"
  for _, part in ipairs(parts) do
    part.from = host.place(part.t)
    part.to = part.from + part.t:numel() * types.info(part.t.dtype).bits // 8
  end
  table.sort(parts, function(a, b) return a.from < b.from end)
  local last
  for _, part in ipairs(parts) do
    if last and part.from < last.to and (part.written or last.written) then
      diag.fail("pointer_shared", self.name, part.name, last.name)
    end
    last = (not last or part.to > last.to) and part or last
  end
end

-- values with tensors for addresses -> that, and what is to be called behind the launch, or nil
function M.resolve(self, values, env)
  local all, back
  local parts, any = {}, false
  for i, s in ipairs(self.slots) do
    local p = s.param
    if s.input and not p.pointer and tensor.istensor(values[s.input]) then
      parts[#parts + 1] = {t = values[s.input], name = p.name, written = self.written[i]}
    end
    if p.pointer and s.input then
      all = all or table.move(values, 1, #self.inputs, 1, {})
      local at = values[s.input]
      if not p.pointer.shape then
        all[s.input] = tensor.new({1}, "uint8")
      elseif not p.pointer.count then
        all[s.input] = behind(self.name, p, at, sizes(p, env, 1))
      else
        local shape = sizes(p, env, 1)
        if not tensor.istensor(at) or at.dtype ~= "int64" or at.ndim ~= 1 or at.shape[1] ~= shape[1] then
          diag.fail("call_kind", self.name, p.name, ("int64 {%d}"):format(shape[1]),
            tensor.istensor(at) and ("%s {%s}"):format(at.dtype, table.concat(at.shape, ", ")) or type(at))
        end
        local each, rows = sizes(p, env, 2), tensor.new(shape, p.dtype)
        local list = {}
        for g = 1, shape[1] do
          list[g] = behind(self.name, p, at[g - 1], each)
          rows[g - 1]:copy_(list[g])
          parts[#parts + 1], any = {t = list[g], name = ("%s[%d]"):format(p.name, g - 1), written = self.written[i]}, true
        end
        all[s.input] = rows
        if self.written[i] then
          local before = back
          function back()
            if before then before() end
            for g, t in ipairs(list) do t:copy_(rows[g - 1]) end
          end
        end
      end
    end
  end
  if any then
    apart(self, parts)
  end
  return all or values, back
end

return M
