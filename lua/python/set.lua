-- python/set.lua: sets and frozensets, in the order in which CPython 3.11 has them.
--
--   {keys = {..}, pos = {[key] = i}, hashes = {..}, n = how many, fill = with removed ones, last = the size}
--
-- keys[i] is the key in slot i of CPython's table: a hash leads to a slot, and from a taken one to others, so that
-- {8, 1} goes through 8 first and {16, 8} through 16.  pos knows a key by equal.key; hashes[i] is false where one was
-- removed.  Hashes of texts and of objects differ from process to process in CPython; a set with one of those has no
-- `hashes`, and keeps the order in which its values came: keys[1] .. keys[last], with holes.

local core = require "moontile.python.core"
local equal = require "moontile.python.equal"
local hash = require "moontile.python.hash"

local M = {}

local key, hash_of = equal.key, hash.of
local getmt, setmetatable = debug.getmetatable, setmetatable
local SMALLEST, LINEAR = 8, 9

-- An empty one, in an object that is there.
function M.init(s)
  s.keys, s.pos, s.hashes, s.n, s.fill, s.last, s.finger = {}, {}, {}, 0, 0, SMALLEST, nil
  return s
end

function M.new(meta)
  return setmetatable({keys = {}, pos = {}, hashes = {}, n = 0, fill = 0, last = SMALLEST}, meta or core.Set)
end

-- The first slot on the way of hash h that never had an entry, and the last before it whose entry was removed, or nil.
local function free(hashes, size, h)
  local mask, perturb, left = size - 1, h, nil
  local i = h & mask
  while true do
    for j = i + 1, (i + LINEAR <= mask and i + LINEAR or i) + 1 do
      if hashes[j] == nil then
        return j, left
      elseif hashes[j] == false then
        left = j
      end
    end
    perturb = perturb >> 5
    i = (i * 5 + 1 + perturb) & mask
  end
end

-- pos the other way round.
local function places(s)
  local place = {}
  for hk, i in pairs(s.pos) do
    place[i] = hk
  end
  return place
end

-- A table of more than `least` slots, without what was removed.
local function resize(s, least)
  local size = SMALLEST
  while size <= least do
    size = size * 2
  end
  local keys, hashes, pos, place = {}, {}, {}, places(s)
  for i = 1, s.last do
    local k = s.keys[i]
    if k ~= nil then
      local j = free(hashes, size, s.hashes[i])
      keys[j], hashes[j], pos[place[i]] = k, s.hashes[i], j
    end
  end
  s.keys, s.hashes, s.pos, s.last, s.fill = keys, hashes, pos, size, s.n
end

-- Keys side by side, in their order; the set is one of insertion from here on.
local function in_order(s)
  local keys, pos, n, place = {}, {}, 0, places(s)
  for i = 1, s.last do
    if s.keys[i] ~= nil then
      n = n + 1
      keys[n], pos[place[i]] = s.keys[i], n
    end
  end
  s.keys, s.pos, s.last, s.hashes = keys, pos, n, nil
end

local function grown(s)
  return s.n > 50000 and s.n * 2 or s.n * 4
end

-- Adds k, which is not there; hk stands for it, h is its hash or nil.
local function enter(s, k, hk, h)
  if s.hashes and not h then
    in_order(s)
  end
  s.n = s.n + 1
  if not s.hashes then
    local i = s.last + 1
    s.last, s.pos[hk], s.keys[i] = i, i, k
    return
  end
  local i, left = free(s.hashes, s.last, h)
  i = left or i
  s.keys[i], s.pos[hk], s.hashes[i] = k, i, h
  if left then
    return
  end
  s.fill = s.fill + 1
  if s.fill * 5 >= (s.last - 1) * 3 then
    resize(s, grown(s))
  end
end

function M.add(s, k)
  local hk, h = key(k)
  if not s.pos[hk] then
    enter(s, k, hk, h or hash_of(k))
  end
end

-- Removes k: whether it was there.
function M.remove(s, k)
  local hk = key(k)
  local i = s.pos[hk]
  if not i then
    return false
  end
  s.pos[hk], s.keys[i], s.n = nil, nil, s.n - 1
  if s.hashes then
    s.hashes[i] = false
  elseif s.n == 0 then
    M.init(s)
  elseif s.last > 16 and s.n < s.last // 2 then
    in_order(s)
  end
  return true
end

-- for k, hk, h in each(s): what stands for k, its hash
local function each(s)
  local place, keys, hashes, i = places(s), s.keys, s.hashes, 0
  local last = s.last
  return function()
    repeat
      i = i + 1
    until keys[i] ~= nil or i > last
    return keys[i], place[i], hashes and hashes[i]
  end
end

