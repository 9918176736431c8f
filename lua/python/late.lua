-- python/late.lua: what most programs do not need, loaded when one asks for it: torch and einops, tilelang and
-- tvm, and what kernels call.  They are three quarters of what the start of a Python program would load.

local core = require "moontile.python.core"
local foreign = require "moontile.python.foreign"
local tensor = require "moontile.tensor"

local M = {}

-- The first parts of modules' names, and who knows those modules.
local families = {torch = "torch", einops = "torch", tilelang = "tilelang", tvm = "tilelang", triton = "triton",
  numpy = "numpy", pytest = "pytest"}

-- What foreign.lua and others ask torch of tensors, and tilelang of texts that name dtypes.
local of_tensors = {"tensor_at", "tensor_put", "tensor_method", "tensor_attr", "tensor_setattr"}
local of_texts = {"text_attr", "callable_text", "type_of_text"}

local installed = {}

-- Once: two names of a family would else give two copies of its modules.
local function install(P, family)
  if not installed[family] then
    installed[family] = true
    require("moontile.python." .. family).install(P)
  end
end

-- Functions that load the family, and then are what it has put in their place.
local function stand_in(P, family, t, names)
  for _, name in ipairs(names) do
    t[name] = function(...)
      install(P, family)
      return t[name](...)
    end
  end
end

-- The same of operators: only for tensors.
local function stand_in_operator(P, name)
  core.late[name] = function(op, a, b)
    if tensor.istensor(a) or tensor.istensor(b) then
      install(P, "torch")
      return core.late[name](op, a, b)
    end
  end
end

-- What a call gave may be a frame of T's, whose modules are there by then.
local function stand_in_frame(P)
  function foreign.frame(f, s, c, cl)
    local loops = package.loaded["moontile.T.loops"]
    if loops and debug.getmetatable(s) == loops.Frame then
      install(P, "tilelang")
      return foreign.frame(f, s, c, cl)
    end
  end
end

-- P: moontile.python
function M.install(P)
  for root, family in pairs(families) do
    P.imports.families[root] = function() install(P, family) end
  end
  stand_in(P, "torch", foreign, of_tensors)
  stand_in(P, "tilelang", core.late, of_texts)
  stand_in_frame(P)
  debug.getmetatable(core.None).__key = "None" -- a value that a kernel may be made for
  stand_in_operator(P, "tensor_order")
  stand_in_operator(P, "tensor_augmented")
  P.annotate = nil -- a kernel's, from here on
  setmetatable(P, {__index = function(_, name)
    setmetatable(P, nil)
    require("moontile.python.kernel").install(P)
    return rawget(P, name)
  end})
end

return M
