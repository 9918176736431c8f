-- base/sig.lua: reads a signature as documentation writes it.
--
--     parse 'gemm(A, B, C, transpose_A=False, *, mbar=None)'
--     parse 'zeros(shape, dtype = "float32")'
--     parse 'conv2d(x, w, {stride, layout = "nchw"})'     a last table of names
--     parse 'k:bench{vs =, rounds =}'                     nothing but names
--     parse 'arange([start,] stop [, step], dtype)'       [..]: may be left out
--
-- -> {name =, params = {{name =, default = text | nil, optional =, named =}, ..},
-- rest = name | nil}.  rest: any number of arguments, "*blocks" or "...".

local M = {}

-- The text between the brackets that open at `at`, and where it ends.
local function inside(s, at)
  local depth, quote = 0, nil
  for i = at, #s do
    local c = s:sub(i, i)
    if quote then
      quote = c ~= quote and quote or nil
    elseif c == '"' or c == "'" then
      quote = c
    elseif c == "(" or c == "{" or c == "[" then
      depth = depth + 1
    elseif c == ")" or c == "}" or c == "]" then
      depth = depth - 1
      if depth == 0 then
        return s:sub(at + 1, i - 1), i
      end
    end
  end
  return s:sub(at + 1), #s
end

-- Splits at commas outside of (), {} and strings; [ and ] are dropped and make
-- what stands in them optional.  -> {{text, optional}, ..}
local function split(s)
  local list, part, depth, square, quote, opt = {}, {}, 0, 0, nil, false
  local function flush()
    local text = table.concat(part):match "^%s*(.-)%s*$"
    if text ~= "" then
      list[#list + 1] = {text, opt}
    end
    part, opt = {}, square > 0
  end
  for c in s:gmatch "." do
    if quote then
      quote = c ~= quote and quote or nil
      part[#part + 1] = c
    elseif c == "[" and depth == 0 then
      square = square + 1
      opt = opt or table.concat(part):match "^%s*$" ~= nil
    elseif c == "]" and depth == 0 then
      square = square - 1
      opt = opt and table.concat(part):match "^%s*$" == nil
    elseif c == "," and depth == 0 then
      flush()
    else
      quote = (c == '"' or c == "'") and c or nil
      depth = depth + ((c == "{" or c == "(") and 1 or (c == "}" or c == ")") and -1 or 0)
      part[#part + 1] = c
    end
  end
  flush()
  return list
end

local function add(params, text, optional, named)
  local name, default = text:match "^([%w_]+)%s*=%s*(.-)$"
  params[#params + 1] = {
    name = name or text, default = default ~= "" and default or nil,
    optional = optional or name ~= nil or (named == "table"), named = named ~= nil,
  }
end

function M.parse(sig)
  local at = sig:find "[({]"
  local r = {name = sig:match "^[%w_.:]*", params = {}}
  if not at then
    return r
  end
  if sig:sub(at, at) == "{" then -- k:bench{..}
    for _, p in ipairs(split((inside(sig, at)))) do
      add(r.params, p[1], true, "table")
    end
    return r
  end
  local parts, named = split((inside(sig, at))), nil
  for i, p in ipairs(parts) do
    local text = p[1]
    if text == "*" then
      named = "star"
    elseif text:sub(1, 1) == "*" or text == "..." then
      r.rest, named = text:gsub("^%*", ""), text ~= "..." and "star" or nil
    elseif text:sub(1, 1) == "{" and i == #parts and i > 1 or text:find "^{.*=" then
      for _, q in ipairs(split((inside(text, 1)))) do
        add(r.params, q[1], true, "table")
      end
    else
      add(r.params, text, p[2], named)
    end
  end
  return r
end

return M
