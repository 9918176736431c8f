-- python/exc.lua: Python's exceptions: their classes, where they were raised, and how they become
-- diagnostics of moontile.
--
-- An exception is an instance; raised with error(e, 0).  e[PLACE] is {chunk, line, column}, e[ROW]
-- the id of its message in core/base/errs/python_run.h with what fills that beside the title.  The
-- message handler of moontile (lua/state/error_handler.c) asks the metatable's __diag.

local core = require "moontile.python.core"
local diag = require "moontile.diag"
local place = require "moontile.base.place"

local M = {}

local types, late = core.types, core.late
local getmt, type, error = debug.getmetatable, type, error

local PLACE, ROW, CONTEXT = setmetatable({}, {__name = "place"}), setmetatable({}, {__name = "row"}), {}

-- name, base, the row of its messages (else that of its base)
local hierarchy = {
  {"BaseException", "object", "py_raised"}, {"Exception", "BaseException"},
  {"SystemExit", "BaseException"}, {"KeyboardInterrupt", "BaseException"}, {"GeneratorExit", "BaseException"},
  {"ArithmeticError", "Exception"}, {"ZeroDivisionError", "ArithmeticError", "py_zero"},
  {"OverflowError", "ArithmeticError", "py_overflow"}, {"FloatingPointError", "ArithmeticError"},
  {"AssertionError", "Exception", "py_assert"}, {"AttributeError", "Exception", "py_attribute"},
  {"ImportError", "Exception", "py_import"}, {"ModuleNotFoundError", "ImportError"},
  {"LookupError", "Exception"}, {"IndexError", "LookupError", "py_index"}, {"KeyError", "LookupError", "py_key"},
  {"MemoryError", "Exception"}, {"NameError", "Exception", "py_name"},
  {"UnboundLocalError", "NameError", "py_unbound"}, {"OSError", "Exception", "py_os"},
  {"FileNotFoundError", "OSError"}, {"FileExistsError", "OSError"}, {"PermissionError", "OSError"},
  {"IsADirectoryError", "OSError"}, {"NotADirectoryError", "OSError"}, {"TimeoutError", "OSError"},
  {"ConnectionError", "OSError"}, {"BrokenPipeError", "ConnectionError"},
  {"EOFError", "Exception"}, {"BufferError", "Exception"},
  {"RuntimeError", "Exception"}, {"NotImplementedError", "RuntimeError"},
  {"RecursionError", "RuntimeError", "py_recursion"}, {"ReferenceError", "Exception"},
  {"StopIteration", "Exception", "py_stop"}, {"StopAsyncIteration", "Exception"},
  {"SyntaxError", "Exception"}, {"IndentationError", "SyntaxError"}, {"SystemError", "Exception"},
  {"TypeError", "Exception", "py_type"}, {"ValueError", "Exception", "py_value"},
  {"UnicodeError", "ValueError"}, {"UnicodeDecodeError", "UnicodeError"}, {"UnicodeEncodeError", "UnicodeError"},
  {"Warning", "Exception"}, {"UserWarning", "Warning"}, {"DeprecationWarning", "Warning"},
  {"RuntimeWarning", "Warning"}, {"FutureWarning", "Warning"}, {"PendingDeprecationWarning", "Warning"},
  {"SyntaxWarning", "Warning"}, {"ImportWarning", "Warning"}, {"UnicodeWarning", "Warning"},
  {"ResourceWarning", "Warning"}, {"BytesWarning", "Warning"}, {"EncodingWarning", "Warning"},
}

M.classes = {}
local rows = {}
for _, h in ipairs(hierarchy) do
  local name, base = h[1], M.classes[h[2]] or types[h[2]]
  local cls = core.new_class(name, {base})
  cls.module = "builtins"
  M.classes[name] = cls
  rows[cls] = h[3] or rows[base]
end
M.classes.IOError, M.classes.EnvironmentError = M.classes.OSError, M.classes.OSError
local classes = M.classes
local base_class = classes.BaseException

function M.is(v)
  local mt = getmt(v)
  return mt ~= nil and mt.__own == true and type(v) == "table" and core.subclass(mt.__pyclass, base_class)
end

function M.is_class(v)
  return getmt(v) == core.Type and core.subclass(v, base_class)
end

