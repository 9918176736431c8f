-- layout_viz/program.lua: what the figures of a kernel ask of its program.
--
-- A view is one form of the program (moontile.flow) with the sizes that are known:
--     {f = flow, tree =, launch =, index =, count =, machine = "sm_90a", kernel = k}
-- Sizes come from opts.dims, else from the tensors of the last call; blocks and
-- loops are numbered from 0, launches from 1.

local describe = require "moontile.base.describe"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local feedback = require "moontile.feedback"
local flow = require "moontile.flow"
local ir = require "moontile.ir"
local kernel = require "moontile.tl.kernel"
local W = require "moontile.base.translations"

local M = {}

-- Texts in the user's language: say("en", "zh", ...).
function M.say(en, zh, ...)
  return (diag.lang() == "zh" and zh or en):format(...)
end

function M.is_kernel(v)
  return getmetatable(v) == kernel.Kernel
end

-- The machine whose threads are looked at: opts.target's, the kernel's own, or
-- the simulator's default where the kernel's target has none.
function M.target(k, opts)
  return opts.target and device.resolve(opts.target) or device.threads(k.spec)
end

-- Sizes --------------------------------------------------------------------------

-- Name -> value of all sizes and scalars that are known.
local function sizes(k, opts)
  local t = {}
  for name, v in pairs(k.dims_last or {}) do
    t[name] = v
  end
  for i, p in ipairs(k.inputs) do
    local v = k.inputs_last and k.inputs_last[i]
    if p.kind == "scalar" and math.type(v) == "integer" then
      t[p.name] = v
    end
  end
  if opts.dims ~= nil and type(opts.dims) ~= "table" then
    diag.fail("arg_type", "plot", "dims", W"a table", describe(opts.dims),
      "plot(k, {dims = {M = 1024}})")
  end
  for name, v in pairs(opts.dims or {}) do
    t[name] = v
  end
  return t
end
M.sizes = sizes

-- Gives the program's dimensions and scalars their values.
local function bind(view, known)
  for id, v in pairs(view.tree.vars) do
    if (v.kind == "dim" or v.kind == "scalar") and math.type(known[v.name]) == "integer" then
      view.f:set(id, known[v.name])
    end
  end
end

-- A view of kernel k.  level: "tile"; or "threads", perhaps behind `pass`.
function M.view(k, opts, level, pass)
  local spec = level ~= "tile" and M.target(k, opts) or nil
  local f = spec and flow.open(k.P, spec, pass) or flow.open(k.P)
  local view = {f = f, tree = f:tree(), kernel = k, spec = spec}
  view.count = #view.tree.launches
  view.index = opts.launch or 1
  view.launch = view.tree.launches[view.index]
  view.machine = spec and (ir.machine(spec) or spec)
  if not view.launch then
    diag.fail("plot_launch", k.name, tostring(view.count), describe(view.index))
  end
  bind(view, sizes(k, opts))
  return view
end

-- The value of an expression, or an error that names a size without one.
function M.value(view, ex)
  local v = view.f:eval(ex)
  if v then
    return v
  end
  for _, var in pairs(view.tree.vars) do
    if (var.kind == "dim" or var.kind == "scalar") and
      view.f:text(ex):find("%f[%w_]" .. var.name .. "%f[^%w_]") then
      diag.fail("plot_dims", view.kernel.name, var.name)
    end
  end
  diag.fail("plot_dims", view.kernel.name, view.f:text(ex))
end

-- The facts of k:analyze for these options; fixes of layouts are not looked for.
function M.analyze(k, opts)
  return feedback.analyze(k.P, M.target(k, opts), {card = opts.card, dims = sizes(k, opts),
    fixes = false})
end

-- Statements -----------------------------------------------------------------------

-- Calls f(statement, depth) for every statement of a body, outer before inner; what
-- is inside is left out when f returns false.
function M.walk(body, f, depth)
  for _, s in ipairs(body) do
    if f(s, depth or 0) ~= false then
      M.walk(s.body or {}, f, (depth or 0) + 1)
      M.walk(s.other or {}, f, (depth or 0) + 1)
    end
  end
end

-- The user's line at a statement, without the blanks around it and what follows --.
function M.source(s)
  local line = s.file and s.line and diag.source(s.file, s.line)
  return line and line:gsub("%s%-%-.*$", ""):match "^%s*(.-)%s*$" or nil
end

-- A loop's range of iterations, first and last, as wide as it can be; nil: unknown.
function M.loop_range(view, s, i)
  local lo = view.f:range(s.lo[i])
  local _, last = view.f:range(s.hi[i])
  return lo, last and last - 1
end

-- "16384" -> "16 KB", exact where it is.
function M.bytes(n)
  if n >= 1024 and n % 1024 == 0 then
    return ("%d KB"):format(n // 1024)
  elseif n >= 1024 and n % 512 == 0 then
    return ("%.1f KB"):format(n / 1024)
  end
  return ("%d B"):format(n)
end

return M
