-- course/main.lua: `moontile puzzles ...`: which word does what.

local batch = require "moontile.puzzles.course.batch"
local diag = require "moontile.diag"
local keep = require "moontile.keep"
local options = require "moontile.puzzles.course.options"
local pack = require "moontile.puzzles.course.pack"
local term = require "moontile.term"
local folder = require "moontile.puzzles.course.folder"
local says = require "moontile.puzzles.course.says"

local M = {}

local say = says.say

-- The folder to watch.  --from PACK without --dir is the folder of that name, which is made
-- where there is none; here, where the pack's files are.
local function chosen(o)
  local name = o.from and not o.dir and not o.word and o.from:match "([^/]+)/*$"
  if not name then
    return o.dir or o.word or "."
  elseif folder.holds(".", o.from) then
    return "."
  elseif not folder.holds(name, o.from) then
    local status = batch.init {rest = {name}, from = o.from, code = o.code}
    return status == batch.Right and name or nil, status
  end
  return name
end

-- No word, or a folder: the watch mode.
local function watch(o)
  local dir, status = chosen(o)
  if not dir then
    return status
  end
  local F, why = folder.open(dir, o.from, o.code)
  if not F then
    batch.complain(why)
    return batch.Usage
  end
  if not term.capable() then
    batch.complain(say("the watch mode needs a terminal; these do not: moontile puzzles list, " ..
      "text, run, hint, check-all (see moontile puzzles --help)",
      "监视模式需要终端；以下命令不需要：moontile puzzles list、text、run、hint、check-all" ..
      "（见 moontile puzzles --help）"))
    return batch.Usage
  end
  return require("moontile.puzzles.course.watch").run(F, o)
end

-- f(o), the exit status; puzzles that are broken are not the learner's fault.  It is no success where the
-- progress could not be saved.
local function guarded(f, o)
  batch.lost = false
  local ok, status = xpcall(f, diag.handler, o)
  if ok then
    return batch.lost and status == batch.Right and batch.Trouble or status
  elseif diag.isdiag(status) and status.id:find "^puzzle_" then
    batch.complain(tostring(status))
    return batch.Trouble
  elseif diag.isdiag(status) and (status.id:find "^pack_" or pack[o.word] and
    status.id:find "^remote_") then
    batch.complain(tostring(status))
    return batch.Wrong
  end
  error(status, 0)
end

-- run{words and flags .., json =, target =, code = "python" | "lua" | nil} -> exit status
function M.run(args)
  local o, why = options.parse(args)
  if not o then
    batch.complain(why)
    return batch.Usage
  end
  o.json, o.target, o.token_file, o.code = args.json, args.target, args.token_file, args.code
  if o.help or o.word == "help" then
    io.stdout:write(options.help())
    return batch.Right
  end
  local known
  for _, w in ipairs(options.words) do
    known = known or w[1] == o.word
  end
  if known then
    return guarded(batch[o.word] or pack[o.word], o)
  elseif not o.word or keep.kind(o.word) == "folder" and not o.dir then
    return guarded(watch, o)
  end
  batch.complain(options.unknown_word(o.word))
  return batch.Usage
end

return M