local function make(cls, args)
  return setmetatable({args = args}, cls.meta)
end

-- An exception of class cls with these arguments, without asking for its __init__.
function M.make(cls, ...)
  return make(cls, core.pack(...))
end

-- Places ----------------------------------------------------------------------------------

-- Where the user's code stands; word: what the column is that of.
local function here(word)
  local chunk, line = diag.where()
  return {chunk, line, word and place.column(chunk, line, word, 0) or 0}
end

-- Where the function was called that runs: the second place of the user's on the stack.
local function call_place(word)
  local seen = false
  for level = 3, 200 do
    local info = debug.getinfo(level, "Sl")
    if not info then
      break
    elseif info.currentline > 0 and not info.source:find "^@moontile/" and info.source ~= "=[C]" then
      if seen then
        return {info.source, info.currentline, word and place.column(info.source, info.currentline, word, 0) or 0}
      end
      seen = true
    end
  end
  return here(word)
end

-- Generators by their coroutines, and the coroutines within a `try` with `finally` or a `with`: {depth =, first = which it was}
M.generators, M.left = setmetatable({}, {__mode = "k"}), {}

-- Generators' coroutines -> those that resumed them last.
M.callers = setmetatable({}, {__mode = "kv"})

-- Raises an exception that has no place yet as of here.
function M.throw(e, word)
  if not e[PLACE] then
    e[PLACE] = here(word)
  end
  local inner = M.handling and M.handling()
  if inner and inner ~= e and e[CONTEXT] == nil then
    e[CONTEXT] = inner
  end
  error(e, 0)
end

-- Raises class `name` with a text.  id: its row, if that is not the class's; word: what stands at the
-- place in the user's line; ...: what fills the row beside the title.
function M.fail(name, text, id, word, ...)
  local e = M.make(classes[name], text)
  e[ROW] = id and {id, ...}
  M.throw(e, word)
end
late.fail = M.fail

-- The same for a function that finds its own arguments wrong: where it was called.
function M.fail_call(name, text, id, word, ...)
  local e = M.make(classes[name], text)
  e[ROW], e[PLACE] = {id, ...}, call_place(word)
  M.throw(e)
end

-- An exception class of a module's, below these of M.classes.
function M.define(module, name, ...)
  local bases = {}
  for i, base in ipairs {...} do bases[i] = M.classes[base] end
  local cls = core.new_class(name, bases)
  cls.module = module
  cls.construct = function(...) return M.make(cls, ...) end
  return cls
end

-- Texts -----------------------------------------------------------------------------------

-- str(e)
function M.str(e)
  local args = e.args
  if not args or args.n == 0 then
    return ""
  elseif args.n == 1 then
    if core.subclass(getmt(e).__pyclass, classes.KeyError) then
      return late.repr(args[1])
    end
    return late.str(args[1])
  elseif core.subclass(getmt(e).__pyclass, classes.OSError) and args.n >= 2 then
    local file = args[3] ~= nil and ": " .. late.repr(args[3]) or ""
    file = args[5] ~= nil and file .. " -> " .. late.repr(args[5]) or file
    return ("[Errno %s] %s%s"):format(late.str(args[1]), late.str(args[2]), file)
  end
  return late.repr(args)
end

local near = {py_name_near = true, py_attribute_near = true}

-- "ValueError: text", as a traceback ends; with the name that was meant, which str(e) has not.
function M.title(e)
  local cls = getmt(e).__pyclass
  local name = cls.module and cls.module ~= "builtins" and cls.module ~= "__main__"
    and cls.module .. "." .. cls.name or cls.name
  local text, row = late.str(e), e[ROW]
  if row and near[row[1]] and row[2] then
    text = ("%s. Did you mean: '%s'?"):format(text, row[2])
  end
  return text == "" and name or name .. ": " .. text
end

-- Diagnostics -------------------------------------------------------------------------------

local function row_of(cls)
  for _, c in ipairs(cls.mro) do
    if rows[c] then
      return rows[c]
    end
  end
  return "py_raised"
end

-- Diagnostics that stand for exceptions while moontile's own code passes them on: the exception.
local stands_for = setmetatable({}, {__mode = "k"})

local function stand_in(e, d)
  stands_for[d] = e
  return d
end

