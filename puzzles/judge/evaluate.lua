-- judge/evaluate.lua: a solution's text becomes the programs of its kernels.  Runs in the
-- process that lua/state/sandbox.c describes, once; judge/sandbox.lua is its other end.
--
-- The job, in JSON: {text, chunk, before = {{text, chunk}, ..}, lang, target, limits =
-- {seconds, memory, instructions}, traces = {{kernel, args, config, sizes}, ..}}.  The
-- answer, in JSON: {kernels, results, error, output}, as sandbox.evaluate returns it.
-- A job with a question is judge/hosted.lua's.
--
-- Kernels are traced with arguments that have a shape and nothing else.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local func = require "moontile.T.func"
local ir = require "moontile.ir"
local jit = require "moontile.tl.jit"
local json = require "moontile.tl.json"
local kernel = require "moontile.tl.kernel"
local suggest = require "moontile.base.suggest"
local numbers = require "moontile.puzzles.judge.numbers"
local python = require "moontile.puzzles.judge.python"
local sandbox = require "moontile.sandbox"
local strict = require "moontile.stage.strict"
local surroundings = require "moontile.puzzles.judge.surroundings"
local tensor = require "moontile.tensor"
local trace = require "moontile.T.trace"

local M = {}

local getmt = debug.getmetatable

local Output = 16384     -- bytes of what the program prints
local Program = 4 << 20  -- bytes of a kernel's program as text

-- Errors --------------------------------------------------------------------------------

-- A message as a table: {code, id, level, file, line, col, message, label, help, text}
local function error_table(e)
  e = diag.isdiag(e) and e or diag.handler(e)
  if not diag.isdiag(e) then
    e = diag.at("lua", nil, 0, 0, tostring(e))
  end
  local t = {text = diag.render(e)}
  for _, key in ipairs {"code", "id", "level", "file", "line", "col", "message", "label", "help"} do
    t[key] = e[key]
  end
  return t
end

local function handler(e)
  return (diag.handler(e))
end

-- What was printed ----------------------------------------------------------------------

