-- plotting.lua: what the words behind :plot mean.
--
--     :plot                     the last kernel
--     :plot As    :plot stages  a buffer, or a figure, of the last kernel
--     :plot k     :plot k As    a kernel, and one of its buffers or figures
--     :plot got want            two variables
--     :plot tl.randn{8, 8}      any expression
--     :plot k As {svg = "a.svg"}   options last

local kernels = require "moontile.repl.kernels"
local session = require "moontile.prompt"

local M = {}

-- An expression's value, read as an input is.
local function evaluate(text, name)
  local chunk, err = session.compile(text, name)
  if not chunk then
    error(err, 0)
  end
  return (session.run(chunk))
end

-- The options at the end of a line: a table that names its fields, after a blank.
local function split(args)
  local head, table_text = args:match "^(.-)%s*(%b{})%s*$"
  if table_text and (head == "" or args:match "%s%b{}%s*$") and
    (table_text:find "^{%s*[%a_][%w_]*%s*=[^=]" or table_text:find "^{%s*}$") then
    return head, evaluate(table_text, "=options")
  end
  return args, {}
end

-- The last kernel, when `word` is one of its figures or buffers.
local function of_last(word)
  local k = kernels.find ""
  for _, name in ipairs(k and require("moontile.layout_viz.plot").whats(k) or {}) do
    if name == word then
      return k
    end
  end
end

-- Why a single word means nothing.
local function unknown(word)
  local say = require("moontile.repl.commands").say
  local k = kernels.find ""
  local names = k and require("moontile.layout_viz.plot").whats(k) or {}
  local near = require("moontile.base.suggest").find(word, names)
  if near then
    return say("there is no %s; did you mean :plot %s?", "没有 %s；您是否想用 :plot %s？", word, near)
  elseif k then
    return say("there is no variable %s; %s has %s", "没有变量 %s；%s 有 %s", word, k.name,
      table.concat(names, ", "))
  end
  return say("there is no variable %s", "没有变量 %s", word)
end

-- What to plot: v, what, options; or nil and why not.
function M.parse(args)
  local head, opts = split(args)
  local words = {}
  for w in head:gmatch "%S+" do
    words[#words + 1] = w
  end
  opts.source = opts.source or ":plot" .. (args ~= "" and " " .. args or "")
  if #words == 0 then
    local k, why = kernels.find ""
    return k, why, opts
  end
  local named = words[1]:find "^[%a_][%w_.]*@?%d*$" ~= nil
  if #words == 1 and named then
    local v = kernels.value(words[1])
    if v ~= nil then
      return v, nil, opts
    end
    local k = of_last(words[1])
    if k then
      return k, words[1], opts
    elseif words[1]:find "@" then
      local why
      k, why = kernels.find(words[1])
      return k, why, opts
    elseif not words[1]:find "[.]" then
      return nil, unknown(words[1])
    end
  elseif #words == 2 and named and words[2]:find "^[%a_][%w_.]*$" then
    local k, v = kernels.find(words[1]), kernels.value(words[1])
    if k or v ~= nil then
      local second = not k and kernels.value(words[2])
      return k or v, second or words[2], opts
    end
  end
  return evaluate(head, "=plot"), nil, opts
end

return M
