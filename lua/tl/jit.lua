-- tl/jit.lua: functions that become kernels when they are called.
--
-- Eager style: the function's annotations say which parameters are tensors and
-- scalars; all others are compile-time values.  A first trace ("sig") for each
-- set of those learns types, shapes and the constants of T.const; the shapes of
-- the arguments give the constants their values; a second trace ("body") for
-- each set of these makes the kernel.  Lazy style: the function returns a
-- T.prim_func; its arguments are all compile-time values.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local func = require "moontile.T.func"
local ir = require "moontile.ir"
local kernel = require "moontile.tl.kernel"
local place = require "moontile.base.place"
local suggest = require "moontile.base.suggest"
local signatures = require "moontile.tl.signatures"
local tensor = require "moontile.tensor"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local Jit = {__name = "jit"}

-- What has no meaning here, and has one on a kernel, says so: users look for it here.
function Jit.__index(self, key)
  local own = Jit[key]
  if rawget(self, "decorator") and type(own) == "function" then -- tl.jit{..}, which has got no function yet
    place.fail(key, "arg_type", "tl.jit", "f", W"a function", W"nothing", "tl.jit(f, options)")
  elseif own == nil and kernel.methods[key] then
    place.fail(key, "jit_method", rawget(self, "name") or "f", key)
  end
  return own
end
Jit.__names = Jit

local M = {Jit = Jit, caching = true}

-- Arguments -------------------------------------------------------------------------

local plain = require("moontile.tensor").isplain

local function isnames(v)
  return plain(v) and type(next(v)) == "string"
end

-- "matmul(A, B, BM, BN)"
local function signature(self)
  return ("%s(%s)"):format(self.name, table.concat(self.params, ", "))
end

