-- python/files.lua: open(), and the files that it gives.

local attr = require "moontile.python.attr"
local builtins = require "moontile.python.builtins"
local codec = require "moontile.python.codec"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local iter = require "moontile.python.iter"
local keep = require "moontile.keep"
local native = require "moontile.python.native"

local M = {}

local None = core.None

local File = {__name = "_io.TextIOWrapper", __kind = "file"}
local cls = core.builtin("TextIOWrapper", File)
cls.module = "_io"

-- What the system says -> errno, class, text
local numbers = {[2] = "FileNotFoundError", [13] = "PermissionError", [17] = "FileExistsError",
  [20] = "NotADirectoryError", [21] = "IsADirectoryError"}

-- OSError(number, text) is of the number's class.
exc.classes.OSError.construct = function(...)
  local code = ...
  local name = select("#", ...) > 1 and numbers[code] or "OSError"
  return exc.make(exc.classes[name], ...)
end

-- Raises OSError as CPython words it; path nil: of a file that was open already, which it does not name;
-- to: what path should have become.
function M.fail(message, code, path, to)
  local class, text = exc.classes[numbers[code] or "OSError"], tostring(message):gsub("^.*: ", "")
  exc.throw(to and exc.make(class, code, text, path, core.None, to) or path and exc.make(class, code, text, path)
    or exc.make(class, code, text))
end

-- What Lua says of a write: raises what went wrong.
local function written(ok, message, code)
  if not ok then
    M.fail(message, code)
  end
end

-- A File over one of Lua's; path and mode are its attributes.
function M.wrap(f, path, mode)
  return setmetatable({f = f, name = path, mode = mode, binary = mode:find("b", 1, true) ~= nil}, File)
end

local function path_of(path)
  local f = core.user_special(path, "__fspath__")
  return f and require("moontile.python.func").call(f, path) or core.unbox(path)
end
M.path_of = path_of

local function open(path, mode, _, encoding)
  path, mode = path_of(path), mode or "r"
  local coding = codec.coding("open", encoding)
  if type(path) ~= "string" then
    exc.fail("TypeError", ("expected str, bytes or os.PathLike object, not %s"):format(core.typename(path)))
  elseif not mode:find "^[rwax][bt+]*$" then
    exc.fail("ValueError", ("invalid mode: '%s'"):format(mode))
  end
  if mode:find "^x" then
    local made, why, _, number = keep.create(path, "")
    if not made then
      M.fail(why, number, path)
    end
  end
  local f, message, code = io.open(path, (mode:gsub("[t]", ""):gsub("^x", "w")))
  if not f then
    M.fail(message, code, path)
  end
  local part, wrong, number = f:read(0)
  if mode:find "^r" and not part and number == 21 then
    f:close()
    M.fail(wrong, 21, path)
  end
  local file = M.wrap(f, path, mode)
  file.coding = coding
  return file
end
builtins.names.open = native.make("open", "file, mode?, buffering?, encoding?, errors?, newline?", open)

local function alive(self)
  if not self.f then
    exc.fail("ValueError", "I/O operation on closed file.")
  end
  return self.f
end

-- What was just read, behind which the file stands now.
local function content(self, s)
  if self.binary then
    return setmetatable({s = s}, core.Bytes)
  end
  return s:find "[\x80-\xff]" and codec.decode(s, self.coding, (self.f:seek() or #s) - #s) or s
end

-- n characters, or what there is.
local function characters(f, n)
  local parts = {}
  while n > 0 do
    local s = f:read(n)
    if not s then
      break
    end
    local lead, more = s:match "([\xc2-\xf4])([\x80-\xbf]*)$"
    local missing = lead and (lead < "\xe0" and 1 or lead < "\xf0" and 2 or 3) - #more or 0
    s = s .. (missing > 0 and f:read(missing) or "")
    parts[#parts + 1] = s
    n = n - (utf8.len(s) or n)
  end
  return table.concat(parts)
end

local function write(self, s)
  if self.binary then
    s = s.s
  elseif type(core.unbox(s)) ~= "string" then
    exc.fail("TypeError", ("write() argument must be str, not %s"):format(core.typename(s)))
  end
  if self.f == io.stderr then
    io.flush()
  end
  s = core.unbox(s)
  written(alive(self):write(self.binary and s or codec.encode(s, self.coding)))
  return utf8.len(s, 1, -1, true) or #s
end

local function readline(self)
  return content(self, alive(self):read "L" or "")
end

-- A disk that is full may only now be told: what was written waits in a buffer.
local function close(self)
  local f = self.f
  if f and not self.keep then
    self.f = nil
    written(f:close())
  end
  return None
end

native.methods(cls, {
  ["read(self, size?)"] = function(self, n)
    local f = alive(self)
    if n == nil or n == None or n < 0 then
      return content(self, f:read "a" or "")
    end
    return content(self, self.binary and (f:read(n) or "") or characters(f, n))
  end,
  ["readline(self)"] = readline,
  ["readlines(self)"] = function(self) return iter.list(iter.iterator(function()
    local s = alive(self):read "L"
    return s and content(self, s)
  end)) end,
  ["write(self, text)"] = write,
  ["writelines(self, lines)"] = function(self, lines)
    for s in iter.iter(lines) do
      write(self, s)
    end
    return None
  end,
  ["flush(self)"] = function(self) written(alive(self):flush()) return None end,
  ["close(self)"] = close, ["__enter__(self)"] = function(self) return self end,
  ["__exit__(self, kind, value, traceback)"] = close,
  ["seek(self, offset, whence?)"] = function(self, n, whence)
    return alive(self):seek(({[0] = "set", "cur", "end"})[whence or 0], n)
  end,
  ["tell(self)"] = function(self) return alive(self):seek() end,
  ["fileno(self)"] = function() exc.fail("OSError", "moontile's files have no numbers") end,
  ["isatty(self)"] = function() return false end,
})

for _, name in ipairs {"name", "mode"} do
  cls.dict[name] = setmetatable({fget = native.make(name, "self", function(f) return f[name] end)}, attr.Property)
end
cls.dict.closed = setmetatable({fget = native.make("closed", "self", function(f) return f.f == nil end)}, attr.Property)

-- Lines, for `for line in f`.
File.__user = true
cls.dict.__iter__ = native.make("__iter__", "self", function(self)
  return iter.iterator(function()
    local s = alive(self):read "L"
    return s and content(self, s)
  end)
end)

return M