local function printer()
  local parts, n, cut = {}, 0, false
  local function add(s)
    if n + #s > Output then
      s = s:sub(1, Output - n)
      cut = true
    end
    parts[#parts + 1] = s
    n = n + #s
  end
  local function print(...)
    local t = table.pack(...)
    for i = 1, t.n do
      t[i] = tostring(t[i])
    end
    if not cut then
      add(table.concat(t, "\t") .. "\n")
    end
  end
  local function text()
    if cut then
      parts[#parts + 1] = "\n" .. diag.make("judge_output", Output).message .. "\n"
    end
    return table.concat(parts)
  end
  return print, text, function(s)
    return not cut and add(s)
  end
end

-- The state of Lua ----------------------------------------------------------------------

-- Globals are the program's from now on, also for messages; our modules have their own.
local function change_globals(env)
  local registry = debug.getregistry()
  registry["moontile.globals"] = {T = true, tl = true, plot = true, __stage = true}
  registry[2] = env
  strict.of(env)
end

-- Kernels are checked, but neither built nor run.
local function without_device(target, launched)
  local warned = {}
  device.default = target
  function device.resolve() return target end
  function device.emit() end
  function device.compile(P)
    local info, w = dry.checked(P)
    warned[P] = w and tostring(w)
    return info
  end
  device.launched = launched
  return warned
end

-- Records functions and programs that are made while f says so.
local function record(list, ours)
  local make, prim = jit.make, func.prim
  function jit.make(f, opts)
    local j = make(f, opts)
    if ours(f) then
      list[#list + 1] = {name = j.name, object = j}
    end
    return j
  end
  function func.prim(f, name)
    local p = prim(f, name)
    if not trace.current() and ours(f) then
      list[#list + 1] = {name = name, object = p}
    end
    return p
  end
end

-- Arguments -----------------------------------------------------------------------------

-- What stands for a tensor: shape, dtype, ndim, strides.
local Shape = {__name = "tensor"}
Shape.__index = {is_contiguous = function() return true end}

local function accept_shapes()
  local istensor = tensor.istensor
  function tensor.istensor(v)
    return getmt(v) == Shape or istensor(v)
  end
end

local function argument(a)
  if a.scalar then
    return a.value
  end
  local strides, n = {}, 1
  for d = #a.shape, 1, -1 do
    strides[d], n = n, n * a.shape[d]
  end
  return setmetatable({shape = a.shape, dtype = a.dtype, ndim = #a.shape, strides = strides}, Shape)
end

-- Tracing -------------------------------------------------------------------------------

local kinds = {[jit.Jit] = "jit", [func.Prim] = "prim", [kernel.Kernel] = "kernel"}

local function kind_of(v)
  return type(v) == "table" and kinds[getmt(v)] or nil
end

-- Does the function make a T.prim_func?
local function islazy(f)
  if f.lazy then
    return true
  end
  local info = debug.getinfo(f.f, "S")
  local text = (package.loaded["moontile.sources"] or {})[info.source]
  local n = 0
  for line in (text or ""):gmatch "([^\n]*)\n?" do
    n = n + 1
    if n >= info.linedefined and line:find "%f[%w_]prim_func%f[^%w_]" and
      not line:find "^%s*%-%-" and not line:find "^%s*#" then
      return true
    elseif n >= info.lastlinedefined then
      return false
    end
  end
end

-- Names and values of those compile-time parameters that the function has, besides its first n.
local function named(f, n, ...)
  local names = {}
  for _, list in ipairs {...} do
    for name, v in pairs(list) do
      if f.index[name] and f.index[name] > n then
        names[name] = v
      end
    end
  end
  return names
end

-- The last parameters, as many as there are no arguments for, are outputs of a program that
-- does not say which its outputs are.
local function missing_outputs(prim, n)
  if #prim.outs > 0 or #prim.empties > 0 or #prim.params <= n then
    return nil
  end
  local list = {}
  for i = n, #prim.params - 1 do
    list[#list + 1] = i
  end
  return list
end

local function check_arguments(k, values)
  if #k.inputs ~= #values then
    diag.fail("call_count", k.name, #k.inputs, #values, ("%s(%d)"):format(k.name, #k.inputs))
  end
  kernel.bind(k.name, k.inputs, values, {})
  return k
end

local function of_prim(prim, values)
  return check_arguments(kernel.new(func.fresh(prim), {out_idx = missing_outputs(prim, #values)}),
    values)
end

local function of_lazy(f, values, t)
  local names = named(f, 0, t.sizes or {}, t.config or {})
  local k = next(names) and f:resolve(names) or f:resolve()
  if #k.outs == 0 and f.opts.out_idx == nil and k.f then
    return of_prim(func.prim(k.f, k.name), values)
  end
  return check_arguments(k, values)
end

-- A compile-time parameter where an input belongs: the function has too few for those.
local function check_places(f, n, config)
  local own = 0
  for i, name in ipairs(f.params) do
    own = own + (i <= n and config[name] ~= nil and 1 or 0)
  end
  if own > 0 then
    diag.fail("call_count", f.name, n - own, n, ("%s(%s)"):format(f.name,
      table.concat(f.params, ", ")))
  end
end

local function of_eager(f, values, t)
  check_places(f, #values, t.config or {})
  local names = named(f, #values, t.sizes or {}, t.config or {})
  local args = table.move(values, 1, #values, 1, {})
  args[#args + 1] = next(names) and names or nil
  return (f:resolve(table.unpack(args)))
end

local function kernel_of(object, t)
  local values = {}
  for i, a in ipairs(t.args or {}) do
    values[i] = argument(a)
  end
  local kind = kind_of(object)
  if kind == "prim" then
    return of_prim(object, values)
  elseif kind == "kernel" then
    return check_arguments(object, values)
  elseif islazy(object) then
    return of_lazy(object, values, t)
  end
  return of_eager(object, values, t)
end

-- A message without a place is about the whole function.
local function placed(e, object)
  local f = object.f
  if type(f) ~= "function" or not diag.isdiag(e) or e.file then
    return e
  end
  local info = debug.getinfo(f, "S")
  return diag.at(e.id, info.source, info.linedefined, 0, table.unpack(e.args))
end

local function parameters(k)
  local list = {}
  for i, s in ipairs(k.slots) do
    local p = s.param
    local shape
    for d, r in ipairs(p.shape or {}) do
      shape = shape or {}
      shape[d] = r.text
    end
    list[i] = {name = p.name, kind = p.kind, dtype = p.dtype, shape = shape, out = s.out and true}
  end
  return list
end

local function result(job, k)
  local text = ir.text(k.P)
  if #text > Program then
    diag.fail("judge_large", k.name, #text, Program)
  end
  return {ir = text, name = k.name, params = parameters(k), warnings = job.warned[k.P]}
end

-- No kernel has the name: which may be meant?
local function no_kernel(job, name)
  local other = suggest.find(name, job.names)
  if #job.names == 0 then
    error(diag.at("judge_none", job.chunk, 0, 0, name), 0)
  elseif other then
    error(diag.at("judge_near", job.chunk, 0, 0, name, other), 0)
  end
  error(diag.at("judge_kernels", job.chunk, 0, 0, name, table.concat(job.names, ", ")), 0)
end

local function traced(job, t)
  local object = job.byname[t.kernel]
  local ok, r = xpcall(function()
    return result(job, kernel_of(object or no_kernel(job, t.kernel), t))
  end, handler)
  return ok and r or {error = error_table(object and placed(r, object) or r)}
end

-- The program ---------------------------------------------------------------------------

-- Names of kernels, each once, in the order of the text; the last one of a name holds,
-- and what a global variable of that name holds comes before it.
local function collect(job, list, env, returned)
  job.names, job.byname = {}, {}
  local function add(name, object)
    if type(name) == "string" and name:find "^[%a_][%w_]*$" and kind_of(object) then
      job.names[#job.names + 1] = not job.byname[name] and name or nil
      job.byname[name] = object
    end
  end
  for _, k in ipairs(list) do
    add(k.name, k.object)
  end
  local found = {}
  for _, t in ipairs {returned or {}, env} do
    for name, v in next, t do
      if kind_of(v) and type(name) == "string" then
        found[#found + 1] = {name = name, object = v}
      end
    end
  end
  table.sort(found, function(a, b) return a.name < b.name end)
  for _, k in ipairs(found) do
    add(k.name, k.object)
  end
end

-- What Lua itself says of a text, "chunk:line: words", as a message at its line.
local function refused(err, chunk)
  local line, words = err:match ":(%d+): (.*)$"
  return diag.at("lua", chunk, math.tointeger(line) or 0, 0, words or err)
end

-- Runs a text: an error table, or nil and what it returns; of one in Python, its globals.
local function run_one(job, text, chunk)
  if text:sub(1, 1) == "\27" then
    return error_table(diag.at("judge_binary", chunk, 0, 0))
  end
  local f, err = (python.is(chunk) and job.python or sandbox.load)(text, chunk)
  if not f then
    return error_table(diag.isdiag(err) and err or refused(err, chunk))
  end
  local r = table.pack(xpcall(f, handler))
  if not r[1] then
    return error_table(r[2])
  elseif python.is(chunk) then
    return nil, err
  end
  return nil, type(r[2]) == "table" and getmt(r[2]) == nil and r[2] or nil
end

-- A byte order mark and a "#" line, as files may have them; Python reads both itself.
local function body(text, chunk)
  return python.is(chunk) and text or (text:gsub("^\xEF\xBB\xBF", ""):gsub("^#[^\n]*", ""))
end

-- Runs the texts that stand before it, then the text.
local function run_text(job)
  for _, b in ipairs(job.before or {}) do
    local err = run_one(job, body(b.text, b.chunk), b.chunk)
    if err then
      return err
    end
  end
  return run_one(job, body(job.text, job.chunk), job.chunk)
end

-- Says once, among what the program prints, that its kernels do not run here.
local function tell_launch(print, lang)
  local said = false
  return function()
    local w = not said and diag.make "judge_launch"
    said = true
    if w then
      print((lang == "zh" and "（%s；%s）" or "(%s; %s)"):format(w.message, w.label))
    end
  end
end

-- Is one of its texts in Python?
local function needs_python(job)
  for _, b in ipairs(job.before or {}) do
    if python.is(b.chunk) then
      return true
    end
  end
  return python.is(job.chunk)
end

-- job as JSON -> answer as JSON
function M.run(text)
  local job = numbers.unpack(json.decode(text))
  if job.question then
    return require("moontile.puzzles.judge.hosted").run(job)
  end
  local limits, list, results = job.limits, {}, {}
  local print, printed, write = printer()
  diag.setlang(job.lang)
  job.warned = without_device(job.target or "sim", tell_launch(print, job.lang))
  local env = surroundings.make {print = print}
  job.python = needs_python(job) and python.open(env, write)
  accept_shapes()
  record(list, function(f) return debug.getinfo(f, "S").source == job.chunk end)
  change_globals(env)
  sandbox.limit(limits.seconds, limits.memory, limits.instructions)
  local err, returned = run_text(job)
  collect(job, list, env, returned)
  for i, t in ipairs(not err and job.traces or {}) do
    sandbox.phase(i)
    results[i] = traced(job, t)
  end
  local answer = json.encode {kernels = job.names, results = results, error = err,
    output = printed()}
  sandbox.free()
  return answer
end

return M
