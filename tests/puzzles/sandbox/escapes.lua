-- Ways out of the evaluator: each has a clear outcome.
local lib = dofile "lib/try.lua"
local try, kernel, inside = lib.try, lib.kernel, lib.inside

-- Names that are not there.
for _, name in ipairs {"io.open '/etc/passwd'", "io.write 'x'", "os.getenv 'HOME'", "os.exit()",
  "debug.getinfo(1)", "debug.sethook()", "load 'x = 1'", "loadstring 'x = 1'", "loadfile 'x'",
  "dofile 'x'", "require 'io'", "require 'moontile.session'", "package.loaded.io",
  "coroutine.wrap(print)", "collectgarbage 'stop'", "warn '@on'", "string.dump(print)",
  "('').dump(print)", "tl.load 'x.npy'", "tl.save('x', tl.ones {1})", "tl.set_target 'cpu'",
  "tl.from_ir ''", "tl.devices()", "tl.ops.gemm()", "tl.gemm()", "tl.profiler.do_bench()",
  "tl.zeroes {3}", "plot(1)", "io.x", "os()"} do
  try(name, kernel .. "local x = " .. name)
end
try("io.open = f", kernel .. "io.open = print")
try("_G.io", kernel .. "print(_G.io.open)")

-- The reference of a puzzle, by each door that reads texts.
for _, call in ipairs {"loadfile '../../../puzzles/01-copy/puzzle.lua'",
  "dofile '../../../puzzles/01-copy/puzzle.lua'", "require 'moontile.files'",
  "require 'moontile.puzzles.judge.puzzle'", "io.lines '/etc/passwd'", "io.popen 'id'",
  "os.tmpname()", "os.execute 'id'", "tl.load '/etc/passwd'"} do
  try(call, kernel .. "local x = " .. call)
end
try("a walk", kernel .. [[
local doors = {open = 1, popen = 1, lines = 1, getenv = 1, execute = 1, tmpname = 1, remove = 1,
  rename = 1, loadfile = 1, dofile = 1, searchpath = 1, loadlib = 1, getupvalue = 1,
  setupvalue = 1, getregistry = 1, getlocal = 1, sethook = 1}
local seen, found = {[table] = true}, {}
local function walk(t, path)
  if type(t) ~= "table" or seen[t] then return end
  seen[t] = true
  walk(getmetatable(t), path .. ":meta")
  for k, v in pairs(t) do
    local name = path .. "." .. tostring(k)
    if doors[k] and pcall(v, "/etc/passwd") then found[#found + 1] = name end
    walk(v, name)
  end
end
walk(_G, "_G") walk(T, "T") walk(tl, "tl") walk(string, "string") walk(math, "math")
walk(f, "f") walk(f:compile {N = 4, BLOCK = 4}, "k")
assert(#found == 0, table.concat(found, " "))
]])

-- What kernels and functions could do with a device, a compiler, a file.
for _, call in ipairs {"bench()", "check()", "tune()", "export 'x'", "export_ptx 'x'", "explain()",
  "get_kernel_source()", "show_source()", "trace()", "peek 'B'", "loaded()", "time({})",
  "retarget 'cpu'", "get_profiler()", "run_once()"} do
  try("kernel:" .. call, kernel .. "f:compile {N = 4, BLOCK = 4}:" .. call)
end
try("jit:tune", kernel .. "f:tune()")
try("jit:get_kernel_source", kernel .. "f:get_kernel_source {N = 4, BLOCK = 4}")

-- Code of other languages.
for _, call in ipairs {"T.call_extern('handle', 'system', 'id')", "T.import_source 'x'",
  "T.call_pure_extern('x')", "T.call_packed('x')", "T.inline_asm('x')", "T.nothing()"} do
  try(call:match "[%w_.]+", inside("    " .. call))
end

-- Metatables.
try("of a string", kernel .. "getmetatable('').__index.rep = nil")
try("of ours", kernel .. "print(getmetatable(f), getmetatable(T), getmetatable(tl.ones {1}))")
try("set on ours", kernel .. "setmetatable(f, {__index = print})")
try("set on T", kernel .. "setmetatable(T, {})")
try("__gc", "setmetatable({}, {__gc = function() while true do end end})\n" .. kernel)
try("__gc later", "local m = {}\nsetmetatable({}, m)\nm.__gc = function() while true do end end\n" ..
  kernel)
try("__metatable", kernel ..
  "local t = setmetatable({}, {__metatable = 1})\nprint(getmetatable(t))\nsetmetatable(t, {})")
try("their own", kernel .. [[
local V = {__add = function(a, b) return a.x + b.x end}
V.__index = V
local v = setmetatable({x = 1}, V)
assert(getmetatable(v) == V and v + v == 2 and setmetatable(v, nil) == v)
]])
try("of the globals", kernel .. "setmetatable(_G, {__index = function() return 1 end})\nassert(xx == 1)")
try("methods of strings", kernel .. [[
function string.twice(s) return s .. s end
assert(('a'):twice() == 'aa' and ('%d'):format(3) == '3')
string.format = nil
assert(('%d'):format(3) == '3')
]])

-- Tables of ours.
try("T.copy =", kernel .. "T.copy = print")
try("T changed by rawset", "rawset(T, 'Parallel', nil)\n" .. kernel)
try("pairs(T)", kernel .. [[
local n = 0
for name, v in pairs(T) do n = n + 1 end
local next, t = pairs(T)
assert(n > 300 and t == T)
]])
try("tl.jit =", "tl.jit = nil")
try("__stage", "__stage.lt = nil\n" .. kernel)
try("__stage.backend", "__stage.backend = nil\n" .. kernel)

-- Kernels that are not what they seem.
try("no kernel at all", "f = {}\nf.name = 'f'")
try("planted name", kernel .. "f:compile {N = 100, BLOCK = 32}.name = " ..
  "setmetatable({}, {__tostring = function() while true do end end})")
try("planted parameter", kernel .. "f:compile {N = 100, BLOCK = 32}.slots[1].param.name = " ..
  "setmetatable({}, {__tostring = function() while true do end end})")
try("errors with methods",
  "error(setmetatable({}, {__tostring = function() while true do end end}))")
try("errors of tables", "error {code = 'E600'}")

-- No text.
try("compiled", string.dump(function() end))
try("compiled below #", "#!x\n" .. string.dump(function() end))
try("no Lua", ("\xff\xfe\0\1"):rep(100))
