-- python/numpy_text.lua: repr of NumPy's arrays: array([1., 2.], dtype=float32).
--
-- The elements are those that the array's own text has, which all have one width; between them is a comma, and lines
-- are broken as NumPy breaks them.

local M = {}

local Width = 74                                               -- of a line, without the last parenthesis
local implied = {int64 = true, float64 = true, bool = true}    -- dtypes that are not said

-- The elements of the rows of a text, in order; nil: some were left out.
local function elements(text)
  local list = {}
  if text:find("...", 1, true) then
    return nil
  end
  for row in text:gmatch "%[([^%[%]]+)%]" do
    local first = true
    local width
    for line in row:gmatch "[^\n]+" do
      line = first and line or line:gsub("^ ", "", 1)
      if first then
        local _, n = line:gsub("%S+", "")
        width, first = (#line + n) // n - 1, false
      else
        local depth = #text:match "^%[+"
        line = line:sub(depth) -- a blank for each bracket, one of which is gone
      end
      for at = 1, #line, width + 1 do
        local e = line:sub(at, at + width - 1)
        list[#list + 1] = e .. (" "):rep(width - #e)
      end
    end
  end
  return list
end

-- The innermost row of elements from .. from + n - 1.
local function row(list, from, n, indent, width)
  local lines, line = {}, (" "):rep(indent)
  for i = from, from + n - 1 do
    local word = list[i] .. (i < from + n - 1 and "," or "")
    if #line > indent and #line + #list[i] > width - 1 then
      lines[#lines + 1] = line:gsub("%s+$", "")
      line = (" "):rep(indent)
    end
    line = line .. word .. (i < from + n - 1 and " " or "")
  end
  lines[#lines + 1] = line
  return "[" .. table.concat(lines, "\n"):sub(indent + 1) .. "]"
end

-- Dimension d of an array whose elements from `from` on are at hand; second: the element behind.
local function nested(list, shape, d, from, indent, width)
  if d == #shape then
    return row(list, from, shape[d], indent, width), from + shape[d]
  end
  local parts = {}
  for i = 1, shape[d] do
    local part, behind = nested(list, shape, d + 1, from, indent + 1, width - 1)
    parts[i], from = part, behind
  end
  return "[" .. table.concat(parts, "," .. ("\n"):rep(#shape - d) .. (" "):rep(indent)) .. "]", from
end

-- text: what str(t) is
function M.repr(t, text)
  local dtype = implied[t.dtype] and "" or ", dtype=" .. t.dtype
  if t.ndim == 0 then
    local e = text:gsub("%.0$", ".")
    return ("array(%s%s)"):format(e, dtype)
  elseif t:numel() == 0 then
    return ("array([]%s, dtype=%s)"):format(t.ndim > 1 and ", shape=(" .. table.concat(t.shape, ", ") .. ")" or "", t.dtype)
  end
  local list = elements(text)
  if not list or #list ~= t:numel() then
    return text
  end
  local body = "array(" .. nested(list, t.shape, 1, 1, 7, Width)
  local last = body:match "[^\n]*$"
  if dtype ~= "" and #last + #dtype + 1 > 75 then
    return body .. ",\n      " .. dtype:sub(3) .. ")"
  end
  return body .. dtype .. ")"
end

return M
