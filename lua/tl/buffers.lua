-- tl/buffers.lua: what a kernel's buffers are once it is lowered: where they
-- stand, who holds which element, and what decided it.
--
--   k:buffers()              a list {name, scope, dtype, shape, bytes, ..}
--   k:layout("Cl")           the T.Fragment or T.Layout that it has, with its facts
--
-- A kernel of the cpu is looked at as if it were one of the simulator's default
-- machine; {target = "sm_90a"} asks for another one.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local lowered = require "moontile.irbuffers"
local suggest = require "moontile.base.suggest"
local object = require "moontile.layout.algebra"
local options = require("moontile.tl.tensor").rules.options

local M = {doc = {}}

M.doc.layout = {
  sig = "k:layout(name [, {target =, launch =}])",
  summary = "the layout that a buffer has after lowering: name, dtype, scope, what fixed it",
  summary_zh = "缓冲区在降低之后的布局，含名称、dtype、作用域以及由什么决定",
  example = 'print(k:layout("Cl"), k:layout("Cl").why)',
}
M.doc.buffers = {
  sig = "k:buffers([{target =, launch =}])",
  summary = "the buffers of the lowered kernel: name, scope, dtype, shape, bytes, address, layout",
  summary_zh = "降低后内核的全部缓冲区：名称、作用域、dtype、形状、字节数、地址、布局",
  example = "print(k:buffers())",
}

-- Lowering -------------------------------------------------------------------------

local programs = setmetatable({}, {__mode = "k"}) -- kernel -> spec -> thread program

