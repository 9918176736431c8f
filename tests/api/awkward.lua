-- Every method of what users hold and every function of tl, T and plot with arguments that
-- nobody means: what comes is a result or an error with a code, never an error of Lua's
-- inside of moontile.  Prints what is not so.
tl.set_target "sim"

local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  local C = T.empty({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do
      C[i] = A[i] * 2
    end
  end
  return C
end)
local prim = T.prim_func(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    T.fill(A, 1)
  end
end)
local k, x = f:compile(), tl.ones({64}, "float32")
local p, layout = k:get_profiler(), T.Layout({8, 8}, function(i, j) return j, i end)
local fragment = T.Fragment({8, 8}, {thread = function(i, j) return (i * 8 + j) % 32 end,
  index = function(i, j) return i // 4 end})
local tuned, instruction = tl.autotune(f, {configs = {{}}}), tl.layout.mma "m16n8k16"
local huge = 1 << 62
local stdout = io.stdout
local function silent() end

-- Argument lists; n: how many, where nil is among them.
local lists = {
  {}, {nil, n = 1}, {x}, {{x}}, {-1}, {0}, {0.5}, {0 / 0}, {math.huge}, {huge}, {"x"}, {"\0\27"}, {""},
  {{}}, {true}, {silent}, {k}, {f}, {layout}, {fragment}, {p}, {T.float32}, {io.stdout},
  {coroutine.create(silent)}, {x, x}, {x, x, "y"}, {{x}, 3}, {{x}, {}}, {{x}, "y"}, {x, {}}, {"x", {}},
  {"C", 3}, {{}, {}}, {1, {}}, {1, 2}, {"x", "y"}, {{1, 2}}, {{1, 2}, 3}, {{a = 1}}, {x, nil, 3, n = 3},
  {{huge, huge}, "float32"}, {{-3}, "nonsense"}, {{"a"}, "float32"}, {{{}}}, {silent, silent, silent},
  {{prim, f, 3}}, {"m16n8k16", "C", 3}, {"m16n8k16", 3}, {k, {}}, {f, 3},
  {0, {}, "x", silent, x, k, f, 1, 2, 3},
}
-- Options: each of these values by each of these names, alone and behind a name.
local values = {-1, "x", 0 / 0, {}, {3}, x, huge, true}
local options = {
  kernel = {"target", "sizes", "seed", "ref", "inputs", "rounds", "rep", "warmup", "n_warmup",
    "batch", "scalars", "vs", "dims", "card", "block", "launch", "iterations", "iteration", "line", "times",
    "space", "budget", "jobs"},
  jit = {"space", "budget", "inputs"},
  profiler = {"rep", "warmup", "n_repeat", "quantiles", "return_mode", "func", "input_tensors", "atol"},
  layout = {"access", "bits", "vector", "lanes"},
  ["tl.layout"] = {"dtype", "rows", "bytes", "mode", "tile", "lanes"},
  ["tl.ops"] = {"trans_a", "out_dtype", "scale", "is_causal"},
  ["tl.profiler"] = {"rep", "n_repeat", "quantiles"},
  tl = {"target", "token_file", "configs", "dtype", "rtol", "name", "pass_configs"},
}

-- What writes files, or changes how the others run, gets no path and no target.
local quiet = {export = true, export_sources = true, export_ptx = true, export_sass = true,
  save = true, set_target = true, connect = true}
local selves = {false, 3, "x", {}, x, k, layout, p, silent}

local function of(v)
  return getmetatable(v).__names or getmetatable(v).__index
end

local ops = {}
for name in pairs(require("moontile.ops").names) do
  ops[name] = tl.ops[name]
end
local kernels, layouts = of(k), require("moontile.layout.object").methods
-- {name, functions, [what they are methods of, [options]]}
local things = {
  {"kernel", kernels, k}, {"kernel", kernels, tl.from_ir(k:ir())}, {"jit", of(f), f},
  {"prim_func", of(prim), prim}, {"autotuned", of(tuned), tuned},
  {"tensor", require("moontile.tensor").methods, x}, {"layout", layouts, layout},
  {"layout", layouts, fragment}, {"profiler", of(p), p}, {"trace", of(k:trace()), k:trace()},
  {"tl", tl}, {"tl.testing", tl.testing}, {"tl.layout", tl.layout}, {"tl.ref", tl.ref},
  {"tl.ops", ops}, {"tl.host", tl.host}, {"tl.profiler", tl.profiler}, {"T", T}, {"", {plot = plot}},
}

local seen, calls = {}, 0

-- Is e an error that Lua raised in a file of ours?
local function plain(e)
  return type(e) == "string" and (e:find "^moontile/" or e:find "^lua/" or e:find "%[E999%]")
end

local function try(what, fn, ...)
  calls = calls + 1
  local ok, e = pcall(fn, ...)
  if not ok and plain(tostring(e)) and not seen[what .. tostring(e)] then
    seen[what .. tostring(e)] = true
    stdout:write(what, ": ", tostring(e), "\n")
  end
end

local function each_list(name, own, use)
  for _, a in ipairs(lists) do
    use(table.unpack(a, 1, a.n or #a))
  end
  for _, key in ipairs(options[name] or {}) do
    for _, v in ipairs(values) do
      use {[key] = v}
      if not own or name == "kernel" then
        use("C", {[key] = v})
      end
    end
  end
end

local function fuzz(name, functions, own)
  local names = {}
  for key, fn in pairs(functions) do
    if type(key) == "string" and type(fn) == "function" and key:sub(1, 2) ~= "__" then
      names[#names + 1] = key
    end
  end
  table.sort(names)
  for _, key in ipairs(names) do
    local what, fn = name .. "." .. key, functions[key]
    each_list(name, own, function(first, ...)
      if quiet[key] and type(first) == "string" then
        return
      elseif own then
        try(what, fn, own, first, ...)
      else
        try(what, fn, first, ...)
      end
    end)
    for _, self in ipairs(own and selves or {}) do
      if self ~= own then
        try(what, fn, self or nil)
        try(what, fn, self or nil, quiet[key] and {} or x, 1)
      end
    end
  end
end

-- What the calls themselves print is none of the test's.
io.stdout = {write = function() return io.stdout end}
for _, t in ipairs(things) do
  fuzz(table.unpack(t, 1, 3))
end
-- Options of figures.
local trace = k:trace()
for _, key in ipairs {"width", "rows", "cols", "cells", "page", "delay", "dims", "bench", "slice",
  "access", "lanes", "vector", "block", "launch", "target", "card", "iterations", "from", "to",
  "rtol", "n", "values"} do
  for _, v in ipairs(values) do
    for _, thing in ipairs {k, x, layout, fragment, trace, {actual = x, expected = x}} do
      try("plot " .. key, plot, thing, {[key] = v})
    end
    try("plot " .. key, plot, k, "C", {[key] = v})
  end
end
stdout:write(calls > 10000 and "more than ten thousand calls\n" or calls .. " calls\n")
