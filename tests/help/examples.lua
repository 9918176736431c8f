-- Every example of the reference but those of T and of commands runs, in the order of
-- the reference, after the prelude that `:help examples` shows.  What needs a device that
-- is not here says so.  (tests/T/names.lua runs those of T, commands.sh those of commands.)
local help = require "moontile.help"
local diag = require "moontile.diag"
local prelude = require "moontile.help.prelude"

tl.set_target "cpu"
assert(load(prelude, "=prelude"))()
local f0 = f
local values = prelude:gsub("^f = .-\nend%)\n", "")

-- Runs f without its output: -> what pcall gives.
local function quietly(f)
  local say, out, flow = print, io.stdout, io.write
  print = function() end
  io.write = function() return out end
  io.stdout = setmetatable({}, {__index = function() return function() return out end end})
  local ok, err = pcall(f)
  print, io.stdout, io.write = say, out, flow
  return ok, err
end

local folder = os.getenv "TMP"
local count, refused = {}, {}
for _, kind in ipairs(help.kinds) do
  count[kind.id] = 0
  for _, row in ipairs(kind.id ~= "T" and kind.id ~= "command" and help.list(kind.id, true) or {}) do
    if row.example and row.example ~= "" then
      f = f0
      assert(load(values, "=prelude"))()
      local text = row.example:gsub('"x%.npy"', ("%q"):format(folder .. "/x.npy"))
      local chunk = assert(load(text, "=" .. row.name))
      local ok, err = quietly(chunk)
      if ok then
        count[kind.id] = count[kind.id] + 1
      elseif row.needs and diag.isdiag(err) and err.id ~= "bug" then
        refused[#refused + 1] = row.name
      else
        print(row.name, err)
      end
    end
  end
end
for _, kind in ipairs(help.kinds) do
  if kind.id ~= "T" and kind.id ~= "command" then
    print(kind.id, count[kind.id] > 0 and "all examples run" or "no examples")
  end
end
print("need another target:", table.concat(refused, " "))
