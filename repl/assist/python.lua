-- assist/python.lua: the words that may stand at the cursor of a text in Python.
--
--     complete(text) -> {from =, list = {{text =, note =}, ..}}     text: what stands before the cursor
--
-- Names of T, tl and tilelang, of kernels and tensors come with what help says of them; nothing of the user's is called.

local calls = require "moontile.repl.assist.calls"
local complete = require "moontile.repl.assist.complete"
local core = require "moontile.python.core"
local python = require "moontile.repl.python"
local scanner = require "moontile.repl.assist.scan"
local values = require "moontile.help.values"
local vars = require "moontile.repl.vars"

local M = {}

local keywords = {}
for w in ([[False None True and as assert break class continue def del elif else except finally for from global if
            import in is lambda nonlocal not or pass raise return try while with yield]]):gmatch "%a+" do
  keywords[#keywords + 1] = w
end

-- Is the end of the text in a comment?  Strings that stand before it in the line are passed over.
local function in_comment(text)
  local line = text:match "[^\n]*$":gsub("\\.", ""):gsub('"[^"]*"', ""):gsub("'[^']*'", "")
  return line:find("#", 1, true) ~= nil and not line:match "^[^#]*[\"']"
end

-- What a dotted name stands for; nil: nothing that is known without calling something.
local function value_of(path)
  local v
  for name in path:gmatch "[^.]+" do
    if v == nil then
      v = python.peek(name)
    elseif getmetatable(v) == core.Module then
      v = core.late.attr_or_nil(v, name)
    else
      return nil
    end
    if v == nil then
      return nil
    end
  end
  return v
end

-- Modules of ours, which help knows by these names.
local function known(v)
  local own = getmetatable(v) == core.Module and v[core.OWN]
  if not own then
    return nil
  end
  return own == package.loaded["moontile.T"] and "T" or own == package.loaded["moontile.tl"] and "tl" or nil
end

local function members(path, word)
  local add, list = complete.collector(word)
  local v = value_of(path)
  local ours = known(v)
  if ours then
    for _, w in ipairs(complete.members(ours, ".", word)) do
      add(w.text, w.note, 4)
    end
  elseif values.kind(v) then
    return complete.members(path, ".", word)
  end
  for _, name in ipairs(v ~= nil and core.late.names(v) or {}) do
    if type(name) == "string" and (word ~= "" or not name:find "^_") then
      add(name, nil, name:find "^_" and 8 or 5)
    end
  end
  return list
end

local words = {["true"] = "True", ["false"] = "False"}

-- Names of the open call's parameters: `num_stages=`.
local function add_parameters(add, text, s, word)
  local at = calls.innermost(text, s)
  if not at or not at.part:find "^%s*[%w_]*$" then
    return
  end
  for i, p in ipairs(at.call.params) do
    if (p.named or i >= at.index) and p.name:find "^[%a_][%w_]*$" and p.name:sub(1, #word) == word then
      add(p.name .. "=", p.default ~= "nil" and (words[p.default] or p.default) or nil, 1)
    end
  end
end

local function names(text, s, word)
  local add, list = complete.collector(word)
  add_parameters(add, text, s, word)
  if word == "" then
    return list
  end
  vars.each(function(name, v)
    add(name, values.note(v), 2)
  end)
  for name in text:sub(1, #text - #word):gmatch "%f[%w_][%a_][%w_]*" do
    add(name, nil, 3)
  end
  python.names(function(name)
    if word:find "^_" or not name:find "^_" then
      add(name, nil, 5)
    end
  end)
  for _, w in ipairs(keywords) do
    add(w, "keyword", 6)
  end
  return list
end

function M.complete(text)
  local s = scanner.scan(text)
  if in_comment(text) then
    return {from = #text, list = {}}
  elseif s.where == "string" then
    return complete.in_string(text, s)
  end
  local path, word = text:match "([%a_][%w_.]*)%.([%w_]*)$"
  if path then
    return {from = #text - #word, list = complete.sorted(members(path, word))}
  end
  word = text:match "[%a_][%w_]*$" or ""
  if text:match "[%w_.]*$" ~= word then -- a number, or a member of something unknown
    return {from = #text, list = {}}
  end
  return {from = #text - #word, list = complete.sorted(names(text, s, word))}
end

return M
