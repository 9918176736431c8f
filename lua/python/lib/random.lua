-- python/lib/random.lua: Python's module random: CPython's Mersenne Twister, so that seeds give its numbers.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local equal = require "moontile.python.equal"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"
local class = require "moontile.python.class"

local M = {}

local None = core.None
local N, MID = 624, 397
local u32 = 0xffffffff

-- The generator: {mt = {[0..623]}, i = next, gauss = kept value}
local function init(g, s)
  local mt = {[0] = s & u32}
  for i = 1, N - 1 do
    local p = mt[i - 1]
    mt[i] = (1812433253 * (p ~ (p >> 30)) + i) & u32
  end
  g.mt, g.i = mt, N
end

local function init_by_array(g, key)
  init(g, 19650218)
  local mt, i, j = g.mt, 1, 0
  local n = #key + 1
  for _ = 1, math.max(N, n) do
    local p = mt[i - 1]
    mt[i] = ((mt[i] ~ ((p ~ (p >> 30)) * 1664525)) + key[j] + j) & u32
    i, j = i + 1, j + 1
    if i >= N then
      mt[0], i = mt[N - 1], 1
    end
    if j >= n then
      j = 0
    end
  end
  for _ = 1, N - 1 do
    local p = mt[i - 1]
    mt[i] = ((mt[i] ~ ((p ~ (p >> 30)) * 1566083941)) - i) & u32
    i = i + 1
    if i >= N then
      mt[0], i = mt[N - 1], 1
    end
  end
  mt[0] = 0x80000000
end

local function twist(g)
  local mt = g.mt
  for k = 0, N - 1 do
    local y = (mt[k] & 0x80000000) | (mt[(k + 1) % N] & 0x7fffffff)
    mt[k] = mt[(k + MID) % N] ~ (y >> 1) ~ ((y & 1) * 0x9908b0df)
  end
  g.i = 0
end

local function next32(g)
  if g.i >= N then
    twist(g)
  end
  local y = g.mt[g.i]
  g.i = g.i + 1
  y = y ~ (y >> 11)
  y = y ~ ((y << 7) & 0x9d2c5680)
  y = y ~ ((y << 15) & 0xefc60000)
  return (y ~ (y >> 18)) & u32
end

local function random(g)
  local a, b = next32(g) >> 5, next32(g) >> 6
  return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0)
end

-- k random bits, k <= 63
local function getrandbits(g, k)
  if k <= 32 then
    return k == 0 and 0 or next32(g) >> (32 - k)
  end
  local low = next32(g)
  return low | (next32(g) >> (64 - k)) << 32
end

-- Of 0 .. n - 1, as CPython draws it.
local function below(g, n)
  if n <= 0 then
    return 0
  end
  local k, m = 0, n
  while m > 0 do
    k, m = k + 1, m >> 1
  end
  local r = getrandbits(g, k)
  while r >= n do
    r = getrandbits(g, k)
  end
  return r
end

-- SHA-512 of a text, which CPython seeds with --------------------------------------------------------------

