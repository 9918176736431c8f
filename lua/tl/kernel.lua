-- tl/kernel.lua: a compiled kernel: its call, its texts, its facts.
--
-- A kernel takes its input tensors and scalars in the order of the function's
-- parameters, allocates its outputs, checks everything it is given against the
-- program, and launches.  Shapes bind the symbols of the program first; then
-- every other dimension must agree with them.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local disk = require "moontile.files"
local files = require "moontile.files"
local ir = require "moontile.ir"
local suggest = require "moontile.base.suggest"
local place = require "moontile.base.place"
local pointers = require "moontile.tl.pointers"
local registry = require "moontile.T.registry"
local signatures = require "moontile.tl.signatures"
local tensor = require "moontile.tensor"
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"
local W = require "moontile.base.translations"

local methods = {}
local Kernel = {__name = "kernel", __names = methods}
-- last: the kernel that was made, or used, last; for the prompt
local M = {methods = methods, Kernel = Kernel, last = setmetatable({}, {__mode = "v"})}


-- Recipes -----------------------------------------------------------------------
-- A dimension is a number, a symbol (the number of its variable) or an
-- expression of symbols that are bound by others.

local function recipe(d)
  local c = ir.const(d)
  if c then
    return {n = c, text = tostring(c)}
  end
  return {var = ir.var(d), e = d, text = tostring(d)}
end

local function recipes(dims)
  local r = {}
  for i, d in ipairs(dims) do
    r[i] = recipe(d)
  end
  return r
end

