-- layout_viz/plot.lua: plot(x [, what] [, options]): draws whatever x is.
--
--   plot(tl.randn{64, 64})                      a tensor: a heat map
--   plot(got, want)                             two: where they differ
--   plot(k)   plot(k, "stages")   plot(k, "As") a kernel: its grid, its pipeline, a buffer
--   plot(k:bench())                             a benchmark: bars
--   plot(x, {svg = "x.svg"})                    a file; {json = true}: text for programs
--   plot.figure(x, ...)                         the figure, or a list of frames
--
-- What x can be is known to the builders, files of this folder:
--
--   plot.add {
--     name = "tensor",                            -- how messages call it
--     summary = {en = "a tensor", zh = "张量"},
--     is = function(v, what, opts) end,           -- is this one mine?
--     figure = function(v, what, opts, style) end,-- -> a figure, or a list of frames
--     whats = function(v) end,                    -- [optional] -> list of its figures' names,
--                                                 --    nil where v is nothing for it
--     options = {"values"},                       -- [optional] names of its own options
--   }
--
-- opts.source is the line that made the figure, when it is known: for viz.figure.
-- The first builder that says yes is taken.  `what` is the argument between x and
-- the options: a name, or a second thing of x's kind.  style is term.terminal() with
-- what the options say of it.  A list of frames is shown one after the other: in place
-- at a terminal.  This file knows options that hold for all figures, and where the
-- text goes: in pages when it is longer than the terminal, whole everywhere else.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local disk = require "moontile.files"
local shown = require "moontile.base.plain"
local suggest = require "moontile.base.suggest"
local term = require "moontile.term"
local W = require "moontile.base.translations"

-- The builders, in the order in which they are asked.
local files = {
  "layouts", "tensor", "errors", "bench", "kernel", "stages", "memory", "roofline",
  "timeline",
}

local M = {builders = {}}

