-- tl/peek.lua: the values of a tile at a point of a run.
--
--   k:peek("As")                                     where As is written last, block 0
--   k:peek("Cl", {block = {0, 1}, iteration = 3})    at the end of the fourth iteration
--   k:peek("Cl", {iteration = {ko = 3}, line = 14})  after line 14
--
-- Options: block = {x, y, z} or {bx = 1}; iteration = a number, of the innermost loop, or
-- values of loop variables (below 0: from the end); line = a line of the kernel; inputs =
-- the arguments, else those of the last call, else random ones (dims, seed); target; rows,
-- cols = {from, to} of the last two dimensions.
--
-- The kernel runs as it is, with one copy to a tensor of its own put in: core/cost/peek.h.  Of
-- iterations that are not chosen the last one counts.  An element is undefined when it was
-- never written, or computed from such: it differs between two runs before which memory was
-- filled differently (cpu: the buffer itself, in the IR; simulator: all that a block has).
-- On other devices memory cannot be filled: the cpu target, or else the simulator, says
-- which elements are undefined.

local accept = require "moontile.base.accept"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local kernel = require "moontile.tl.kernel"
local suggest = require "moontile.base.suggest"
local tensors = require "moontile.tl.tensor"
local options = tensors.rules.options
local show = require "moontile.tl.show"
local signatures = require "moontile.tl.signatures"
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {}

local Any = math.mininteger // (1 << 32) -- int32's least: any iteration

-- Words ---------------------------------------------------------------------------

local function phrase(en, zh, ...)
  return (diag.lang() == "zh" and zh or en):format(...)
end

local function join(list, sep)
  local t = {}
  for i, v in ipairs(list) do
    t[i] = tostring(v)
  end
  return table.concat(t, sep or ", ")
end