-- Turns traced parameters into what bind() works with.
function M.params(list)
  local r = {}
  for _, p in ipairs(list) do
    if p.kind == "tensor" then
      local strides = p.object.strides
      r[#r + 1] = {name = p.name, kind = "tensor", dtype = p.dtype, shape = recipes(p.object.shape),
        strides = strides and recipes(strides), object = p.object, out = p.out, pointer = p.pointer}
    elseif p.kind == "scalar" then
      r[#r + 1] = {name = p.name, kind = "scalar", dtype = p.dtype, object = p.object}
    end
  end
  return r
end

-- Binding -------------------------------------------------------------------------

-- Values that a parameter of one dtype may also take.
local also = {
  tfloat32 = {float32 = true}, bool = {int8 = true, uint8 = true}, float32 = {tfloat32 = true},
}

-- Raises for a number that an integer type cannot hold.  That of 64 bits without a sign takes any
-- integer: those from 2^63 on are negative in Lua.
local function check_range(name, p, v)
  local of = types.info(p.dtype)
  local fits = math.tointeger(v) and v >= of.min and v <= of.max
  if p.dtype == "uint64" then
    fits = math.type(v) == "integer" or v >= 0 and v < 2.0 ^ 64
  end
  if not fits then
    diag.fail("call_range", name, p.name, p.dtype, p.dtype == "uint64" and "0" or
      tostring(of.min), p.dtype == "uint64" and "18446744073709551615" or tostring(of.max), tostring(v))
  end
end

local function check_scalar(name, p, v)
  local class = types.info(p.dtype).class
  local ok
  if class == "F" then
    ok = math.type(v)
  elseif class == "B" then
    ok = type(v) == "boolean" or v == 0 or v == 1
  else
    ok = math.type(v) == "integer" or math.type(v) == "float" and v == v // 1
  end
  if not ok then
    diag.fail("call_kind", name, p.name, p.dtype, describe(v))
  elseif class ~= "F" and class ~= "B" then
    check_range(name, p, v)
  end
end

local function check_tensor(name, p, t)
  if not tensor.istensor(t) then
    diag.fail("call_kind", name, p.name, W"a tensor", describe(t))
  elseif t.dtype ~= p.dtype and not (also[p.dtype] and also[p.dtype][t.dtype]) then
    diag.fail("call_dtype", name, p.name, p.dtype, t.dtype)
  elseif t.ndim ~= #p.shape then
    diag.fail("call_rank", name, p.name, #p.shape, t.ndim)
  end
end

local most = 0x7fffffff -- a symbol is a 32-bit number

-- Binds bare symbols; `who` remembers which argument gave each its value.
local function bind_symbols(name, p, dims, values, env, who, what)
  for i, d in ipairs(dims) do
    local var = d.var
    if var then
      local v = values[i]
      if v > most then
        diag.fail("call_" .. (what == "shape" and "shape" or "stride"), name, p.name, i - 1,
          "<= " .. most, v)
      elseif env[var] == nil then
        env[var], who[var] = v, p.name
      elseif env[var] ~= v then
        if what == "shape" then
          diag.fail("call_symbol", name, d.text, who[var], env[var], p.name, v)
        end
        diag.fail("call_stride", name, p.name, i - 1, env[var], v)
      end
    end
  end
end

local function check_dims(name, p, dims, values, env, err)
  for i, d in ipairs(dims) do
    if not d.var then
      local want = d.n or ir.eval(d.e, env)
      if want == nil then
        diag.fail("const_value", d.text)
      elseif want ~= values[i] then
        diag.fail(err, name, p.name, i - 1, d.n and want or ("%s = %d"):format(d.text, want),
          values[i])
      end
    end
  end
end

-- The variable of a scalar, which shapes may speak of.
function M.symbol(p)
  return type(p.object) == "number" and p.object or ir.var(p.object)
end

local function bind_scalar(p, v, env, who)
  local var = M.symbol(p)
  if var and math.tointeger(v) then
    env[var], who[var] = math.tointeger(v), p.name
  end
end

-- Binds symbols that no dimension is by itself: from n * 4 = 16 that n is 4.  Whether the sum is what the
-- dimension says is seen where all of them are compared.
local function bind_sums(dims, values, env, symbols)
  for i, d in ipairs(dims) do
    if d.e and not ir.eval(d.e, env) and not d.text:find "[/%%]" then
      for _, var in ipairs(symbols) do
        if env[var] == nil then
          env[var] = 0
          local at0 = ir.eval(d.e, env)
          env[var] = 1
          local at1 = at0 and ir.eval(d.e, env)
          local step = at1 and at1 - at0 or 0
          env[var] = step ~= 0 and math.max(0, (values[i] - at0) // step) or nil
        end
      end
    end
  end
end

-- Checks values against params and binds symbols in env (variable -> value); symbols: variables that shapes
-- may speak of, or nil; spare: of these parameters the value may be nil, which is nobody's tensor.
function M.bind(name, params, values, env, symbols, spare)
  local function given(i, p)
    return p.kind == "tensor" and not p.pointer and not (values[i] == nil and spare and spare[p])
  end
  local who = {}
  for i, p in ipairs(params) do -- a shape may speak of any number
    if p.kind == "scalar" then
      check_scalar(name, p, values[i])
      bind_scalar(p, values[i], env, who)
    end
  end
  for i, p in ipairs(params) do
    local v = values[i]
    if given(i, p) then
      check_tensor(name, p, v)
      bind_symbols(name, p, p.shape, v.shape, env, who, "shape")
      if p.strides then
        bind_symbols(name, p, p.strides, v.strides, env, who, "strides")
      elseif not v:is_contiguous() then
        diag.fail("call_compact", name, p.name, "{" .. table.concat(v.strides, ", ") .. "}")
      end
    end
  end
  for i, p in ipairs(symbols and params or {}) do
    if given(i, p) then
      bind_sums(p.shape, values[i].shape, env, symbols)
    end
  end
  for i, p in ipairs(params) do
    if given(i, p) then
      check_dims(name, p, p.shape, values[i].shape, env, "call_shape")
      if p.strides then
        check_dims(name, p, p.strides, values[i].strides, env, "call_stride")
      end
    end
  end
  return env
end

-- Making ----------------------------------------------------------------------------

-- Positions of the outputs among the tensor parameters, from TileLang's
-- out_idx: a number or a list, negative from the end.
local function outputs(params, out_idx)
  local list = type(out_idx) == "table" and out_idx or {out_idx}
  local n, is = #params, {}
  local out = {}
  for _, i in ipairs(list) do
    if math.type(i) ~= "integer" or i >= n or i < -n then
      diag.fail("out_idx", tostring(i), n, n - 1)
    end
    i = (i < 0 and i + n or i) + 1
    if is[i] then
      diag.fail("out_idx_twice", params[i].name)
    elseif params[i].kind ~= "tensor" then
      diag.fail("out_idx_scalar", params[i].name)
    end
    is[i] = true
    out[#out + 1] = params[i]
  end
  return out, is
end

local option_names = {
  "out_idx", "target", "target_host", "execution_backend", "verbose", "pass_configs",
    "compile_flags",
  "fast_math", "debug_root_path",
}

-- Raises for a key that is no option, and for one that is of the wrong kind.
function M.check_options(what, opts)
  accept.checker(what, signatures.compile)(true, opts)
  for k in pairs(opts) do
    local ok = false
    for _, n in ipairs(option_names) do
      ok = ok or n == k
    end
    if not ok then
      local n = suggest.find(k, option_names)
      local all = table.concat(option_names, ", ")
      if n then
        diag.fail("option_near", what, tostring(k), all, n)
      end
      diag.fail("option_unknown", what, tostring(k), all)
    end
  end
end

-- The messages of a text: each begins with a place and a code.
local function messages(text)
  local list = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do
    if #list == 0 or line:find "^[^%s|].-%[E%d+%]" then
      list[#list + 1] = {head = line}
    end
    table.insert(list[#list], line)
  end
  return list
end

-- Once at a place for all specialisations of a function, which `said` belongs to: their
-- sizes say the same thing with other numbers.
local function warn(w, said)
  for _, m in ipairs(messages(tostring(w))) do
    if not (said and said[m.head]) then
      io.stderr:write(table.concat(m, "\n"), "\n")
      if said then said[m.head] = true end
    end
  end
end

-- target string with what the compile options add to it
local function target_of(opts, configs)
  local spec = device.resolve(opts.target)
  return spec, opts.fast_math or configs.tl_enable_fast_math or configs["tl.enable_fast_math"]
end

-- pass_configs: the program's own, and those of the compile options, which override them
local function configs_of(prim, opts)
  local all = {}
  for _, set in ipairs {trace.configs[prim.P] or {}, opts.pass_configs or {}} do
    for k, v in pairs(set) do
      all[k] = v
    end
  end
  return all
end

-- pass_configs that say of all launches of a program how they are lowered
local launch_configs = {disable_persistent = ir.fixed, disable_spare_stage = ir.own_stages,
  disable_thread_storage_sync = ir.own_syncs}

-- prim: a T.prim_func, or a program {P, name, params, outs, empties, said, f or body = the function}; outs: objects that a call
-- allocates, of params with `out` or of empties, which follow them; opts as tl.compile
function M.new(prim, opts, config)
  local configs = configs_of(prim, opts)
  local spec, fast = target_of(opts, configs)
  local params = M.params(prim.params)
  for key, apply in pairs(launch_configs) do
    if configs["tl." .. key] or configs["tl_" .. key] then
      apply(prim.P)
    end
  end
  local outs, is_out = {}, {}
  if opts.out_idx ~= nil then
    if #prim.outs > 0 then
      diag.fail("out_idx_conflict")
    end
    outs, is_out = outputs(params, opts.out_idx)
    for _, o in ipairs(outs) do
      ir.out(prim.P, o.object)
    end
  end
  local self = setmetatable({name = prim.name, P = prim.P, f = prim.f, prim = prim, target = spec,
    config = config or {}, options = opts, said = prim.said,
    params = {}, inputs = {}, outs = {}, slots = {}, fast_math = fast or false}, Kernel)
  for i, p in ipairs(params) do
    is_out[i] = is_out[i] or p.out
    self.slots[i] = {param = p, out = is_out[i]}
    self.params[i] = p
    if not is_out[i] then
      table.insert(self.inputs, p)
      self.slots[i].input = #self.inputs
    end
  end
  for _, e in ipairs(prim.empties) do
    local p = {name = e.name, kind = "tensor", dtype = e.dtype, shape = recipes(e.shape),
      object = e}
    self.slots[#self.slots + 1] = {param = p, out = true}
    self.params[#self.params + 1] = p
  end
  local order = #prim.outs > 0 and prim.outs or {}
  for i, o in ipairs(outs) do
    order[i] = o.object
  end
  for i, o in ipairs(order) do
    for _, s in ipairs(self.slots) do
      if s.out and ir.samebuf(s.param.object, o) then
        self.outs[i] = s
      end
    end
  end
  local body = prim.f or prim.body
  self.dim_names, self.dim_vars = ir.dims(prim.P)
  self.chunk = body and debug.getinfo(body, "S").source or diag.where() -- whose lines they are
  return M.build(self)
end

-- Which arguments of a launch the program writes to: see s:load() in lua/seam/session.c.
local function written(self)
  local objects = {}
  for i, s in ipairs(self.slots) do
    objects[i] = s.param.object
  end
  return ir.written(self.P, objects)
end

function M.build(self)
  local emitting = device.emit
  self.spec = emitting and self.target or device.machine(self.target)
  self.written = self.written or written(self)
  self.asserts = self.asserts or ir.asserts(self.P)
  M.last.kernel = self
  local info, warnings = (device.compile or ir.compile)(self.P, self.spec, not emitting)
  self.info = info
  if warnings then
    warn(warnings, self.said)
  end
  if emitting then
    emitting(self)
  end
  if self.options.verbose then
    io.stderr:write(tostring(self), "\n")
  end
  return self
end

-- Calling ----------------------------------------------------------------------------

-- How to call it: "matmul(A, B)"
function methods:signature()
  local names = {}
  for i, p in ipairs(self.inputs) do
    names[i] = p.name
  end
  return ("%s(%s)"):format(self.name, table.concat(names, ", "))
end

-- own_session: one that only this kernel uses, already loaded.
local function module_of(self)
  if self.own_session then
    return self.session, self.module
  end
  local s = device.session(self.target)
  if self.session ~= s then
    self.session, self.module = s, s:load(self.info.path, self.name, self.chunk, self.written, self.asserts,
      self.P)
  end
  return s, self.module
end

-- What only a launch knows, held against the program; a server asks the same of its clients.
local function check_values(self, env)
  local size, value, greatest = ir.dim_beyond(self.P, env)
  if size then
    diag.fail("dim_beyond", self.name, size, value, greatest)
  end
  local d, e, n = ir.negative_grid(self.P, env)
  if d then
    diag.fail("grid_negative", self.name, d, tostring(e), n)
  end
  local line, cond = ir.false_assume(self.P, env)
  if line then
    diag.fail("assume_argument", self.name, line, cond)
  end
end

-- A scalar as the device takes it: those from 2^63 on as the negative integer with their bits.
local function passed(v, dtype)
  if dtype == "uint64" and math.type(v) == "float" and v >= 2.0 ^ 63 then
    return math.tointeger(v - 2.0 ^ 64)
  end
  return v
end

local packed = {int4 = {int8 = true}, uint4 = {uint8 = true}}

-- TileLang's way to pass numbers of 4 bits: two in a byte, the first in its low half.  Ours have a byte each, so
-- that what a kernel writes there would not come back.
local function unpack_halves(self, values)
  local all
  for i, s in ipairs(self.slots) do
    local p, t = s.param, s.input and values[s.input]
    local last = p.kind == "tensor" and p.shape[#p.shape]
    if last and packed[p.dtype] and tensor.istensor(t) and packed[p.dtype][t.dtype] and t.ndim == #p.shape and
      last.n == 2 * t.shape[t.ndim] and not self.written[i] then
      local shape = t.shape
      shape[#shape] = last.n
      all = all or table.move(values, 1, #self.slots, 1, {})
      all[s.input] = require("moontile.tl.host").stack({(t << 4) >> 4, t >> 4}, -1):reshape(shape):astype(p.dtype)
    end
  end
  return all or values
end

-- Inputs that the kernel does not access: TileLang takes None for them.
local function spares(self)
  if not self.spare then
    local objects, spare = {}, {}
    for i, p in ipairs(self.inputs) do
      objects[i] = p.object
    end
    for i, touched in ipairs(ir.touched(self.P, objects)) do
      spare[self.inputs[i]] = not touched
    end
    self.spare = spare
  end
  return self.spare
end

-- The values with a tensor for each that is missing, or as they are.
local function filled(self, values, env)
  local all
  for i, p in ipairs(self.inputs) do
    if values[i] == nil then
      local shape = {}
      for d, r in ipairs(p.shape) do
        shape[d] = r.n or ir.eval(r.e, env) or diag.fail("const_value", r.text)
      end
      all = all or table.move(values, 1, #self.inputs, 1, {})
      all[i] = tensor.new(shape, p.dtype)
    end
  end
  return all or values
end

-- The launch's arguments for the input values, and the outputs, which
-- alloc(shape, dtype) makes.
local function prepare(self, values, alloc)
  values = unpack_halves(self, values)
  local missing = false
  for i in ipairs(self.inputs) do
    missing = missing or values[i] == nil
  end
  local env = M.bind(self.name, self.inputs, values, {}, self.dim_vars, missing and spares(self))
  values = missing and filled(self, values, env) or values
  local back
  check_values(self, env)
  values, back = pointers.resolve(self, values, env)
  local args, results = {}, {}
  for i, s in ipairs(self.slots) do
    local p = s.param
    if s.out then
      local shape = {}
      for d, r in ipairs(p.shape) do
        shape[d] = r.n or ir.eval(r.e, env)
        if not shape[d] then
          diag.fail("const_value", r.text)
        end
      end
      args[i] = (alloc or tensor.new)(shape, p.dtype)
      results[s] = args[i]
    elseif p.kind == "scalar" then
      args[i] = {passed(values[s.input], p.dtype), p.dtype}
    else
      args[i] = values[s.input]
    end
  end
  local dims = #self.dim_vars > 0 and {} or nil
  for i, var in ipairs(self.dim_vars) do
    local v = env[var]
    if not v then
      diag.fail("const_value", self.dim_names[i])
    end
    args[#self.slots + i] = v
    dims[self.dim_names[i]] = v
  end
  self.dims_last = dims -- sizes of the last call, for figures
  local out = {}
  for i, s in ipairs(self.outs) do
    out[i] = results[s]
  end
  return args, out, back
end

-- For tl/peek.lua: arguments of a launch, the outputs among them, and the sizes by name.
function M.arguments(self, values)
  local args, out = prepare(self, values)
  local sizes = {}
  for i, name in ipairs(self.dim_names) do
    sizes[name] = args[#self.slots + i]
  end
  return args, out, sizes
end

local function count(self, n)
  if n ~= #self.inputs then
    diag.fail("call_count", self.name, #self.inputs, n, self:signature())
  end
end

-- The notes about a kernel that the cpu target executes thread by thread: none of others.
function M.by_threads(self)
  local list = {}
  for _, n in ipairs(ir.notes(self.P)) do
    if n.id == "cpu_executor" then
      list[#list + 1] = n
    end
  end
  return list
end

-- Says at the first run, once at a place, why this one takes so long.
local function tell_cost(self)
  if self.told == self.info then
    return
  end
  self.told = self.info
  local told = self.said or {}
  for _, n in ipairs(M.by_threads(self)) do
    local key = ("%s:%s: %s"):format(n.file, n.line, n.id)
    if not told[key] then
      told[key] = true
      io.stderr:write(tostring(diag.at(n.id, n.file, n.line, 0, table.unpack(n.args))), "\n")
    end
  end
end

local function print_output(s)
  io.stdout:write(s)
end

-- The arguments of the last launch of all, which stay alive while they are small, so that
-- :peek and :trace can take them; those of other kernels as long as somebody else needs them.
local MostKept = 1 << 26 -- elements
local kept -- luacheck: ignore 231

local function remember(self, values, n)
  local list, elements = {table.unpack(values, 1, n)}, 0
  for i = 1, n do
    elements = elements + (tensor.istensor(list[i]) and list[i]:numel() or 0)
  end
  self.inputs_last = setmetatable(list, {__mode = "v"})
  kept = elements <= MostKept and {table.unpack(values, 1, n)} or nil
end

-- What a kernel that is not launched would have written is not known.
local function hide_results(self, args)
  for i, a in ipairs(args) do
    if tensor.istensor(a) and self.written[i] then
      tensor.unseen(a, true)
    end
  end
end

-- Runs the kernel; returns its outputs.  alloc: see prepare(); print(text)
-- takes what it prints, else stdout.
function methods:launch(values, n, alloc, print)
  count(self, n)
  local args, out, back = prepare(self, values, alloc)
  M.last.kernel = self
  if device.emit then
    self.inputs_last = {table.unpack(values, 1, n)}
    if device.launched then
      device.launched(self, {table.unpack(values, 1, n)})
    elseif dry.hidden then
      hide_results(self, args)
    end
  else
    if not self.own_session then
      remember(self, values, n)
    end
    local s, m = module_of(self)
    tell_cost(self)
    if device.recorded then
      device.recorded(s, m, args)
    end
    local function launch()
      local _, _, found = s:launch(m, args, {print = print or print_output, explain = function(err)
        return require("moontile.tl.fault").explain(self, values, err)
      end})
      self.found = found
    end
    if device.timed then -- a profile of the program's own
      device.timed(self, launch)
    else
      launch()
    end
    if back then back() end
  end
  return table.unpack(out)
end

-- A chip of a target besides its usual one, for examples.
local function other_chip(target)
  for _, t in ipairs(ir.texts()) do
    if t.target == target then
      return t.other
    end
  end
end

-- The session and the module in it, loaded: compiled where the device does that.
-- The third value: what is known of it then; nothing where kernels are only written.
function methods:loaded()
  if device.emit then
    return nil, nil, {}
  end
  local s, m = module_of(self)
  return s, m, s:prepare(m)
end

-- The same without a device: compiling takes none.
local function built(self)
  local k = self.offline or self:retarget(self.target .. " -build")
  local s, m, known = k:loaded()
  if not self.offline then
    self.offline = k
    if not self.target:find("-arch=", 1, true) then
      local word, machine = self.target:match "^%S+", ir.machine(k.spec)
      io.stderr:write(tostring(diag.make("gpu_offline", self.name, word, machine,
        other_chip(word) or machine)), "\n")
    end
  end
  return s, m, known
end

-- The same, for texts and facts of the compiled code alone, which need no device.
function M.compiled(k)
  local r = table.pack(pcall(k.loaded, k))
  if not r[1] and device.is_absent(r[2]) then
    return built(k)
  elseif not r[1] then
    error(r[2], 0)
  end
  return table.unpack(r, 2, r.n)
end

-- What a benchmark runs: the session, the module in it, the arguments of a launch
-- and the outputs among them, which alloc(shape, dtype) makes.  Where kernels are only
-- written there is no session and no module.
function methods:bound(values, alloc)
  count(self, #values)
  local args, out = prepare(self, values, alloc)
  local s, m
  if not device.emit then
    s, m = module_of(self)
  end
  return s, m, args, out
end

-- Milliseconds of `times` runs after `warmup` ones.
function methods:time(values, opts)
  count(self, #values)
  local args = prepare(self, values)
  opts = opts or {}
  if device.emit then
    return {0}
  end
  local s, m = module_of(self)
  return (s:launch(m, args, {warmup = opts.warmup or 0, times = opts.times or 1,
    flush = opts.flush ~= false,
    print = print_output}))
end

M.launch = methods.launch -- for calls from within

function Kernel.__call(self, ...)
  local r = table.pack(M.launch(self, {...}, select("#", ...)))
  return table.unpack(r, 1, r.n)
end

-- Texts --------------------------------------------------------------------------------

-- Where kernels are only written (`moontile compile --emit ir`, `moontile check`) there may be
-- no source: an empty text then.
function methods:get_kernel_source()
  return self.info.source or ""
end

function methods.get_host_source()
  diag.fail("host_later_use", "kernel:get_host_source", "kernel:get_kernel_source()")
end

function methods:show_source(which)
  if which ~= nil and which ~= "kernel" and which ~= "both" and which ~= "host" then
    diag.fail("mode_value", "kernel:show_source", "which", tostring(which), "kernel, host, both")
  elseif which == "host" then
    self:get_host_source()
  end
  if not device.emit then -- its text would be among those that are written
    io.stdout:write(self.info.source)
  end
end

methods.print_source_code = methods.show_source

local function write_file(path, text)
  local ok, why = files.write(path, text)
  if not ok then
    diag.fail("export_dir", path, why)
  end
end

function methods:export_sources(path, ...)
  registry.no_more("kernel:export_sources", {"kernel_path"}, ...)
  if type(path) == "table" then
    for key in pairs(path) do
      if key ~= "kernel_path" then
        registry.no_more("kernel:export_sources", {"kernel_path"}, path)
      end
    end
    path = path.kernel_path
  end
  if type(path) ~= "string" then
    diag.fail("arg_type", "export_sources", "kernel_path", W"a path", describe(path),
      "kernel:export_sources(kernel_path)")
  end
  if self.info.source then
    write_file(path, self.info.source)
  end
end

-- The tile program as text; "thread": the thread program; a pass: what stands
-- behind it, "..PASS" with the plans for later passes, so that one of them can be run on the text
-- alone (core/lower/lower.h).  Of a target without threads, the simulator's.  Notes come second.
function methods:ir(pass)
  if pass == nil or pass == "tile" then
    return ir.text(self.P)
  end
  local passes, known = ir.passes(), pass == "thread"
  for _, name in ipairs(passes) do
    known = known or name == pass or ".." .. name == pass
  end
  if not known then
    diag.fail("mode_value", "kernel:ir", "pass", tostring(pass),
      "tile, thread, " .. table.concat(passes, ", "))
  end
  return ir.lowered(self.P, device.threads(self.spec), pass ~= "thread" and pass or nil)
end

-- The same program for another target.
function methods:retarget(target)
  local k = {}
  for key, v in pairs(self) do
    k[key] = v
  end
  k.target, k.info, k.session, k.module = device.resolve(target), nil, nil, nil
  return M.build(setmetatable(k, Kernel))
end

-- What the simulator finds on small, awkward sizes; see tl/check.lua.
function methods:check(opts)
  return require("moontile.tl.check").check(self, opts, print_output)
end

-- The values of a tile at a point of a run, and what is known of it; see tl/peek.lua.
function methods:peek(buffer, opts)
  return require("moontile.tl.peek").peek(self, buffer, opts)
end

-- What the kernel costs on a machine, without running it: text, and data.
function methods:explain(opts)
  print_output(require("moontile.tl.explain").explain(self, opts))
end

function methods:analyze(opts)
  return (require("moontile.tl.explain").analyze(self, opts))
end

-- What its buffers are on a machine, and who holds which element: see tl/buffers.lua.
function methods:buffers(opts)
  return require("moontile.tl.buffers").buffers(self, opts)
end

function methods:layout(name, opts)
  return require("moontile.tl.buffers").layout(self, name, opts)
end

function methods:get_profiler(supply)
  return require("moontile.tl.profiler").new(self, supply)
end

-- Times it beside others and against the device's roofs: see tl/bench.lua.
function methods:bench(opts)
  local r = require("moontile.tl.bench").bench(self, opts)
  self.ms_last = r.ms -- for :versions and the roofline
  return r
end

-- When what one block does would happen, on any machine: see tl/trace.lua.
function methods:trace(opts)
  return (require("moontile.tl.trace").trace(self, opts))
end

-- The fastest of its own configurations: see tl/tune/api.lua.
function methods:tune(opts)
  return (require("moontile.tl.tune.api").kernel(self, opts))
end

function methods:run_once()
  return self:get_profiler():run_once()
end

-- Texts and facts of the compiled kernel: of a target that compiles on the device --

-- Empty where kernels are only written.
local function text_of(self, what)
  if device.emit then
    return ""
  end
  local s, m = M.compiled(self)
  return assert(disk.read(s:text(m, what)))
end

function methods:show_ptx()
  io.stdout:write(text_of(self, "ptx"))
end

function methods:show_sass()
  io.stdout:write(text_of(self, "sass"))
end

local function export_text(self, name, what, path, ...)
  registry.no_more("kernel:" .. name, {"path"}, ...)
  if type(path) ~= "string" then
    diag.fail("arg_type", name, "path", W"a path", describe(path), "kernel:" .. name .. "(path)")
  end
  if not device.emit then
    write_file(path, text_of(self, what))
  end
end

function methods:export_ptx(path, ...)
  export_text(self, "export_ptx", "ptx", path, ...)
end

function methods:export_sass(path, ...)
  export_text(self, "export_sass", "sass", path, ...)
end

-- Forms that run without moontile, in a folder; see tl/export.lua.
function methods:export(dir, ...)
  return require("moontile.tl.export").export(self, dir, ...)
end

-- Fields: name -> what it is of the facts of the loaded kernel.
local facts = {
  resource_usage = function(t) return t end,
  n_regs = function(t) return t.regs end,
  n_spills = function(t) return t.spill end,
  n_max_threads = function(t) return t.max_threads end,
}

-- Members of TileLang that are not here: what to use instead.
local later = {
  export_library = "kernel:export(dir)",
  get_tuner_result = "kernel.latency, kernel.tuned",
  update_tuner_result = "kernel.latency, kernel.tuned",
}

function Kernel.__index(self, k)
  local v = methods[k]
  if v ~= nil then
    return v
  elseif k == "kernel_source" then
    return methods.get_kernel_source(self)
  elseif k == "out_idx" then
    return rawget(self, "options").out_idx
  elseif facts[k] then
    return facts[k](select(3, M.compiled(self)))
  elseif later[k] then
    place.fail(k, "host_later_use", "kernel:" .. k, later[k])
  end
  return nil
end

accept.methods(methods, {what = "kernel:", self = {Kernel, "a kernel"}}, signatures.kernel)

-- "A: float16[1024, 512]"
local function param_text(p)
  if p.kind == "scalar" then
    return p.name .. ": " .. p.dtype
  end
  local d = {}
  for i, r in ipairs(p.shape) do
    d[i] = r.text
  end
  return ("%s: %s[%s]"):format(p.name, p.dtype, table.concat(d, ", "))
end
M.param_text = param_text

function Kernel.__tostring(self)
  local ins, outs, launches = {}, {}, {}
  for i, p in ipairs(self.inputs) do
    ins[i] = param_text(p)
  end
  for i, s in ipairs(self.outs) do
    outs[i] = param_text(s.param)
  end
  for i, l in ipairs(ir.launches(self.P)) do
    local g = {}
    for d, v in ipairs(l.grid) do
      g[d] = tostring(v)
    end
    launches[i] = ("grid (%s), %d threads"):format(table.concat(g, ", "), l.threads)
  end
  local how = self.info.cached and "from the cache" or
    ("built in %.0f ms"):format(self.info.build_ms or 0)
  local usual = not self.spec:find("-arch=", 1, true) and ir.completes(self.spec) and
    ir.machine(self.spec)
  local tuned = self.tuning and "\n  " .. tostring(self.tuning):gsub("\n", "\n  ") or ""
  return ("kernel %s(%s)%s\n  %s\n  target %s, lowered in %.1f ms, %s%s"):format(self.name,
    table.concat(ins, ", "),
    #outs > 0 and " -> " .. table.concat(outs, ", ") or "", table.concat(launches, "; "),
      self.target .. (usual and (" (no device here: made for %s)"):format(usual) or ""),
    self.info.emit_ms or 0, device.emit and "not built" or how, tuned)
end

return M
