-- layout_viz/layouts.lua: builders of plot for layouts, instructions and the buffers of
-- a kernel: which figure, by `view` and the other options.

local access = require "moontile.layout_viz.access"
local buffers = require "moontile.tl.buffers"
local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local modes = require "moontile.layout_viz.modes"
local fragment = require "moontile.layout_viz.fragment"
local kernel = require "moontile.tl.kernel"
local layout = require "moontile.tl.layout"
local mma = require "moontile.layout_viz.mma"
local suggest = require "moontile.base.suggest"
local object = require "moontile.layout.algebra"
local owner = require "moontile.layout_viz.owner"
local plot = require "moontile.layout_viz.plot"
local ruled = require "moontile.layout_viz.ruled"
local shared = require "moontile.layout_viz.shared"
local W = require "moontile.base.translations"
local window = require "moontile.layout_viz.window"

-- Options ------------------------------------------------------------------------------

local function integers(v)
  for _, n in ipairs(type(v) == "table" and v or {false}) do
    if math.type(n) ~= "integer" then
      return false
    end
  end
  return true
end

local function natural(v)
  return math.type(v) == "integer" and v >= 0
end

-- Is a value right, what it should be, and an example.
local checks = {
  owner = {integers, "a list of indices", "plot(x, {owner = {5, 9}})"},
  thread = {natural, "0 or more", "plot(x, {thread = 37})"},
  warp = {natural, "0 or more", "plot(x, {warp = 1})"},
  line = {natural, "0 or more", "plot(k, {line = 14})"},
  vector = {natural, "0 or more", "plot(x, {access = \"rows\", vector = 4})"},
  lanes = {natural, "0 or more", "plot(x, {access = \"rows\", lanes = 64})"},
  gemm = {function(v) return v == true or natural(v) end, "a line, or true",
    "plot(k, {gemm = 14})"},
  animate = {function(v) return v == true or v == false or v == "rows" or v == "bits" end,
    'true, "rows", "bits"', "plot(x, {animate = true})"},
}

local function check(opts)
  for key, c in pairs(checks) do
    if opts[key] ~= nil and not c[1](opts[key]) then
      diag.fail("arg_type", "plot", key, W(c[2]), describe(opts[key]), c[3])
    end
  end
end

-- Views --------------------------------------------------------------------------------

local fragment_views = {
  input = fragment.input, threads = fragment.threads, output = fragment.threads,
  warps = fragment.warps, cute = ruled.figure, modes = modes.table, f2 = modes.f2,
}

local function memory(view)
  return function(l, opts, style)
    if opts.animate then
      return shared.frames(l, view, opts, style)
    end
    return shared.places(l, view, opts, style)
  end
end

local memory_views = {
  input = function(l, opts, style)
    return opts.animate and shared.frames(l, "input", opts, style) or shared.input(l, opts, style)
  end,
  output = shared.output, address = memory "address", banks = memory "banks",
  chunks = memory "chunks", cute = ruled.figure, modes = modes.table, f2 = modes.f2,
}

local function names_of(t)
  local names = {}
  for name in pairs(t) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- What is drawn when nothing is asked for: chunks where an XOR moves them.
local function default_view(l)
  if l.thread then
    return "input"
  end
  local map = window.map(l)
  return map and map:info().xor and "chunks" or "input"
end

local function draw(l, opts, style)
  check(opts)
  if opts.owner then
    opts.owner = owner.index(l, opts.owner)
  end
  local views = l.thread and fragment_views or memory_views
  local view = opts.view or default_view(l)
  if not views[view] then
    local names = names_of(views)
    local n, all = suggest.find(tostring(view), names), table.concat(names, ", ")
    if n then
      diag.fail("plot_view_near", tostring(l), tostring(view), all, n)
    end
    diag.fail("plot_view", tostring(l), tostring(view), all)
  end
  if opts.access ~= nil and not l.thread then
    return access.of_layout(l, opts, style, owner.bits(l, opts))
  elseif opts.access ~= nil then
    diag.fail("layout_kind", "access", W"a T.Layout", tostring(l))
  end
  return views[view](l, opts, style)
end

local own = {"view", "slice", "owner", "thread", "warp", "access", "lanes", "vector", "dtype",
  "animate", "before"}

-- A table of its own: what is drawn may complete it.
local function copied(opts)
  local all = {}
  for key, value in pairs(opts) do
    all[key] = value
  end
  return all
end

plot.add {
  name = "layout",
  summary = {en = "a layout or fragment", zh = "布局或片段"},
  is = function(v, what) return object.is(v) and (what == nil or type(what) == "string") end,
  figure = function(v, what, opts, style)
    local all = copied(opts)
    all.view = what or all.view
    return draw(v, all, style)
  end,
  whats = function(v)
    return object.is(v) and names_of(v.thread and fragment_views or memory_views) or nil
  end,
  options = own,
}

-- Instructions -------------------------------------------------------------------------

plot.add {
  name = "instruction",
  summary = {en = 'a matrix instruction ("mma.m16n8k16")', zh = '矩阵指令（"mma.m16n8k16"）'},
  is = function(v, what)
    return what == nil and (getmetatable(v) == layout.Instruction or
      type(v) == "string" and mma.looks(v))
  end,
  figure = function(v, _, opts, style)
    if type(v) == "string" then
      return mma.by_name(v, opts, style)
    end
    return mma.figure(v, opts, style)
  end,
  options = {"n"},
}

-- Buffers of a kernel ------------------------------------------------------------------

local function is_kernel(v)
  return getmetatable(v) == kernel.Kernel
end

local function has_buffer(k, what, opts)
  for _, r in ipairs(buffers.buffers(k, {target = opts.target})) do
    if r.name == what then
      return true
    end
  end
  return false
end

local kernel_options = {table.unpack(own)}
for _, name in ipairs {"target", "launch", "line", "gemm", "dims"} do
  kernel_options[#kernel_options + 1] = name
end

plot.add {
  name = "buffer",
  summary = {en = 'a buffer of a kernel: plot(k, "As")', zh = '内核的缓冲区：plot(k, "As")'},
  is = function(v, what, opts)
    return is_kernel(v) and (opts.line ~= nil or opts.gemm ~= nil or
      type(what) == "string" and has_buffer(v, what, opts))
  end,
  figure = function(k, what, opts, style)
    check(opts)
    if opts.gemm ~= nil then
      return mma.of_kernel(k, opts, style)
    end
    local line = opts.line
    if math.type(opts.access) == "integer" then
      line = opts.access
    end
    if line or opts.access == true then
      return access.of_kernel(k, {line = line, buffer = what, warp = opts.warp,
        target = opts.target, launch = opts.launch, dims = opts.dims}, style)
    end
    local l = buffers.layout(k, what, {target = opts.target, launch = opts.launch})
    return draw(l, copied(opts), style)
  end,
  whats = function(v)
    if not is_kernel(v) then
      return nil
    end
    local ok, names = pcall(buffers.names, v)
    return ok and names or nil
  end,
  options = kernel_options,
}

return plot
