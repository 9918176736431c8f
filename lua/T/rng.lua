-- T/rng.lua: random numbers: T.rng_init, T.rng_rand, T.rng_rand_float.
--
-- The values are cuRAND's: a generator is a private array of the thread and the arithmetic on whole
-- numbers that Salmon et al. (Philox4x32-10), Marsaglia (xorwow) and L'Ecuyer (MRG32k3a) publish,
-- written here as statements of the program, so that every target computes the same.  cuRAND jumps
-- ahead by tables of matrices; here xorwow does it by x^n modulo the polynomial of its recurrence,
-- MRG32k3a by powers of its two matrices.
--
-- In T.Parallel each thread draws for its iterations in TileLang's order, and vectors are drawn at
-- once (core/ir/share.h): when such a loop closes it becomes loops of each thread, and its draws
-- are written into the holes that the calls left.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local loops = require "moontile.T.loops"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"

local def = registry.def

local M = {}

-- Pieces ------------------------------------------------------------------------

local function u32(v) return (ir.cast(v, "uint32")) end
local function u64(v) return (ir.cast(v, "uint64")) end
local function f32(v) return (ir.cast(v, "float32")) end
local function f64(v) return (ir.cast(v, "float64")) end

local function unplaced(P, dtype, n, name) return (ir.buffer(P, "local", dtype, {n}, name)) end

local function array(P, dtype, n, name)
  local b = unplaced(P, dtype, n, name)
  ir.alloc(b)
  return b
end

local function set(b, values)
  for i, v in ipairs(values) do
    b[{i - 1}] = ir.cast(v, b.dtype)
  end
end

local function repeated(P, n, body)
  local i = ir.loop(P, "serial", "n", nil, 0, n)
  body(i)
  ir.close(P)
end

local function when(P, c, body)
  ir.if_(P, c)
  body()
  ir.close(P)
end

local function hi_lo(P, a, b)
  local product = ir.let(P, "product", u64(a) * u64(b), true)
  return u32(ir.shr(product, u64(32))), u32(product)
end

-- While bits of e, an uint64, are left: body where the lowest is set, then next.
local function binary_power(P, e, body, next)
  local rest = array(P, "uint64", 1, "rest")
  rest[{0}] = e
  ir.while_(P, ir.ne(rest[{0}], u64(0)))
  when(P, ir.ne(ir.band(rest[{0}], u64(1)), u64(0)), body)
  next()
  rest[{0}] = ir.shr(rest[{0}], u64(1))
  ir.close(P)
end

local function zero(v) return ir.const(v) == 0 end

-- Philox4x32-10: counter 0..3, output 4..7, key 8..9, the next output 10 ----------------

local function philox_block(P, s)
  local k = array(P, "uint32", 2, "key")
  for i = 0, 3 do s[{4 + i}] = s[{i}] end
  for i = 0, 1 do k[{i}] = s[{8 + i}] end
  repeated(P, 10, function()
    local hi0, lo0 = hi_lo(P, s[{4}], u32(0xD2511F53))
    local hi1, lo1 = hi_lo(P, s[{6}], u32(0xCD9E8D57))
    local x = ir.let(P, "x", hi1 ~ s[{5}] ~ k[{0}], true)
    local z = ir.let(P, "z", hi0 ~ s[{7}] ~ k[{1}], true)
    s[{4}], s[{5}], s[{6}], s[{7}] = x, lo1, z, lo0
    k[{0}] = k[{0}] + u32(0x9E3779B9)
    k[{1}] = k[{1}] + u32(0xBB67AE85)
  end)
end

local Philox = {words = 11}

function Philox.init(P, s, seed, seq, off)
  local block = ir.shr(off, u64(2))
  set(s, {block, ir.shr(block, u64(32)), seq, ir.shr(seq, u64(32)), 0, 0, 0, 0, seed, ir.shr(seed, u64(32)),
    ir.band(off, u64(3))})
  philox_block(P, s)
end

function Philox.next(P, s)
  local n = s[{10}]
  local v = ir.select(ir.eq(n, u32(0)), s[{4}], ir.select(ir.eq(n, u32(1)), s[{5}],
    ir.select(ir.eq(n, u32(2)), s[{6}], s[{7}])))
  v = ir.let(P, "word", v, true)
  s[{10}] = n + u32(1)
  when(P, ir.eq(s[{10}], u32(4)), function()
    local function carry(i)
      s[{i}] = s[{i}] + u32(1)
      if i < 3 then
        when(P, ir.eq(s[{i}], u32(0)), function() carry(i + 1) end)
      end
    end
    carry(0)
    philox_block(P, s)
    s[{10}] = u32(0)
  end)
  return v
