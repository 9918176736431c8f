-- python/lib/io.lua: Python's module io: texts as files.

local builtins = require "moontile.python.builtins"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local iter = require "moontile.python.iter"
local made = require "moontile.python.made"

local M = {SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2, open = builtins.names.open}

local None = core.None

-- A text is kept as a list of characters, of which `at` were passed.
local function characters(s)
  local list = {}
  for c in s:gmatch "[%z\1-\127\xc2-\xf4][\x80-\xbf]*" do
    list[#list + 1] = c
  end
  return list
end

local function alive(f)
  if f.closed then
    exc.fail("ValueError", "I/O operation on closed file")
  end
  return f.chars
end

local function text_of(v, what)
  local s = core.unbox(v)
  if type(s) ~= "string" then
    exc.fail("TypeError", what:format(core.typename(v)))
  end
  return s
end

local function write(f, v)
  local chars, new = alive(f), characters(text_of(v, "string argument expected, got '%s'"))
  for k = #chars + 1, f.at do
    chars[k] = "\0"
  end
  table.move(new, 1, #new, f.at + 1, chars)
  f.at = f.at + #new
  return #new
end

local function size_of(n)
  return n ~= nil and n ~= None and n >= 0 and n or math.huge
end

local function take(f, last)
  local chars = alive(f)
  last = math.max(f.at, math.min(last, #chars))
  local s = table.concat(chars, "", math.min(f.at, #chars) + 1, last <= #chars and last or #chars)
  f.at = math.max(f.at, last)
  return s
end

local function readline(f, size)
  local chars, to = alive(f), f.at
  local last = math.min(#chars, f.at + size_of(size))
  while to < last do
    to = to + 1
    if chars[to] == "\n" then break end
  end
  return take(f, to)
end

-- The lines that are left, as an iterator.
local function lines(f)
  return iter.iterator(function()
    local s = readline(f)
    return s ~= "" and s or nil
  end)
end

M.StringIO = made.class("StringIO", "_io", {
  ["__init__(self, initial_value?, newline?)"] = function(f, s)
    f.chars, f.at, f.closed = s ~= nil and s ~= None and characters(text_of(s, "initial_value must be str or None, not %s")) or {}, 0, false
    return None
  end,
  ["write(self, s)"] = write,
  ["writelines(self, lines)"] = function(f, list)
    for s in iter.iter(list) do
      write(f, s)
    end
    return None
  end,
  ["read(self, size?)"] = function(f, n) return take(f, f.at + size_of(n)) end,
  ["readline(self, size?)"] = readline,
  ["readlines(self)"] = function(f) return iter.list(lines(f)) end,
  ["getvalue(self)"] = function(f) return table.concat(alive(f)) end,
  ["tell(self)"] = function(f)
    alive(f)
    return f.at
  end,
  ["seek(self, pos, whence?)"] = function(f, n, whence)
    local chars = alive(f)
    if whence == 1 or whence == 2 then
      if n ~= 0 then
        exc.fail("OSError", "Can't do nonzero cur-relative seeks")
      end
      n = whence == 1 and f.at or #chars
    elseif n < 0 then
      exc.fail("ValueError", ("Negative seek position %d"):format(n))
    end
    f.at = n
    return n
  end,
  ["truncate(self, pos?)"] = function(f, n)
    local chars = alive(f)
    n = n ~= nil and n ~= None and n or f.at
    for k = #chars, n + 1, -1 do
      chars[k] = nil
    end
    return n
  end,
  ["close(self)"] = function(f)
    f.closed = true
    return None
  end,
  ["flush(self)"] = function(f)
    alive(f)
    return None
  end,
  ["readable(self)"] = function() return true end, ["writable(self)"] = function() return true end,
  ["seekable(self)"] = function() return true end, ["isatty(self)"] = function() return false end,
  ["__enter__(self)"] = function(f) return f end,
  ["__exit__(self, kind, value, traceback)"] = function(f)
    f.closed = true
    return None
  end,
  ["__iter__(self)"] = lines,
  ["__next__(self)"] = function(f)
    local s = readline(f)
    return s ~= "" and s or exc.fail("StopIteration", "")
  end,
})

return M
