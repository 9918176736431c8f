-- doctor/report.lua: one text to paste into an issue: all that was found, in English, and
-- nothing that is the user's own: no tokens, no names of people or of the machine.

local look = require "moontile.look"
local rows = require "moontile.repl.doctor.rows"
local show = require "moontile.repl.doctor.show"

local M = {}

-- Variables that decide what is found.
local prefixes = { "MACA_", "HIP_", "ROCM_", "HSA_", "ROCR_", "GPU_", "CUDA_", "NVIDIA_",
  "MOONTILE_", "MXCC_", "METAX_", "DTK_" }
local names = { PATH = true, LD_LIBRARY_PATH = true, LD_PRELOAD = true, CC = true,
  TERM = true, LANG = true, LC_ALL = true, LC_CTYPE = true, XDG_CACHE_HOME = true, CONDA_PREFIX = true, VIRTUAL_ENV = true }
local secret = { "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "API_?KEY", "ACCESS_?KEY" }

local function matters(name)
  for _, p in ipairs(prefixes) do
    if name:sub(1, #p) == p then
      return true
    end
  end
  return names[name]
end

local function is_secret(name)
  for _, p in ipairs(secret) do
    if name:upper():find(p) then
      return true
    end
  end
  return false
end

local function escaped(s)
  return (s:gsub("%p", "%%%0"))
end

-- Words that stand in many texts and tell nothing of a person.
local common = { root = true, user = true, users = true, admin = true, ubuntu = true, debian = true,
  nobody = true, home = true, video = true, render = true, localhost = true }

-- text without the names of the user, of their folder and of the machine; without what
-- stands before an @ in addresses, and behind a ? in them.
function M.redact(text, s, host)
  if #s.home > 1 then
    text = text:gsub(escaped(s.home) .. "%f[^%w_.-]", "~")
  end
  for name, stand_in in pairs { [s.user] = "USER", [host or ""] = "HOST" } do
    if #name >= 2 and not common[name] then
      text = text:gsub("%f[%w_]" .. escaped(name) .. "%f[^%w_]", stand_in)
    end
  end
  text = text:gsub("(%a+://)[^/%s@]+@", "%1"):gsub("(%a+://[^%s?]*)%?%S*", "%1")
  return text
end

local function environment(s, out)
  local list = {}
  for name, value in pairs(s.environment) do
    if matters(name) then
      list[#list + 1] = name .. "=" .. (is_secret(name) and not name:find "_FILE$"
        and "(set, not shown)" or value)
    end
  end
  table.sort(list)
  out[#out + 1] = "== environment"
  for _, line in ipairs(list) do
    out[#out + 1] = line
  end
end

-- Files that answers speak of: messages of a compiler that refused a text.
local function logs(lines, out)
  local seen = {}
  for _, line in ipairs(lines) do
    local path = line:match "(/%S+%.log)%f[^%w_./-]"
    local f = path and not seen[path] and io.open(path, "rb")
    if f then
      seen[path] = true
      out[#out + 1] = "-- " .. path
      out[#out + 1] = f:read(8192) or ""
      f:close()
    end
  end
end

local function raw(t, out)
  local lines = {}
  for _, line in ipairs(t.look.raw) do
    lines[#lines + 1] = line
  end
  for _, line in ipairs(t.device and t.device.lines or {}) do
    lines[#lines + 1] = line
  end
  out[#out + 1] = "== " .. t.name .. ": raw answers"
  for _, line in ipairs(lines) do
    out[#out + 1] = (line:gsub("\t", " "):gsub("\31", " | "))
  end
  logs(lines, out)
  local noise = (t.look.noise or "") .. (t.device and t.device.noise or "")
  if noise:find "%S" then
    out[#out + 1] = "-- printed by the libraries"
    out[#out + 1] = noise:sub(-2000)
  end
end

-- The text for these targets, which were gathered; host: the name of the machine.
function M.text(s, list, host)
  local u = s.system
  local out = {
    "moontile " .. s.build.moontile .. ": a report of `moontile doctor`",
    ("%s %s %s, %s"):format(u.name, u.release, u.machine, u.distribution or "?"),
    ("%d processors, %s"):format(u.processors, u.processor or "?"), "",
  }
  local system = rows.system(s, "en")
  out[#out + 1] = show.text(system, "en", { width = math.huge, all = true })
  for _, t in ipairs(list) do
    out[#out + 1] = show.text(rows.target(t, s, "en"), "en", { width = math.huge, all = true })
  end
  out[#out + 1] = ""
  environment(s, out)
  if s.cc then
    out[#out + 1] = "== C compiler"
    out[#out + 1] = s.cc .. ": " .. (s.cc_says or "?")
  end
  for _, name in ipairs { "nvidia-smi", "rocm-smi", "mx-smi" } do
    local path = look.find(name)
    local said = path and look.run({ path }, 10)
    if said then
      out[#out + 1] = "== " .. name
      out[#out + 1] = said:sub(1, 4000)
    end
  end
  for _, t in ipairs(list) do
    raw(t, out)
  end
  return M.redact(table.concat(out, "\n") .. "\n", s, host)
end

return M