function M.add(builder)
  assert(builder.name and builder.is and builder.figure and builder.summary.en and
    builder.summary.zh, "a builder needs name, is, figure and summary")
  M.builders[#M.builders + 1] = builder
end

local function load_builders()
  for _, name in ipairs(files) do
    require("moontile.layout_viz." .. name)
  end
  files = {}
end

local function phrase(t)
  return diag.lang() == "zh" and t.zh or t.en
end

-- Options --------------------------------------------------------------------------

local function is_range(v)
  return type(v) == "table" and math.type(v[1]) == "integer" and math.type(v[2]) == "integer" and
    #v == 2 and v[1] >= 0 and v[2] >= v[1]
end

local function natural(v)
  return math.type(v) == "integer" and v >= 1
end

local function boolean(v)
  return type(v) == "boolean"
end

local function text(v)
  return type(v) == "string" and v ~= ""
end

local function one_of(...)
  local list = {...}
  return function(v)
    for _, x in ipairs(list) do
      if x == v then
        return true
      end
    end
    return false
  end
end

local formats = one_of("text", "svg", "json")

-- Options of every figure: is a value right, what it should be (in the words of
-- base/translations.lua), and an example.
local common = {
  svg = {text, "a path", 'plot(x, {svg = "x.svg"})'},
  json = {boolean, "true or false", "plot(x, {json = true})"},
  format = {formats, '"text", "svg", "json"', 'plot(x, {format = "svg"})'},
  width = {natural, "a number from 1 up", "plot(x, {width = 120})"},
  height = {natural, "a number from 1 up", "plot(x, {height = 50})"},
  colour = {one_of(0, 4, 8, 24), "0, 4, 8, 24", "plot(x, {colour = 0})"},
  unicode = {boolean, "true or false", "plot(x, {unicode = false})"},
  cells = {one_of("auto", "label", "first", "block", "half"),
    '"auto", "label", "first", "block", "half"', 'plot(x, {cells = "block"})'},
  rows = {is_range, "{from, to}, counted from 0", "plot(x, {rows = {0, 15}})"},
  cols = {is_range, "{from, to}, counted from 0", "plot(x, {cols = {0, 15}})"},
  page = {natural, "a number from 1 up", "plot(x, {page = 2})"},
  fold = {boolean, "true or false", "plot(x, {fold = false})"},
  delay = {function(v) return type(v) == "number" and v >= 0 end, "a number of seconds",
    "plot(x, {delay = 0.5})"},
  source = {text, "a string", 'plot(x, {source = "plot(x)"})'},
}

local function number(v)
  return math.type(v) ~= nil
end

local function cycles(v)
  return math.type(v) and math.tointeger(v) and v >= 0
end

-- The same of options that only some figures have, where these do not look themselves.
local some = {
  rtol = {number, "a number", "plot(x, {rtol = 1e-2})"},
  atol = {number, "a number", "plot(x, {atol = 1e-2})"},
  iterations = {is_range, "{from, to}, counted from 0", "plot(x, {iterations = {0, 3}})"},
  from = {cycles, "integers from 0", "plot(x, {from = 1000})"},
  to = {cycles, "integers from 0", "plot(x, {to = 2000})"},
}

-- Raises for a key that neither all figures nor this builder has.
local function unknown_option(key, builder)
  local names = {}
  for name in pairs(common) do
    names[#names + 1] = name
  end
  for _, name in ipairs(builder.options) do
    names[#names + 1] = name
  end
  table.sort(names)
  local all, n = table.concat(names, ", "), suggest.find(tostring(key), names)
  if n then
    diag.fail("option_near", "plot", tostring(key), all, n)
  end
  diag.fail("option_unknown", "plot", tostring(key), all)
end

local function check_options(opts, builder)
  local own = {}
  for _, name in ipairs(builder.options or {}) do
    own[name] = true
  end
  for key, v in pairs(opts) do
    local c = own[key] and some[key] or not own[key] and common[key]
    if c and not c[1](v) then
      diag.fail("arg_type", "plot", key, W(c[2]), describe(v), c[3])
    elseif not c and not own[key] and builder.options then
      unknown_option(key, builder)
    end
  end
end

-- term.terminal() with what the options say.
local function style_of(opts)
  local style = {}
  for key, v in pairs(term.terminal()) do
    style[key] = v
  end
  for _, key in ipairs {"width", "height", "colour", "unicode", "cells"} do
    if opts[key] ~= nil then
      style[key] = opts[key]
    end
  end
  return style
end

-- Finding the builder -----------------------------------------------------------------

local function nothing(v)
  local names = {}
  for i, b in ipairs(M.builders) do
    names[i] = phrase(b.summary)
  end
  local zh = diag.lang() == "zh"
  diag.fail("plot_kind", describe(v), table.concat(names, zh and "；" or "; "))
end

-- Names of the figures that v has.
function M.whats(v)
  load_builders()
  local names, seen = {}, {}
  for _, b in ipairs(M.builders) do
    for _, name in ipairs(b.whats and b.whats(v) or {}) do
      if not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  return names
end

-- Nobody draws `what` of v: is it misspelled, or is v nothing at all?
local function no_such(v, what)
  local names = M.whats(v)
  if #names == 0 or what == nil then
    nothing(v)
  end
  local word = type(what) == "string" and what or describe(what)
  local n = type(what) == "string" and suggest.find(what, names)
  if n then
    diag.fail("plot_what_near", word, n, table.concat(names, ", "))
  end
  diag.fail("plot_what", word, describe(v), table.concat(names, ", "))
end

-- A tl.jit function stands for its last kernel.
local function thing(v)
  local mt = getmetatable(v)
  if type(v) == "table" and type(mt) == "table" and mt.__name == "jit" then
    return v.last or diag.fail("plot_jit", v.name or "f")
  end
  return v
end

local function builder_of(v, what, opts)
  for _, b in ipairs(M.builders) do
    if b.is(v, what, opts) then
      return b
    end
  end
  no_such(v, what)
end

-- The arguments of plot: x, what or nil, options.
local function arguments(...)
  local v, what, opts = ...
  local function plain(t)
    return type(t) == "table" and getmetatable(t) == nil
  end
  if opts == nil and plain(what) and (what[1] == nil or type(v) ~= "table") then
    what, opts = nil, what
  end
  if opts ~= nil and not plain(opts) then
    diag.fail("arg_type", "plot", "options", W"a table", describe(opts),
      'plot(x, {svg = "x.svg"})')
  end
  return thing(v), thing(what), opts or {}
end

local function build(v, what, opts)
  load_builders()
  local b = builder_of(v, what, opts)
  check_options(opts, b)
  local style = style_of(opts)
  return b.figure(v, what, opts, style), style
end

-- The figure of x, or a list of frames.
function M.figure(...)
  return (build(arguments(...)))
end

-- Text and where it goes -----------------------------------------------------------------

local function render(f, format, style)
  return f:render {format = format, colour = style.colour, unicode = style.unicode,
    width = style.width, cells = style.cells}
end

local function write_file(path, data)
  local ok, why = disk.write(path, data)
  if not ok then
    diag.fail("plot_file", path, why)
  end
end

local function lines_of(s)
  local list = {}
  for line in s:gmatch "([^\n]*)\n?" do
    list[#list + 1] = line
  end
  while list[#list] == "" do
    list[#list] = nil
  end
  return list
end

local says = {
  page = {en = "page %d of %d", zh = "第 %d 页，共 %d 页"},
  next = {en = "; %s shows the next one", zh = "；%s 显示下一页"},
  wrote = {en = "wrote %s", zh = "已写入 %s"},
  frame = {en = "frame %d of %d", zh = "第 %d 帧，共 %d 帧"},
}

-- What shows page n of what `source` has plotted: the line with that option in it.
local function page_line(source, n)
  local word = "page = " .. n
  local head, fields = (source or ""):match "^(:%a.-)%s*{(.*)}$"
  if head and fields:find "%S" then
    fields = fields:gsub("%s*,?%s*page%s*=%s*%d+", ""):gsub("^[%s,]+", "")
    return ("%s {%s%s}"):format(head, fields ~= "" and fields .. ", " or "", word)
  elseif source and source:find "^:%a" then
    return ("%s {%s}"):format(source, word)
  end
  return ("plot(x, {%s})"):format(word)
end

-- One page of the text, when it is longer than the terminal or a page was asked for.
local function paged(s, opts, style)
  local long = style.tty and style.height
  if not long and not opts.page then
    return s
  end
  local lines = lines_of(s)
  local height = math.max(4, (style.height or 24) - 2) -- the last line and the prompt
  if #lines <= height + 1 and not opts.page then
    return s
  end
  local pages, page = math.max(1, (#lines + height - 1) // height), opts.page or 1
  if page > pages then
    diag.fail("plot_page", tostring(page), tostring(pages))
  end
  local part = table.move(lines, (page - 1) * height + 1, math.min(#lines, page * height), 1, {})
  local last = phrase(says.page):format(page, pages)
  if page < pages then
    last = last .. phrase(says.next):format(page_line(opts.source, page + 1))
  end
  part[#part + 1] = last
  return table.concat(part, "\n") .. "\n"
end

-- Frames: in place at a terminal, else one after the other.
local function show_frames(frames, opts, style)
  local up = 0
  for i, f in ipairs(frames) do
    local s = render(f, "text", style)
    if i > 1 and not style.tty then
      io.stdout:write("\n")
    elseif i > 1 then
      term.sleep(opts.delay or 0.7)
      if up < (style.height or 24) then -- what has scrolled away cannot be drawn over
        io.stdout:write(("\27[%dA\27[J"):format(up))
      end
    end
    s = s .. phrase(says.frame):format(i, #frames) .. "\n"
    local _, n = s:gsub("\n", "")
    up = n
    io.stdout:write(s)
    io.stdout:flush()
  end
end

local function write_svg(frames, opts, style)
  for i, f in ipairs(frames) do
    local path = opts.svg
    if #frames > 1 then -- x.svg -> x-1.svg, x-2.svg, ..
      local stem, ext = path:match "^(.*)(%.[^./]*)$"
      path = ("%s-%d%s"):format(stem or path, i, ext or "")
    end
    write_file(path, render(f, "svg", style))
    _G.print(shown.format(phrase(says.wrote), path))
  end
end

-- All frames in one text of a format.
local function all_of(frames, format, style)
  local parts = {}
  for i, f in ipairs(frames) do
    parts[i] = (render(f, format, style):gsub("\n+$", ""))
  end
  if format == "json" and #frames > 1 then
    return "[" .. table.concat(parts, ",\n") .. "]\n"
  end
  return table.concat(parts, "\n") .. "\n"
end

-- Shows what M.figure() gave, as the options say.
function M.show(f, opts, style)
  style = style or style_of(opts)
  local frames = type(f) == "table" and getmetatable(f) == nil and f or {f}
  local format = opts.json and "json" or opts.format or "text"
  if opts.svg then
    write_svg(frames, opts, style)
  end
  if format ~= "text" then
    io.stdout:write(all_of(frames, format, style))
  elseif opts.svg then
    return
  elseif #frames > 1 then
    show_frames(frames, opts, style)
  else
    io.stdout:write(paged(render(frames[1], "text", style), opts, style))
  end
end

return setmetatable(M, {__name = "plot", __call = function(_, ...)
  local v, what, opts = arguments(...)
  local f, style = build(v, what, opts)
  M.show(f, opts, style)
end})
