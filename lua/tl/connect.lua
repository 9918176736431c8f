-- tl/connect.lua: kernels on another machine: tl.connect, tl.disconnect, tl.connection.
--
--   c = tl.connect("https://gpu.example.org:8411", {token_file = "~/.moontile-token"})
--   print(c)                 --> cuda of https://gpu.example.org:8411: NVIDIA H200
--   tl.disconnect()
--
-- A connection is a target: "remote -url=https://gpu.example.org:8411 -on=cuda", which
-- every function that takes a target takes too.  See targets/remote.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local environ = require "moontile.environ"
local signatures = require "moontile.tl.signatures"
local W = require "moontile.base.translations"

local M = {}

local Connection = {__name = "connection"}
Connection.__index = Connection

local before -- the default target that disconnect() goes back to

-- Specs ------------------------------------------------------------------------------------

-- The words of a spec: {url =, on =, rest = {words}}
local function words(spec)
  local t = {rest = {}}
  for w in spec:gmatch "%S+" do
    local name, value = w:match "^%-(%w+)=(.*)$"
    if name == "url" or name == "on" then
      t[name] = value
    elseif w ~= "remote" then
      t.rest[#t.rest + 1] = w
    end
  end
  return t
end

local function spec_of(t)
  local list = {"remote", t.url and "-url=" .. t.url, t.on and "-on=" .. t.on}
  local parts = {}
  for i = 1, 3 do
    parts[#parts + 1] = list[i] or nil
  end
  table.move(t.rest, 1, #t.rest, #parts + 1, parts)
  return table.concat(parts, " ")
end

local resolved = {}

-- "remote", "remote -url=.." -> the same with the server's address and the target there, which
-- the server is asked for when the spec does not say.
function M.resolve(spec)
  local t = words(spec)
  t.url = t.url or environ.get "MOONTILE_URL"
  local full = spec_of(t)
  if t.on and t.url then
    return full
  elseif not resolved[full] then
    local session = device.open(full)
    local ok, options = pcall(session.options, session)
    if not ok then
      session:close()
      error(options, 0)
    end
    local known = words(options)
    t.url, t.on = known.url, known.on
    resolved[full] = spec_of(t)
    device.adopt(resolved[full], session)
  end
  return resolved[full]
end

-- Connecting ---------------------------------------------------------------------------------

local known = {"target", "token_file", "cacert", "plain", "insecure"}

local function file(path)
  local home = os.getenv "HOME"
  return path and (path:gsub("^~/", (home or "~") .. "/"))
end

-- The target there, "cuda -device=1", as words of a spec.
local function on(target)
  local name, rest = target:match "^%s*(%S+)%s*(.-)%s*$"
  if not name or name == "auto" or name == "remote" then
    return ""
  end
  return " -on=" .. name .. (rest ~= "" and " " .. rest or "")
end

-- url, {target =, token_file =, cacert =, plain =, insecure =} -> connection; kernels run there
-- from now on
function M.connect(url, opts)
  opts = opts or {}
  if type(url) ~= "string" or url:find "%s" then
    diag.fail("arg_type", "tl.connect", "url", W"the address of a server",
      type(url) == "string" and url or describe(url),
      "tl.connect(\"https://gpu.example.org:8411\")")
  end
  accept.known("tl.connect", opts, known)
  local was = {}
  for name, value in pairs {MOONTILE_TOKEN_FILE = file(opts.token_file) or false,
    MOONTILE_CACERT = file(opts.cacert) or false} do
    was[name] = environ.get(name) or false
    if value then
      environ.set(name, value)
    end
  end
  local ok, spec = pcall(M.resolve, ("remote -url=%s%s%s%s"):format(url,
    opts.target and on(opts.target) or "", opts.plain and " -plain" or "",
    opts.insecure and " -insecure" or ""))
  if ok then
    ok, spec = pcall(function()
      device.session(spec):options() -- it must be there now
      return spec
    end)
  end
  if not ok then
    for name, value in pairs(was) do
      environ.set(name, value or nil)
    end
    error(spec, 0)
  end
  if not device.default:find "^%s*remote" then
    before = device.default
  end
  device.set_target(spec)
  return M.connection()
end

-- The connection that kernels use now, or nil.
function M.connection()
  if not device.default:find "^%s*remote" then
    return nil
  end
  local spec = device.resolve()
  local t = words(spec)
  return setmetatable({target = spec, url = t.url, on = t.on}, Connection)
end

-- Back to this machine; what only the server has comes here first.  false: there was none.
function M.disconnect()
  local c = M.connection()
  if not c then
    return false
  end
  device.default = before or "auto"
  before = nil
  environ.set("MOONTILE_URL", nil)
  for _, spec in ipairs(device.opened()) do
    if spec:find "^remote" and words(spec).url == c.url then
      device.close(spec)
    end
  end
  resolved = {}
  return true
end

-- What is known of the device there: {name = value}
function Connection:facts()
  return require("moontile.tl.roof").facts(device.session(self.target))
end

function Connection.__tostring(self)
  local name = require("moontile.tl.roof").name(self:facts())
  return name and name ~= "remote" and ("%s of %s: %s"):format(self.on, self.url, name) or
    ("%s of %s"):format(self.on, self.url)
end

accept.guard(M, {what = "tl."}, signatures.connect)
accept.methods(Connection, {what = "connection:", self = {Connection, "a connection"}}, {})

return M