-- Numbers of a list, sorted and each once.
local function sorted(list)
  local seen, r = {}, {}
  for _, v in ipairs(list) do
    if not seen[v] then
      seen[v] = true
      r[#r + 1] = v
    end
  end
  table.sort(r)
  return r
end

-- The point ------------------------------------------------------------------------

local function buffer_names(k)
  local names = {}
  for i, b in ipairs(ir.peekable(k.P)) do
    names[i] = b.name
  end
  return names
end

local function no_buffer(k, buffer)
  local names = buffer_names(k)
  local other = suggest.find(buffer, names)
  diag.fail(other and "buffer_near" or "buffer_none", k.name, buffer, join(names), other)
end

-- Variables of the loops around the point that counts when any iteration is asked for.
local function loop_names(k, buffer, o)
  local P, facts = ir.peek(k.P, buffer, o.line, {true}, false)
  local names = {}
  for i, l in ipairs(P and facts.loops or {}) do
    names[i] = l.name
  end
  return names
end

-- Raises why there is no point.
local refuse = {
  buffer = function(k, buffer) no_buffer(k, buffer) end,
  global = function(k, buffer) diag.fail("peek_global", buffer, join(buffer_names(k))) end,
  kind = function(k, buffer) diag.fail("peek_kind", buffer, join(buffer_names(k))) end,
  write = function(k, buffer) diag.fail("peek_write", k.name, buffer) end,
  line = function(k, _, o) diag.fail("peek_line", k.name, o.line, join(sorted(ir.lines(k.P)))) end,
  loop = function(k, buffer, o, name)
    if name and name ~= buffer then
      diag.fail("peek_loop_where", buffer, name)
    end
    local names = loop_names(k, buffer, o)
    if #names == 0 then
      diag.fail("peek_loop", buffer, o.wanted_text)
    end
    local other = suggest.find(o.wanted_text, names)
    diag.fail(other and "peek_loop_near" or "peek_loop_none", buffer, o.wanted_text, join(names),
      other)
  end,
  parallel = function(_, buffer, _, name) diag.fail("peek_parallel", name, buffer) end,
  scope = function(_, buffer, o, _, born) diag.fail("peek_scope", buffer, o.line, born) end,
}

-- The loops that opts.iteration is about: names, or any; and how the user wrote them.
local function wanted(o)
  local it = o.iteration
  if it == nil then
    return {}
  elseif math.type(it) == "integer" then
    o.wanted_text = tostring(it)
    return {true}
  elseif type(it) ~= "table" or next(it) == nil then
    diag.fail("arg_type", "kernel:peek", "iteration", phrase("a number or a table", "整数或表"),
      tostring(it), "k:peek(\"Cl\", {iteration = {ko = 3}})")
  end
  local names = {}
  for name, v in pairs(it) do
    if type(name) ~= "string" or math.type(v) ~= "integer" then
      diag.fail("arg_type", "kernel:peek", "iteration", phrase("a number or a table", "整数或表"),
        ("%s = %s"):format(name, v), "k:peek(\"Cl\", {iteration = {ko = 3}})")
    end
    names[#names + 1] = name
  end
  table.sort(names)
  o.wanted_text = join(names)
  return names
end

-- The program that brings the buffer out, and what is known of the point.
local function instrument(k, buffer, o, fill)
  local loops = wanted(o)
  local P, facts, name, born = ir.peek(k.P, buffer, o.line, loops, fill)
  if not P then
    refuse[facts](k, buffer, o, name, born)
  end
  return P, facts
end

-- Inputs ----------------------------------------------------------------------------

-- Arguments for k, and where they come from: "given", "last", "random".
local function inputs(k, o)
  if o.inputs then
    return o.inputs, "given"
  end
  local last, whole = k.inputs_last, k.inputs_last ~= nil
  for i = 1, #k.inputs do
    whole = whole and last[i] ~= nil
  end
  if whole then
    return last, "last"
  end
  local _ <close> = require("moontile.tl.tensor").seeded(o.seed or 0)
  local function scalar(p)
    local c = types.info(p.dtype).class
    return c == "F" and 0.75 or c == "B" and true or 3
  end
  return k:get_profiler():inputs(o.dims or k.dim_sizes, scalar), "random"
end

-- Tensors that the kernel may write to are copied: looking changes nothing.
local function copies(k, values)
  local r = {}
  for i, s in ipairs(k.slots) do
    if s.input then
      local v = values[s.input]
      r[s.input] = tensor.istensor(v) and k.written[i] and tensors.same_copy(v) or v
    end
  end
  return r
end

-- Block and iteration ---------------------------------------------------------------

-- Values of the variables of P: dimensions, and scalars that are integers.
local function environment(k, P, values)
  local env, r = kernel.bind(k.name, k.inputs, values, {}, k.dim_vars), {}
  local names, vars = ir.dims(P)
  local value = {}
  for i, name in ipairs(k.dim_names) do
    value[name] = env[k.dim_vars[i]]
  end
  for i, name in ipairs(names) do
    r[vars[i]] = value[name]
  end
  return r, names, vars
end

local function number(e, env)
  if math.type(e) == "integer" or e == nil then
    return e
  end
  local ok, v = pcall(ir.eval, e, env)
  return ok and v or nil
end

-- The wanted block as a list, x first.
local function block_of(facts, want, env)
  local grid, at = {}, {}
  for i, g in ipairs(facts.grid) do
    grid[i] = number(g.extent, env)
  end
  local text = {}
  for i, g in ipairs(facts.grid) do
    text[i] = ("%s < %s"):format(g.name, grid[i] or "?")
  end
  if math.type(want) == "integer" then
    want = {want}
  elseif want ~= nil and type(want) ~= "table" then
    diag.fail("peek_block", tostring(want), join(text))
  end
  local known = {}
  for i, g in ipairs(facts.grid) do
    at[i] = want and (want[g.name] or want[i]) or 0
    known[i], known[g.name] = true, true
    if math.type(at[i]) ~= "integer" or at[i] < 0 or (grid[i] and at[i] >= grid[i]) then
      diag.fail("peek_block", ("%s = %s"):format(g.name, at[i]), join(text))
    end
  end
  for key, v in pairs(want or {}) do
    if not known[key] then
      diag.fail("peek_block", type(key) == "string" and ("%s = %s"):format(key, v) or join(want),
        join(text))
    end
  end
  return at
end

-- The value of a loop's variable in the n-th iteration, or that value itself.
local function check_iteration(l, v, count, env)
  local lo, hi = number(l.lo, env), number(l.hi, env)
  local step = l.step == nil and 1 or number(l.step, env)
  if not (lo and hi and step) or step == 0 then
    if count and v >= 0 and lo and step then
      return lo + v * step
    elseif not count then
      return v
    end
    diag.fail("peek_unknown", l.name, l.line)
  end
  local n = math.max(0, step > 0 and (hi - lo + step - 1) // step or (lo - hi - step - 1) // -step)
  local at = count and (v < 0 and v + n or v) or v < 0 and lo >= 0 and v + n or (v - lo) // step
  if not count and v >= 0 and (v - lo) % step ~= 0 or at < 0 or at >= n then
    if n == 0 then
      diag.fail("peek_empty", l.name, l.line)
    end
    local last = lo + (n - 1) * step
    local steps = step ~= 1 and phrase(", in steps of %d", "，步长 %d", step) or ""
    diag.fail("peek_iteration", l.name, count and v or ("%d"):format(v), l.line, lo, last, steps)
  end
  return lo + at * step
end

-- The values of loop variables that count, Any where none was chosen.
local function iteration_of(facts, want, env)
  local at = {}
  for i, l in ipairs(facts.loops) do
    at[i] = Any
    if type(want) == "table" and want[l.name] then
      at[i] = check_iteration(l, want[l.name], false, env)
    elseif math.type(want) == "integer" and i == #facts.loops then
      at[i] = check_iteration(l, want, true, env)
    end
    if at[i] ~= Any then
      env[l.var] = at[i]
    end
  end
  return at
end

-- Running -----------------------------------------------------------------------------

-- The device that the instrumented program runs on: its spec, what it is lowered for, and
-- how its memory is filled: "ir", "device", or false.
local function place(target)
  local spec = device.resolve(target)
  local word = device.on(spec):match "^%S+"
  if word == "cpu" then
    return spec, spec, "ir"
  elseif word == "sim" then
    return device.on(spec), device.on(spec), "device"
  end
  return spec, device.machine(spec), false
end

-- Bytes, and values, that memory is filled with in the two runs.
local fills = {{byte = 65, value = 85}, {byte = 0, value = 42}}

-- Values that a buffer of a dtype is filled with: small enough for all types.
local function fill_value(dtype, run)
  local info = types.info(dtype)
  if info.class == "B" then
    return run == 1 and 1.0 or 0.0
  elseif info.bits <= 4 then
    return run == 1 and 5.0 or 2.0
  end
  return fills[run].value + 0.0
end

-- A tensor's dtype for a buffer's: of tensors there are no tfloat32.
local function held(dtype)
  return dtype == "tfloat32" and "float32" or dtype
end

-- A compiled and loaded program: what run() takes.
local function prepare(k, P, facts, target, run)
  local spec, lowered, fill = place(target)
  if fill == "device" then
    spec = ("%s -checks=0 -undefined=%d"):format(spec, fills[run].byte)
    lowered = spec
  end
  local info = ir.compile(P, lowered, true)
  local s = device.session(spec)
  return {P = P, facts = facts, fill = fill, s = s, m = s:load(info.path, k.name, k.chunk, nil, k.asserts)}
end

local function silent() end

-- Runs it: the values, where it came by, and the kernel's outputs.
local function run(k, p, values, block, at, which, P)
  local facts = p.facts
  local shape = {}
  if facts.threads then
    shape[1] = facts.block_threads
  end
  for _, n in ipairs(facts.shape) do
    shape[#shape + 1] = n
  end
  local got = tensor.new(shape, held(facts.dtype)):fill_(0)
  local where = tensor.new({1 + #facts.loops}, "int32"):fill_(0)
  local args, outs, env = kernel.arguments(k, copies(k, values))
  local n = #k.slots
  for i = n + 1, #args do
    args[i] = nil
  end
  args[n + 1], args[n + 2], n = got, where, n + 2
  for _, list in ipairs {block, at} do
    for _, v in ipairs(list) do
      n = n + 1
      args[n] = {v, "int32"}
    end
  end
  if p.fill == "ir" then
    n = n + 1
    args[n] = {fill_value(facts.root_dtype, which), "float32"}
  end
  local names = ir.dims(P)
  for i, name in ipairs(names) do
    args[n + i] = env[name]
  end
  p.s:launch(p.m, args, {print = silent})
  return got, where, outs
end

-- Elements, counted from 1, that differ; nil: none does.
local function differing(a, b)
  if tensor.equal(a, b) then
    return nil
  end
  local n, list = a:numel(), {}
  local x, y = a:reshape {n}:totable(), b:reshape {n}:totable()
  for i = 1, n do
    if x[i] ~= y[i] and (x[i] == x[i] or y[i] == y[i]) then
      list[#list + 1] = i
    end
  end
  return list[1] and list or nil
end

-- Runs twice on a device whose memory can be filled: values, where, outputs, and which
-- elements are undefined.
local function twice(k, programs, values, block, at, P)
  local a, where, outs = run(k, programs[1], values, block, at, 1, P)
  local b = run(k, programs[2], values, block, at, 2, P)
  local list = differing(a, b)
  if list then -- what differs from run to run anyway is not undefined
    local again = differing(a, (run(k, programs[1], values, block, at, 1, P)))
    local chance = {}
    for _, i in ipairs(again or {}) do
      chance[i] = true
    end
    local rest = {}
    for _, i in ipairs(list) do
      if not chance[i] then
        rest[#rest + 1] = i
      end
    end
    list = rest[1] and rest or nil
  end
  return a, where, outs, list
end

-- Programs are kept with the kernel: looking again costs a run.
local function cached(k, key, make)
  k.peeks = k.peeks or {}
  local v = k.peeks[key]
  if not v then
    v = make()
    k.peeks[key] = v
  end
  return v
end

-- Both programs of a device that can be filled, with the instrumented tile program.
local function programs(k, buffer, o, target)
  local _, lowered, fill = place(target)
  local key = table.concat({buffer, o.line or "", o.wanted_text or "", target}, "|")
  return cached(k, key, function()
    local P, facts = instrument(k, buffer, o, fill == "ir")
    if ir.hasthreads(lowered) then
      ir.peek_lower(P, lowered)
    end
    local first = prepare(k, P, facts, target, 1)
    local second = fill == "device" and prepare(k, P, facts, target, 2) or first
    return {P = P, facts = facts, fill = fill, first, second}
  end)
end

-- Undefined elements of a run on a device whose memory cannot be filled.
local function undefined_elsewhere(k, buffer, o, values, block, at)
  for _, target in ipairs {"cpu", device.simulator(k.spec)} do
    local ok, list = pcall(function()
      local p = programs(k, buffer, o, target)
      return (select(4, twice(k, p, values, block, at, p.P)))
    end)
    if ok then
      return list
    end
  end
  return nil, true
end

-- The result ---------------------------------------------------------------------------

-- A box of the last two dimensions, inclusive; nil: all of it.
local function box(t, o, what)
  local stage = require "moontile.stage"
  local dims = {rows = t.ndim >= 2 and t.ndim - 1 or 1, cols = t.ndim}
  for _, name in ipairs {"rows", "cols"} do
    local r = o[name]
    if r ~= nil then
      local d = dims[name]
      local n = t.shape[d]
      if math.type(r) == "integer" then
        r = {r, r}
      end
      if type(r) ~= "table" or math.type(r[1]) ~= "integer" or math.type(r[2]) ~= "integer" or
        r[1] < 0 or r[2] < r[1] or r[2] >= n or (name == "cols" and t.ndim < 2) then
        local text = type(r) == "table" and "{" .. join(r) .. "}" or tostring(r)
        diag.fail("peek_range", name, text, what, n - 1)
      end
      local index = {}
      for i = 1, d - 1 do
        index[i] = stage.slice(nil, nil)
      end
      index[d] = stage.slice(r[1], r[2] + 1)
      t = t[index]
    end
  end
  return t
end

-- Where the point is, by what stands before it.
local places = {
  parallel = {"after the T.Parallel of line %d", "第 %d 行的 T.Parallel 之后"},
  loop = {"after the loop of line %d", "第 %d 行的循环之后"},
  ["if"] = {"after the `if` of line %d", "第 %d 行的 `if` 之后"},
  statement = {"after line %d", "第 %d 行之后"},
}

local function place_text(f)
  local t = places[f.kind]
  return phrase(t[1], t[2], f.line)
end

-- "As[128, 32] float16, block (0, 1), ko = 3, after line 14"
local function heading(f, block, loops, o)
  local shape = join(f.shape)
  shape = f.threads and f.block_threads .. "][" .. shape or shape
  local parts = {("%s[%s] %s"):format(f.name, shape, f.dtype), phrase("block (%s)", "块 (%s)", join(block))}
  for i, l in ipairs(f.loops) do
    parts[#parts + 1] = ("%s = %d"):format(l.name, loops[i])
  end
  for _, name in ipairs {"rows", "cols"} do
    local r = o[name]
    if r then
      r = type(r) == "table" and r or {r, r}
      parts[#parts + 1] = phrase(name .. " %d..%d", (name == "rows" and "行" or "列") .. " %d..%d",
        r[1], r[2])
    end
  end
  parts[#parts + 1] = place_text(f)
  return table.concat(parts, diag.lang() == "zh" and "，" or ", ")
end

local known = {block = true, iteration = true, rows = true, cols = true, line = true,
  inputs = true, target = true, dims = true, seed = true}

-- Has the point been passed?
local function check_reached(f, where, block, o)
  if where[0] == 1 then
    return
  end
  diag.fail("peek_never", f.name, f.line, ("(%s)"):format(join(block)),
    o.iteration and phrase(" in that iteration", "在该次迭代中") or "")
end

-- got without the elements of the list: NaN or 0 in their place, and a mask of them.
local function hollow(got, list)
  local n = got:numel()
  local flat, mask = got:reshape {n}, tensor.new({n}, "bool"):fill_(false)
  local nothing = types.info(got.dtype).class == "F" and 0 / 0 or 0
  for _, i in ipairs(list) do
    flat[i - 1], mask[i - 1] = nothing, true
  end
  return flat:reshape(got.shape), mask:reshape(got.shape)
end

local function count_true(mask)
  local n = 0
  for _, v in ipairs(mask:contiguous():reshape {mask:numel()}:totable()) do
    n = n + ((v == true or v == 1) and 1 or 0)
  end
  return n
end

local check_arguments = accept.checker("kernel:peek", signatures.peek)

-- The options of a call, copied: the caller's table stays as it is.
local function own_options(buffer, opts)
  check_arguments(buffer, opts)
  local o = {}
  for key, v in pairs(options("kernel:peek", opts, known)) do
    o[key] = v
  end
  if type(buffer) ~= "string" then
    diag.fail("arg_type", "kernel:peek", "buffer", phrase("a name", "名称"), tostring(buffer),
      'k:peek("As")')
  end
  wanted(o)
  return o
end

-- The block, and the iterations, that o asks for.
local function point(k, p, values, o)
  local f, env = p.facts, environment(k, p.P, values)
  local block = block_of(f, o.block, env)
  for i, g in ipairs(f.grid) do
    env[g.var] = block[i]
  end
  return block, iteration_of(f, o.iteration, env)
end

-- The values, where the run came by, and what is known of the values.
local function look(k, buffer, o, p, values, block, at)
  local got, where, outs, list, unknown
  if p.fill then
    got, where, outs, list = twice(k, p, values, block, at, p.P)
  else
    got, where, outs = run(k, p[1], values, block, at, 1, p.P)
    list, unknown = undefined_elsewhere(k, buffer, o, values, block, at)
  end
  check_reached(p.facts, where, block, o)
  return got, where, {outs = outs, unknown = unknown, undefined = 0}, list
end

-- k's buffer at a point: the tensor, and {heading =, undefined = how many of its elements
-- are, mask = a bool tensor of them or nil, unknown = true where that cannot be told,
-- block =, loops = {ko = 3}, line =, from = "given", "last", "random": the inputs, seed =,
-- outs = what the kernel returned}.
function M.peek(k, buffer, opts)
  local o = own_options(buffer, opts)
  local p = programs(k, buffer, o, o.target or k.target)
  local f = p.facts
  local values, from = inputs(k, o)
  local block, at = point(k, p, values, o)
  local got, where, info, list = look(k, buffer, o, p, values, block, at)
  local loops = {}
  info.loops = {}
  for i, l in ipairs(f.loops) do
    loops[i] = where[i]
    info.loops[l.name] = where[i]
  end
  local mask
  if list then
    got, mask = hollow(got, list)
    mask = box(mask, o, f.name)
    info.undefined = count_true(mask)
    info.mask = info.undefined > 0 and mask or nil
  end
  got = box(got, o, f.name)
  info.heading = heading(f, block, loops, o)
  info.block, info.line, info.from = block, f.line, from
  info.seed = from == "random" and (o.seed or 0) or nil
  info.chosen = o.rows ~= nil and (o.cols ~= nil or got.ndim < 2)
  return got, info
end

-- How it is printed: fewer digits, and sooner only the edges, than a tensor of the user's.
local function form(info, width)
  return {threshold = info.chosen and 4096 or 160, edgeitems = info.chosen and 8 or 3,
    linewidth = math.max(width or 80, 24), precision = 5}
end

-- The lines that the prompt shows of it, of so many columns.
function M.text(t, info, width)
  local lines = {info.heading}
  if info.from == "random" then
    lines[#lines + 1] = phrase(
      "random inputs, seed %d (call the kernel first, or give inputs = {..})",
      "随机输入，种子 %d（可先调用内核，或给出 inputs = {..}）", info.seed)
  end
  lines[#lines + 1] = show.tensor(t, info.mask, form(info, width))
  if info.undefined > 0 then
    lines[#lines + 1] = phrase("%s: %d of %d elements undefined: never written, or computed from "
      .. "such",
      "%s：%d / %d 个元素未定义：从未写入，或由这样的元素算出", show.hole(), info.undefined, t:numel())
  elseif info.unknown then
    lines[#lines + 1] = phrase("for this kernel it is not known which elements were never written",
      "对于此内核，无法判断哪些元素从未写入")
  end
  return table.concat(lines, "\n")
end

return M
