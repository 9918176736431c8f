-- tl/pointers.lua: the tensors behind the addresses that a call gives to parameters of type T.ptr.
--
-- An address is what data_ptr() of a tensor said.  It is good as long as anybody has a tensor of the same
-- storage: that of x[0] lives with x.  Another address is refused, as is one with too few elements behind
-- it in the storage.  What a table points to is laid side by side for the launch, and brought back behind it.

local diag = require "moontile.diag"
local host = require "moontile.host"
local ir = require "moontile.ir"
local tensor = require "moontile.tensor"

local M = {}

local living = {} -- address -> dtype -> a tensor that begins there, another one than the program's

-- Forgets the tensors whose storage nobody else has.  It runs in a finaliser: when the program ends, what is here
-- may be finalised itself.
local function sweep()
  local own = {}
  for _, views in pairs(living) do
    for _, t in pairs(views) do
      local s = host.storage(t)
      if not s then return end
      own[s] = (own[s] or 0) + 1
    end
  end
  local gone = {}
  for address, views in pairs(living) do
    local s, holders = host.storage((select(2, next(views))))
    gone[address] = holders == own[s] or nil
  end
  for address in pairs(gone) do
    living[address] = nil
  end
end

-- An object that sweeps when it is collected, as the next one will.
local function at_each_collection()
  setmetatable({}, {__gc = function()
    sweep()
    if next(living) then
      at_each_collection()
    end
  end})
end

-- Remembers where t begins, and returns the address.
function M.remember(address, t)
  if not next(living) then
    at_each_collection()
  end
  local view = host.strided(t, t.shape, t.strides)
  local views = living[address] or {} -- no sweep may see it empty
  views[t.dtype] = view
  living[address] = views
  return address
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
  local t, given = at, tensor.istensor(at)
  if not given then
    local views = math.type(at) == "integer" and living[at]
    if not views then
      diag.fail("pointer_dead", name, p.name, tostring(at))
    end
    t = views[p.dtype] or select(2, next(views))
  end
  if t.dtype ~= p.dtype then
    diag.fail("call_dtype", name, p.name, p.dtype, t.dtype)
  elseif given and not t:is_contiguous() then
    diag.fail("call_compact", name, p.name, "{" .. table.concat(t.strides, ", ") .. "}")
  end
  local _, offset = host.place(t)
  local room = given and t:numel() or select(3, host.storage(t)) - offset
  if room < product(shape) then
    diag.fail("pointer_short", name, p.name, table.concat(shape, ", "), product(shape), room)
  end
  return host.strided(t, shape, compact(shape))
end

-- What is written has to lie apart from all else: rows are copies.
local function apart(self, parts)
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
      if not all then
        all = table.move(values, 1, #self.inputs, 1, {})
        sweep()
      end
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
