-- judge/extent.lua: what an item of a shape comes to: "K // 2" for the sizes {K = 64}.
--
--   extent.value("K // 2 + 1", {K = 64})   -> 33; nil: it has no value
--
-- Whole numbers, names of sizes, + - * // and parentheses; nothing of it is run as Lua.

local M = {}

local Deepest = 20

local sum

-- An item and where the next one begins; nil: there is none.
local function atom(s, at, size, depth)
  local digits, stop = s:match("^%s*(%d+)()", at)
  if digits then
    return math.tointeger(tonumber(digits)), stop
  end
  local name
  name, stop = s:match("^%s*([%a_][%w_]*)()", at)
  if name then
    local v = size[name]
    return math.type(v) == "integer" and v or nil, stop
  end
  local sign
  sign, stop = s:match("^%s*([%(%-])()", at)
  if not sign or depth > Deepest then
    return nil
  elseif sign == "-" then
    local v
    v, stop = atom(s, stop, size, depth + 1)
    return v and -v, stop
  end
  local v
  v, stop = sum(s, stop, size, depth + 1)
  stop = v and s:match("^%s*%)()", stop)
  return stop and v, stop
end

-- `next` items joined by the operators of the pattern.
local function chain(next, pattern, apply)
  return function(s, at, size, depth)
    local v, stop = next(s, at, size, depth)
    while v do
      local op, behind = s:match(pattern, stop)
      if not op then
        return v, stop
      end
      local w
      w, stop = next(s, behind, size, depth)
      v = w and apply(op, v, w)
    end
  end
end

local product = chain(atom, "^%s*([%*/]/?)()", function(op, v, w)
  return op == "*" and v * w or op == "//" and w ~= 0 and v // w or nil
end)
sum = chain(product, "^%s*([%+%-])()", function(op, v, w) return op == "+" and v + w or v - w end)

function M.value(s, size)
  local v, stop = sum(s, 1, size, 0)
  return v and not s:find("%S", stop) and v or nil
end

return M
