-- base/place.lua: messages at a word of the user's line, where the name of what
-- was called does not say the column.

local diag = require "moontile.diag"

local M = {}

-- Where the lines of the chunk asked for last begin.
local begins = {text = nil}

-- Line n of a chunk that the program has loaded, or nil.
function M.line(chunk, n)
  local text = (package.loaded["moontile.sources"] or {})[chunk]
  if not text then
    return nil
  end
  if begins.text ~= text then
    begins = {text = text, 1}
    for at in text:gmatch "\n()" do
      begins[#begins + 1] = at
    end
  end
  local at = begins[math.max(n, 1)]
  return at and text:match("[^\r\n]*", at)
end

-- Column of a whole word in a line, with the dotted prefix before it; 0: none.
local function column(line, word)
  local at = line and line:find("%f[%w_]" .. word:gsub("%p", "%%%0") .. "%f[^%w_]")
  if not at then
    return 0
  end
  while at > 1 and line:sub(at - 1, at - 1):find("[%w_.]") do
    at = at - 1
  end
  return at
end

-- The column of `word` in a line of a chunk (nil: none is known); without it, col.
function M.column(chunk, line, word, col)
  local c = chunk and column(M.line(chunk, line), word) or 0
  return c > 0 and c or col
end

-- Raises message id at `word` of the line that runs.
function M.fail(word, id, ...)
  local chunk, line, col = diag.where()
  error(diag.at(id, chunk, line, M.column(chunk, line, word, col), ...), 0)
end

-- Raises it at a parameter of function f.
function M.fail_parameter(f, name, id, ...)
  local info = debug.getinfo(f, "S")
  local line = M.line(info.source, info.linedefined)
  error(diag.at(id, info.source, info.linedefined, column(line, name), name, ...), 0)
end

-- Raises it at the last `return` of function f, else where f makes `name` from
-- T.empty, else where f starts.
function M.fail_return(f, id, ...)
  local info = debug.getinfo(f, "S")
  for n = info.lastlinedefined, info.linedefined, -1 do
    local line = M.line(info.source, n)
    local at = line and line:find("%f[%w_]return%f[^%w_]")
    if at then
      error(diag.at(id, info.source, n, at, ...), 0)
    end
  end
  local made = ("%%f[%%w_]%s%%s*=%%s*T%%.empty%%f[^%%w_]"):format(tostring((...)))
  for n = info.linedefined, info.lastlinedefined do
    local line = M.line(info.source, n)
    local at = line and line:find(made)
    if at then
      error(diag.at(id, info.source, n, at, ...), 0)
    end
  end
  error(diag.at(id, info.source, info.linedefined, 0, ...), 0)
end

return M
