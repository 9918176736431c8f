-- gathers_text.lua: the text of a program of lib/gathers.lua, and its call.
local interp = require "hunt.gathers_interp"
local M = {}

local expr

local function list(t)
  local r = {}
  for i, e in ipairs(t) do r[i] = expr(e) end
  return table.concat(r, ", ")
end

function expr(e)
  if type(e) == "number" then return tostring(e) end
  local op = e[1]
  if #e == 1 then
    return op
  elseif op == "read" or op == "tile" then
    return ("%s[%s]"):format(e[2], list(e[3]))
  elseif op == "pick" then
    return ("T.if_then_else(%s, %s, %s)"):format(expr(e[2]), expr(e[3]), expr(e[4]))
  elseif op == "not" then
    return ("not (%s)"):format(expr(e[2]))
  elseif op == "bool" then
    return e[2] == 1 and "true" or "false"
  elseif op == "of" then
    return e[3] == 0 and "0" or ("T.cast(%d, %q)"):format(e[3], e[2])
  elseif op == "cast" then
    return ("T.cast(%s, %q)"):format(expr(e[3]), e[2])
  elseif op == "min" or op == "max" then
    return ("T.%s(%s, %s)"):format(op, expr(e[2]), expr(e[3]))
  end
  return ("(%s %s %s)"):format(expr(e[2]), op, expr(e[3]))
end

local letters = {"i", "j", "k"}