-- The exception as one of moontile's diagnostics; one that was a diagnostic is that again.
function M.diag(e)
  if e[ROW] and e[ROW].diag then
    return e[ROW].diag
  end
  local p, row = e[PLACE] or {}, e[ROW]
  local id = row and row[1] or row_of(getmt(e).__pyclass)
  return stand_in(e, diag.at(id, p[1], p[2], p[3], M.title(e), table.unpack(row or {}, 2)))
end

-- Marks an exception as raised by the user's own `raise`.
function M.raised(e)
  if not e[ROW] then
    e[ROW] = {"py_raised"}
  end
end

-- The cause or context that hangs at an exception, or nil.
function M.context(e)
  return e[CONTEXT]
end

-- What Lua says, as Python does: pattern, class, text
local said = {
  {"stack overflow", "RecursionError", "maximum recursion depth exceeded"},
  {"C stack overflow", "RecursionError", "maximum recursion depth exceeded"},
  {"error in error handling", "RecursionError", "maximum recursion depth exceeded"}, -- no room to say where
  {"not enough memory", "MemoryError", ""},
}

-- Diagnostics that are what an exception of Python's is: id, class
local same = {
  index_range = "IndexError", no_field = "AttributeError", tensor_field = "AttributeError",
  tensor_nofield = "AttributeError", jit_method = "AttributeError", t_near = "AttributeError", t_unknown = "AttributeError",
  tl_near = "AttributeError", tl_unknown = "AttributeError", arg_missing = "TypeError", arg_many = "TypeError",
  arg_type = "TypeError", arg_unknown = "TypeError", arg_near = "TypeError", arg_twice = "TypeError",
  arg_value = "ValueError", arg_choice = "ValueError", close_values = "AssertionError", close_shape = "AssertionError",
  close_dtype = "AssertionError", close_results = "AssertionError",
  tensor_index = "IndexError", tensor_rank = "IndexError", tensor_kind = "IndexError", tensor_axis = "IndexError",
  ops_mask = "IndexError", tensor_ragged = "ValueError", tensor_value = "TypeError", tensor_order = "TypeError",
  jit_missing = "TypeError", jit_many = "TypeError", call_count = "TypeError", buffer_len = "TypeError",
  stopped = "KeyboardInterrupt", unseen_value = "BaseException",
}

-- What str(e) is: torch.testing's own text where there is one.
local function said_by(d)
  local first = d.id == "close_values" and d.notes[1]
  return first and first.id == "close_torch" and first.message or d.message
end

-- The exception that a diagnostic is; text: what str(e) is, if that is not the diagnostic's own.
local function from_diag(d, text)
  local e = M.make(classes[same[d.id] or "RuntimeError"], text or said_by(d))
  e[PLACE], e[ROW] = {d.file, d.line, d.col}, {d.id, diag = d}
  return e
end
M.from_diag = from_diag

local function from_text(s)
  for _, row in ipairs(said) do
    if s:find(row[1], 1, true) then
      return M.make(classes[row[2]], row[3])
    end
  end
  local e = M.make(classes.RuntimeError, s)
  e[ROW] = {"lua", diag = diag.handler(s)}
  return e
end

-- What an error of Lua's is in Python; nil: none of ours (a signal between parts of moontile).
function M.of(err)
  if M.is(err) then
    return err
  elseif diag.isdiag(err) then
    local e = stands_for[err]
    if not e then
      return from_diag(err)
    end
    e[ROW] = {err.id, diag = err} -- with the notes that it got on its way
    return e
  elseif type(err) == "string" then
    return from_text(err)
  end
end

-- A message handler for xpcall: what is no exception yet gets its place while the stack stands.  Behind a stack that
-- is full there is room for the place alone.
function M.handler(err)
  if type(err) ~= "string" then
    return err
  elseif err:find("stack overflow", 1, true) then
    local e = setmetatable({args = {n = 0}}, classes.RecursionError.meta)
    local chunk, line = diag.where()
    e.args[1], e.args.n = "maximum recursion depth exceeded", 1
    e[PLACE] = {chunk, line, 0}
    return e
  end
  return diag.handler(err)
end

for _, cls in pairs(classes) do
  cls.meta.__diag = M.diag
  cls.is_exception = true
end
M.PLACE = PLACE

return M
