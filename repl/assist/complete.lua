-- assist/complete.lua: the words that may stand at the cursor.

local help = require "moontile.help"
local calls = require "moontile.repl.assist.calls"
local scanner = require "moontile.repl.assist.scan"
local values = require "moontile.help.values"

local M = {}

-- A list of words without repeats: add(text, note, [rank]); lower ranks come first.
local function collector(prefix)
  local list, seen = {}, {}
  local n = #prefix
  return function(text, note, rank)
    if not seen[text] and text:sub(1, n) == prefix then
      seen[text] = true
      list[#list + 1] = {text = text, note = note, rank = rank or 5}
    end
  end, list
end

local function sorted(list)
  table.sort(list, function(a, b)
    if a.rank ~= b.rank then
      return a.rank < b.rank
    end
    return a.text < b.text
  end)
  for _, w in ipairs(list) do
    w.rank = nil
  end
  return list
end

local function summary(row)
  return help.pick(row.summary)
end

-- Files ------------------------------------------------------------------------------

local function add_files(add, word)
  local dir, base = word:match "^(.*/)([^/]*)$"
  dir, base = dir or "", base or word
  local place = dir:gsub("^~/", (os.getenv "HOME" or "~") .. "/")
  for _, name in ipairs(require("moontile.files").list(place == "" and "." or place, base) or {}) do
    add(dir .. name, nil, name:find "%.lua$" and 3 or 4)
  end
end

-- Values by what they are: these words stand in strings and behind commands ---------

local sources = {}

function sources.dtypes(add)
  for _, name in ipairs(require("moontile.base.types").list) do
    add(name, "dtype")
  end
end

function sources.targets(add)
  add("auto", "cuda, cpu")
  for _, d in ipairs(require("moontile.tl.device").devices()) do
    add(d.name, d.summary)
  end
end

function sources.passes(add)
  add("tile")
  add("thread")
  for _, name in ipairs(require("moontile.ir").passes()) do
    add(name, "pass")
  end
end

function sources.kernels(add)
  values.fields(values.env(), function(k, v)
    local kind = type(k) == "string" and values.kind(v)
    if kind == "kernel" or kind == "jit" then
      add(k, values.note(v), 1)
    end
  end)
  for k, v in next, _G do
    local kind = values.kind(v)
    if kind == "kernel" or kind == "jit" then
      add(k, values.note(v), 1)
    end
  end
end

function sources.examples(add)
  for _, name in ipairs(require("moontile.help.files").examples) do
    add(name, "example")
  end
end

function sources.names(add)
  for _, r in ipairs(help.list()) do
    add(r.name, summary(r))
  end
end

function sources.topics(add)
  for _, r in ipairs(help.list "topic") do
    add(r.name, summary(r), 1)
  end
end

M.sources, M.collector, M.sorted = sources, collector, sorted

-- Strings -----------------------------------------------------------------------------

local by_name = {dtype = "dtypes", out_dtype = "dtypes", target = "targets", pass = "passes"}
local by_call = {
  ["tl.set_target"] = "targets", ["kernel:retarget"] = "targets", ["tensor:to"] = "dtypes",
  ["kernel:ir"] = "passes", ["T.dtype"] = "dtypes", ["tensor:astype"] = "dtypes",
}
local reads = {dofile = true, loadfile = true, require = true}

-- The parameter in which the cursor stands.
local function parameter(at)
  for i, p in ipairs(at.call.params) do
    if at.key and p.name == at.key or not at.in_table and i == at.index then
      return p
    end
  end
end

local function in_string(text, s)
  local start = s.start
  local word = text:sub(start + 1)
  local add, list = collector(word)
  local head = text:sub(1, start - 1)
  local at = calls.innermost(head, scanner.scan(head))
  local path = head:match "([%a_][%w_.:]*)%s*$" -- f "..": a call without parentheses
  local call = path and not scanner.keywords[path] and calls.of(path)
  at = call and {call = call, index = 1} or at
  local p = at and parameter(at)
  local source = p and by_name[p.name] or at and at.call.row and by_call[at.call.row.name]
  if p and p.choices then
    for _, c in ipairs(p.choices) do
      add(c, p.name, 1)
    end
  elseif source then
    sources[source](add)
  elseif at and (reads[at.call.name] or at.call.name:find "^io%." or
      p and (p.name == "path" or p.name:find "file" or p.name == "dir")) or word:find "[/.]" then
    add_files(add, word)
  elseif word ~= "" then
    sources.dtypes(add)
    add_files(add, word)
  else
    sources.dtypes(add)
  end
  return {from = start, list = sorted(list)}
end
M.in_string = in_string

-- Members --------------------------------------------------------------------------------

local function add_rows(add, kind, mark)
  for _, r in ipairs(help.list(kind, true)) do
    if r.method and not r.later and (mark == "." or not r.field) then
      add(r.method, summary(r), r.field and 2 or r.alias_of and 4 or 3)
    end
  end
end

local function add_table(add, t, mark)
  values.fields(t, function(k, v)
    if type(k) == "string" and k:find "^[%a_][%w_]*$" and
        (mark == "." or type(v) == "function") then
      local row = help.of_value(v)
      add(k, row and summary(row) or values.note(v), k:find "^_" and 8 or 4)
    end
  end)
end

local modules = {T = true, tl = true, ["tl.layout"] = true, ["tl.ops"] = true, ["tl.ref"] = true,
  ["tl.testing"] = true, ["tl.host"] = true, ["tl.profiler"] = true}

local function members(path, mark, word)
  local add, list = collector(word)
  if modules[path] and mark == "." then
    for _, r in ipairs(help.list(path, true)) do
      if not r.later then
        local hidden = word == "" and r.name:find "__"
        add(r.name:sub(#path + 2), summary(r), hidden and 8 or r.alias_of and 7 or 4)
      end
    end
    if path == "tl" then
      for name in pairs(modules) do
        if name:find "^tl%." then
          add(name:sub(4), "module")
        end
      end
    end
  end
  local v = values.eval(path)
  local kind = values.kind(v)
  if kind then
    add_rows(add, kind, mark)
  elseif type(v) == "string" and mark == ":" then
    add_table(add, string, ".")
  elseif type(v) == "table" and not modules[path] then
    add_table(add, v, mark)
  end
  return list
end

M.members = members

-- Names -----------------------------------------------------------------------------------

local function add_variables(add, hidden)
  values.fields(values.env(), function(k, v)
    if type(k) == "string" and (hidden or not k:find "^_") and k:find "^[%a_][%w_]*$" then
      add(k, values.note(v), 2)
    end
  end)
  local old, n = values.baseline(), 0
  for k, v in next, _G do
    n = n + 1
    if type(k) == "string" and n < 4000 and (hidden or not k:find "^_") then
      add(k, old[k] and "Lua" or values.note(v), old[k] and 6 or 2)
    end
  end
  add("T", "the language of kernels", 3)
  add("tl", "tensors, compiling, devices", 3)
  add("plot", "draws a value", 3)
end

-- Names of the open call's parameters, as they may be given at the cursor.
local function add_keywords(add, at, word)
  local fresh = at and at.part:find "^%s*[%w_]*$"
  if not fresh then
    return
  end
  local given = {}
  local body = at.in_table and at.table or at.entry
  for name in (body.text or ""):gmatch "([%a_][%w_]*)%s*=[^=]" do
    given[name] = true
  end
  for i, p in ipairs(at.call.params) do
    local later = p.named or at.in_table or i >= at.index
    local wanted = later and not given[p.name] and (p.named or p.optional or at.call.names and
      not p.tensor)
    if wanted and p.name:find "^[%a_][%w_]*$" and p.name ~= "options" then
      local note = p.choices and table.concat(p.choices, "|") or
        p.default ~= "nil" and p.default or help.pick(p.kind)
      add((at.in_table and "" or "{") .. p.name .. " = ", note ~= "" and note or nil, 1)
    end
  end
end

-- Words that may begin with `word` in code.
local function in_code(text, s, word)
  local add, list = collector(word)
  local head = text:sub(1, #text - #word)
  local at = calls.innermost(text, s)
  if at then
    local body = at.in_table and at.table or at.entry
    body.text = head:sub(body.at)
    local keys = select(2, collector(""))
    add_keywords(function(t, note, rank)
      if t:gsub("^{", ""):sub(1, #word) == word then
        keys[#keys + 1] = {text = t, note = note, rank = rank}
      end
    end, at, word)
    table.move(keys, 1, #keys, #list + 1, list)
  end
  if word ~= "" or at then
    for name in pairs(s.names) do
      if name ~= word then
        add(name, "local", 2)
      end
    end
    add_variables(add, word:find "^_" ~= nil)
  end
  if word ~= "" then
    for w in pairs(scanner.keywords) do
      add(w, "keyword", 6)
    end
  end
  return list
end

local function code(text, s)
  local path, mark, word = text:match "([%a_][%w_.:%[%]]*)([.:])([%w_]*)$"
  if path and not path:find "[.:]$" and not text:find "%.%.[%w_]*$" then
    return {from = #text - #word, list = sorted(members(path, mark, word))}
  end
  word = text:match "[%a_][%w_]*$" or ""
  if text:match "[%w_.]*$" ~= word then -- a number, or a member of something unknown
    return {from = #text, list = {}}
  end
  return {from = #text - #word, list = sorted(in_code(text, s, word))}
end

-- Commands ----------------------------------------------------------------------------------

-- What an argument means by how the command's form writes it.
local kinds = {FILE = "files", KERNEL = "kernels", K = "kernels", TARGET = "targets",
  NAME = "names", TOPIC = "topics", PASS = "passes", WORD = "names", COMMAND = "names"}

-- Words of a command's form: "[on|off|CODE]" -> on, off; and the kinds in it.
local function from_form(c, add, arg)
  local code_here = false
  for w in c.args:gmatch "[%w_]+" do
    if w:find "^%l" then
      add(w, nil, 1)
    elseif kinds[w] == "files" then
      add_files(add, arg)
    elseif kinds[w] then
      sources[kinds[w]](add)
    elseif w == "CODE" or w == "EXPR" then
      code_here = true
    end
  end
  return code_here
end

-- The words that a command's own complete(words, arg) gives: strings, or {text, note}.
local function from_row(c, add, words, arg)
  local ok, list = pcall(c.complete, words, arg)
  for _, w in ipairs(ok and type(list) == "table" and list or {}) do
    if type(w) == "string" then
      add(w)
    elseif type(w) == "table" and type(w.text) == "string" then
      add(w.text, w.note)
    end
  end
end

local special = {load = {"files", "examples"}, watch = {"files"}, edit = {"kernels", "files"},
  target = {"targets"}, help = {"names"}, save = {"files"}, apropos = {}}

local function command(text)
  local lead, name, rest = text:match "^(%s*:)([%w_?]*)(.*)$"
  if rest == "" then
    local add, list = collector(name)
    for _, r in ipairs(help.list "command") do
      add(r.name:sub(2), summary(r))
    end
    return {from = #lead, list = sorted(list)}
  end
  local row = help.find(":" .. name)
  local words, arg = {}, rest:match "%S*$"
  for w in rest:sub(1, #rest - #arg):gmatch "%S+" do
    words[#words + 1] = w
  end
  local add, list = collector(arg)
  local c, code_here = row and row.command, false
  if c and c.complete then
    from_row(c, add, words, arg)
  elseif c then
    code_here = from_form(c, add, arg)
    for _, source in ipairs(#words == 0 and special[c.name] or {}) do
      if source == "files" then
        add_files(add, arg)
      else
        sources[source](add)
      end
    end
  end
  if code_here and #list == 0 or rest:find "{" then
    local s = scanner.scan(rest)
    local r = s.where == "code" and code(rest, s) or {from = 0, list = {}}
    return {from = #text - #rest + r.from, list = r.list}
  end
  return {from = #text - #arg, list = sorted(list)}
end

-- Behind ? and ??: names of help, and the user's.
local function question(text)
  local lead, word = text:match "^(%s*%?%??%s*)([^%s]*)$"
  if not lead then
    return {from = #text, list = {}}
  end
  local add, list = collector(word)
  local path, mark, tail = word:match "^([%a_][%w_.]*)([.:])([%w_]*)$"
  if path then
    local found = sorted(members(path, mark, tail))
    if #found > 0 then
      return {from = #text - #tail, list = found}
    end
  end
  sources.names(add)
  add_variables(add, false)
  return {from = #lead, list = sorted(list)}
end

-- The whole --------------------------------------------------------------------------------

-- text: what stands before the cursor
function M.complete(text)
  if text:find "^%s*:[^:]" or text:find "^%s*:$" then
    return command(text)
  elseif text:find "^%s*%?" then
    return question(text)
  end
  local s = scanner.scan(text)
  if s.where == "comment" or s.where == "long" then
    return {from = #text, list = {}}
  elseif s.where == "string" then
    return in_string(text, s)
  end
  return code(text, s)
end

return M
