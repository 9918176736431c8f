-- python/lib/string.lua: Python's module string.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local native = require "moontile.python.native"

local small, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
local signs, blanks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", " \t\n\r\v\f"

local M = {
  ascii_lowercase = small, ascii_uppercase = small:upper(), ascii_letters = small .. small:upper(), digits = digits,
  octdigits = "01234567", hexdigits = "0123456789abcdefABCDEF", punctuation = signs, whitespace = blanks,
  printable = digits .. small .. small:upper() .. signs .. blanks,
}

M.capwords = native.make("capwords", "s, sep?", function(s)
  local words = {}
  for w in s:gmatch "%S+" do
    words[#words + 1] = w:sub(1, 1):upper() .. w:sub(2):lower()
  end
  return table.concat(words, " ")
end)

-- Template: $name, ${name}, $$
local Template = class.make("Template", {core.types.object}, {}, {})
Template.module = "string"
core.class_set(Template, "__init__", native.make("Template.__init__", "self, template", function(t, s)
  t.template = s
  return core.None
end))

local function substitute(safe)
  return function(kw, t, mapping)
    return (t.template:gsub("%$([%w_{$]?[%w_]*}?)", function(name)
      local plain = name:match "^{([%w_]+)}$" or name:match "^[%a_][%w_]*"
      if name:sub(1, 1) == "$" then
        return "$" .. name:sub(2)
      elseif not plain then
        return nil
      end
      local v = kw and dict.get(kw, plain)
      if v == nil and mapping ~= nil then
        v = dict.get(mapping, plain)
      end
      if v == nil then
        return safe and nil or exc.throw(exc.make(exc.classes.KeyError, plain))
      end
      return core.late.str(v) .. (name:sub(1, 1) == "{" and "" or name:sub(#plain + 1))
    end))
  end
end
core.class_set(Template, "substitute", native.make("substitute", "**", substitute(false)))
core.class_set(Template, "safe_substitute", native.make("safe_substitute", "**", substitute(true)))
M.Template = Template

return M
