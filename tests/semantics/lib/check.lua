-- check.lua: what the tests of this folder share.
--
--   local check = dofile "lib/check.lua"
--   check.close("what", got, want [, tol])   tensors, or a tensor and a table
--   check.equal("what", got, want)           anything printable
--   check.each("what", got, f [, tol])       got[i, j] against f(i, j), f in plain Lua
--   check.fails("what", f, "E123")           f must raise that diagnostic
--   check.done()                             the summary that is compared

local M = {passed = 0, failed = 0}

local function result(ok, what, why)
  if ok then
    M.passed = M.passed + 1
  else
    M.failed = M.failed + 1
    print("FAILED " .. what .. (why and ": " .. why or ""))
  end
  return ok
end

function M.equal(what, got, want)
  got, want = tostring(got), tostring(want)
  return result(got == want, what, ("%s instead of %s"):format(got, want))
end

-- |got - want| <= tol (1 + |want|); equal infinities and NaNs agree
local function near(got, want, tol)
  if type(got) == "boolean" then got = got and 1 or 0 end
  if type(want) == "boolean" then want = want and 1 or 0 end
  return got == want or got ~= got and want ~= want or
    math.abs(got - want) <= tol * (1 + math.abs(want))
end

-- Every index of a shape, as an iterator of tables.
local function indices(shape)
  local at = {}
  for d = 1, #shape do at[d] = 0 end
  local first = true
  return function()
    if first then
      first = false
      for d = 1, #shape do
        if shape[d] == 0 then return nil end
      end
      return at
    end
    for d = #shape, 1, -1 do
      at[d] = at[d] + 1
      if at[d] < shape[d] then return at end
      at[d] = 0
    end
  end
end
M.indices = indices

function M.each(what, got, f, tol)
  for at in indices(got.shape) do
    local g, w = got:item(table.unpack(at)), f(table.unpack(at))
    if not near(g, w, tol or 0) then
      return result(false, what, ("[%s] is %s, wanted %s"):format(table.concat(at, ", "), g, w))
    end
  end
  return result(true, what)
end

function M.close(what, got, want, tol)
  if type(want) == "table" and getmetatable(want) == nil then
    want = tl.from_table(want, "float64")
  end
  if table.concat(got.shape, ",") ~= table.concat(want.shape, ",") then
    return result(false, what, ("shape {%s} instead of {%s}"):format(
      table.concat(got.shape, ", "), table.concat(want.shape, ", ")))
  end
  return M.each(what, got, function(...) return want:item(...) end, tol)
end

function M.fails(what, f, code)
  local ok, e = pcall(f)
  if ok then
    return result(false, what, "no error")
  end
  local text = tostring(e)
  return result(text:find(code, 1, true) ~= nil, what, text)
end

function M.done()
  print(("%d passed, %d failed"):format(M.passed, M.failed))
end

return M
