-- print.lua: a generated program as text of the dialect.
--
-- The text is a chunk that gives the kernel as a function of a target; `script` adds inputs and what is
-- wanted, so that it runs alone and says what is wrong.
local M = {}

local expr, slices

local infix = {["+"] = true, ["-"] = true, ["*"] = true, ["/"] = true, ["//"] = true, ["%"] = true,
               ["&"] = true, ["|"] = true, ["~"] = true, ["<<"] = true, [">>"] = true}

-- The same as functions.
local names = {["//"] = "floordiv", ["%"] = "floormod", ["&"] = "bitwise_and", ["|"] = "bitwise_or",
               ["~"] = "bitwise_xor", ["<<"] = "shift_left", [">>"] = "shift_right"}

local function list(t)
  local out = {}
  for i, e in ipairs(t) do out[i] = expr(e) end
  return table.concat(out, ", ")
end

-- A number written down is an int32 or a float32.
local narrow = {int8 = true, uint8 = true, int16 = true, uint16 = true, float16 = true, bfloat16 = true}

function expr(e)
  local k = e.k
  if k == "lit" then
    if e.limit then return ("T.%s(%q)"):format(e.v < 0 and "min_value" or "max_value", e.t) end
    local text = tostring(e.v)
    if math.type(e.v) == "float" then
      text = e.v == e.v // 1 and ("%d.0"):format(e.v // 1 | 0) or ("%.17g"):format(e.v)
    end
    return narrow[e.t] and ("T.cast(%s, %q)"):format(text, e.t) or text
  elseif k == "var" then
    return e.name
  elseif k == "load" then
    return ("%s[%s]"):format(e.buf, list(e.idx))
  elseif k == "bin" then
    if e.named then return ("T.%s(%s, %s)"):format(names[e.op], expr(e.a), expr(e.b)) end
    if infix[e.op] then return ("(%s %s %s)"):format(expr(e.a), e.op, expr(e.b)) end
    return ("T.%s(%s, %s)"):format(e.op, expr(e.a), expr(e.b))
  elseif k == "un" then
    if e.op:find "^%a+$" then return ("T.%s(%s)"):format(e.op, expr(e.a)) end
    local half = e.op:match "^(%a+)_half$"
    if half then return ("T.%s(%s * 0.5)"):format(half, expr(e.a)) end
    return ("(%s%s)"):format(e.op, expr(e.a))
  elseif k == "cast" then
    if e.form == "method" and e.a.k == "load" then
      return ("%s:astype(%q)"):format(expr(e.a), e.t)
    end
    return ("T.%s(%s, %q)"):format(e.form == "bits" and "reinterpret" or "cast", expr(e.a), e.t)
  elseif k == "cmp" then
    return ("(%s %s %s)"):format(expr(e.a), e.op, expr(e.b))
  elseif k == "not" then
    return ("(not %s)"):format(expr(e.a))
  elseif k == "and" or k == "or" then
    return ("(%s %s %s)"):format(expr(e.a), k, expr(e.b))
  elseif k == "sel" then
    if e.form == "and" then return ("(%s and %s or %s)"):format(expr(e.c), expr(e.a), expr(e.b)) end
    return ("T.%s(%s, %s, %s)"):format(e.form, expr(e.c), expr(e.a), expr(e.b))
  elseif k == "clamp" then
    return ("T.clamp(%s, %s, %s)"):format(expr(e.a), expr(e.b), expr(e.c))
  elseif k == "any" then
    return ("T.%s(%s)"):format(e.op, e.from and slices(e) or e.buf)
  end
  error("expression " .. tostring(k))
end
M.expr = expr

local function numbers(t)
  return table.concat(t, ", ")
end

-- Slices of a buffer; `b`: the buffer, when a whole dimension may go by `:`.
function slices(r, b)
  local at = {}
  for d, e in ipairs(r.from) do
    local text, n = expr(e), r.extents[d]
    if r.index and r.index[d] then
      at[d] = text
    elseif b and e.k == "lit" and e.v == 0 and n == b.shape[d] and not b.dims then
      at[d] = ":"
    elseif e.k == "lit" then
      at[d] = ("%d:%d"):format(e.v, e.v + n)
    else
      at[d] = ("%s:%s + %d"):format(text, text, n)
    end
  end
  return ("%s[%s]"):format(r.buf, table.concat(at, ", "))
end

