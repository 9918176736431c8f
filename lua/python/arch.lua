-- python/arch.lua: tilelang.carver.arch: the machine that kernels are made for, by the attributes that TileLang's CUDA and
-- CDNA have.  What nobody here knows of it, as the size of a cache, is no attribute.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local cuda = require "moontile.python.torch_cuda"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

-- An architecture's constructor: `kind` of machines "sm_" or "gfx".
local function constructor(name, platform, kind, values)
  return function(self, target)
    local machine = cuda.machine() or ""
    if machine:sub(1, #kind) ~= kind then
      exc.fail("RuntimeError", ("Cannot find %s device 0: the target is %s; run with -t 'sim -arch=%s', or on a GPU")
        :format(kind == "sm_" and "cuda" or "HIP", machine ~= "" and machine or "cpu", kind == "sm_" and "sm_90a" or "gfx942"), nil, name)
    end
    local major, minor = cuda.version(machine)
    for k, v in pairs(values) do
      self[k] = v
    end
    self.target, self.platform, self.name = target, platform, cuda.name()
    self.compute_max_core, self.warp_size = cuda.multiprocessors(), cuda.facts().warp
    self.compute_capability = ("%d%d"):format(major, minor)
    self.sm_version = kind == "sm_" and major * 10 + minor or nil
    return core.None
  end
end

local function architecture(name, platform, kind, values)
  return made.class(name, "tilelang.carver.arch", {
    ["__init__(self, target)"] = constructor(name, platform, kind, values),
    ["__repr__(self)"] = function(a) return ("%s(%s)"):format(name, core.late.str(a.target)) end,
  })
end

-- TileLang's own figures, the same for all cards.
local CUDA = architecture("CUDA", "CUDA", "sm_", {reg_cap = 65536, smem_cap = 49152, max_smem_usage = 2 * 49152, sm_partition = 4,
  transaction_size = core.list {32, 128}, bandwidth = core.list {750, 12080}})
local CDNA = architecture("CDNA", "CDNA", "gfx", {reg_cap = 32768, smem_cap = 65536, max_smem_usage = 2 * 65536, sm_partition = 4,
  transaction_size = core.list {32, 128}, bandwidth = core.list {1300, 14000}})

local function is(class_of, low, high)
  return function(a)
    return class.isinstance(a, class_of) and (not low or a.sm_version >= low and a.sm_version < high) or false
  end
end

function M.names()
  local names = {CUDA = CUDA, CDNA = CDNA, get_arch = native.make("get_arch", "target?", function(target)
    local gfx = tostring(target or ""):match "^hip" or tostring(target or ""):match "^rocm"
    return func.call(gfx and CDNA or CUDA, target or "cuda")
  end)}
  for name, test in pairs {is_cuda_arch = is(CUDA), is_cdna_arch = is(CDNA), is_volta_arch = is(CUDA, 70, 80),
    is_ampere_arch = is(CUDA, 80, 89), is_ada_arch = is(CUDA, 89, 90), is_hopper_arch = is(CUDA, 90, 91)} do
    names[name] = native.make(name, "arch", test)
  end
  return names
end

return M
