-- python/torch_cuda.lua: what of torch.cuda, torch.backends and their like says something of a device, or
-- nothing because launches are done when they return: streams, properties, settings.

local core = require "moontile.python.core"
local device_of = require "moontile.tl.device"
local exc = require "moontile.python.exc"
local feedback = require "moontile.feedback"
local ir = require "moontile.ir"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local tl = require "moontile.tl"

local M = {}

local None, constant = core.None, made.constant

-- The device ------------------------------------------------------------------

-- The machine that kernels are made for now, "sm_90a"; nil: processors.
function M.machine()
  local spec = device_of.on(device_of.resolve())
  return spec:match "^%S+" ~= "cpu" and ir.machine(spec) or nil
end

-- Major and minor of a machine's name: "sm_90a", "gfx942"; nil: it has none.
local function version(name)
  local major, minor = name:match "^sm_(%d+)(%d)%a?$"
  if not major then
    major, minor = name:match "^gfx(%d+)(%d)%x$"
  end
  return math.tointeger(tonumber(major)), math.tointeger(tonumber(minor))
end

-- Raises: what was asked only GPUs have.
local function no_device(what)
  exc.fail("RuntimeError", ("the target is %s, which has no %s: run with -t 'sim -arch=sm_90a', or on a GPU")
    :format(M.machine() or "cpu", what),
    nil, what)
end

local function capability()
  local name = M.machine()
  local major, minor = version(name or "")
  if not major then
    no_device "compute capability"
  end
  return core.tuple {major, minor}
end

-- The facts of the machine that kernels are made for, as feedback.machines() has them; nil: none
local function facts()
  local name = M.machine()
  for _, m in ipairs(feedback.machines()) do
    if m.name == name then
      return m
    end
  end
end

-- How many multiprocessors the device has: what it says itself, else those of its machine's usual card; of
-- processors one, since blocks of any number run there.
function M.multiprocessors()
  local spec = device_of.machine(device_of.resolve())
  local n = math.tointeger(tonumber(tostring(spec):match "%-sms=(%d+)"))
  local m = facts()
  return n or m and m.card and m.card.sms or 1
end

local Properties = made.class("_CudaDeviceProperties", "torch.cuda", {
  ["__repr__(self)"] = function(p)
    return ("_CudaDeviceProperties(name='%s', major=%s, minor=%s, multi_processor_count=%d)"):format(p.name, p.major,
      p.minor, p.multi_processor_count)
  end,
})

M.version, M.facts = version, facts

local function device_name()
  local m = facts()
  return m and (m.card and m.card.name or m.name) or no_device "name"
end

M.name = device_name

-- What a machine's row says; what it does not say is no attribute.
local function properties()
  local m = facts() or no_device "properties"
  local major, minor = version(m.name)
  return made.object(Properties, {
    name = device_name(), major = major or None, minor = minor or None, multi_processor_count = M.multiprocessors(),
    warp_size = m.warp, shared_memory_per_block_optin = m.shared, gcnArchName = m.name,
  })
end

-- Streams ---------------------------------------------------------------------

local function nothing() return None end

local Stream = made.class("Stream", "torch.cuda", {
  ["__init__(self, device?, priority?)"] = nothing, ["synchronize(self)"] = nothing,
  ["wait_stream(self, stream)"] = nothing, ["wait_event(self, event)"] = nothing,
  ["query(self)"] = function() return true end,
  ["record_event(self, event?)"] = function(_, e) return e or None end,
  ["__enter__(self)"] = function(s) return s end,
  ["__exit__(self, kind, value, traceback)"] = nothing,
})
made.properties(Stream, {cuda_stream = function() return 0 end})

local default = made.object(Stream)

local function stream()
  return default
end

-- Adds what is here to torch.cuda.
function M.fill(c, module)
  c.is_available = native.make("is_available", "", function() return M.machine() ~= nil end)
  c.device_count = native.make("device_count", "", function() return M.machine() and 1 or 0 end)
  c.get_device_capability = native.make("get_device_capability", "device?", capability)
  c.get_device_name = native.make("get_device_name", "device?", device_name)
  c.get_device_properties = native.make("get_device_properties", "device?", properties)
  for _, name in ipairs {"synchronize", "empty_cache", "init", "set_device", "reset_peak_memory_stats"} do
    c[name] = constant(name, None)
  end
  c.is_initialized, c.current_device = constant("is_initialized", true), constant("current_device", 0)
  c.Stream, c.current_stream, c.default_stream = Stream, native.make("current_stream", "device?", stream),
    native.make("default_stream", "device?", stream)
  c.stream = native.make("stream", "stream", function(s) return s end)
  c.device = native.make("device", "device", (made.manager("device", "torch.cuda")))
  for _, name in ipairs {"manual_seed", "manual_seed_all"} do
    c[name] = native.make(name, "seed", function(n)
      tl.manual_seed(n)
      return None
    end)
  end
  c.profiler = module("torch.cuda.profiler", {start = constant("start", None), stop = constant("stop", None)})
  c.nvtx = module("torch.cuda.nvtx", {range_push = constant("range_push", 0), range_pop = constant("range_pop", 0),
    mark = constant("mark", None), range_start = constant("range_start", 0), range_end = constant("range_end", None)})
end

-- torch.backends: settings that are taken and change nothing, since products are exact.
function M.backends(module)
  local cuda = module("torch.backends.cuda", {matmul = module("torch.backends.cuda.matmul", {allow_tf32 = false,
    allow_fp16_reduced_precision_reduction = false, allow_bf16_reduced_precision_reduction = false}),
    is_built = native.make("is_built", "", function() return M.machine() ~= nil end)})
  local cudnn = module("torch.backends.cudnn", {allow_tf32 = false, benchmark = false, deterministic = true, enabled = false,
    is_available = constant("is_available", false)})
  return module("torch.backends", {cuda = cuda, cudnn = cudnn})
end

return M