end

-- xorwow: v 0..4, the counter 5 -----------------------------------------------------------

local Xorwow = {words = 6}

-- x^160 modulo the polynomial of the recurrence, and x^(2^67), that of a sequence: 160 bits each
local xorwow_reduce = {0x00060001, 0x08610030, 0x00062121, 0x0F3C0035, 0x00000F0E}
local xorwow_sequence = {0x26294934, 0x77BBC248, 0x1A87DAD0, 0x930052D4, 0x947E6DD2}

local function xorwow_step(P, s)
  local t = ir.let(P, "t", s[{0}] ~ ir.shr(s[{0}], u32(2)), true)
  local last = ir.let(P, "last", s[{4}] ~ ir.shl(s[{4}], u32(4)) ~ t ~ ir.shl(t, u32(1)), true)
  for i = 0, 3 do s[{i}] = s[{i + 1}] end
  s[{4}] = last
end

local function bit_of(b, i) return ir.band(ir.shr(b[{i // 32}], u32(i % 32)), u32(1)) end

-- a = a * b as polynomials
local function xorwow_multiply(P, a, b)
  local c = array(P, "uint32", 5, "product")
  set(c, {0, 0, 0, 0, 0})
  repeated(P, 160, function(n)
    local top = ir.let(P, "top", ir.shr(c[{4}], u32(31)), true)
    for i = 4, 0, -1 do
      local low = i > 0 and ir.shr(c[{i - 1}], u32(31)) or u32(0)
      c[{i}] = ir.bor(ir.shl(c[{i}], u32(1)), low) ~ top * u32(xorwow_reduce[i + 1])
    end
    when(P, ir.ne(bit_of(b, 159 - n), u32(0)), function()
      for i = 0, 4 do c[{i}] = c[{i}] ~ a[{i}] end
    end)
  end)
  for i = 0, 4 do a[{i}] = c[{i}] end
end

-- The state after as many steps as `base` stands for, e times.
local function xorwow_skip(P, s, e, base)
  if zero(e) then
    return
  end
  local r, b, v = array(P, "uint32", 5, "power"), array(P, "uint32", 5, "base"), array(P, "uint32", 5, "sum")
  set(r, {1, 0, 0, 0, 0})
  set(b, base)
  set(v, {0, 0, 0, 0, 0})
  binary_power(P, e, function() xorwow_multiply(P, r, b) end, function() xorwow_multiply(P, b, b) end)
  repeated(P, 160, function(n)
    when(P, ir.ne(bit_of(r, n), u32(0)), function()
      for i = 0, 4 do v[{i}] = v[{i}] ~ s[{i}] end
    end)
    xorwow_step(P, s)
  end)
  for i = 0, 4 do s[{i}] = v[{i}] end
end

function Xorwow.init(P, s, seed, seq, off)
  local t0 = ir.let(P, "t", u32(1099087573) * (u32(seed) ~ u32(0xAAD26B49)), true)
  local t1 = ir.let(P, "t", u32(2591861531) * (u32(ir.shr(seed, u64(32))) ~ u32(0xF7DCEFDD)), true)
  set(s, {u32(123456789) + t0, u32(362436069) ~ t0, u32(521288629) + t1, u32(88675123) ~ t1, u32(5783321) + t0,
    u32(6615241) + t1 + t0 + u32(362437) * u32(off)})
  xorwow_skip(P, s, seq, xorwow_sequence)
  xorwow_skip(P, s, off, {2, 0, 0, 0, 0})
end

function Xorwow.next(P, s)
  xorwow_step(P, s)
  s[{5}] = s[{5}] + u32(362437)
  return (ir.let(P, "word", s[{4}] + s[{5}], true))
end

-- MRG32k3a: three words of each of two recurrences -----------------------------------------

-- modulus, what the next word takes of the three, and 2^76 steps as a matrix: those of a sequence
local mrg = {
  {m = 4294967087, step = {4294967087 - 810728, 1403580, 0},
    sequence = {82758667, 1871391091, 4127413238, 3672831523, 69195019, 1871391091, 3672091415, 3528743235, 69195019}},
  {m = 4294944443, step = {4294944443 - 1370589, 0, 527612},
    sequence = {1511326704, 3759209742, 1610795712, 4292754251, 1511326704, 3889917532, 3859662829, 4292754251,
      3708466080}},
}
local mrg_bits, mrg_norm = 1.000000048662, 2.3283065498378288e-10

local Mrg = {words = 6}

local function mod(v, m) return v % u64(m) end

-- M * v, column by column, and M * M
local function mrg_apply(P, m, a, v)
  local t = array(P, "uint64", 3, "t")
  for i = 0, 2 do
    t[{i}] = mod(mod(a[{i * 3}] * v[{0}], m) + mod(a[{i * 3 + 1}] * v[{1}], m) + mod(a[{i * 3 + 2}] * v[{2}], m), m)
  end
  for i = 0, 2 do v[{i}] = t[{i}] end
end

local function mrg_square(P, m, a)
  local t = array(P, "uint64", 9, "t")
  repeated(P, 9, function(n)
    local i, j = n // 3 * 3, n % 3
    t[{n}] = mod(mod(a[{i}] * a[{j}], m) + mod(a[{i + 1}] * a[{j + 3}], m) + mod(a[{i + 2}] * a[{j + 6}], m), m)
  end)
  for i = 0, 8 do a[{i}] = t[{i}] end
end

local function mrg_skip(P, s, from, o, e, matrix)
  if zero(e) then
    return
  end
  local a, v = array(P, "uint64", 9, "power"), array(P, "uint64", 3, "words")
  set(a, matrix)
  set(v, {s[{from}], s[{from + 1}], s[{from + 2}]})
  binary_power(P, e, function() mrg_apply(P, o.m, a, v) end, function() mrg_square(P, o.m, a) end)
  for i = 0, 2 do s[{from + i}] = u32(v[{i}]) end
end

function Mrg.init(P, s, seed, seq, off)
  local x = {u32(seed) ~ u32(0x55555555), u32(ir.shr(seed, u64(32))) ~ u32(0xAAAAAAAA)}
  local given = ir.let(P, "given", ir.ne(seed, u64(0)), true)
  for r, o in ipairs(mrg) do
    for i = 0, 2 do
      local word = u32(mod(u64(x[(i + r - 1) % 2 + 1]) * u64(12345), o.m))
      s[{r * 3 - 3 + i}] = ir.select(given, word, u32(12345))
    end
    mrg_skip(P, s, r * 3 - 3, o, seq, o.sequence)
    mrg_skip(P, s, r * 3 - 3, o, off, {0, 1, 0, 0, 0, 1, o.step[1], o.step[2], o.step[3]})
  end
end

-- 1 .. m: what cuRAND makes all values of
local function mrg_word(P, s)
  local new = {}
  for r, o in ipairs(mrg) do
    local at, sum = r * 3 - 3, nil
    for i, c in ipairs(o.step) do
      if c ~= 0 then
        local part = mod(u64(s[{at + i - 1}]) * u64(c), o.m)
        sum = sum and sum + part or part
      end
    end
    new[r] = ir.let(P, "word", mod(sum, o.m), true)
    s[{at}] = s[{at + 1}]
    s[{at + 1}] = s[{at + 2}]
    s[{at + 2}] = u32(new[r])
  end
  return (ir.let(P, "word", new[1] - new[2] + ir.select(ir.le(new[1], new[2]), u64(mrg[1].m), u64(0)), true))
end

function Mrg.next(P, s) return u32(f64(mrg_word(P, s)) * f64(mrg_bits)) end
function Mrg.float(P, s) return f32(f64(mrg_word(P, s)) * f64(mrg_norm)) end
function Mrg.double(P, s) return f64(mrg_word(P, s)) * f64(mrg_norm) end

-- Values ------------------------------------------------------------------------

local function uniform(word) return f32(word) * f32(2.0 ^ -32) + f32(2.0 ^ -33) end
local function double_of(x, y) return f64(u64(x) ~ ir.shl(u64(y), u64(21))) end
local function uniform_double(x, y) return double_of(x, y) * f64(2.0 ^ -53) + f64(2.0 ^ -54) end

local function words(g, P, n)
  local list = {}
  for i = 1, n do list[i] = g.kind.next(P, g.state) end
  return list
end

-- The two values of Box and Muller: sine, cosine.
local function normal_pair(g, P)
  local u, v
  if g.kind.float then
    u = ir.let(P, "u", g.kind.float(P, g.state), true)
    v = g.kind.float(P, g.state) * f32(6.2831855)
  else
    local w, turn = words(g, P, 2), f32(2.3283064e-10) * f32(6.2831855)
    u = ir.let(P, "u", uniform(w[1]), true)
    v = ir.call.ieee_fmaf(f32(w[2]), turn, turn * f32(0.5), 0)
  end
  v = ir.let(P, "v", v, true)
  local s = ir.let(P, "s", ir.call.sqrt(f32(-2.0) * ir.call.log(u)), true)
  return ir.call.__sin(v) * s, ir.call.__cos(v) * s
end

local function normal_pair_double(g, P)
  local u, v
  if g.kind.double then
    u = ir.let(P, "u", g.kind.double(P, g.state), true)
    v = g.kind.double(P, g.state) * f64(2.0)
  else
    local w = words(g, P, 4)
    u = ir.let(P, "u", uniform_double(w[1], w[2]), true)
    v = double_of(w[3], w[4]) * f64(2.0 ^ -52) + f64(2.0 ^ -53)
  end
  v = ir.let(P, "v", v * f64(math.pi), true)
  local s = ir.let(P, "s", ir.call.sqrt(f64(-2.0) * ir.call.log(u)), true)
  return ir.call.sin(v) * s, ir.call.cos(v) * s
end

-- What the generator keeps for the next call: the value, and whether there is one; from T.rng_init on.
local function kept_by(g, P, dtype)
  if not g[dtype] then
    local new = ir.mark(P)
    g[dtype] = {value = array(P, dtype, 1, "kept"), full = array(P, "uint32", 1, "full")}
    set(g[dtype].value, {0})
    set(g[dtype].full, {0})
    ir.hold(P, new)
    ir.insert(P, new, g.place)
  end
  return g[dtype].value, g[dtype].full
end

-- One of a pair, the other kept for the next call.
local function one_of(pair, dtype)
  return function(g, P, to, lane)
    local value, full = kept_by(g, P, dtype)
    to[{lane}] = value[{0}]
    when(P, ir.eq(full[{0}], u32(0)), function()
      to[{lane}], value[{0}] = pair(g, P)
    end)
    full[{0}] = u32(1) - full[{0}]
  end
end

local function pairs_of(pair)
  return function(g, P, to, lane)
    to[{lane}], to[{lane + 1}] = pair(g, P)
  end
end

local function single(value)
  return function(g, P, to, lane)
    to[{lane}] = value(g, P)
  end
end

-- what is drawn -> its dtype; one: how one is drawn; lanes a vector has, drawn by `many` (each `step` of them)
local draws = {
  rand = {dtype = "uint32", one = single(function(g, P) return g.kind.next(P, g.state) end)},
  uniform32 = {dtype = "float32", one = single(function(g, P)
    return g.kind.float and g.kind.float(P, g.state) or uniform(g.kind.next(P, g.state))
  end)},
  uniform64 = {dtype = "float64", one = single(function(g, P)
    if g.kind.double then
      return g.kind.double(P, g.state)
    elseif g.kind == Philox then
      return f64(g.kind.next(P, g.state)) * f64(2.0 ^ -32) + f64(2.0 ^ -32)
    end
    return uniform_double(table.unpack(words(g, P, 2)))
  end), many = {[2] = {step = 1, philox = true, draw = single(function(g, P)
    return uniform_double(table.unpack(words(g, P, 2)))
  end)}}},
  normal32 = {dtype = "float32", one = one_of(normal_pair, "float32"),
    many = {[2] = {step = 2, draw = pairs_of(normal_pair)}, [4] = {step = 2, philox = true, draw = pairs_of(normal_pair)}}},
  normal64 = {dtype = "float64", one = one_of(normal_pair_double, "float64"),
    many = {[2] = {step = 2, draw = pairs_of(normal_pair_double)}}},
}

-- `lanes` values into array `to`.
local function draw_lanes(g, P, what, to, lanes, vector)
  local d = draws[what]
  local many = vector and d.many and d.many[lanes]
  if many and many.philox and g.kind ~= Philox then
    many = nil
  end
  local step, one = many and many.step or 1, many and many.draw or d.one
  if lanes == step then
    return one(g, P, to, 0)
  end
  repeated(P, lanes // step, function(n) one(g, P, to, n * step) end)
end

-- Names -------------------------------------------------------------------------

local current = setmetatable({}, {__mode = "k"}) -- program -> the generator of the last T.rng_init

-- A number under a name is one for a whole vector.
local function bound(P, v)
  local outer = current[P] and loops.outer_parallel(P)
  for _, d in ipairs(outer and outer.draws or {}) do
    d[3] = d[3] or ir.uses(v, d[1])
  end
end
M.bound = bound

local function thread_index(what)
  local v, n = trace.bindings(what, "thread")
  local index, stride, total = v[1], 1, n[1]
  for d = 2, #v do
    stride = stride * n[d - 1]
    index, total = index + v[d] * stride, total * n[d]
  end
  return index, total
end

-- The T.Parallel is closed: who does what of it is known now.
function loops.share(P, outer)
  ir.hold(P, outer.mark)
  local thread, threads = thread_index "T.Parallel"
  local width, vector = ir.width(P, outer.mark, threads, outer.draws)
  for i, d in ipairs(outer.draws) do
    ir.alloc(d.to)
    local inside, lanes = ir.mark(P), d[3] and 1 or width
    ir.settle(P, d[1], d.to, lanes)
    draw_lanes(d.generator, P, d.what, d.to, lanes, vector[i])
    ir.hold(P, inside)
    ir.fill(P, inside, d[2])
  end
  ir.share(P, outer.mark, thread, threads, width, outer.lane)
end

-- The value of one draw.
local function draw(name, what)
  local P = trace.kernel("T." .. name)
  local g, dtype = current[P], draws[what].dtype
  if not g then
    diag.fail("draw_first", "T." .. name)
  end
  local outer, inner = loops.outer_parallel(P)
  if not outer then
    local to = array(P, dtype, 1, "drawn")
    draw_lanes(g, P, what, to, 1)
    return (ir.let(P, "drawn", ir.cast(to[{0}], dtype), true))
  elseif inner then
    diag.fail("draw_order", "another T.Parallel or loop within")
  end
  outer.lane = outer.lane or ir.lane(P)
  local most = what == "rand" and 0 or 128 // ir.dtypes[dtype].bits
  local to = unplaced(P, dtype, 128, "drawn")
  local hole = ir.hole(P, outer.lane)
  local v = ir.let(P, "drawn", ir.cast(to[{outer.lane}], dtype), true)
  table.insert(outer.draws, {v, hole, false, most, generator = g, what = what, to = to})
  return v
end

local kinds = {curandStatePhilox4_32_10_t = Philox, curandStateXORWOW_t = Xorwow, curandStateMRG32k3a_t = Mrg}

def {
  name = "rng_init", sig = 'rng_init(seed, seq=None, off=0, generator="curandStatePhilox4_32_10_t")',
  types = "seed:value seq:value off:value " ..
    "generator:curandStatePhilox4_32_10_t|curandStateXORWOW_t|curandStateMRG32k3a_t", band = "B", threads = true,
  summary = "this thread's generator of random numbers, with cuRAND's values; seq: which of its sequences, by default "
    .. "the thread's number tx + bx * threads; off: how many numbers to skip",
  summary_zh = "本线程的随机数生成器，数值与 cuRAND 相同；seq：第几个序列，缺省为线程编号 tx + bx * threads；off：跳过的个数",
  example = "T.rng_init(42, T.get_thread_binding())\nrow[0] = T.rng_rand_float()",
  fn = function(seed, seq, off, generator)
    local what = "T.rng_init"
    local P, kind = trace.kernel(what), kinds[generator]
    if seq == nil then
      local tx, threads = trace.bindings(what, "thread")
      local bx = trace.bindings(what, "block")
      seq = tx[1] + bx[1] * threads[1]
    end
    local g = {kind = kind, state = array(P, "uint32", kind.words, "generator"), place = ir.place(P)}
    kind.init(P, g.state, u64(seed), u64(seq), u64(off))
    current[P] = g
    loops.draws(P)
  end,
}

def {
  name = "rng_rand", sig = "rng_rand()", band = "B", threads = true,
  summary = "the next uint32 of T.rng_init's generator", summary_zh = "T.rng_init 生成器的下一个 uint32",
  example = "T.rng_init(42)\nIr[0] = T.rng_rand() % 6",
  fn = function() return (draw("rng_rand", "rand")) end,
}

def {
  name = "rng_rand_float", sig = 'rng_rand_float(bit=32, dist="uniform")', types = "bit:int dist:uniform|normal",
  band = "B", threads = true,
  summary = "the next float32 (bit = 64: float64) of T.rng_init's generator: uniform in (0, 1], or normal, whose sine "
    .. "and cosine are those of the machine",
  summary_zh = "T.rng_init 生成器的下一个 float32（bit = 64 为 float64）：(0, 1] 上均匀，或正态分布（其正弦、余弦取自机器）",
  example = 'T.rng_init(42)\nrow[0] = T.rng_rand_float(32, "uniform")',
  fn = function(bit, dist)
    if bit ~= 32 and bit ~= 64 then
      diag.fail("arg_value", "T.rng_rand_float", "bit", "32, 64", tostring(bit))
    end
    return (draw("rng_rand_float", dist .. bit))
  end,
}

return M
