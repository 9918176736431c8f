-- python/lib/argparse_help.lua: the texts of argparse's --help.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local iter = require "moontile.python.iter"

local M = {percent = nil} -- percent: text % dict, set by argparse.lua

local width = 78 -- CPython: COLUMNS - 2

local function metavar(a)
  if a.metavar and type(a.metavar) == "string" then
    return a.metavar
  elseif a.choices then
    local list = {}
    for c in iter.iter(a.choices) do
      list[#list + 1] = core.late.str(c)
    end
    return "{" .. table.concat(list, ",") .. "}"
  end
  return a.positional and a.dest or a.dest:upper()
end

-- What follows an option: " N", " [N ...]"
local function values(a)
  local m, n = metavar(a), a.nargs
  if n == 0 then
    return ""
  elseif n == nil then
    return m
  elseif n == "?" then
    return "[" .. m .. "]"
  elseif n == "*" then
    return "[" .. m .. " ...]"
  elseif n == "+" then
    return m .. " [" .. m .. " ...]"
  elseif n == "..." then
    return "..."
  end
  local list = {}
  for i = 1, n do
    list[i] = core.kind(a.metavar) == "tuple" and a.metavar[i] or m
  end
  return table.concat(list, " ")
end

local function with_values(flag, a)
  local v = values(a)
  return v == "" and flag or flag .. " " .. v
end

local function hidden(a)
  return a.help == "==SUPPRESS=="
end

-- The parts of the usage line, options first.
local function parts(state)
  local options, positional, done = {}, {}, {}
  for _, a in ipairs(state.actions) do
    if hidden(a) or done[a] then
      goto continue
    elseif a.positional then
      positional[#positional + 1] = values(a)
    elseif a.group and a.group.exclusive then
      local list = {}
      for _, b in ipairs(state.actions) do
        if b.group == a.group then
          list[#list + 1], done[b] = with_values(b.flags[1], b), true
        end
      end
      local open, close = a.group.required and "(" or "[", a.group.required and ")" or "]"
      options[#options + 1] = open .. table.concat(list, " | ") .. close
    else
      local s = with_values(a.kind == "boolean" and table.concat(a.flags, " | ") or a.flags[1], a)
      options[#options + 1] = a.required and s or "[" .. s .. "]"
    end
    ::continue::
  end
  return options, positional
end

local function lines_of(list, indent, first)
  local lines, line = {}, first or ""
  local fresh = first == nil
  for _, p in ipairs(list) do
    if #line + 1 + #p > width - (first and 0 or 0) and not fresh then
      lines[#lines + 1] = line
      line, fresh = indent .. p, false
    else
      line = fresh and indent .. p or line .. " " .. p
      fresh = false
    end
  end
  lines[#lines + 1] = line
  return lines
end

-- "usage: prog [-h] ..\n"
function M.usage(state)
  if state.usage then
    return "usage: " .. state.usage:gsub("%%%(prog%)s", state.prog) .. "\n"
  end
  local options, positional = parts(state)
  local head = "usage: " .. state.prog
  local all = table.move(positional, 1, #positional, #options + 1, table.move(options, 1, #options, 1, {}))
  local line = #all > 0 and head .. " " .. table.concat(all, " ") or head
  if #line <= width then
    return line .. "\n"
  end
  local indent = (" "):rep(#head + 1)
  if #head > 0.75 * width then
    indent = (" "):rep(#"usage: ")
  end
  local lines = #options > 0 and lines_of(options, indent, head) or lines_of(positional, indent, head)
  if #options > 0 and #positional > 0 then
    local more = lines_of(positional, indent, nil)
    table.move(more, 1, #more, #lines + 1, lines)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- A text in lines of at most n characters.
local function wrapped(s, n)
  local lines, line = {}, nil
  for word in s:gmatch "%S+" do
    if line and #line + 1 + #word > n then
      lines[#lines + 1], line = line, word
    else
      line = line and line .. " " .. word or word
    end
  end
  lines[#lines + 1] = line
  return lines
end

local function invocation(a)
  if a.positional then
    return metavar(a)
  end
  local list = {}
  for i, f in ipairs(a.flags) do
    list[i] = with_values(f, a)
  end
  return table.concat(list, ", ")
end

local function expanded(state, a)
  local d = dict.new()
  dict.put(d, "prog", state.prog)
  dict.put(d, "default", a.default == nil and core.None or a.default)
  dict.put(d, "type", a.type and core.late.attr_or_nil(a.type, "__name__") or core.None)
  dict.put(d, "dest", a.dest)
  dict.put(d, "choices", a.choices or core.None)
  local text = a.help
  local formatter = state.formatter and state.formatter.name
  if formatter == "ArgumentDefaultsHelpFormatter" and not text:find "%%%(default%)" and a.default ~= "==SUPPRESS=="
    and (not a.positional or a.nargs == "?" or a.nargs == "*") then
    text = text .. " (default: %(default)s)"
  end
  return M.percent(text, d)
end

local function entry(state, a, column, lines)
  local head = "  " .. invocation(a)
  if not a.help then
    lines[#lines + 1] = head
    return
  end
  local raw = state.formatter and state.formatter.name == "RawTextHelpFormatter"
  local text = expanded(state, a)
  local body = raw and {} or wrapped(text, width - column)
  if raw then
    for line in (text .. "\n"):gmatch "(.-)\n" do
      body[#body + 1] = line
    end
  end
  if #head <= column - 2 then
    lines[#lines + 1] = head .. (" "):rep(column - #head) .. (body[1] or "")
    table.remove(body, 1)
  else
    lines[#lines + 1] = head
  end
  for _, line in ipairs(body) do
    lines[#lines + 1] = (" "):rep(column) .. line
  end
end

local function paragraph(state, s)
  local raw = state.formatter and state.formatter.name:find "^Raw"
  s = s:gsub("%%%(prog%)s", state.prog)
  return raw and s:gsub("\n$", "") or table.concat(wrapped(s, width), "\n")
end

-- The whole help.
function M.text(state)
  local out, column = {M.usage(state)}, 0
  local sections = {{title = "positional arguments"}, {title = "options"}}
  for _, g in ipairs(state.groups) do
    sections[#sections + 1] = g
  end
  local by = {}
  for _, a in ipairs(state.actions) do
    if not hidden(a) then
      local g = a.group and not a.group.exclusive and a.group or sections[a.positional and 1 or 2]
      by[g] = by[g] or {}
      table.insert(by[g], a)
      column = math.max(column, #invocation(a) + 4)
    end
  end
  column = math.min(column, 24)
  if state.description then
    out[#out + 1] = paragraph(state, state.description) .. "\n"
  end
  for _, g in ipairs(sections) do
    if by[g] then
      local lines = {g.title .. ":"}
      if g.description then
        lines[#lines + 1] = "  " .. g.description .. "\n"
      end
      for _, a in ipairs(by[g]) do
        entry(state, a, column, lines)
      end
      out[#out + 1] = table.concat(lines, "\n") .. "\n"
    end
  end
  if state.epilog then
    out[#out + 1] = paragraph(state, state.epilog) .. "\n"
  end
  return table.concat(out, "\n")
end

return M
