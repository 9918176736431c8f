-- judge/inpython_expr.lua: expressions of our Lua in TileLang's Python.
--
--     expr(tokens, holes) -> text; holes: a list that gets what stood in --[[ .. ]], where the text has `...`
--
-- Tables by where they stand: names behind a call's arguments become keywords, {[k] = v} and names alone a
-- dict, and lists tuples, but for the operators of `lists`.

local M = {}

local words = {["true"] = "True", ["false"] = "False", ["nil"] = "None"}
local operators = {["~="] = "!=", ["^"] = "**"}
local closing = {["("] = ")", ["["] = "]", ["{"] = "}"}

-- Of these a list stays one, as TileLang writes it.
local lists = {alloc_barrier = true, Persistent = true}

-- Names of our tl that TileLang has.
local shared = {jit = true, compile = true, autotune = true}

-- The place behind the bracket that opens at i.
local function behind(t, i)
  local close, depth = {}, 0
  repeat
    local s = t[i].kind == "sign" and t[i].text
    if closing[s] then
      depth = depth + 1
      close[depth] = closing[s]
    elseif depth > 0 and s == close[depth] then
      depth = depth - 1
    end
    i = i + 1
  until depth == 0 or not t[i]
  return i
end
M.behind = behind

-- t[from..to] at its commas: lists of tokens.
local function items(t, from, to)
  local r, one, i = {}, {}, from
  while i <= to do
    if t[i].kind == "sign" and t[i].text == "," then
      r[#r + 1], one = one, {}
      i = i + 1
    else
      local next = t[i].kind == "sign" and closing[t[i].text] and behind(t, i) or i + 1
      table.move(t, i, next - 1, #one + 1, one)
      i = next
    end
  end
  if #one > 0 then
    r[#r + 1] = one
  end
  return r
end

local function is(token, text)
  return token ~= nil and token.kind ~= "string" and token.kind ~= "hole" and token.text == text
end

-- The table {..} at i is `name = value, ..`?
local function is_named(t, i)
  return is(t[i], "{") and t[i + 1] and t[i + 1].kind == "name" and is(t[i + 2], "=")
end

local function gap(token)
  return token.lines > 0 and "\n" or token.gap
end

local expr

-- `a = 1, b = 2` of the table from..to (its braces).
local function keywords(t, from, to, holes)
  local parts = {}
  for _, item in ipairs(items(t, from + 1, to - 1)) do
    local lead = #parts > 0 and gap(item[1]) or ""
    parts[#parts + 1] = lead .. (item[2] and item[1].text .. "=" .. expr({table.unpack(item, 3)}, holes) or "...")
  end
  return table.concat(parts, ",")
end

-- `{[k] = v, ..}` or `{name = v, ..}` as a dict; {[0] = v, ..} as a list.
local function dict(t, from, to, holes)
  local parts, list = {}, false
  for _, item in ipairs(items(t, from + 1, to - 1)) do
    local lead = #parts > 0 and gap(item[1]) or ""
    if is(item[1], "[") then
      local close = behind(item, 1)
      local key, value = expr({table.unpack(item, 2, close - 2)}, holes), expr({table.unpack(item, close + 1)}, holes)
      list = list or key == "0"
      parts[#parts + 1] = lead .. (list and value or key .. ": " .. value)
    elseif is(item[2], "=") then
      parts[#parts + 1] = ("%s%q: %s"):format(lead, item[1].text, expr({table.unpack(item, 3)}, holes))
    else
      parts[#parts + 1] = lead .. expr(item, holes)
    end
  end
  local text = table.concat(parts, ",")
  return list and "[" .. text .. "]" or "{" .. text .. "}"
end

-- The table of braces from..to where it is no call's last argument; list: as a list.
local function braces(t, from, to, holes, list)
  if is(t[from + 1], "[") or is_named(t, from) then
    return dict(t, from, to, holes)
  end
  local parts = {}
  for _, item in ipairs(items(t, from + 1, to - 1)) do
    parts[#parts + 1] = (#parts > 0 and gap(item[1]) or "") .. expr(item, holes)
  end
  local text = table.concat(parts, ",")
  if list then
    return "[" .. text .. "]"
  end
  return "(" .. text .. (#parts == 1 and text ~= "..." and ",)" or ")")
end

-- The arguments between the parentheses from..to of a call of `name`.
local function arguments(t, from, to, holes, name)
  local parts = {}
  for _, item in ipairs(items(t, from + 1, to - 1)) do
    local lead = #parts > 0 and gap(item[1]) or ""
    if is_named(item, 1) and behind(item, 1) == #item + 1 then
      parts[#parts + 1] = lead .. keywords(item, 1, #item, holes)
    elseif is(item[1], "{") and lists[name] and behind(item, 1) == #item + 1 then
      parts[#parts + 1] = lead .. braces(item, 1, #item, holes, true)
    else
      parts[#parts + 1] = lead .. expr(item, holes)
    end
  end
  return "(" .. table.concat(parts, ",") .. ")"
end

-- `function(i, j) return e end` at i -> text, the place behind it
local function lambda(t, i, holes)
  local close = behind(t, i + 1)
  local names, to = {}, close
  for k = i + 2, close - 2 do
    names[#names + 1] = (t[k].kind == "name" and #names > 0 and " " or "") .. t[k].text
  end
  while not is(t[to], "end") do
    to = to + 1
  end
  local from = is(t[close], "return") and close + 1 or close
  return ("lambda %s: %s"):format(table.concat(names), expr({table.unpack(t, from, to - 1)}, holes)), to + 1
end

-- `c and a or b` is `a if c else b`; nil: it is not that.
local function choice(t, holes)
  local at, otherwise
  local i = 1
  while i <= #t do
    if is(t[i], "=") then
      return nil
    elseif is(t[i], "and") then
      at = at or i
    elseif is(t[i], "or") then
      otherwise = i
    end
    i = t[i].kind == "sign" and closing[t[i].text] and behind(t, i) or i + 1
  end
  if at and otherwise and otherwise > at then
    return ("%s if %s else %s"):format(expr({table.unpack(t, at + 1, otherwise - 1)}, holes),
      expr({table.unpack(t, 1, at - 1)}, holes), expr({table.unpack(t, otherwise + 1)}, holes))
  end
end

-- Is `:` at i a call of a method, not a slice's?
local function is_method(t, i)
  local behind_it = t[i + 2]
  return is(t[i], ":") and t[i + 1] and t[i + 1].kind == "name" and t[i + 1].gap == "" and behind_it and
    behind_it.gap == "" and (is(behind_it, "(") or is(behind_it, "{")) and not is(t[i - 1], "=")
end

-- What stands in front of i makes a bracket there a call's.
local function called(t, i)
  local before = t[i - 1]
  return before and (before.kind == "name" or is(before, ")") or is(before, "]")) and before or nil
end

-- One bracket, and what it holds -> text, the place behind it
local function bracket(t, i, holes)
  local to = behind(t, i)
  local before = called(t, i)
  if t[i].text == "{" then
    if not before then
      return braces(t, i, to - 1, holes), to
    elseif is_named(t, i) then
      return "(" .. keywords(t, i, to - 1, holes) .. ")", to
    end
    return "(" .. braces(t, i, to - 1, holes, true) .. ")", to
  elseif t[i].text == "(" and before then
    return arguments(t, i, to - 1, holes, before.text), to
  end
  return t[i].text .. expr({table.unpack(t, i + 1, to - 2)}, holes) .. closing[t[i].text], to
end

-- A token by itself.
local function word(t, i, holes)
  local token = t[i]
  if token.kind == "hole" then
    holes[#holes + 1] = token.text:match "^%s*(.-)%s*$"
    return "..."
  elseif token.kind == "keyword" then
    return words[token.text] or token.text
  elseif token.kind == "name" then
    return token.text == "tl" and t[i + 2] and shared[t[i + 2].text] and "tilelang" or token.text
  elseif is(token, "..") and (not t[i - 1] or not t[i + 1] or t[i - 1].kind == "sign") then
    return "..."
  elseif is(token, "~") and t[i - 1] and t[i - 1].kind ~= "sign" then
    return "^"
  elseif token.kind == "string" then
    return token.text
  end
  return operators[token.text] or token.text
end

-- `target = value`, where the value is a choice; nil: it is not that.
local function chosen(t, holes)
  for i, token in ipairs(t) do
    if is(token, "=") then
      local value = choice({table.unpack(t, i + 1)}, holes)
      return value and expr({table.unpack(t, 1, i - 1)}, holes) .. " = " .. value
    elseif token.kind == "keyword" then
      return nil
    end
  end
end

function expr(t, holes)
  local special = choice(t, holes) or chosen(t, holes)
  if special then
    return special
  end
  local out, i = {}, 1
  while i <= #t do
    local token, text = t[i]
    local lead = #out > 0 and gap(token) or ""
    if is(token, "function") then
      text, i = lambda(t, i, holes)
    elseif token.kind == "sign" and closing[token.text] then
      lead = token.text == "{" and called(t, i) and "" or lead
      text, i = bracket(t, i, holes)
    elseif token.kind == "string" and called(t, i) then
      lead, text, i = "", "(" .. token.text .. ")", i + 1
    elseif is_method(t, i) then
      lead, text, i = "", ".", i + 1
    else
      text, i = word(t, i, holes), i + 1
    end
    out[#out + 1] = lead .. text
  end
  return table.concat(out)
end
M.expr = expr

return M