-- for i, j in T.Parallel(..) do BODY end
local function parallel(pad, ext, body)
  return ("%sfor %s in T.Parallel(%s) do\n%s  %s\n%send\n"):format(pad, table.concat(letters, ", ", 1, #ext),
    table.concat(ext, ", "), pad, body, pad)
end

local function point(n) return table.concat(letters, ", ", 1, n) end

local statement = {}

local function statements(p, all, pad)
  local r = {}
  for _, s in ipairs(all) do r[#r + 1] = statement[s.s](s, p, pad) end
  return table.concat(r)
end

statement["if"] = function(s, p, pad)
  return ("%sif %s then\n%s%send\n"):format(pad, expr(s.c), statements(p, s.list, pad .. "  "), pad)
end

function statement.set(s, _, pad) return ("%sp = %s\n"):format(pad, expr(s.value)) end

function statement.gather(s, _, pad)
  local line = ("%s[%s] = %s"):format(s.tile, list(s.at), expr(s.value))
  if s.mask then line = ("if %s then %s end"):format(expr(s.mask), line) end
  return parallel(pad, s.ext, line)
end

function statement.copy(s, _, pad) return ("%sT.copy(%s[%s], %s)\n"):format(pad, s.from, list(s.base), s.tile) end

function statement.turn(s, p, pad)
  local n = point(#p.by[s.tile].shape)
  return parallel(pad, p.by[s.tile].shape, ("%s[%s] = T.cast(3, %q) - %s[%s]"):format(s.tile, n, p.by[s.tile].dtype, s.tile, n))
end

function statement.sum(s, p, pad)
  local shape = p.by[s.tile].shape
  return parallel(pad, shape, ("%s[%s] = %s[%s] + T.cast(%s[%s], \"float32\")"):format(s.frag, point(#shape), s.frag,
    point(#shape), s.tile, list(s.at)))
end

local function row(p) return p.outer and ("o * %d + ko"):format(p.most) or "ko" end

function statement.out(s, p, pad)
  local shape = p.by[s.tile].shape
  return parallel(pad, shape, ("%s[bx, %s, %s] = T.cast(%s[%s], \"float32\")"):format(s.to, row(p), point(#shape), s.tile,
    point(#shape)))
end

function statement.out_copy(s, p, pad)
  return ("%sT.copy(%s, %s[bx, %s%s])\n"):format(pad, s.tile, s.to, row(p), (", 0"):rep(#p.by[s.tile].shape))
end

function statement.keep(s, p, pad)
  local shape = p.by[s.tile].shape
  return parallel(pad, shape, ("%s[bx, %s] = T.cast(%s[%s], \"float32\")"):format(s.to, point(#shape), s.tile, point(#shape)))
end

function statement.rows(s, _, pad)
  return ("%sT.copy(%s, %s)\n%sT.reduce_sum(%s, %s, %d, false)\n"):format(pad, s.tile, s.via, pad, s.via, s.frag, s.dim)
end

function statement.gemm(s, _, pad)
  return ("%sT.gemm(%s, %s, %s, {transpose_A = %s, transpose_B = %s})\n"):format(pad, s.a, s.b, s.frag, s.ta, s.tb)
end

function statement.poke(s, _, pad)
  return parallel(pad, {s.n}, ("X[bx, %s + i] = i %% 8 + ko + %d"):format(expr(s.at), s.add))
end

-- The parameters with their shapes; a dynamic tensor's are symbols.
local function parameters(p, w)
  local all = {}
  for i, t in ipairs(p.tensors) do all[i] = t.name end
  w("return T.prim_func(function(%s, m)\n  m: T.int32\n", table.concat(all, ", "))
  for _, t in ipairs(p.tensors) do
    local shape = {}
    for i, d in ipairs(t.shape) do shape[i] = t.dynamic and ("T.dynamic %q"):format(t.name .. "_" .. i) or tostring(d) end
    w("  %s: T.Tensor({%s}, %q)\n", t.name, table.concat(shape, ", "), t.dtype)
  end
end

local function allocate(p, w)
  for _, t in ipairs(p.tiles) do w("    local %s = T.alloc_shared({%s}, %q)\n", t.name, table.concat(t.shape, ", "), t.dtype) end
  for _, f in ipairs(p.fragments) do
    w("    local %s = T.alloc_fragment({%s}, %q)\n", f.name, table.concat(f.shape, ", "), f.dtype)
  end
  if p.var then w "    local p = T.alloc_var(T.int32)\n" end
  for _, t in ipairs(p.tiles) do
    if t.swizzle then w("    T.annotate_layout {[%s] = T.make_swizzled_layout(%s)}\n", t.name, t.name) end
  end
  for _, t in ipairs(p.tensors) do
    if t.safe then w("    T.annotate_safe_value {[%s] = %s}\n", t.name, t.dtype == "bool" and tostring(t.safe == 1) or t.safe) end
  end
  if p.var then w "    p = 0\n" end
  for _, f in ipairs(p.fragments) do w("    T.clear(%s)\n", f.name) end
  for _, t in ipairs(p.tiles) do
    if t.fill then w("    T.fill(%s, %s)\n", t.name, t.dtype == "bool" and tostring(t.fill == 1) or t.fill) end
  end
end

function M.text(p)
  local lines = {}
  local function w(f, ...) lines[#lines + 1] = select("#", ...) > 0 and f:format(...) or f end
  parameters(p, w)
  w("  for bx in T.Kernel(%d, {threads = %d}) do\n", p.blocks, p.threads)
  allocate(p, w)
  local pad = "    "
  if p.around then w("%sif %s then\n", pad, expr(p.around)) pad = pad .. "  " end
  if p.outer then w("%sfor o in T.serial(%d) do\n", pad, p.outer) pad = pad .. "  " end
  local stop = p.first and {"+", p.trips, p.first} or p.trips
  w("%sfor ko in T.Pipelined(%s%s, {num_stages = %d}) do\n", pad, p.first and p.first .. ", " or "", expr(stop), p.stages)
  w(statements(p, p.load, pad .. "  "))
  w(statements(p, p.use, pad .. "  "))
  w("%send\n", pad)
  if p.outer then pad = pad:sub(3) w("%send\n", pad) end
  if p.around then pad = pad:sub(3) w("%send\n", pad) end
  w(statements(p, p.behind or {}, pad))
  for _, f in ipairs(p.fragments) do
    w("%sT.copy(%s, %s[bx%s])\n", pad, f.name, f.out, (", 0"):rep(#f.shape))
  end
  w "  end\nend)\n"
  return table.concat(lines)
end

local function nested(t, dim, first, count)
  if dim > #t.shape then return t.data[first] end
  local r, part = {}, count // t.shape[dim]
  for i = 1, t.shape[dim] do r[i] = nested(t, dim + 1, first + (i - 1) * part, part) end
  return r
end

local function flat(t, r)
  if type(t) == "table" then
    for _, e in ipairs(t) do flat(e, r) end
  else
    r[r.n] = t == true and 1 or t or 0
    r.n = r.n + 1
  end
  return r
end

-- The tensors of a call, and those behind a run: name -> elements from 0.
function M.arguments(p)
  local args = {}
  for i, t in ipairs(p.tensors) do args[i] = tl.from_table(nested(t, 1, 0, interp.size(t.shape)), t.dtype) end
  args[#args + 1] = p.m
  return args
end

function M.results(p, args)
  local got = {}
  for i, t in ipairs(p.tensors) do got[t.name] = flat(args[i]:totable(), {n = 0}) end
  return got
end

return M
