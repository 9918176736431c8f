-- track/main.lua: `moontile puzzles ...`: which word does what.

local batch = require "moontile.puzzles.track.batch"
local diag = require "moontile.diag"
local keep = require "moontile.keep"
local options = require "moontile.puzzles.track.options"
local screen = require "moontile.screen"
local folder = require "moontile.puzzles.track.folder"
local says = require "moontile.puzzles.track.says"

local M = {}

local say = says.say

-- No word, or a folder: the watch mode.
local function watch(o)
  local F, why = folder.open(o.dir or o.word or ".")
  if not F then
    batch.complain(why)
    return batch.Usage
  end
  if not screen.capable() then
    batch.complain(say("the watch mode needs a terminal; these do not: moontile puzzles list, " ..
      "text, run, hint, check-all (see moontile puzzles --help)",
      "监视模式需要终端；以下命令不需要：moontile puzzles list、text、run、hint、check-all" ..
      "（见 moontile puzzles --help）"))
    return batch.Usage
  end
  return require("moontile.puzzles.track.watch").run(F, o)
end

-- f(o), the exit status; puzzles that are broken are not the learner's fault.
local function guarded(f, o)
  local ok, status = xpcall(f, diag.caught, o)
  if ok then
    return status
  elseif diag.isdiag(status) and status.id:find "^puzzle_" then
    batch.complain(tostring(status))
    return batch.Trouble
  end
  error(status, 0)
end

-- run{words and flags .., json =, target =} -> exit status
function M.run(args)
  local o, why = options.parse(args)
  if not o then
    batch.complain(why)
    return batch.Usage
  end
  o.json, o.target = args.json, args.target
  if o.help or o.word == "help" then
    io.stdout:write(options.help())
    return batch.Right
  end
  local known
  for _, w in ipairs(options.words) do
    known = known or w[1] == o.word
  end
  if known then
    return guarded(batch[o.word], o)
  elseif not o.word or keep.kind(o.word) == "folder" and not o.dir then
    return guarded(watch, o)
  end
  batch.complain(options.unknown_word(o.word))
  return batch.Usage
end

return M
