-- python/lib/re.lua: Python's module re: patterns compiled to closures that match by backtracking.
--
-- Read: literals, escapes (\d \w \s \b ..), sets, groups (also (?:..), (?P<n>..), look-around of any length
-- ahead and of what has one length behind), alternatives, quantifiers (greedy and lazy), back references,
-- flags I, M, S, X, A.  Bytes, not characters, are what `.` and sets of ASCII take; a letter beyond ASCII is one.
-- A node is match(i, k): matches at byte i and calls k(j) with where it ended; it gives what k gives.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local parse = require "moontile.python.lib.re_parse"

local M = {}

local None = core.None
local getmt = debug.getmetatable

for name, bit in pairs(parse.flags) do
  M[name] = bit
end

local function library(name, methods)
  local cls = class.make(name, {core.types.object}, {}, {})
  cls.module = "re"
  for head, fn in pairs(methods) do
    local method, spec = head:match "^([%w_]+)%((.*)%)$"
    core.class_set(cls, method, native.make(name .. "." .. method, spec, fn))
  end
  return cls
end

-- Matches -----------------------------------------------------------------------------------------------

-- A match: {s =, from =, to = (behind it), caps = {[2n - 1] = from, [2n] = behind}, pattern =}
local function group_index(m, k)
  local n = type(k) == "string" and m.re.names[k] or k
  if math.type(n) ~= "integer" or n < 0 or n > m.re.groups then
    exc.fail("IndexError", "no such group")
  end
  return n
end

local function group(m, k, default)
  local n = group_index(m, k)
  if n == 0 then
    return m.s:sub(m.from, m.to - 1)
  end
  local a = m.caps[2 * n - 1]
  return a and m.s:sub(a, m.caps[2 * n] - 1) or default
end

-- The index in characters of a place in bytes.
local function at(m, i)
  return m.s:find "[\x80-\xff]" and utf8.len(m.s, 1, i - 1, true) or i - 1
end

local function span(m, k)
  local n = group_index(m, k == nil and 0 or k)
  if n == 0 then
    return at(m, m.from), at(m, m.to)
  elseif not m.caps[2 * n - 1] then
    return -1, -1
  end
  return at(m, m.caps[2 * n - 1]), at(m, m.caps[2 * n])
end

local function groups(m, default)
  local t = {}
  for n = 1, m.re.groups do
    t[n] = group(m, n, default == nil and None or default)
  end
  return core.tuple(t, m.re.groups)
end

local expand -- (template, m)

local Match = library("Match", {
  ["groups(self, default?)"] = groups,
  ["groupdict(self, default?)"] = function(m, default)
    local d = dict.new()
    for _, name in ipairs(m.re.order) do
      dict.put(d, name, group(m, name, default == nil and None or default))
    end
    return d
  end,
  ["start(self, group?)"] = function(m, k) return (span(m, k)) end,
  ["end(self, group?)"] = function(m, k) return select(2, span(m, k)) end,
  ["span(self, group?)"] = function(m, k) return core.pack(span(m, k)) end,
  ["expand(self, template)"] = function(m, t) return expand(t, m) end,
  ["__getitem__(self, key)"] = function(m, k) return group(m, k, None) end,
  ["__repr__(self)"] = function(m)
    local a, b = span(m)
    return ("<re.Match object; span=(%d, %d), match=%s>"):format(a, b, core.late.repr(group(m, 0)))
  end,
})
core.class_set(Match, "group", native.make("Match.group", "**", function(_, m, ...)
  local n = select("#", ...)
  if n < 2 then
    return group(m, n == 0 and 0 or ..., None)
  end
  local t = {}
  for i = 1, n do
    t[i] = group(m, (select(i, ...)), None)
  end
  return core.tuple(t, n)
end))
for name, f in pairs {string = function(m) return m.s end, re = function(m) return m.re end,
  lastindex = function(m)
    for n = m.re.groups, 1, -1 do
      if m.caps[2 * n - 1] then
        return n
      end
    end
    return None
  end} do
  if name ~= "re" then
    core.class_set(Match, name, setmetatable({fget = native.make(name, "self", f)}, attr.Property))
  end
end

-- Matching ----------------------------------------------------------------------------------------------