-- "sm_90a" or a target -> the spec that programs are lowered for
local function spec_of(k, target)
  if target == nil then
    return device.threads(k.spec)
  end
  if type(target) == "string" and not ir.target(target:match "^%s*(%S*)") then
    local names = ir.targets()
    for _, m in ipairs(require("moontile.feedback").machines()) do
      if m.name == target then
        return "sim -arch=" .. target
      end
      names[#names + 1] = m.name
    end
    if target:find "^sm_" or target:find "^gfx" then
      diag.fail("target_unknown", target, table.concat(names, ", "))
    end
  end
  return device.threads(device.resolve(target))
end

-- The thread program of a kernel for a target; kept, since figures ask often.
function M.threads(k, target)
  local spec, own = spec_of(k, target), programs[k]
  if not own then
    own = {}
    programs[k] = own
  end
  own[spec] = own[spec] or {program = lowered.lower(k.P, spec)}
  return own[spec].program, own[spec]
end

-- Facts -----------------------------------------------------------------------------

local say = {
  annotate_layout = {"from T.annotate_layout", "由 T.annotate_layout 指定"},
  gemm = {"from T.gemm at line %d", "由第 %d 行的 T.gemm 决定"},
  reduce = {"from the reduction at line %d", "由第 %d 行的归约决定"},
  copy = {"for the copy at line %d", "为第 %d 行的复制而定"},
  loop = {"from line %d, which it suits best", "由第 %d 行决定，对该行开销最小"},
  size = {"from its size alone", "仅由其大小决定"},
  view = {"a view of %s", "%s 的视图"},
  stages = {"%d stages of the pipeline", "流水线的 %d 级"},
}

local function phrase(key, ...)
  local t = say[key]
  return t[diag.lang() == "zh" and 2 or 1]:format(...)
end

-- What decided a buffer's layout: one line, or nil where nothing had to be decided.
function M.reason(row)
  if row.view then
    return phrase("view", row.view)
  elseif not row.cause then
    return nil
  elseif row.fixed_line then
    return phrase(row.cause, row.fixed_line)
  end
  return row.cause == "size" or row.cause == "annotate_layout" and phrase(row.cause) or nil
end

local Row = {__tostring = function(r)
  local at = r.at and (" @%d"):format(r.at) or ""
  local bytes = r.bytes and (", %d B"):format(r.bytes) or ""
  local why = M.reason(r)
  return ("%s: %s %s(%s)%s%s%s%s"):format(r.name, r.scope, r.dtype, table.concat(r.shape, ", "),
    bytes, at, r.stages and ", " .. phrase("stages", r.stages) or "", why and ", " .. why or "")
end}

local List = {__tostring = function(t)
  local lines = {}
  for i, r in ipairs(t) do
    lines[i] = tostring(r)
  end
  return table.concat(lines, "\n")
end}

-- Names that two buffers have get a number: s, s.2.
local function number_names(rows)
  local seen = {}
  for _, r in ipairs(rows) do
    local n = (seen[r.name] or 0) + 1
    seen[r.name] = n
    r.name = n > 1 and ("%s.%d"):format(r.name, n) or r.name
  end
end

-- What the tile program says of buffers of these names: versions that a pipeline
-- added, and buffers that only the compiler knows.
local function compare(k, rows)
  local rank = {}
  for _, r in ipairs(lowered.list(k.P)) do
    rank[r.name] = rank[r.name] or #r.shape
  end
  for _, r in ipairs(rows) do
    local n = rank[r.name:match "^[^.]*"]
    r.made = n == nil or nil
    r.stages = r.scope == "shared" and n and #r.shape == n + 1 and r.shape[1] or nil
  end
end

local known = {target = true, launch = true}

-- The list of a kernel's buffers: parameters, then those of each launch.
--   name, scope ("global" "shared" "fragment" "local" "var" "barrier"), dtype, bits,
--   shape (sizes; an expression's text where one is not known)
--   bytes    in memory; of registers, those of one thread
--   at       offset in the block's shared memory
--   launch   1, 2, ..: the T.Kernel it belongs to
--   first, threads: the threads of the block that have it
--   line, file, view (the buffer it is a view of)
--   stages   of a pipeline: how many versions it has, its first dimension
--   made     true: the compiler's own
--   map      its layout
--   cause, fixed_line: "gemm", .. and the line that fixed the map
function M.buffers(k, opts)
  opts = options("kernel:buffers", opts, known)
  local Q, own = M.threads(k, opts.target)
  if not own.rows then
    own.rows = lowered.list(Q)
    number_names(own.rows)
    compare(k, own.rows)
  end
  local rows = setmetatable({}, List)
  for _, r in ipairs(own.rows) do
    if opts.launch == nil or r.launch == nil or r.launch == opts.launch then
      local copy = {}
      for key, v in pairs(r) do
        copy[key] = v
      end
      rows[#rows + 1] = setmetatable(copy, Row)
    end
  end
  return rows
end

-- The names that k:layout() takes, for messages and completion.
function M.names(k, opts)
  local names = {}
  for _, r in ipairs(M.buffers(k, opts)) do
    names[#names + 1] = r.map and r.name or nil
  end
  return names
end

-- The row of a buffer, or an error with the near name.
function M.row(k, name, opts)
  local rows, names = M.buffers(k, opts), {}
  for i, r in ipairs(rows) do
    if r.name == name then
      return r
    end
    names[i] = r.name
  end
  local n = suggest.find(tostring(name), names)
  local all = table.concat(names, ", ")
  if n then
    diag.fail("buffer_near", k.name, tostring(name), all, n)
  end
  diag.fail("buffer_none", k.name, tostring(name), all)
end

local Why = {__tostring = function(t) return table.concat(t, "\n") end}

-- What fixed it, and what the passes noted of it.
local function reasons(k, row, Q)
  local list = setmetatable({M.reason(row)}, Why)
  for _, n in ipairs(ir.notes(Q)) do
    if n.args[1] == row.name then
      list[#list + 1] = n.line > 0 and ("%s:%d: %s"):format(k.name, n.line, n.text) or n.text
    end
  end
  return list
end

function M.layout(k, name, opts)
  opts = options("kernel:layout", opts, known)
  local row = M.row(k, name, opts)
  if not row.map then
    diag.fail("buffer_layout", k.name, row.name, tostring(row))
  end
  local Q = M.threads(k, opts.target)
  local l = object.of(row.map, row.name)
  for _, key in ipairs {"dtype", "bits", "scope", "bytes", "launch", "line", "file", "cause",
    "fixed_line", "stages", "first", "threads"} do
    l[key] = row[key]
  end
  l.address = row.at
  l.buffer, l.kernel, l.machine, l.lanes = row.name, k, lowered.machine(Q)
  l.why = reasons(k, row, Q)
  return l
end

return M