-- Positional and named arguments -> values by position, names that are no
-- parameter (constants, perhaps).
local function arguments(self, ...)
  local n = select("#", ...)
  local values, extra = {...}, {}
  local last = values[n]
  if n > 0 and isnames(last) then
    values[n] = nil
    n = n - 1
    for key, v in pairs(last) do
      local i = self.index[key]
      if not i then
        extra[key] = v
      elseif i <= n and values[i] ~= nil then
        diag.fail("jit_twice", self.name, key)
      else
        values[i] = v
      end
    end
  end
  if n > #self.params and not self.vararg then
    diag.fail("jit_many", self.name, #self.params, n, signature(self))
  end
  return values, extra
end

-- Text that is equal exactly for equal compile-time values.
local function key_of(self, name, v, depth)
  local t = math.type(v) or type(v)
  if t == "integer" then
    return "i" .. v
  elseif t == "float" then
    return ("f%a"):format(v)
  elseif t == "string" then
    return ("%q"):format(v)
  elseif t == "boolean" or t == "nil" then
    return tostring(v)
  elseif t == "function" or ir.isvalue(v, true) then
    return ("%p"):format(v)
  elseif type(v) == "table" and getmetatable(v) and getmetatable(v).__key then -- a value that says its own
    return "k" .. getmetatable(v).__key
  elseif plain(v) and depth < 8 then
    local parts = {}
    for k, x in pairs(v) do
      parts[#parts + 1] = key_of(self, name, k, depth + 1) .. "=" ..
        key_of(self, name, x, depth + 1)
    end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
  end
  diag.fail("jit_key", self.name, name, describe(v))
end

-- The values that select a specialisation.
local function static_key(self, values)
  local parts = {}
  for i, name in ipairs(self.params) do
    if not self.kinds[name] then
      parts[i] = key_of(self, name, values[i], 0)
    else
      parts[i] = "*"
    end
  end
  return table.concat(parts, ";")
end

local function config_of(self, values, consts)
  local c = {}
  for i, name in ipairs(self.params) do
    if not self.kinds[name] then
      c[name] = values[i]
    end
  end
  for k, v in pairs(consts or {}) do
    c[k] = v
  end
  return c
end

-- Stands for a tensor argument until its annotation gives it a type.
local Early = {
  __index = function(self)
    place.fail_parameter(rawget(self, 2), rawget(self, 1), "param_untyped")
  end,
}

local function isearly(v)
  return getmetatable(v) == Early
end

local function hide(self, values)
  local r = {}
  for i = 1, #self.params do
    local v = values[i]
    r[i] = tensor.istensor(v) and setmetatable({self.params[i], self.f}, Early) or v
  end
  return r
end

-- Does the line of a message use this parameter?
local function mentions(message, name)
  local line = message.file and place.line(message.file, message.line)
  return line and line:find("%f[%w_]" .. name .. "%f[^%w_]") and
    not line:find("^%s*" .. name .. "%s*:")
end

-- A parameter without a value is often why tracing fails: says so.
local function traced(self, spec, values)
  local ok, t, r = pcall(trace.run, self.f, spec)
  if ok then
    return t, r
  end
  for i, name in ipairs(self.params) do
    if values[i] == nil and not self.kinds[name] and diag.isdiag(t) and mentions(t, name) then
      t = diag.note(t, "jit_nil", nil, 0, 0, name, self.name)
    end
  end
  error(t, 0)
end

-- Constants that no dimension can give a value.
local function check_const(sig, name, value)
  if value ~= nil then
    return
  end
  for _, p in ipairs(sig.params) do
    for _, d in ipairs(p.shape or {}) do
      if d.var == sig.consts[name] then
        return
      end
    end
    for _, d in ipairs(p.strides or {}) do
      if d.var == sig.consts[name] then
        return
      end
    end
  end
  diag.fail("const_unused", name)
end

-- First phase --------------------------------------------------------------------------

-- -> {params, consts = {name -> variable}, P}, or {prim} for a lazy function
local function learn(self, values)
  local t, r = traced(self, {mode = "sig", name = self.name, params = self.params,
    values = hide(self, values), early = isearly}, values)
  if r and func.isprim(r[1]) then
    self.lazy = true
    return {prim = r[1]}
  end
  local sig = {P = t.P, consts = {}, constlist = t.constlist, params = {}}
  for _, p in ipairs(t.params) do
    if p.object then
      self.kinds[p.name] = p.kind
    elseif tensor.istensor(values[p.index]) then
      place.fail_parameter(self.f, p.name, "param_untyped")
    end
  end
  sig.params = kernel.params(t.params)
  for name, e in pairs(t.consts) do
    sig.consts[name] = ir.var(e)
  end
  if not r then -- the trace ended at the annotations
    return sig
  elseif not t.launched and #sig.params == 0 and #t.empties == 0 then
    diag.fail("no_kernel", self.name)
  end
  return sig
end

-- The message of a failed trace, with a note when a name that was given is
-- nearly that of a parameter without a value.
local function misspelled(self, message, values, extra)
  local missing = {}
  for i, name in ipairs(self.params) do
    if values[i] == nil then
      missing[#missing + 1] = name
    end
  end
  for given in pairs(extra) do
    local n = suggest.find(given, missing)
    if n and diag.isdiag(message) then
      return diag.note(message, "jit_close", nil, 0, 0, given, n)
    end
  end
  return message
end

local function signature_of(self, values, extra)
  local known = next(self.kinds) ~= nil or self.lazy
  if known then
    local key = static_key(self, values)
    if self.sigs[key] then
      return self.sigs[key], key
    end
  end
  local ok, sig = pcall(learn, self, values)
  if not ok then
    error(misspelled(self, sig, values, extra), 0)
  end
  local key = static_key(self, values)
  self.sigs[key] = sig
  return sig, key
end

-- Second phase ---------------------------------------------------------------------------

-- The program for these values, whose tensors are hidden, as a prim_func.
local function program(self, values, hidden, consts)
  local t, r = traced(self, {mode = "body", name = self.name, params = self.params, values = hidden, consts = consts}, values)
  return setmetatable({P = t.P, name = self.name, params = t.params, outs = func.results(t, r, self.f), empties = t.empties,
    said = self.said, body = self.f, consts = t.consts,
    again = function() return program(self, hidden, hidden, consts) end}, func.Prim)
end

local function specialise(self, sig, key, values, consts)
  local parts = {key}
  for _, name in ipairs(sig.constlist) do
    parts[#parts + 1] = name .. "=" .. tostring(consts[name])
  end
  key = table.concat(parts, "|") .. "|" .. device.named(self.opts.target)
  local k = M.caching and self.kernels[key]
  if k then
    return k
  end
  local prim = program(self, values, hide(self, values), consts)
  if self.opts.out_idx ~= nil then
    diag.fail("out_idx_eager")
  end
  prim.taken = true
  k = kernel.new(prim, self.opts, config_of(self, values, consts))
  k.used, k.jit = prim.consts, self
  if M.caching then
    self.kernels[key] = k
  end
  return k
end

local function lazy_kernel(self, sig, key, values)
  key = key .. "|" .. device.named(self.opts.target)
  local k = M.caching and self.kernels[key]
  if not k then
    k = kernel.new(func.fresh(sig.prim), self.opts, config_of(self, values))
    k.jit = self
    if M.caching then
      self.kernels[key] = k
    end
  end
  return k
end

-- Names that are neither parameters nor constants.
local function unknown(self, sig, key)
  local names = {}
  table.move(self.params, 1, #self.params, 1, names)
  table.move(sig.constlist or {}, 1, #(sig.constlist or {}), #names + 1, names)
  local n = suggest.find(key, names)
  if n then
    diag.fail("jit_unknown", self.name, tostring(key), n, table.concat(names, ", "))
  end
  diag.fail("jit_strange", self.name, tostring(key), table.concat(names, ", "))
end

-- Calling ----------------------------------------------------------------------------------

-- Values of the constants from the shapes of the arguments.
local function solve(self, sig, inputs, extra)
  local env = {}
  for name, var in pairs(sig.consts) do
    env[var] = extra[name]
    check_const(sig, name, extra[name])
  end
  kernel.bind(self.name, sig.params, inputs, env)
  local consts = {}
  for name, var in pairs(sig.consts) do
    consts[name] = env[var]
  end
  return consts
end

local function require_values(self, sig, values, tensors)
  for i, name in ipairs(self.params) do
    if values[i] == nil and (tensors or not self.kinds[name]) and self.kinds[name] then
      diag.fail("jit_missing", self.name, name, signature(self))
    end
  end
end

-- Values of the annotated parameters, in their order.
local function inputs_of(self, sig, values)
  local r = {}
  for i, p in ipairs(sig.params) do
    r[i] = values[self.index[p.name]]
  end
  return r
end

-- The kernel that a call with these arguments runs, and its inputs; of a lazy
-- function the kernel alone.
local function resolve(self, ...)
  local values, extra = arguments(self, ...)
  local sig, key = signature_of(self, values, extra)
  if self.lazy then
    for k in pairs(extra) do
      unknown(self, sig, k)
    end
    self.last = lazy_kernel(self, sig, key, values)
    return self.last
  end
  for k in pairs(extra) do
    if not sig.consts[k] then
      unknown(self, sig, k)
    end
  end
  require_values(self, sig, values, true)
  local inputs = inputs_of(self, sig, values)
  local consts = solve(self, sig, inputs, extra)
  self.last = specialise(self, sig, key, values, consts)
  return self.last, inputs
end

Jit.resolve = resolve

function Jit.__call(self, ...)
  if self.decorator then -- tl.jit{target = ...}(f)
    return M.make((...), self.decorator)
  end
  local k, inputs = resolve(self, ...)
  if inputs then -- no tail call: messages look for this call
    local r = table.pack(kernel.launch(k, inputs, #k.inputs))
    return table.unpack(r, 1, r.n)
  end
  return k
end

-- A tensor for a type with a known shape, T.Tensor({128, 64}): what it is compiled for; other values as they are.
local function of_type(v)
  local mt = type(v) == "table" and getmetatable(v)
  if not mt or mt.__name ~= "type" or v.kind ~= "tensor" or v.strides then
    return v
  end
  for _, n in ipairs(v.shape) do
    if math.type(n) ~= "integer" then
      return v
    end
  end
  return (tensor.new({table.unpack(v.shape)}, v.dtype))
end

-- compile{M = 1024, BM = 128}: the kernel, without tensors; values may also be
-- given as in a call, tensors by their types.
function Jit:compile(...)
  local first = ...
  if select("#", ...) == 1 and plain(first) and next(first) == nil then -- compile{}: no names
    return self:compile()
  end
  local values, extra = arguments(self, ...)
  for i in ipairs(self.params) do
    values[i] = of_type(values[i])
  end
  local sig, key = signature_of(self, values, extra)
  if self.lazy then
    for k in pairs(extra) do
      unknown(self, sig, k)
    end
    self.last = lazy_kernel(self, sig, key, values)
    return self.last
  end
  local consts = {}
  for name in pairs(sig.consts) do
    consts[name] = extra[name]
  end
  local inputs, all = inputs_of(self, sig, values), true
  for i in ipairs(sig.params) do
    all = all and inputs[i] ~= nil
  end
  if all and #sig.params > 0 then
    consts = solve(self, sig, inputs, extra)
  end
  for name in pairs(sig.consts) do
    check_const(sig, name, consts[name] or extra[name])
  end
  for k, v in pairs(extra) do -- constants that stand behind the annotations
    consts[k] = v
  end
  local k = specialise(self, sig, key, values, consts)
  for name in pairs(extra) do
    if k.used[name] == nil then
      unknown(self, sig, name)
    end
  end
  self.last = k
  return k
end

-- Compiles a list of argument tables.
function Jit:par_compile(configs, opts)
  local r = {}
  for i, c in ipairs(configs) do
    local args = isnames(c) and {c} or c
    if opts and opts.ignore_error then
      local ok, k = pcall(self.compile, self, table.unpack(args))
      r[i] = ok and k or false
    else
      r[i] = self:compile(table.unpack(args))
    end
  end
  return r
end

-- The fastest kernel for these arguments: see tl/tune/api.lua.
function Jit:tune(...)
  return (require("moontile.tl.tune.api").jit(self, ...))
end

function Jit:get_kernel_source(...)
  return self:compile(...):get_kernel_source()
end

-- The tile program of a specialisation, as text.
function Jit:get_tir(...)
  return self:compile(...):ir()
end

accept.methods(Jit, {what = "jit:", self = {Jit, "a tl.jit function"}}, signatures.jit)

function Jit.__tostring(self)
  if self.decorator then
    return "tl.jit{...}"
  end
  local n = 0
  for _ in pairs(self.kernels) do
    n = n + 1
  end
  return ("jit %s, %d kernel%s"):format(signature(self), n, n == 1 and "" or "s")
end

function M.make(f, opts)
  if type(f) ~= "function" then
    diag.fail("arg_type", "tl.jit", "f", W"a function", describe(f), "tl.jit(f, options)")
  end
  kernel.check_options("tl.jit", opts)
  local params, vararg = trace.params(f)
  local self = setmetatable({f = f, opts = opts, params = params, vararg = vararg, index = {},
    kinds = {},
    sigs = {}, kernels = {}, said = {}, name = trace.kernel_name(f)}, Jit)
  for i, name in ipairs(params) do
    self.index[name] = i
  end
  return self
end

-- tl.jit(f [, opts]), tl.jit{opts}(f)
function M.jit(f, opts)
  if isnames(f) or f == nil or plain(f) then
    if f and opts then
      diag.fail("arg_type", "tl.jit", "f", W"a function", describe(f), "tl.jit(f, options)")
    end
    local o = f or opts or {}
    kernel.check_options("tl.jit", o)
    return setmetatable({decorator = o}, Jit)
  end
  local j = M.make(f, opts or {})
  return j
end

-- tl.compile(prim_func [, opts]); TileLang's order: out_idx, backend, target
function M.compile(prim, opts, ...)
  if getmetatable(prim) == Jit then
    return (prim:compile(opts, ...))
  elseif not func.isprim(prim) then
    diag.fail("compile_what", describe(prim))
  end
  if opts ~= nil and not isnames(opts) and not (plain(opts) and next(opts) == nil) then
    local backend, target = ...
    opts = {out_idx = opts, execution_backend = backend, target = target}
  end
  kernel.check_options("tl.compile", opts or {})
  local k = kernel.new(func.fresh(prim), opts or {})
  return k
end

return M
