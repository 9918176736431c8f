-- python/lib/re_parse.lua: reads a regular expression into nodes: node(state, i, k), see re.lua.

local M = {}

M.flags = {I = 2, IGNORECASE = 2, M = 8, MULTILINE = 8, S = 16, DOTALL = 16, X = 64, VERBOSE = 64, A = 256,
  ASCII = 256, U = 32, UNICODE = 32}
local letters = {i = 2, m = 8, s = 16, x = 64, a = 256, u = 32}

local function fail(p, text, at)
  error({re = ("%s at position %d"):format(text, (at or p.i) - 1)}, 0)
end

-- Nodes -------------------------------------------------------------------------------------------------

local function empty(_, i, k)
  return k(i)
end

-- test(s, i) -> where the one character that fits ends, or nil
local function single(test)
  return function(st, i, k)
    local j = i <= st.n and test(st.s, i)
    return j and k(j)
  end
end

local function sequence(nodes)
  if #nodes == 0 then
    return empty
  end
  local node = nodes[#nodes]
  for n = #nodes - 1, 1, -1 do
    local first, rest = nodes[n], node
    node = function(st, i, k)
      return first(st, i, function(j) return rest(st, j, k) end)
    end
  end
  return node
end

local function choice(nodes)
  if #nodes == 1 then
    return nodes[1]
  end
  return function(st, i, k)
    for _, node in ipairs(nodes) do
      local r = node(st, i, k)
      if r then
        return r
      end
    end
  end
end

-- Repetition of one character: a loop, not a call for each
local function repeat_single(test, least, most, lazy)
  return function(st, i, k)
    local ends, n, s = {[0] = i}, 0, st.s
    while n < (lazy and least or most) and ends[n] <= st.n do
      local j = test(s, ends[n])
      if not j then
        break
      end
      n = n + 1
      ends[n] = j
    end
    if n < least then
      return nil
    elseif not lazy then
      for m = n, least, -1 do
        local r = k(ends[m])
        if r then
          return r
        end
      end
      return nil
    end
    local at = ends[n]
    while true do
      local r = k(at)
      if r or n >= most or at > st.n then
        return r
      end
      at = test(s, at)
      if not at then
        return nil
      end
      n = n + 1
    end
  end
end

local function repeat_node(node, least, most, lazy)
  local function step(st, i, k, n)
    local function more()
      return n < most and node(st, i, function(j)
        if j == i and n >= least then
          return nil -- nothing was taken: it would go on for ever
        end
        return step(st, j, k, n + 1)
      end)
    end
    if n < least then
      return more()
    elseif lazy then
      return k(i) or more()
    end
    return more() or k(i)
  end
  return function(st, i, k) return step(st, i, k, 0) end
end

local function capture(node, n)
  return function(st, i, k)
    local caps = st.caps
    local a, b = caps[2 * n - 1], caps[2 * n]
    local r = node(st, i, function(j)
      local c, d = caps[2 * n - 1], caps[2 * n]
      caps[2 * n - 1], caps[2 * n] = i, j
      local inner = k(j)
      if not inner then
        caps[2 * n - 1], caps[2 * n] = c, d
      end
      return inner
    end)
    if not r then
      caps[2 * n - 1], caps[2 * n] = a, b
    end
    return r
  end
end

local function reference(n, fold)
  return function(st, i, k)
    local a, b = st.caps[2 * n - 1], st.caps[2 * n]
    if not a then
      return nil
    end
    local want, got = st.s:sub(a, b - 1), st.s:sub(i, i + b - a - 1)
    if want == got or fold and want:lower() == got:lower() then
      return k(i + b - a)
    end
  end
end

local function same(i)
  return i
end

local function look_ahead(node, wanted)
  return function(st, i, k)
    local r = node(st, i, same)
    if (r ~= nil and r ~= false) == wanted then
      return k(i)
    end
  end
end

-- What ends at i: tried from every place before it
local function look_behind(node, wanted)
  return function(st, i, k)
    local found = false
    for from = i, 1, -1 do
      found = found or node(st, from, function(j) return j == i end)
    end
    if (found and true or false) == wanted then
      return k(i)
    end
  end
end

-- Characters --------------------------------------------------------------------------------------------

-- The end of the character at i, in UTF-8
local function char_end(s, i)
  local j = i + 1
  while (s:byte(j) or 0) & 0xc0 == 0x80 do
    j = j + 1
  end
  return j
end

local function by_pattern(pattern, wanted)
  return function(s, i)
    if (s:find(pattern, i) == i) == wanted then
      return char_end(s, i)
    end
  end
end

-- Letters beyond ASCII are of \w.
local classes = {d = "%d", s = "%s", w = "[%w_\xc3-\xf4]"}
local tests = {}
for c, pattern in pairs(classes) do
  tests[c], tests[c:upper()] = by_pattern("^" .. pattern, true), by_pattern("^" .. pattern, false)
end

local plain = {n = "\n", t = "\t", r = "\r", f = "\f", v = "\v", a = "\a", ["0"] = "\0"}

local function literal(c, fold)
  local n = #c
  if fold and c:find "%a" then
    local low = c:lower()
    return function(s, i)
      return s:sub(i, i):lower() == low and i + 1 or nil
    end
  end
  return function(s, i)
    return s:sub(i, i + n - 1) == c and i + n or nil
  end
end

local function any(all)
  return function(s, i)
    if all or s:byte(i) ~= 10 then
      return char_end(s, i)
    end
  end
end

local function is_word(s, i)
  return i >= 1 and i <= #s and s:find("^[%w_\x80-\xf4]", i) ~= nil
end

local function boundary(wanted)
  return function(st, i, k)
    if (is_word(st.s, i - 1) ~= is_word(st.s, i)) == wanted then
      return k(i)
    end
  end
end

local function line_start(multi)
  return function(st, i, k)
    return (i == 1 or multi and st.s:byte(i - 1) == 10) and k(i)
  end
end

local function line_end(multi)
  return function(st, i, k)
    local n = st.n
    return (i == n + 1 or i == n and st.s:byte(n) == 10 or multi and st.s:byte(i) == 10) and k(i)
  end
end

-- Reading -----------------------------------------------------------------------------------------------

local function on(p, flag)
  return p.flags & flag ~= 0
end

local function code_escape(p, c)
  local digits = ({x = 2, u = 4, U = 8})[c]
  local hex = digits and p.s:match("^" .. ("%x"):rep(digits), p.i)
  if hex then
    p.i = p.i + digits
    return utf8.char(tonumber(hex, 16))
  end
end

-- One member of a set: a character, or a test.
local function set_member(p)
  local c = p.s:sub(p.i, char_end(p.s, p.i) - 1)
  p.i = p.i + #c
  if c ~= "\\" then
    return c
  end
  c = p.s:sub(p.i, p.i)
  p.i = p.i + 1
  if tests[c] then
    return nil, tests[c]
  end
  return c == "b" and "\b" or code_escape(p, c) or plain[c] or c
end

local function code(c)
  return utf8.codepoint(c, 1, 1, true)
end

-- [...]: behind the bracket
local function set(p)
  local start, negative = p.i, p.s:sub(p.i, p.i) == "^"
  p.i = p.i + (negative and 1 or 0)
  local chars, ranges, list, first = {}, {}, {}, true
  while first or p.s:sub(p.i, p.i) ~= "]" do
    if p.i > #p.s then
      fail(p, "unterminated character set", start - 1)
    end
    first = false
    local c, test = set_member(p)
    if test then
      list[#list + 1] = test
    elseif p.s:find("^%-[^%]]", p.i) then
      p.i = p.i + 1
      local d = set_member(p)
      if not d or code(d) < code(c) then
        fail(p, ("bad character range %s-%s"):format(c, d or "?"))
      end
      ranges[#ranges + 1] = {code(c), code(d)}
    else
      chars[c] = true
    end
  end
  p.i = p.i + 1
  local function holds(c, s, i)
    if chars[c] then
      return true
    end
    local n = code(c)
    for _, r in ipairs(ranges) do
      if n >= r[1] and n <= r[2] then
        return true
      end
    end
    for _, test in ipairs(list) do
      if test(s, i) then
        return true
      end
    end
    return false
  end
  local fold = on(p, M.flags.I)
  return function(s, i)
    local j = char_end(s, i)
    local c = s:sub(i, j - 1)
    if not utf8.len(c) then
      return negative and j or nil
    end
    local is = holds(c, s, i) or fold and (holds(c:lower(), s, i) or holds(c:upper(), s, i))
    return is ~= negative and j or nil
  end
end

local alternatives

local function group_end(p, start)
  if p.s:sub(p.i, p.i) ~= ")" then
    fail(p, "missing ), unterminated subpattern", start)
  end
  p.i = p.i + 1
end

local function captured(p, start, name)
  p.groups = p.groups + 1
  local n = p.groups
  if name then
    p.names[name] = n
    p.order[#p.order + 1] = name
  end
  local node = alternatives(p)
  group_end(p, start)
  return capture(node, n)
end

local looks = {["="] = {look_ahead, true}, ["!"] = {look_ahead, false}, ["<="] = {look_behind, true},
  ["<!"] = {look_behind, false}}

-- (?...): behind the question mark
local function special(p, start)
  local name, to = p.s:match("^P<([%a_][%w_]*)>()", p.i)
  if name then
    p.i = to
    return captured(p, start, name)
  end
  name, to = p.s:match("^P=([%a_][%w_]*)%)()", p.i)
  if name then
    p.i = to
    return reference(p.names[name] or fail(p, "unknown group name '" .. name .. "'"), on(p, M.flags.I))
  end
  local mark = p.s:match("^<?[=!]", p.i)
  if mark then
    p.i = p.i + #mark
    local node = alternatives(p)
    group_end(p, start)
    return looks[mark][1](node, looks[mark][2])
  elseif p.s:sub(p.i, p.i) == "#" then
    p.i = (p.s:find(")", p.i, true) or fail(p, "missing ), unterminated comment", start)) + 1
    return empty
  end
  local words, close = p.s:match("^([aimsux]*)([:)])", p.i)
  if not words then
    fail(p, "unknown extension ?" .. p.s:sub(p.i, p.i), start + 1)
  end
  p.i = p.i + #words + 1
  local old = p.flags
  for c in words:gmatch "." do
    p.flags = p.flags | letters[c]
  end
  if close == ")" then
    return empty
  end
  local node = alternatives(p)
  p.flags = old
  group_end(p, start)
  return node
end

local function group(p)
  local start = p.i - 1
  if p.s:sub(p.i, p.i) == "?" then
    p.i = p.i + 1
    return special(p, start)
  end
  return captured(p, start)
end

local anchors = {
  b = boundary(true), B = boundary(false),
  A = function(_, i, k) return i == 1 and k(i) end, Z = function(st, i, k) return i == st.n + 1 and k(i) end,
}

local function escaped(p)
  local c = p.s:sub(p.i, char_end(p.s, p.i) - 1)
  if c == "" then
    fail(p, "bad escape (end of pattern)", p.i - 1)
  end
  p.i = p.i + #c
  local digits = c:find "[1-9]" and p.s:match("^%d?", p.i)
  if digits then
    p.i = p.i + #digits
    local n = tonumber(c .. digits)
    if n > p.groups then
      fail(p, "invalid group reference " .. n, p.i - #digits - 1)
    end
    return reference(n, on(p, M.flags.I))
  elseif anchors[c] then
    return anchors[c]
  elseif tests[c] then
    return nil, tests[c]
  end
  local text = code_escape(p, c) or plain[c]
  if not text and c:find "%a" then
    fail(p, "bad escape \\" .. c, p.i - 2)
  end
  return nil, literal(text or c, on(p, M.flags.I))
end

-- One item: a node, or the test of one character.
local function atom(p)
  local c = p.s:sub(p.i, char_end(p.s, p.i) - 1)
  p.i = p.i + #c
  if c == "(" then
    return group(p)
  elseif c == "[" then
    return nil, set(p)
  elseif c == "." then
    return nil, any(on(p, M.flags.S))
  elseif c == "^" then
    return line_start(on(p, M.flags.M))
  elseif c == "$" then
    return line_end(on(p, M.flags.M))
  elseif c == "\\" then
    return escaped(p)
  elseif c == "*" or c == "+" or c == "?" then
    fail(p, "nothing to repeat", p.i - 1)
  end
  return nil, literal(c, on(p, M.flags.I))
end

-- How often: least, most, lazy; nil: once
local function quantifier(p)
  local least, most
  local c = p.s:sub(p.i, p.i)
  local a, comma, b, to = p.s:match("^{(%d*)(,?)(%d*)}()", p.i)
  if c == "*" or c == "+" or c == "?" then
    least, most, to = c == "+" and 1 or 0, c == "?" and 1 or math.huge, p.i + 1
  elseif a and (a ~= "" or b ~= "") then
    least = tonumber(a) or 0
    most = comma == "" and least or tonumber(b) or math.huge
  else
    return nil
  end
  p.i = to
  local lazy = p.s:sub(p.i, p.i) == "?"
  p.i = p.i + (lazy and 1 or 0)
  return least, most, lazy
end

local function skip_blanks(p)
  while on(p, M.flags.X) do
    local to = p.s:match("^%s+()", p.i) or p.s:match("^#[^\n]*()", p.i)
    if not to then
      break
    end
    p.i = to
  end
end

local function branch(p)
  local nodes = {}
  skip_blanks(p)
  while p.i <= #p.s and not p.s:find("^[|)]", p.i) do
    local node, test = atom(p)
    skip_blanks(p)
    local least, most, lazy = quantifier(p)
    if least and test then
      node = repeat_single(test, least, most, lazy)
    elseif least then
      node = repeat_node(node, least, most, lazy)
    elseif test then
      node = single(test)
    end
    nodes[#nodes + 1] = node
    skip_blanks(p)
  end
  return sequence(nodes)
end

function alternatives(p)
  local nodes = {branch(p)}
  while p.s:sub(p.i, p.i) == "|" do
    p.i = p.i + 1
    nodes[#nodes + 1] = branch(p)
  end
  return choice(nodes)
end

-- -> {node =, groups =, names =, order =}, or nil and what is wrong
function M.compile(s, flags)
  local p = {s = s, i = 1, flags = flags, groups = 0, names = {}, order = {}}
  local ok, node = pcall(function()
    local n = alternatives(p)
    if p.i <= #s then
      fail(p, "unbalanced parenthesis")
    end
    return n
  end)
  if not ok then
    if type(node) == "table" and node.re then
      return nil, node.re
    end
    error(node, 0)
  end
  return {node = node, groups = p.groups, names = p.names, order = p.order}
end

return M
