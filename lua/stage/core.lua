-- stage/core.lua: what the parts of moontile.stage share: its table, and
-- what they ask of values.

local M = {} -- becomes moontile.stage
M.backend = nil

local C = { stage = M }

local type = type

function C.fail(id, ...)
  local be = M.backend
  if be and be.fail then
    be.fail(id, ...)
  end
  require("moontile.diag").fail(id, ...)
end

function C.isobj(v)
  local t = type(v)
  return t == "table" or t == "userdata"
end

function C.symbolic(v)
  local t = type(v)
  if t ~= "table" and t ~= "userdata" then
    return false
  end
  local be = M.backend
  return be ~= nil and be.is_symbolic(v)
end

-- What a symbolic value is worth now.
function C.value(v)
  local be = M.backend
  if C.isobj(v) and be.is_var(v) then
    return be.load_var(v)
  end
  return v
end

-- A symbolic condition; numbers are no conditions, since in Lua they would
-- always be true and in Python nearly never.
function C.condition(v)
  v = C.value(v)
  if not M.backend.is_bool(v) then
    C.fail("stage_cond")
  end
  return v
end

-- What a value is, for messages.
function C.describe(v)
  local be = M.backend
  return v ~= nil and be and be.describe and be.describe(v) or type(v)
end

-- A mark for what an expression leaves in front of itself, or nil.
function C.mark()
  local be = M.backend
  return be and be.mark and be.mark()
end

function C.depth()
  local be = M.backend
  return be and be.depth() or 0
end

return C
