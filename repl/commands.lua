-- commands.lua: the commands of the prompt, ":name arguments".
--
-- One registry: help, abbreviation and, in time, completion are derived from
-- it.  A command is added with
--
--     commands.add{
--       name = "load", args = "FILE",
--       summary = {en = "...", zh = "..."},      -- a line in :help
--       text = {en = "...", zh = "..."},         -- below it in :help load
--       when = function() return true end,       -- [optional] valid now?
--       bang = true,                             -- [optional] ":save!" says more than ":save"
--       run = function(args, bang) ... end,      -- args: the rest of the line
--     }
--
-- run returns nothing, or a text that says why it refused.  Any unique prefix
-- of a name will do.  What commands may use of the session (prompt.c) is in
-- moontile.prompt.

local config = require "moontile.config"
local diag = require "moontile.diag"
local plain = require "moontile.base.plain"
local session = require "moontile.prompt"

local M = { list = {}, by_name = {} }

-- The files of repl/commands, in the order in which :help shows them.
local groups = { "basic", "help", "kernels", "inside", "plots", "trace", "tour", "puzzles", "remote",
  "doctor", "session" }

function M.lang()
  return config.lang == "zh" and "zh" or "en"
end

-- Texts of commands, picked by language.
local function say(en, zh, ...)
  return plain.format(M.lang() == "zh" and zh or en, ...)
end

M.say = say

-- Two columns of a list.
function M.columns(left, right)
  print(("  %-20s%s"):format(left, right))
end

-- Words of an argument line up to a "{", and the table that stands there,
-- evaluated as an input is; "k As {block = {0, 1}}" -> {"k", "As"}, {block = ..}.
-- Without a table the second value is an empty one.
function M.words(args)
  local words, open = {}, args:find("{", 1, true)
  for w in args:sub(1, (open or 0) - 1):gmatch "%S+" do
    words[#words + 1] = w
  end
  if not open then
    return words, {}
  end
  local chunk, err = session.compile(args:sub(open), "=options")
  if not chunk then
    error(err, 0)
  end
  return words, (session.run(chunk))
end

function M.add(c)
  assert(c.name and c.args and c.summary.en and c.summary.zh and c.text.en and c.text.zh and c.run,
    "a command needs name, args, summary, text and run")
  assert(not M.by_name[c.name], c.name)
  M.by_name[c.name] = c
  table.insert(M.list, c)
  table.sort(M.list, function(a, b) return a.name < b.name end)
end

function M.valid(c)
  return not c.when or c.when()
end

-- The command that `word` abbreviates; else nil and why not.
function M.find(word)
  if M.by_name[word] and M.valid(M.by_name[word]) then
    return M.by_name[word]
  end
  local found = {}
  for _, c in ipairs(M.list) do
    if M.valid(c) and c.name:sub(1, #word) == word then
      found[#found + 1] = c.name
    end
  end
  if #found == 1 then
    return M.by_name[found[1]]
  end
  if #found > 1 then
    return nil, say("':%s' may be :%s", "“:%s”可以是 :%s", word, table.concat(found, ", :"))
  end
  local names = {}
  for _, c in ipairs(M.list) do
    names[#names + 1] = M.valid(c) and c.name or nil
  end
  local near = require("moontile.base.suggest").find(word, names)
  if near then
    return nil, say("there is no command ':%s'; did you mean :%s?",
      "没有命令“:%s”；您是否想用 :%s？", word, near)
  end
  return nil, say("there is no command ':%s'; :help lists them",
    "没有命令“:%s”；:help 列出全部命令", word)
end

-- Runs one line.  Returns nil, or a text that says why nothing was done.
function M.run(line)
  local word, args = line:match("^%s*:%s*(%S*)%s*(.-)%s*$")
  if word == "" or word == "?" then
    word = "help"
  elseif word:sub(1, 1) == "!" then -- of the shell
    word, args = "!", line:match "^%s*:%s*!%s*(.-)%s*$"
  end
  local bang = #word > 1 and word:sub(-1) == "!" -- :save! overwrites
  local c, why = M.find(bang and word:sub(1, -2) or word)
  if c and bang and not c.bang then
    return say(":%s takes no !", ":%s 不带 !", c.name)
  elseif not c then
    return diag.visible(why)
  end
  local refused = c.run(args, bang)
  if not refused then
    require("moontile.repl.journal").command(line, c.name, args)
  end
  return refused and diag.visible(refused) -- what was typed or pasted stands in it
end

for _, group in ipairs(groups) do
  require("moontile.repl.commands." .. group)(M)
end

return M
