-- layout_viz/shell.lua: `moontile plot FILE|EXPRESSION [WHAT] ['{OPTIONS}'] [flags]`.
--
--   moontile plot gemm.lua                      the grid of each kernel
--   moontile plot gemm.lua stages --kernel f    the pipeline of one
--   moontile plot gemm.lua '{block = {1, 2}}'
--   moontile plot 'tl.layout.mma("m16n8k16", "C")' --svg c.svg
--
-- FILE runs with its launches left out (tl/dry.lua); of each kernel's specialisations
-- the first one is plotted.

local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local plot = require "moontile.layout_viz.plot"

local M = {}

-- The value of an expression on the command line, as the prompt reads it.
local function evaluate(text)
  local chunk, err = load("return " .. text, "=(command line)")
  if not chunk then
    error(err, 0)
  end
  return chunk()
end

-- WHAT and the options among the words behind the subject.
local function words_of(o)
  local what, opts = nil, {}
  for _, word in ipairs(o.words) do
    if word:find "^%s*{" then
      opts = evaluate(word)
    else
      what = word
    end
  end
  opts.json = o.json or opts.json
  opts.svg = o.svg or opts.svg
  opts.width = o.width or opts.width
  return what, opts
end

-- The kernels of a file, the first of each name; or the one that is wanted.
local function kernels_of(o)
  local list, seen, names = {}, {}, {}
  dry.run(o.file, function(k)
    if not seen[k.name] then
      seen[k.name] = true
      names[#names + 1] = k.name
      if not o.kernel or o.kernel == k.name then
        list[#list + 1] = k
      end
    end
  end, dry.checked)
  if #names == 0 then
    diag.fail("emit_none", o.file)
  elseif #list == 0 then
    diag.fail("plot_kernel", o.kernel, o.file, table.concat(names, ", "))
  end
  return list
end

-- x.svg -> x-name.svg
local function named(path, name)
  local stem, ext = path:match "^(.*)(%.[^./]*)$"
  return ("%s-%s%s"):format(stem or path, name, ext or "")
end

-- What a kernel may lack without anything being wrong: a pipeline, shared memory, ..
local lacking = {plot_pipeline = true, plot_shared = true, plot_roof = true}

-- One call of plot for each kernel; JSON of several as one list.  Kernels without what
-- was asked for are passed over with a message, unless all are.
local function plot_kernels(list, what, opts, source)
  local svg, drawn, lack = opts.svg, 0, {}
  for _, k in ipairs(list) do
    opts.svg = svg and (#list > 1 and named(svg, k.name) or svg)
    opts.source = source
    local ok, f = pcall(plot.figure, k, what or opts, what and opts or nil)
    if not ok and not (diag.isdiag(f) and lacking[f.id]) then
      error(f, 0)
    elseif not ok then
      lack[#lack + 1] = f
    else
      drawn = drawn + 1
      if opts.json and #list > 1 then
        io.stdout:write(drawn == 1 and "[" or ",\n")
      elseif drawn > 1 and not svg then
        io.stdout:write("\n")
      end
      plot.show(f, opts)
    end
  end
  if opts.json and #list > 1 and drawn > 0 then
    io.stdout:write("]\n")
  end
  for i, err in ipairs(lack) do
    if drawn == 0 and i == #lack then
      error(err, 0)
    end
    io.stderr:write(tostring(err), "\n")
  end
end

-- run{file = or expression =, words = {..}, kernel =, svg =, json =, width =}
function M.run(o)
  local what, opts = words_of(o)
  if o.file then
    local source = ("moontile plot %s%s"):format(o.file, what and " " .. what or "")
    return plot_kernels(kernels_of(o), what, opts, source)
  end
  local v = evaluate(o.expression)
  opts.source = opts.source or ("plot(%s)"):format(o.expression)
  if what then
    plot(v, what, opts)
  else
    plot(v, opts)
  end
end

return M
