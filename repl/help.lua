-- repl/help.lua: the rows of the prompt's commands in help.

local examples = require "moontile.repl.commands.examples"

local M = {}

-- moontile.prompt outside of a prompt: files of commands take what they need from
-- it when they are loaded, and nothing of it is run.  env: variables, for tests.
function M.stand_in(env)
  local nothing = function() end
  return setmetatable({env = env or {}, baseline = {}, after = {}, idle = {}}, {
    __index = function() return nothing end,
  })
end

-- The registry of commands.  Where there is no prompt, it is loaded for its texts
-- alone and forgotten again, so that a prompt that opens later loads its own.
function M.registry()
  if package.loaded["moontile.prompt"] then
    return require "moontile.repl.commands"
  end
  local before = {}
  for name in pairs(package.loaded) do
    before[name] = true
  end
  package.loaded["moontile.prompt"] = M.stand_in()
  local ok, commands = pcall(require, "moontile.repl.commands")
  for name in pairs(package.loaded) do
    if not before[name] and (name:find "^moontile%.repl%." or name == "moontile.prompt") then
      package.loaded[name] = nil
    end
  end
  if not ok then
    error(commands, 0)
  end
  return commands
end

local function add_command(help, c)
  help.row {
    name = ":" .. c.name, kind = "command", value = c.run,
    sig = (":%s %s"):format(c.name, c.args):gsub(" $", ""), params = {},
    summary = c.summary, text = c.text, example = c.example or examples[c.name] or "", see = c.see,
    where = help.place(c.run), command = c,
  }
end

setmetatable(M, {
  __call = function(_, help)
    for _, c in ipairs(M.registry().list) do
      add_command(help, c)
    end
  end,
})

return M
