-- doctor/gather.lua: asks the machine and its targets; what it gives has no language yet.

local look = require "moontile.look"

local M = {}

-- Seconds that a process which looks at a target may take, and one that asks its device.
M.look_limit, M.ask_limit = 20, 20

-- The lines of core/device/probe.h as a table: facts in their order and by name, the last step,
-- the error of a step, how the process ended if not well.
function M.parse(lines)
  local r = { facts = {}, by_name = {}, raw = lines }
  for _, line in ipairs(lines) do
    local kind, a, b = line:match "^(%a+)\t([^\t]*)\t?(.*)$"
    if kind == "begin" then
      r.step = a
    elseif kind == "is" then
      r.facts[#r.facts + 1] = { a, b }
      r.by_name[a] = b
    elseif kind == "error" then
      r.error, r.error_at = line:sub(7), r.step
    elseif kind then
      if kind ~= "run" then
        r.ended = { how = kind, at = a, what = b }
      else
        r.running = a
      end
    end
  end
  return r
end

-- A look at a target in a process of its own.
function M.target(spec, limit)
  local lines, noise = look.ask(spec, "", limit or M.look_limit)
  local r = M.parse(lines or {})
  if not lines then
    r.ended = { how = "start", at = "", what = noise }
    noise = ""
  end
  r.noise = noise
  return r
end

-- How a process ended, for those who read answers.
local ends = { late = "no answer within %s s", died = "signal %s", left = "exit status %s" }

-- The groups of questions without whose answers a device is not known: those of
-- targets/gpu/contact.c.
local contact = { basic = true, packed = true, mma = true }

-- All questions that a target lists, group by group; told(group) goes before each.  The
-- answers by name, and the lines as they came.
function M.device(t, spec, limit, told)
  local all, by_name, noise, whole = {}, {}, {}, true
  local function ask(group, words)
    told(group)
    local lines, said = look.ask(spec .. words, group, limit or M.ask_limit)
    local running, first = {}, contact[group]
    whole = whole and (lines ~= nil or not first)
    for _, line in ipairs(lines or {}) do
      all[#all + 1] = line
      local kind, name, value = line:match "^(%a+)\t([^\t]*)\t?(.*)$"
      if kind == "is" then
        by_name[name] = value
      elseif kind == "run" then
        running[name] = true
      elseif kind == "error" and first then
        whole = false
      elseif ends[kind] then -- a compiler that takes too long is no answer of the device's
        if kind ~= "late" or running[name] then
          by_name[name] = "0"
        elseif first then
          whole = false
        end
        by_name[name .. ".why"] = ends[kind]:format(value)
      end
    end
    noise[#noise + 1] = said
  end
  local words = ""
  for _, group in ipairs(t.groups) do
    ask(group, words)
    if group == "packed" and by_name.params == "0" and by_name.packed == "1" then
      words = " -packed=on" -- what was asked before was asked in the form that does not work
      ask("basic", words)
    end
    if group == "packed" and by_name.params ~= "1" and by_name.packed ~= "1" then
      break -- nothing runs: there is nothing to be learned
    end
  end
  local works = by_name.params == "1" or by_name.packed == "1"
  return { works = works, whole = whole, lines = all, by_name = by_name, noise = table.concat(noise) }
end

-- Keeps the answers for the target to use; where.
function M.keep(spec, lines)
  local text = table.concat(lines, "\n") .. "\nis\tcontact\t1\n"
  local got = M.parse(look.ask(spec, "keep", M.look_limit, text) or {})
  return got.by_name.kept, got.error
end

-- The compiler of the cpu target: path, its first line.
local function compiler()
  local own = os.getenv "CC"
  local known = own and own:find "%S" and { own:match "%S+" } or { "cc", "gcc", "clang" }
  for _, name in ipairs(known) do
    local path = look.find(name)
    if path then
      local words = { path }
      for w in (own or ""):gsub("^%s*%S+", ""):gmatch "%S+" do -- behind ccache, say
        words[#words + 1] = w
      end
      words[#words + 1] = "--version"
      local said = look.run(words, 5)
      return path, said and said:match "^[^\n]*" or nil
    end
  end
end

-- The machine, the user, this program.
function M.system()
  local s = { system = look.system(), build = look.build(), terminal = look.terminal(),
    environment = look.environment() }
  s.user, s.home, s.user_groups, s.root = look.user()
  s.cache, s.cache_free, s.cache_says = look.cache()
  s.cc, s.cc_says = compiler()
  s.no_wall = require "moontile.sandbox".missing()
  return s
end

return M
