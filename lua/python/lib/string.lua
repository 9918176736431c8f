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

-- The place behind a `$` that begins nothing, as CPython says it.
local function invalid(text, last)
  local before = text:sub(1, last)
  local _, lines = before:gsub("\n", "")
  exc.throw(exc.make(exc.classes.ValueError, ("Invalid placeholder in string: line %d, col %d"):format(
    lines + 1, utf8.len(before:match "[^\n]*$"))))
end

-- The name of a placeholder and what follows it, or nil: none stands at `at`, behind its `$`.
local function placeholder(text, at)
  local name, rest = text:match("^([%a_][%w_]*)()", at)
  if not name then
    name, rest = text:match("^{([%a_][%w_]*)}()", at)
  end
  return name, rest
end

local function substitute(safe)
  return function(kw, t, mapping)
    local text, out, at = t.template, {}, 1
    for _ = 1, #text do
      local dollar = text:find("$", at, true)
      if not dollar then
        break
      end
      out[#out + 1] = text:sub(at, dollar - 1)
      local name, rest = placeholder(text, dollar + 1)
      local v = name and kw and dict.get(kw, name)
      if name and v == nil and mapping ~= nil then
        v = dict.get(mapping, name)
      end
      if text:sub(dollar + 1, dollar + 1) == "$" then
        out[#out + 1], rest = "$", dollar + 2
      elseif v ~= nil then
        out[#out + 1] = core.late.str(v)
      elseif safe then
        rest = rest or dollar + 1
        out[#out + 1] = text:sub(dollar, rest - 1)
      elseif name then
        exc.throw(exc.make(exc.classes.KeyError, name))
      else
        invalid(text, dollar)
      end
      at = rest
    end
    return table.concat(out) .. text:sub(at)
  end
end
core.class_set(Template, "substitute", native.make("substitute", "**", substitute(false)))
core.class_set(Template, "safe_substitute", native.make("safe_substitute", "**", substitute(true)))
M.Template = Template

return M
