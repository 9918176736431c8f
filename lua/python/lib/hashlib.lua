-- python/lib/hashlib.lua: Python's module hashlib: sha256 and md5.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local None = core.None
local u32 = 0xffffffff

local function left(x, n) return (x << n | x >> (32 - n)) & u32 end
local function right(x, n) return (x >> n | x << (32 - n)) & u32 end

-- The message up to a whole number of blocks, its length in bits behind it in this format.
local function padded(s, length)
  return s .. "\x80" .. ("\0"):rep((55 - #s) % 64) .. length:pack(#s * 8)
end

-- The first 32 bits of the fractional parts of roots of the first n primes.
local function of_primes(n, power)
  local list, candidate = {}, 2
  while #list < n do
    local prime = true
    for d = 2, math.floor(candidate ^ 0.5) do prime = prime and candidate % d ~= 0 end
    if prime then list[#list + 1] = math.floor(candidate ^ power % 1 * 2 ^ 32) end
    candidate = candidate + 1
  end
  return list
end

local K = of_primes(64, 1 / 3)

local function sha256(s)
  local h = of_primes(8, 1 / 2)
  s = padded(s, ">I8")
  for at = 1, #s, 64 do
    local w = {string.unpack(">" .. ("I4"):rep(16), s, at)}
    for i = 17, 64 do
      local x, y = w[i - 15], w[i - 2]
      w[i] = (w[i - 16] + (right(x, 7) ~ right(x, 18) ~ x >> 3) + w[i - 7] + (right(y, 17) ~ right(y, 19) ~ y >> 10)) & u32
    end
    local a, b, c, d, e, f, g, k = table.unpack(h)
    for i = 1, 64 do
      local t = k + (right(e, 6) ~ right(e, 11) ~ right(e, 25)) + (e & f ~ ~e & g) + K[i] + w[i]
      local m = (right(a, 2) ~ right(a, 13) ~ right(a, 22)) + (a & b ~ a & c ~ b & c)
      a, b, c, d, e, f, g, k = (t + m) & u32, a, b, c, (d + t) & u32, e, f, g
    end
    for i, v in ipairs {a, b, c, d, e, f, g, k} do h[i] = (h[i] + v) & u32 end
  end
  return (">" .. ("I4"):rep(8)):pack(table.unpack(h))
end

-- Of each round what mixes three words, and which word of the message comes next.
local rounds = {
  function(b, c, d, i) return b & c | ~b & d, i end, function(b, c, d, i) return d & b | ~d & c, (5 * i + 1) % 16 end,
  function(b, c, d, i) return b ~ c ~ d, (3 * i + 5) % 16 end,
  function(b, c, d, i) return c ~ (b | ~d & u32), 7 * i % 16 end,
}
local turns = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

local function md5(s)
  local h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
  s = padded(s, "<I8")
  for at = 1, #s, 64 do
    local w = {string.unpack("<" .. ("I4"):rep(16), s, at)}
    local a, b, c, d = table.unpack(h)
    for i = 0, 63 do
      local round = i // 16
      local mixed, g = rounds[round + 1](b, c, d, i)
      local f = (mixed + a + math.floor(math.abs(math.sin(i + 1)) * 2 ^ 32) + w[g + 1]) & u32
      a, b, c, d = d, (b + left(f, turns[round + 1][i % 4 + 1])) & u32, b, c
    end
    for i, v in ipairs {a, b, c, d} do h[i] = (h[i] + v) & u32 end
  end
  return ("<I4I4I4I4"):pack(table.unpack(h))
end

local kinds = {sha256 = {sha256, 32}, md5 = {md5, 16}}

local function text_of(data)
  if core.kind(data) ~= "bytes" then
    exc.fail("TypeError", type(data) == "string" and "Strings must be encoded before hashing"
      or "object supporting the buffer API required")
  end
  return data.s
end

local function hex(s)
  return (s:gsub(".", function(ch) return ("%02x"):format(ch:byte()) end))
end

local function bytes(s)
  return setmetatable({s = s, n = #s}, core.Bytes)
end

local Hash
Hash = made.class("HASH", "_hashlib", {
  ["update(self, obj)"] = function(h, data)
    h.data = h.data .. text_of(data)
    return None
  end,
  ["hexdigest(self)"] = function(h) return hex(kinds[h.name][1](h.data)) end,
  ["digest(self)"] = function(h) return bytes(kinds[h.name][1](h.data)) end,
  ["copy(self)"] = function(h)
    local c = made.object(Hash, {name = h.name, digest_size = h.digest_size, block_size = 64})
    c.data = h.data
    return c
  end,
})

local function begin(name, data)
  local h = made.object(Hash, {name = name, digest_size = kinds[name][2], block_size = 64})
  h.data = data and text_of(data) or ""
  return h
end

for name in pairs(kinds) do
  M[name] = native.make(name, "string?, usedforsecurity?", function(data) return begin(name, data) end)
end
M.new = native.make("new", "name, data?", function(name, data)
  if not kinds[name] then
    exc.fail("ValueError", ("unsupported hash type %s"):format(name))
  end
  return begin(name, data)
end)

return M