-- A region as it is written: the buffer, its origin, or slices.
local function region(w, r)
  if r.form == "whole" or not r.from then return r.buf end
  if r.form == "origin" then return ("%s[%s]"):format(r.buf, list(r.from)) end
  return slices(r, w.program.bufs[r.buf])
end

-- What stands last in a call: its options, if any.
local function options(o, first)
  if not o then return "" end
  local t = {}
  for _, key in ipairs {"coalesced_width", "prefer_async", "disable_tma", "eviction_policy"} do
    local v = o[key]
    if v ~= nil then t[#t + 1] = ("%s = %s"):format(key, type(v) == "string" and ("%q"):format(v) or tostring(v)) end
  end
  return (first or ", ") .. "{" .. table.concat(t, ", ") .. "}"
end

local P = {}                            -- printers of statements; `out(text)` writes an indented line

local function body(w, statements)
  w.depth = w.depth + 1
  for _, s in ipairs(statements) do P[s.k](w, s) end
  w.depth = w.depth - 1
end

function P.alloc(w, s)
  local b = w.program.bufs[s.buf]
  w.out("local %s = T.alloc_%s({%s}, %q)", s.buf, b.scope, numbers(b.shape), b.dtype)
end

function P.view(w, s)
  local b = w.program.bufs[s.buf]
  w.out("local %s = T.reshape(%s, {%s})", s.buf, b.of, numbers(b.shape))
end

function P.store(w, s)
  if s.compound then
    w.out("%s[%s] %s= %s", s.buf, list(s.idx), s.e.op, expr(s.e.b))
  else
    w.out("%s[%s] = %s", s.buf, list(s.idx), expr(s.e))
  end
end

function P.atomic(w, s)
  w.out("T.atomic_%s(%s[%s], %s)", s.op, s.buf, list(s.idx), expr(s.e))
end

-- The element before, by an atomic, and the element after.
function P.fetch(w, s)
  if s.op == "load" then
    w.out("local %s = T.atomic_load(%s[%s])", s.name, s.buf, list(s.idx))
  else
    w.out("local %s = T.atomic_%s(%s[%s], %s, {return_prev = true})", s.name, s.op, s.buf, list(s.idx), expr(s.e))
  end
end

function P.let(w, s) w.out("local %s = %s", s.name, expr(s.e)) end

function P.var(w, s)
  w.out("local %s = T.alloc_var(%q%s)", s.name, s.t, s.e and ", " .. expr(s.e) or "")
end

function P.set(w, s)
  if s.compound then
    w.out("%s %s= %s", s.name, s.e.op, expr(s.e.b))
  else
    w.out("%s = %s", s.name, expr(s.e))
  end
end

P["if"] = function(w, s)
  for i, a in ipairs(s.arms) do
    w.out(i == 1 and "if %s then" or a.c and "elseif %s then" or "else", a.c and expr(a.c))
    body(w, a.body)
  end
  w.out "end"
end

P["break"] = function(w) w.out "break" end
function P.continue(w) w.out "goto continue" end
function P.next(w, s) w.out("goto %s", s.label) end

local function has_continue(statements)
  for _, s in ipairs(statements) do
    if s.k == "continue" then return true end
    for _, a in ipairs(s.arms or {}) do
      if has_continue(a.body) then return true end
    end
  end
end

local function has_next(statements, label)
  for _, s in ipairs(statements) do
    if s.k == "next" and s.label == label then return true end
    for _, a in ipairs(s.arms or {}) do
      if has_next(a.body, label) then return true end
    end
  end
end

local function looped(w, s)
  body(w, s.body)
  local label = has_continue(s.body) and "continue" or s.label and has_next(s.body, s.label) and s.label
  if label then
    w.depth = w.depth + 1
    w.out("::%s::", label)
    w.depth = w.depth - 1
  end
  w.out "end"
end

function P.loop(w, s)
  local lo, hi, step = expr(s.lo), expr(s.hi), s.step or 1
  local from_zero = s.lo.k == "lit" and s.lo.v == 0
  if s.kind == "for" then
    local last = s.hi.k == "lit" and tostring(s.hi.v - (step < 0 and -1 or 1))
        or ("%s %s 1"):format(hi, step < 0 and "+" or "-")
    w.out("for %s = %s, %s%s do", s.var, lo, last, step ~= 1 and ", " .. step or "")
  elseif s.kind == "Pipelined" then
    w.out("for %s in T.Pipelined(%s%s, {num_stages = %d}) do", s.var, from_zero and "" or lo .. ", ", hi, s.stages)
  else
    w.out("for %s in T.%s(%s%s%s) do", s.var, s.kind, from_zero and step == 1 and "" or lo .. ", ", hi,
          step ~= 1 and ", " .. step or "")
  end
  looped(w, s)
end

P["while"] = function(w, s)
  w.out("while %s do", expr(s.c))
  looped(w, s)
end

function P.par(w, s)
  local extents = {}
  for d, n in ipairs(s.extents) do extents[d] = s.sizes and s.sizes[d] or n end
  w.out("for %s in T.Parallel(%s%s) do", table.concat(s.vars, ", "), numbers(extents), options(s.options))
  looped(w, s)
end

function P.threads(w, s)
  w.out "T.sync_threads()"
  for _, p in ipairs(s.phases) do
    w.depth = w.depth - 1
    body(w, p)
    w.depth = w.depth + 1
    w.out "T.sync_threads()"
  end
end

function P.range(w, s)
  w.out("if %s then", s.text)
  body(w, s.body)
  w.out "end"
end

function P.grid(w, s)
  w.out("for %s in T.grid(%s) do", table.concat(s.vars, ", "), numbers(s.extents))
  looped(w, s)
end

function P.assume(w, s) w.out("T.assume(%s)", expr(s.c)) end
function P.assert(w, s) w.out("T.device_assert(%s, \"held\")", expr(s.c)) end
function P.say(w, s) w.out("if not %s then T.print(%s, \"printed\") end", expr(s.c), expr(s.e)) end
function P.safe(w, s) w.out("T.annotate_safe_value({[%s] = %s})", s.buf, tostring(s.v)) end
function P.swizzle(w, s) w.out("T.use_swizzle(%d, {order = %q})", s.n, s.order) end
function P.layout(w, s) w.out("T.annotate_layout({[%s] = T.make_%s_layout(%s)})", s.buf, s.kind, s.buf) end

function P.sync(w) w.out "T.sync_threads()" end

function P.macro(w, s)
  w.macros[#w.macros + 1] = s
  w.out("%s(%s)", s.name, table.concat(s.args, ", "))
end

function P.copy(w, s) w.out("T.copy(%s, %s%s)", region(w, s.src), region(w, s.dst), options(s.options)) end

function P.fill(w, s)
  if s.clear then
    w.out("T.clear(%s)", region(w, s.dst))
  else
    w.out("T.fill(%s, %s)", region(w, s.dst), expr(s.e))
  end
end

function P.reduce(w, s)
  if s.kind == "abssum" then
    w.out("T.reduce_abssum(%s, %s, %d)", s.src, s.dst, s.dim)
  elseif s.clear then
    w.out("T.reduce_%s(%s, %s, %d)", s.kind, s.src, s.dst, s.dim)
  else
    w.out("T.reduce_%s(%s, %s, {dim = %d, clear = false})", s.kind, s.src, s.dst, s.dim)
  end
end

function P.scan(w, s)
  local name = s.kind == "sum" and "cumsum" or "cummax"
  w.out("T.%s(%s, %s{dim = %d%s})", name, s.src, s.dst ~= s.src and s.dst .. ", " or "", s.dim,
        s.reverse and ", reverse = true" or "")
end

function P.sum(w, s) w.out("T.atomic_%s(%s, %s)", s.op, region(w, s.dst), region(w, s.src)) end

function P.transpose(w, s) w.out("T.transpose(%s, %s)", s.src, s.dst) end

function P.gemm(w, s)
  local o = {}
  if s.ta then o[#o + 1] = "transpose_A = true" end
  if s.tb then o[#o + 1] = "transpose_B = true" end
  if s.clear then o[#o + 1] = "clear_accum = true" end
  if s.policy then o[#o + 1] = "policy = T.GemmWarpPolicy." .. s.policy end
  w.out("T.gemm(%s, %s, %s%s)", s.a, s.b, s.c, #o > 0 and ", {" .. table.concat(o, ", ") .. "}" or "")
end

-- programs -------------------------------------------------------------------------

local function writer(program)
  local w = {program = program, depth = 0, lines = {}, macros = {}}
  function w.out(format, ...)
    w.lines[#w.lines + 1] = ("  "):rep(w.depth) .. (select("#", ...) > 0 and format:format(...) or format)
  end
  return w
end

local function shape_text(b)
  local t = {}
  for d, n in ipairs(b.shape) do t[d] = b.dims and b.dims[d] or tostring(n) end
  return "{" .. table.concat(t, ", ") .. "}"
end

local function dims_line(w, program, kind)
  local names = {}
  for _, n in ipairs(program.dim_order) do
    if program.dim_kind[n] == kind then names[#names + 1] = n end
  end
  if #names > 0 then w.out("local %s = T.%s %q", table.concat(names, ", "), kind, table.concat(names, ", ")) end
end

-- The function that tl.jit gets, and the macros in front of it.
local function kernel_text(program)
  local w = writer(program)
  w.depth = 1
  w.out("return tl.jit(function(%s)", table.concat(program.params, ", "))
  w.depth = 2
  dims_line(w, program, "const")
  dims_line(w, program, "dynamic")
  local given = {}
  for _, name in ipairs(program.params) do
    local b = program.bufs[name]
    given[name] = true
    w.out("%s: T.Tensor(%s, %q)", name, shape_text(b), b.dtype)
  end
  local results = {}
  for _, name in ipairs(program.outputs) do
    local b = program.bufs[name]
    if not given[name] then
      w.out("local %s = T.empty(%s, %q)", name, shape_text(b), b.dtype)
      results[#results + 1] = name
    end
  end
  for _, k in ipairs(program.kernels) do
    local grid = {}
    for d, g in ipairs(k.grid) do grid[d] = k.grid_text and k.grid_text[d] or tostring(g) end
    w.out("for %s in T.Kernel(%s, {threads = %d}) do", table.concat(k.blocks, ", "), table.concat(grid, ", "), k.threads)
    if k.uses_tx then w.out "  local tx = T.get_thread_binding()" end
    body(w, k.body)
    w.out "end"
  end
  if #results > 0 then w.out("return %s", table.concat(results, ", ")) end
  w.depth = 1
  w.out "end, {target = target})"

  local front = writer(program)
  local i = 1
  while w.macros[i] do
    local m = w.macros[i]
    local mw = writer(program)
    mw.macros = w.macros
    mw.depth = 1
    mw.out("local %s = T.macro(function(%s)", m.name, table.concat(m.args, ", "))
    body(mw, m.body)
    mw.out "end)"
    front.lines[#front.lines + 1] = table.concat(mw.lines, "\n")
    i = i + 1
  end
  -- a macro may call one that is printed behind it: the last first
  local text = {}
  for j = #front.lines, 1, -1 do text[#text + 1] = front.lines[j] end
  text[#text + 1] = table.concat(w.lines, "\n")
  return table.concat(text, "\n")
end

function M.chunk(program)
  return "local target = ...\n" .. kernel_text(program) .. "\n"
end

local function nested(values, shape)
  local p = 0
  local function go(d)
    local t = {}
    for i = 1, shape[d] do
      if d == #shape then
        p = p + 1
        local v = values[p]
        t[i] = math.type(v) == "float" and v == v // 1 and ("%d"):format(v // 1 | 0) or tostring(v)
      else
        t[i] = go(d + 1)
      end
    end
    return "{" .. table.concat(t, ", ") .. "}"
  end
  return go(1)
end

-- The program with its inputs and the wanted outputs: moontile -t TARGET FILE.
function M.script(program, wanted)
  local t = {"local function kernel(target)", kernel_text(program), "end"}
  local args, n = {}, {}
  for i, name in ipairs(program.params) do
    local b = program.bufs[name]
    t[#t + 1] = ("local %s = tl.from_table(%s, %q)"):format(name, nested(program.inputs[name], b.shape), b.dtype)
    args[i] = name
    n[name] = true
  end
  local results = {}
  for _, name in ipairs(program.outputs) do
    if not n[name] then results[#results + 1] = name end
  end
  local call = ("kernel()(%s)"):format(table.concat(args, ", "))
  t[#t + 1] = #results > 0 and ("local %s = %s"):format(table.concat(results, ", "), call) or call
  for _, name in ipairs(program.outputs) do
    local b = program.bufs[name]
    if b.dtype ~= "bool" then
      t[#t + 1] = ("tl.testing.assert_close(%s, tl.from_table(%s, %q), {rtol = 0, atol = 0})"):format(
        name, nested(wanted[name], b.shape), b.dtype)
    end
  end
  t[#t + 1] = 'print "right"'
  return table.concat(t, "\n") .. "\n"
end

return M
