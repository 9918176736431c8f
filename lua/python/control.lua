-- python/control.lua: raise, try, with, assert, and names without a value.
--
-- Bodies are functions that return nothing, or a code and a value, which P.try and P.with hand on:
-- 1 return, 2 break, 3 continue.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local near_names = require "moontile.python.near"

local M = {}

local getmt = debug.getmetatable
local call, late = func.call, core.late
local None = core.None

local running = coroutine.running

-- Coroutine -> exceptions whose handlers run in it, the innermost last.
local stacks = setmetatable({}, {__mode = "k"})

local function stack()
  local co = running()
  local t = stacks[co]
  if not t then
    t = {}
    stacks[co] = t
  end
  return t
end

-- The exception that is handled: of a generator that handles none, its caller's.
function exc.handling()
  local co = running()
  while co do
    local t = stacks[co]
    if t and #t > 0 then
      return t[#t]
    end
    co = exc.callers[co]
  end
end

-- raise ---------------------------------------------------------------------------------------------

local function instance(v)
  if exc.is(v) then
    return v
  elseif exc.is_class(v) then
    return v.construct()
  end
  exc.fail("TypeError", "exceptions must derive from BaseException", nil, "raise")
end

-- raise e from cause; raise
function M.raise(e, cause)
  if e == nil then
    local again = exc.handling()
    if not again then
      exc.fail("RuntimeError", "No active exception to reraise", nil, "raise")
    end
    error(again, 0)
  end
  e = instance(e)
  if cause ~= nil then
    e.__cause__ = cause == None and None or instance(cause)
  end
  exc.raised(e)
  exc.throw(e, "raise")
end

-- assert: message(), if there is one, gives what AssertionError says.
function M.assertion(message)
  if type(message) == "function" and not core.sigs[message] then
    message = message()
  end
  local e = message == nil and exc.make(exc.classes.AssertionError) or exc.make(exc.classes.AssertionError, message)
  exc.throw(e, "assert")
end

-- A variable that has no value.  whose: "own", the function's at hand; "free", one's around; nil: the module's;
-- names: what there is.
function M.unbound(name, whose, names)
  if whose == "own" then
    exc.fail("UnboundLocalError", ("cannot access local variable '%s' where it is not associated with a value")
      :format(name), nil, name)
  elseif whose == "free" then
    exc.fail("NameError", ("cannot access free variable '%s' where it is not associated with a value in enclosing scope")
      :format(name), nil, name)
  end
  local all = table.move(names or {}, 1, #(names or {}), 1, {})
  for _, word in ipairs {"True", "False", "None"} do
    all[#all + 1] = word
  end
  local text, near = ("name '%s' is not defined"):format(name), near_names.find(name, all)
  local statement = near_names.import_of(name, late.has_module)
  if statement then
    exc.fail("NameError", text, "py_name_import", name, statement)
  end
  exc.fail("NameError", text, near and "py_name_near" or nil, name, near)
end

-- try -------------------------------------------------------------------------------------------------

-- Does the exception match an `except` clause's type?
local function matches(e, of)
  if core.istuple(of) then
    for i = 1, of.n do
      if matches(e, of[i]) then
        return true
      end
    end
    return false
  elseif not exc.is_class(of) then
    exc.fail("TypeError", "catching classes that do not inherit from BaseException is not allowed", nil, "except")
  end
  return core.subclass(getmt(e).__pyclass, of)
end

-- Runs f with e as the exception that is handled; leave(), if there is one, behind it.
local function handling(e, f, leave)
  local handled = stack()
  local depth = #handled
  handled[depth + 1] = e
  local ok, code, value = xpcall(f, exc.handler, e)
  for i = #handled, depth + 1, -1 do
    handled[i] = nil
  end
  if leave then
    leave()
  end
  if not ok then
    error(code, 0)
  end
  return code, value
end

-- What the handlers do with error err; raises it where none takes it.
local function handle(err, handlers)
  local e = exc.of(err)
  for _, h in ipairs(e and handlers or {}) do
    if h[1] == nil or matches(e, h[1]()) then
      return handling(e, h[2], h[3])
    end
  end
  error(err, 0)
end

local function attempt(body, handlers, orelse)
  local ok, code, value = xpcall(body, exc.handler)
  if not ok then
    return handle(code, handlers)
  elseif code == nil and orelse then
    return orelse()
  end
  return code, value
end

local entered = 0

-- One more (step 1) or one less (-1) of what has to run when a generator is left: see iter.close_left.
local function within(step)
  local co, main = running()
  if main or not exc.generators[co] then
    return
  end
  local at = exc.left[co]
  if not at then
    entered = entered + 1
    at = {depth = 0, first = entered}
    exc.left[co] = at
  end
  at.depth = at.depth + step
  if at.depth == 0 then
    exc.left[co] = nil
  end
end

-- try: body() except: handlers, {{function() return type end or nil, function(e) end, function() e = nil end or
-- nil}, ..} else: orelse()
-- finally: final()
function M.try(body, handlers, orelse, final)
  if not final then
    return attempt(body, handlers or {}, orelse)
  end
  local ok, code, value
  within(1)
  if orelse or handlers and #handlers > 0 then
    ok, code, value = xpcall(attempt, exc.handler, body, handlers or {}, orelse)
  else -- one call of C's less: Lua nests 200 of them
    ok, code, value = xpcall(body, exc.handler)
  end
  within(-1)
  local e = not ok and exc.of(code)
  local fcode, fvalue
  if e then
    fcode, fvalue = handling(e, final)
  else
    fcode, fvalue = final()
  end
  if fcode ~= nil then
    return fcode, fvalue
  elseif not ok then
    error(code, 0)
  end
  return code, value
end

-- with ------------------------------------------------------------------------------------------------

local function manager(ctx)
  local enter, exit = core.special(ctx, "__enter__"), core.special(ctx, "__exit__")
  if not (enter and exit) then
    local e = core.foreign(ctx) and late.foreign_manager(ctx)
    if e then
      return e[1], e[2]
    end
    exc.fail("TypeError", ("'%s' object does not support the context manager protocol"):format(core.typename(ctx)),
      nil, "with")
  end
  return enter, exit
end

-- with ctx as x: body(x)
function M.with(ctx, body)
  local enter, exit = manager(ctx)
  local x = call(enter, ctx)
  within(1)
  local ok, code, value = xpcall(body, exc.handler, x)
  within(-1)
  if ok then
    call(exit, ctx, None, None, None)
    return code, value
  end
  local e = exc.of(code)
  if not e then
    call(exit, ctx, None, None, None)
    error(code, 0)
  end
  local swallow = handling(e, function()
    return call(exit, ctx, getmt(e).__pyclass, e, None)
  end)
  if not late.truth(swallow) then
    error(code, 0)
  end
end

return M
