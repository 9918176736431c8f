-- python/target.lua: what programs for TileLang call a target, as moontile's text: "cuda", TVM's {"kind": "cuda", "arch":
-- "sm_90a"}, tvm.target.Target(..) of either; and notes on options that say nothing here.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local None = core.None

local said = {} -- what has been said of options

-- Says once that an option is for TileLang alone.
function M.note(k)
  if not said[k] then
    said[k] = true
    io.stderr:write(tostring(diag.make("py_option_silent", k)), "\n")
  end
end

-- What a target may be where the one that the session runs on is meant.
local any_target = {cuda = true, hip = true, rocm = true, llvm = true, c = true}

-- Keys of TVM's dicts that name a machine, as words of a target's text.
local machine = {arch = true, mcpu = true}

-- A target with options, by TVM's words: what LLVM calls a cpu is a machine here.
local function words(spec)
  return (spec:gsub("^rocm%f[%s]", "hip"):gsub("%s%-mcpu=(gfx%w+)", " -arch=%1"))
end

-- The text of TVM's dict; who: what was called with it.
local function of_dict(d, who)
  local kind = dict.get(d, "kind")
  if type(kind) ~= "string" then
    exc.fail("ValueError", ("%s: a target's dict needs \"kind\", as {\"kind\": \"cuda\", \"arch\": \"sm_90a\"}"):format(who), nil, "kind")
  end
  local spec = kind
  for k, v in dict.each(d) do
    if machine[k] and (kind ~= "llvm" and kind ~= "c") then
      spec = ("%s -%s=%s"):format(spec, k, core.late.str(v))
    elseif k ~= "kind" then
      M.note(('target["%s"]'):format(core.late.str(k)))
    end
  end
  return words(spec)
end

-- The text of a text, a dict or a Target; nil: v is none of them.
local function text(v, who)
  if debug.getmetatable(v) == M.Target.meta then
    return v.spec
  elseif type(v) == "string" then
    return words(v)
  elseif core.kind(v) == "dict" then
    return of_dict(v, who)
  end
end

M.Kind = made.class("TargetKind", "tvm.target", {["__str__(self)"] = function(k) return k.name end})

-- What TVM has of a target: its machine, threads of a block, lanes of a warp.
local lanes = {cuda = 32, hip = 64, rocm = 64, maca = 64}

local function arch_of(t)
  return t.spec:match "%-arch=(%S+)" or t.spec:match "%-mcpu=(%S+)"
end

local function attrs(t)
  local d, kind = dict.new(), t.kind.name
  if arch_of(t) then
    dict.put(d, "arch", arch_of(t))
  end
  if lanes[kind] then
    dict.put(d, "max_num_threads", 1024)
    dict.put(d, "thread_warp_size", lanes[kind])
  end
  return d
end

local function keys(t)
  local kind = t.kind.name
  return lanes[kind] and core.list {kind, "gpu"} or core.list {"cpu"}
end

local entered = {} -- the targets of `with Target(..)`, the innermost last
local outer = {} -- the targets of the session around each `with Target(..)`

M.Target = made.class("Target", "tvm.target", {
  ["__init__(self, target, host?)"] = function(t, target, host)
    t.spec = text(target, "Target()")
    if t.spec == nil then
      exc.fail("TypeError", "Target() takes a text such as \"cuda -arch=sm_90a\", or {\"kind\": \"cuda\", \"arch\": \"sm_90a\"}", nil, "Target")
    elseif host ~= nil and host ~= None then
      M.note "Target(.., host)"
    end
    t.kind = made.object(M.Kind, {name = t.spec:match "^%S+" or t.spec})
    return None
  end,
  ["__str__(self)"] = function(t) return t.spec end,
  ["__enter__(self)"] = function(t)
    outer[#outer + 1], entered[#entered + 1] = device.default, t
    device.default = M.chosen(t) or device.default
    return t
  end,
  ["__exit__(self, kind, value, traceback)"] = function()
    device.default, entered[#entered] = table.remove(outer), nil
    return None
  end,
})
made.properties(M.Target, {attrs = attrs, arch = function(t) return arch_of(t) or "" end, keys = keys})
core.class_set(M.Target, "current", setmetatable({f = native.make("Target.current", "allow_none?", function(allow)
  if #entered == 0 and allow == false then
    exc.fail("ValueError", "Target context required. Please set it by constructing a target and entering it: `with Target(..):`",
      nil, "Target")
  end
  return entered[#entered] or None
end)}, attr.Static))
M.Target.meta.__py_lua = function(t) return t.spec end

-- What `target` of tilelang.jit and others says: a text, or nil: the session's, of which a note is given where another
-- one is named.
function M.chosen(v)
  if v == None or v == "auto" then
    return nil
  end
  local spec = text(v, "target") or core.late.to_lua(v)
  if any_target[spec] then
    M.note("target=" .. spec)
    return nil
  end
  return spec
end

return M
