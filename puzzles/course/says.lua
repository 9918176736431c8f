-- course/says.lua: texts in the user's language, inside the prompt and outside of it.

local diag = require "moontile.diag"

local M = {}

-- Is it Chinese?
function M.zh()
  return diag.lang() == "zh"
end

-- say(en, zh, ...): that one, formatted
function M.say(en, zh, ...)
  return (M.zh() and zh or en):format(...)
end

-- pick{en =, zh =}
function M.pick(t)
  return t and (M.zh() and t.zh or t.en)
end

return M
