-- python/plot_layout.lua: tilelang.tools.plot_layout: the figure of a layout as SVG, where TileLang has matplotlib draw it.
-- pdf and png are not written: the same figure is, as SVG, and a note says so once.

local core = require "moontile.python.core"
local diag = require "moontile.diag"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local object = require "moontile.layout.algebra"
local native = require "moontile.python.native"

local said

local function formats(text)
  if type(text) ~= "string" then
    exc.fail("TypeError", ("Expected str, but got %s. Please pass a string like 'png', 'pdf', 'svg', 'all', or 'png,pdf'.")
      :format(core.typename(text)), nil, "plot_layout")
  end
  local other
  for name in (text:lower() == "all" and "pdf,png,svg" or text:lower()):gmatch "[^,%s]+" do
    other = name ~= "svg" and name or other
  end
  if other and not said then
    said = true
    io.stderr:write(tostring(diag.make("py_plot_svg", other)), "\n")
  end
end

-- A layout that moontile draws, or an error in TileLang's words.
local function checked(layout)
  local l = foreign.to_lua(layout)
  if not object.is(l) then
    exc.fail("TypeError", ("Expected T.Layout or T.Fragment, but got %s."):format(core.typename(layout)), nil, "plot_layout")
  end
  return l
end

local function draw(layout, directory, name, _, verbose, format, view, grid)
  local l = checked(layout)
  formats(format or "pdf")
  if (view or "input") ~= "input" or grid and grid ~= core.None then
    exc.fail("NotImplementedError", "plot_layout() draws the space of indices here: leave out view and grid_shape", nil,
      "plot_layout")
  end
  if verbose == true then
    io.stdout:write(l:text(), "\n")
  end
  local os_module = core.late.imports "os"
  directory = core.late.str(directory or "./tmp")
  func.call(core.late.attr(os_module, "makedirs"), directory, 511, true)
  local path = ("%s/%s.svg"):format(directory:gsub("^%./", ""):gsub("/$", ""), name or "layout")
  assert(load "return plot")()(l, {svg = path}) -- the global of programs: this room does not know layout_viz
  return core.None
end

return native.make("plot_layout", "layout, save_directory?, name?, colormap?, verbose?, formats?, view?, grid_shape?", draw)