local function primes(n)
  local l, c = {}, 2
  while #l < n do
    local is = true
    for _, p in ipairs(l) do
      is = is and c % p ~= 0
    end
    l[#l + 1] = is and c or nil
    c = c + 1
  end
  return l
end

-- The first 64 bits behind the point of the k-th root of p, k 2 or 3: by halving, in 32-bit limbs
local function fraction(p, k)
  local whole = math.floor(p ^ (1 / k) + 1e-9)
  local function power_less(hi, lo) -- (whole + (hi * 2^32 + lo) / 2^64)^k < p ?
    local x = {lo & 0xffff, lo >> 16, hi & 0xffff, hi >> 16, whole}
    local r = {1}
    for _ = 1, k do
      local out = {}
      for i = 1, #r + #x do
        out[i] = 0
      end
      for i, a in ipairs(r) do
        local carry = 0
        for j, b in ipairs(x) do
          local v = out[i + j - 1] + a * b + carry
          out[i + j - 1], carry = v & 0xffff, v >> 16
        end
        out[i + #x] = out[i + #x] + carry
      end
      r = out
    end
    local top = 0
    for i = #r, 4 * k + 1, -1 do
      top = top * 65536 + r[i]
    end
    return top < p
  end
  local hi, lo = 0, 0
  for bit = 31, 0, -1 do
    hi = power_less(hi | 1 << bit, 0) and hi | 1 << bit or hi
  end
  for bit = 31, 0, -1 do
    lo = power_less(hi, lo | 1 << bit) and lo | 1 << bit or lo
  end
  return hi << 32 | lo
end

local K, H0

local function constants()
  K, H0 = {}, {}
  for i, p in ipairs(primes(80)) do
    K[i] = fraction(p, 3)
    if i <= 8 then
      H0[i] = fraction(p, 2)
    end
  end
end

local function rotate(x, n)
  return x >> n | x << (64 - n)
end

local function sha512(s)
  if not K then
    constants()
  end
  local h = table.move(H0, 1, 8, 1, {})
  local padded = s .. "\x80" .. ("\0"):rep((-#s - 17) % 128) .. (">I8I8"):pack(0, #s * 8)
  for at = 1, #padded, 128 do
    local w = {(">" .. ("i8"):rep(16)):unpack(padded, at)}
    for t = 17, 80 do
      local a, b = w[t - 15], w[t - 2]
      w[t] = w[t - 16] + (rotate(a, 1) ~ rotate(a, 8) ~ a >> 7) + w[t - 7] + (rotate(b, 19) ~ rotate(b, 61) ~ b >> 6)
    end
    local a, b, c, d, e, f, g, i = table.unpack(h)
    for t = 1, 80 do
      local t1 = i + (rotate(e, 14) ~ rotate(e, 18) ~ rotate(e, 41)) + (e & f ~ ~e & g) + K[t] + w[t]
      local t2 = (rotate(a, 28) ~ rotate(a, 34) ~ rotate(a, 39)) + (a & b ~ a & c ~ b & c)
      a, b, c, d, e, f, g, i = t1 + t2, a, b, c, d + t1, e, f, g
    end
    for n, v in ipairs {a, b, c, d, e, f, g, i} do
      h[n] = h[n] + v
    end
  end
  return (">i8i8i8i8i8i8i8i8"):pack(table.unpack(h))
end

-- 32-bit words of a seed, the lowest first.
local function words_of_text(s)
  local bytes = s .. sha512(s)
  bytes = ("\0"):rep(-#bytes % 4) .. bytes
  local key, n = {}, #bytes // 4
  for i = 0, n - 1 do
    key[i] = (">I4"):unpack(bytes, #bytes - 4 * i - 3)
  end
  while n > 1 and key[n - 1] == 0 do
    n = n - 1
    key[n] = nil
  end
  return key
end

local function seed(g, v)
  g.gauss = nil
  if v == nil or v == None then
    v = os.time() * 1000003 ~ math.floor(os.clock() * 1e6)
  end
  if type(v) == "boolean" then
    v = v and 1 or 0
  end
  if type(v) == "string" then
    init_by_array(g, words_of_text(v))
    return None
  end
  v = math.type(v) == "integer" and math.abs(v) or equal.hash(v)
  local key = {[0] = v & u32}
  key[1] = v >> 32 ~= 0 and v >> 32 or nil
  init_by_array(g, key)
  return None
end

-- Draws -----------------------------------------------------------------------------------------------------

local function randrange(g, a, b, step)
  a, b, step = core.unbox(a), core.unbox(b), core.unbox(step)
  local start, stop = 0, a
  if b ~= nil and b ~= None then
    start, stop = a, b
  end
  step = step or 1
  local n = step > 0 and (stop - start + step - 1) // step or (stop - start + step + 1) // step
  if n <= 0 then
    exc.fail("ValueError", b ~= nil and ("empty range for randrange() (%d, %d, %d)"):format(start, stop, stop - start)
      or "empty range for randrange()")
  end
  return start + step * below(g, n)
end

local function shuffle(g, l)
  for i = l.n - 1, 1, -1 do
    local j = below(g, i + 1)
    l[i + 1], l[j + 1] = l[j + 1], l[i + 1]
  end
  return None
end

local function choice(g, l)
  local n = index.len(l)
  if n == 0 then
    exc.fail("IndexError", "Cannot choose from an empty sequence")
  end
  return index.index(l, below(g, n))
end

local function sample(g, population, k)
  local pool = iter.list(population)
  local n = pool.n
  if k > n or k < 0 then
    exc.fail("ValueError", "Sample larger than population or is negative")
  end
  local r, size = {}, 21
  if k > 5 then
    size = size + 4 ^ math.ceil(math.log(k * 3, 4))
  end
  if n <= size then
    for i = 1, k do
      local j = below(g, n - i + 1)
      r[i] = pool[j + 1]
      pool[j + 1] = pool[n - i + 1]
    end
  else
    local used = {}
    for i = 1, k do
      local j = below(g, n)
      while used[j] do
        j = below(g, n)
      end
      used[j], r[i] = true, pool[j + 1]
    end
  end
  return core.list(r, k)
end

local function choices(g, population, weights, cumulative, k)
  local pool, r, sums = iter.list(population), {}, nil
  k = k == nil and 1 or k
  if weights and weights ~= None then
    sums = {}
    local total = 0
    for w in iter.iter(weights) do
      total = ops.add(total, w)
      sums[#sums + 1] = total
    end
  elseif cumulative and cumulative ~= None then
    sums = iter.list(cumulative)
  end
  for i = 1, k do
    if not sums then
      r[i] = pool[math.floor(random(g) * pool.n) + 1]
    else
      local x, j = random(g) * sums[#sums], 1
      while j < #sums and x >= sums[j] do
        j = j + 1
      end
      r[i] = pool[j]
    end
  end
  return core.list(r, k)
end

local function gauss(g, mu, sigma)
  local z = g.gauss
  g.gauss = nil
  if z == nil then
    local x2pi, g2rad = random(g) * 2 * math.pi, math.sqrt(-2.0 * math.log(1.0 - random(g)))
    z, g.gauss = math.cos(x2pi) * g2rad, math.sin(x2pi) * g2rad
  end
  return (mu or 0.0) + z * (sigma or 1.0)
end

local magic = 4 * math.exp(-0.5) / math.sqrt(2.0)

local function normalvariate(g, mu, sigma)
  while true do
    local u1, u2 = random(g), 1.0 - random(g)
    local z = magic * (u1 - 0.5) / u2
    if z * z / 4.0 <= -math.log(u2) then
      return (mu or 0.0) + z * (sigma or 1.0)
    end
  end
end

local methods = {
  ["seed(self, a?, version?)"] = seed, ["random(self)"] = random,
  ["uniform(self, a, b)"] = function(g, a, b) return a + (b - a) * random(g) end,
  ["randint(self, a, b)"] = function(g, a, b) return randrange(g, a, core.unbox(b) + 1) end,
  ["randrange(self, start, stop?, step?)"] = randrange, ["choice(self, seq)"] = choice,
  ["shuffle(self, x)"] = shuffle, ["sample(self, population, k)"] = sample,
  ["choices(self, population, weights?, *, cum_weights, k)"] = choices,
  ["getrandbits(self, k)"] = function(g, k)
    if k > 63 then
      exc.fail("OverflowError", "moontile's integers have 64 bits")
    end
    return getrandbits(g, k)
  end,
  ["gauss(self, mu?, sigma?)"] = gauss, ["normalvariate(self, mu?, sigma?)"] = normalvariate,
  ["expovariate(self, lambd?)"] = function(g, l) return -math.log(1.0 - random(g)) / (l or 1.0) end,
  ["triangular(self, low?, high?)"] = function(g, a, b)
    a, b = a or 0.0, b or 1.0
    local u, c = random(g), 0.5
    if u > c then
      u, c, a, b = 1.0 - u, 1.0 - c, b, a
    end
    return a + (b - a) * math.sqrt(u * c)
  end,
  ["randbytes(self, n)"] = function(g, n)
    local t = {}
    for i = 1, n do
      t[i] = string.char(getrandbits(g, 8))
    end
    return setmetatable({s = table.concat(t)}, core.Bytes)
  end,
}

local Random = class.make("Random", {core.types.object}, {}, {})
Random.module = "random"
core.class_set(Random, "__init__", native.make("Random.__init__", "self, x?", seed))
local shared = Random.construct()
for head, fn in pairs(methods) do
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(Random, name, native.make("Random." .. name, spec, fn))
  M[name] = native.make(name, (spec:gsub("^self,?%s*", "")), function(...) return fn(shared, ...) end)
end
M.Random = Random

return M