local function is_set(v)
  local mt = getmt(v)
  return mt and (mt.__kind == "set" or mt.__kind == "frozenset")
end

-- Adds all of another set.
local function merge(s, other)
  if rawequal(s, other) or other.n == 0 then
    return
  elseif not s.hashes or not other.hashes then
    for k, hk, h in each(other) do
      if not s.pos[hk] then
        enter(s, k, hk, h or hash_of(k))
      end
    end
    return
  end
  if (s.fill + other.n) * 5 >= (s.last - 1) * 3 then
    resize(s, (s.n + other.n) * 2)
  end
  if s.fill == 0 and s.last == other.last and other.fill == other.n then -- a copy, slot by slot
    for k, hk, h in each(other) do
      local i = other.pos[hk]
      s.keys[i], s.pos[hk], s.hashes[i] = k, i, h
    end
    s.n, s.fill = other.n, other.n
    return
  end
  local empty = s.fill == 0 -- into which no key comes twice, and which is large enough
  for k, hk, h in each(other) do
    if empty then
      local i = free(s.hashes, s.last, h)
      s.keys[i], s.pos[hk], s.hashes[i], s.n, s.fill = k, i, h, s.n + 1, s.fill + 1
    elseif not s.pos[hk] then
      enter(s, k, hk, h)
    end
  end
end

-- Adds what an iterable gives.
function M.update(s, v)
  local mt = getmt(v)
  if is_set(v) then
    merge(s, v)
    return
  elseif mt == core.Dict and s.hashes and (s.fill + v.n) * 5 >= (s.last - 1) * 3 then
    resize(s, (s.n + v.n) * 2)
  end
  for k in core.late.iter(v) do
    M.add(s, k)
  end
end

-- set(v), frozenset(v)
function M.of(v, meta)
  local s = M.new(meta)
  M.update(s, v)
  return s
end

local function base(s)
  return getmt(s).__kind == "frozenset" and core.Frozenset or core.Set
end

-- The same values in another set, or in one of its type.
function M.copy(s, meta)
  return M.of(s, meta or base(s))
end

-- Operators ---------------------------------------------------------------------------------------

function M.union(a, b)
  local r = M.copy(a)
  if not rawequal(a, b) then
    M.update(r, b)
  end
  return r
end

-- b: any iterable
function M.intersection(a, b)
  if rawequal(a, b) then
    return M.copy(a)
  end
  local r = M.new(base(a))
  if not is_set(b) then
    for k in core.late.iter(b) do
      if a.pos[key(k)] then
        M.add(r, k)
      end
    end
    return r
  end
  if b.n > a.n or not (a.hashes and b.hashes) then
    a, b = b, a
  end
  for k, hk, h in each(b) do
    if a.pos[hk] then
      enter(r, k, hk, h or hash_of(k))
    end
  end
  return r
end

-- s -= v
function M.subtract(s, v)
  if rawequal(s, v) then
    M.init(s)
    return
  end
  for k in core.late.iter(v) do
    M.remove(s, k)
  end
  if s.hashes and s.fill - s.n > (s.last - 1) // 4 then
    resize(s, grown(s))
  end
end

function M.difference(a, b)
  local keyed = is_set(b) or getmt(b) == core.Dict
  if not keyed or a.n >> 2 > b.n then
    local r = M.copy(a)
    M.subtract(r, b)
    return r
  end
  local r = M.new(base(a))
  for k, hk, h in each(a) do
    if not b.pos[hk] then
      enter(r, k, hk, h or hash_of(k))
    end
  end
  return r
end

-- s ^= v
function M.toggle(s, v)
  if rawequal(s, v) then
    M.init(s)
    return
  end
  for k in core.late.iter((is_set(v) or getmt(v) == core.Dict) and v or M.of(v)) do
    if not M.remove(s, k) then
      M.add(s, k)
    end
  end
end

function M.symmetric(a, b)
  local r = M.of(b, base(a))
  if not (a.hashes and r.hashes) then -- in a's order, then b's
    return M.union(M.difference(a, r), M.difference(r, a))
  end
  M.toggle(r, a)
  return r
end

-- Takes one out; nil: there is none.
function M.pop(s)
  if s.n == 0 then
    return nil
  end
  local i = s.hashes and (s.finger or 0) & (s.last - 1) or 0
  repeat
    i = i % s.last + 1
  until s.keys[i] ~= nil
  local k = s.keys[i]
  s.finger = i
  M.remove(s, k)
  return k
end

-- a with the content of b, which is new.
function M.refill(a, b)
  a.keys, a.pos, a.hashes, a.n, a.fill, a.last = b.keys, b.pos, b.hashes, b.n, b.fill, b.last
  return a
end

return M
