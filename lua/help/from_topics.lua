-- help/from_topics.lua: the rows of topics: pages that explain, `:help locals`.
-- The pages stand in help/topics_*.lua: {name, en = title, zh = title, text = {en =,
-- zh =}, [example =, see =]}; a text may be a function of the language.

local parts = {"start", "python", "kernels", "machines", "tools"}

local T = {}
T.__index = function(t, lang)
  local f = rawget(t, "make")
  return f and f(lang == "zh" and "zh" or "en")
end

return function(help)
  for _, part in ipairs(parts) do
    for _, d in ipairs(require("moontile.help.topics_" .. part)) do
      local text = d.text
      if type(text) == "function" then
        text = setmetatable({make = text}, T)
      end
      help.row {
        name = d[1], kind = "topic", summary = {en = d.en, zh = d.zh}, text = text,
        example = d.example, see = d.see, params = {},
      }
    end
  end
end