-- The first match at byte i; full: to the end of the text; further: not an empty one
local function match_at(re, s, i, full, further)
  local state = {s = s, n = #s, caps = {}}
  local to = re.node(state, i, function(j)
    return (not full or j == #s + 1) and not (further and j == i) and j
  end)
  if to then
    return setmetatable({s = s, from = i, to = to, caps = state.caps, re = re}, Match.meta)
  end
end

local function search_from(re, s, i, further)
  while i <= #s + 1 do
    local m = match_at(re, s, i, false, further)
    if m then
      return m
    end
    i, further = i + 1, false
    while i <= #s and s:byte(i) & 0xc0 == 0x80 do
      i = i + 1
    end
  end
end

-- All matches, one behind the other; none is empty where an empty one was.
local function each(re, s)
  local i, further = 1, false
  return function()
    local m = search_from(re, s, i, further)
    if m then
      i, further = m.to, m.from == m.to
    else
      i = #s + 2
    end
    return m
  end
end

function expand(template, m)
  local out = template:gsub("\\(.)(<?[%w_]*>?)", function(c, rest)
    if c == "g" then
      local name = rest:match "^<([%w_]+)>"
      return group(m, tonumber(name) or name, "") .. rest:match "^<[%w_]+>(.*)$"
    elseif c:find "%d" then
      local more = rest:match "^%d" or ""
      local n = tonumber(c .. more)
      if more ~= "" and n > m.re.groups then
        n, more = tonumber(c), ""
      end
      return group(m, n, "") .. rest:sub(#more + 1)
    end
    return (({n = "\n", t = "\t", r = "\r", ["\\"] = "\\"})[c] or "\\" .. c) .. rest
  end)
  return out
end

local function subn(re, repl, s, count)
  local out, from, n = {}, 1, 0
  for m in each(re, s) do
    if count and count > 0 and n >= count then
      break
    end
    n = n + 1
    out[#out + 1] = s:sub(from, m.from - 1)
    out[#out + 1] = type(repl) == "string" and expand(repl, m) or func.call(repl, m)
    from = m.to
  end
  out[#out + 1] = s:sub(from)
  return table.concat(out), n
end

local function found(m)
  if m.re.groups == 0 then
    return group(m, 0)
  elseif m.re.groups == 1 then
    return group(m, 1, "")
  end
  return groups(m, "")
end

local function findall(re, s)
  local l = {}
  for m in each(re, s) do
    l[#l + 1] = found(m)
  end
  return core.list(l)
end

local function split(re, s, max)
  local l, from = {}, 1
  for m in each(re, s) do
    if max and max > 0 and #l >= max * (1 + re.groups) then
      break
    end
    l[#l + 1] = s:sub(from, m.from - 1)
    for n = 1, re.groups do
      l[#l + 1] = group(m, n, None)
    end
    from = m.to
  end
  l[#l + 1] = s:sub(from)
  return core.list(l)
end

-- What each function of the module and method of a pattern does with a compiled pattern.
local operations = {
  ["match(string)"] = function(re, s) return match_at(re, s, 1) or None end,
  ["fullmatch(string)"] = function(re, s) return match_at(re, s, 1, true) or None end,
  ["search(string)"] = function(re, s) return search_from(re, s, 1) or None end,
  ["findall(string)"] = findall,
  ["finditer(string)"] = function(re, s) return iter.iterator(each(re, s), "callable_iterator") end,
  ["split(string, maxsplit?)"] = split, ["sub(repl, string, count?)"] = function(...) return (subn(...)) end,
  ["subn(repl, string, count?)"] = function(...) return core.pack(subn(...)) end,
}

local Pattern = library("Pattern", {
  ["__repr__(self)"] = function(re) return "re.compile(" .. core.late.repr(re.pattern) .. ")" end,
})

M.error = exc.define("re", "error", "Exception")

local compiled, kept = {}, 0

-- A pattern, from a text or as it is.
local function compile(pattern, flags)
  if getmt(pattern) == Pattern.meta then
    return pattern
  elseif type(pattern) ~= "string" then
    exc.fail("TypeError", "first argument must be string or compiled pattern")
  end
  flags = flags or 0
  local key = flags .. ":" .. pattern
  if not compiled[key] then
    local p, text = parse.compile(pattern, flags)
    if not p then
      exc.throw(exc.make(M.error, text))
    end
    if kept > 200 then
      compiled, kept = {}, 0
    end
    p.pattern, p.flags, kept = pattern, flags, kept + 1
    compiled[key] = setmetatable(p, Pattern.meta)
  end
  return compiled[key]
end

for head, fn in pairs(operations) do
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(Pattern, name, native.make("Pattern." .. name, "self, " .. spec, fn))
  local _, commas = spec:gsub(",", "")
  M[name] = native.make(name, "pattern, " .. spec .. ", flags?", function(pattern, ...)
    local args = table.pack(...)
    local flags = args[commas + 2]
    return fn(compile(pattern, flags), table.unpack(args, 1, commas + 1))
  end)
end

native.functions(M, {
  ["compile(pattern, flags?)"] = compile,
  ["escape(pattern)"] = function(s) return (s:gsub("[%-%[%]{}()*+?.,\\^$|#%s&~]", "\\%0")) end,
  ["purge()"] = function() return None end,
})
for name, cls in pairs {Pattern = Pattern, Match = Match} do
  M[name] = cls
end

return M
